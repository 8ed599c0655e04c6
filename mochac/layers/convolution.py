"""ConvolutionLayer: convolution of images with filters, with a bias per filter and a neuron.

The parameters are `filter` (n_filter, channels/n_group, kh, kw) and `bias` (n_filter,).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.layers.base import Parametric, layer
from mochac.layers.constraints import Constraint, NoCons, constraint
from mochac.layers.context import TraceContext
from mochac.layers.examples import LOSS, PARAMETER, Example, breaks, fits
from mochac.layers.fields import instance, integer, option, pair, parameter_blob, real, text
from mochac.layers.initializers import ConstantInitializer, Initializer, XavierInitializer
from mochac.layers.neurons import Identity, Neuron, Sigmoid, neuron
from mochac.layers.regularizers import L2Regu, NoRegu, Regularizer

INIT = instance(Initializer, "an initializer such as XavierInitializer()", XavierInitializer())
REGU = instance(Regularizer, "a regularizer such as L2Regu(1)", L2Regu(1))


@layer
class ConvolutionLayer(Parametric):
    """Convolution (strictly, cross-correlation) with zero padding and groups of channels.

        out = floor((in + 2*pad - kernel) / stride) + 1

    Args:
        kernel, stride: (height, width) or one integer for both, elements, >= 1.
        pad: zeros on each side, (height, width) or one integer, >= 0.
        n_filter: number of output channels, >= 1.
        n_group: number of groups into which input channels and filters are split; divides both numbers.
        filter_init, bias_init, filter_regu, bias_regu, filter_cons, bias_cons, filter_lr, bias_lr: settings of the two
            parameters; the lr are factors of the learning rate, >= 0.
        neuron: activation of the tops.
        filter, bias: names of blobs, such as those of a ParameterLayer, to use instead of parameters of its own.

    Shapes: (batch, channels, height, width) -> (batch, n_filter, out_height, out_width). Several bottoms must have the
    same shape, and share the parameters. Source: Mocha.jl src/layers/convolution.jl.

    >>> ConvolutionLayer(name="conv1", n_filter=20, kernel=5, bottoms=["data"]).kernel
    (5, 5)
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, None)
    n_tops: ClassVar[tuple[int, int | None]] = (1, None)
    paired: ClassVar[bool] = True
    blob_fields: ClassVar[tuple[str, ...]] = ("filter", "bias")
    examples: ClassVar[tuple[Example, ...]] = (
        fits((2, 4, 3), kernel=3, pad=1, n_filter=2),
        fits((4, 3, 3), kernel=(2, 1), stride=(1, 2), n_filter=4, n_group=2, neuron=Sigmoid()),
        fits((1, 3, 3), (1, 3, 3), kernel=2, n_filter=2, tops=["left", "right"]),
        breaks("a bottom is not a batch of images", (3,)),
        breaks("a bottom is not a batch of images", LOSS),
        breaks("bottoms differ in shape", (1, 3, 3), (1, 3, 4), tops=["left", "right"]),
        breaks("channels and filters do not divide into groups", (3, 4, 4), n_filter=4, n_group=2),
        breaks("channels and filters do not divide into groups", (4, 4, 4), n_filter=3, n_group=2),
        breaks("kernel does not fit its input", (1, 3, 3), kernel=(3, 4)),
        breaks("filter 'W' has another shape", (1, 3, 3), near=PARAMETER, filter="W"),
        breaks("filter 'b1' holds samples", (1, 3, 3), (1,), bottoms=["b0"], filter="b1"),
    )

    name: str = option(text(), default="convolution")
    kernel: int | tuple[int, int] = option(pair(1), default=(1, 1))
    stride: int | tuple[int, int] = option(pair(1), default=(1, 1))
    pad: int | tuple[int, int] = option(pair(0), default=(0, 0))
    n_filter: int = option(integer(1), default=1)
    n_group: int = option(integer(1), default=1)
    filter_init: Initializer = option(INIT, default=XavierInitializer())
    bias_init: Initializer = option(INIT, default=ConstantInitializer(0.0))
    filter_regu: Regularizer = option(REGU, default=L2Regu(1.0))
    bias_regu: Regularizer = option(REGU, default=NoRegu())
    filter_cons: Constraint = option(constraint(), default=NoCons())
    bias_cons: Constraint = option(constraint(), default=NoCons())
    filter_lr: float = option(real(0), default=1.0)
    bias_lr: float = option(real(0), default=2.0)
    neuron: Neuron = option(neuron(), default=Identity())
    filter: str = option(parameter_blob(), default="")
    bias: str = option(parameter_blob(), default="")

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        self._check(bottoms)
        channels = bottoms[0].type.shape[1]
        assert isinstance(self.kernel, tuple)
        shape = (self.n_filter, channels // self.n_group, *self.kernel)
        w = ctx.param("filter", shape, self.filter_init, self.filter_regu, self.filter_lr, self.filter_cons)
        b = ctx.param(
            "bias", (self.n_filter,), self.bias_init, self.bias_regu, self.bias_lr, self.bias_cons, decays=False
        )
        attrs = {"stride": self.stride, "pad": self.pad, "group": self.n_group}
        return [self.neuron.emit(ctx, ctx.op("conv2d", x, w, b, **attrs)) for x in bottoms]

    def _check(self, bottoms: tuple[Value, ...]) -> None:
        """Checks before the shape of the filter is computed."""
        for x in bottoms:
            shape = x.type.shape
            if len(shape) != 4:
                axes = "4 axes (batch, channels, height, width)"
                hint = (
                    "ReshapeLayer(shape=(channels, height, width)) turns features into images" if len(shape) < 4 else ""
                )
                raise OpTypeError("a bottom is not a batch of images", axes, f"{len(shape)} axes", hint)
            if shape[1:] != bottoms[0].type.shape[1:]:
                raise OpTypeError("bottoms differ in shape", str(bottoms[0].type.shape[1:]), str(shape[1:]))
        for what, count in (("channels", bottoms[0].type.shape[1]), ("n_filter", self.n_filter)):
            if count % self.n_group:
                rule = "channels and filters do not divide into groups"
                raise OpTypeError(rule, f"{what} % n_group == 0", f"{count} % {self.n_group} == {count % self.n_group}")
