"""ConvolutionLayer and DeconvolutionLayer, with a bias per channel and a neuron.

The parameters of a convolution are `filter` (n_filter, channels/n_group, kh, kw) and `bias` (n_filter,); those of a
deconvolution are `filter` (channels, n_filter/n_group, kh, kw) and `bias` (n_filter,). A deconvolution is a transposed
convolution: its op is conv_dx, the data gradient of the convolution that maps its tops to its bottoms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from mochac.base.records import option
from mochac.base.rules import integer, real, text
from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.ir.ops._window import SPATIAL
from mochac.nets.layers.axes import PerAxis, over, per_axis, spatial_axes, that_divide
from mochac.nets.layers.base import Paired, Parametric, layer
from mochac.nets.layers.config import keyword_config
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, PARAMETER, Example, breaks, fits
from mochac.nets.layers.fields import bias_blob, parameter_blob, per_axis_field
from mochac.nets.layers.initializers import (
    BilinearInitializer,
    ConstantInitializer,
    Initializer,
    XavierInitializer,
    initializer,
)
from mochac.nets.layers.neurons import Identity, Neuron, Sigmoid, neuron
from mochac.nets.layers.regularizers import Constraint, L2Regu, NoCons, NoRegu, Regularizer, constraint, regularizer


@keyword_config
class Convolving(Paired, Parametric):
    """A layer with a filter and a bias, whose windows move over images."""

    blob_fields: ClassVar[tuple[str, ...]] = ("filter", "bias")
    torch_names: ClassVar[Mapping[str, str]] = {"filter": "weight"}

    kernel: PerAxis = option(per_axis_field(1), default=1)
    stride: PerAxis = option(per_axis_field(1), default=1)
    pad: PerAxis = option(per_axis_field(0), default=0)
    dilation: PerAxis = option(per_axis_field(1), default=1)
    n_filter: int = option(integer(1), default=1)
    n_group: int = option(integer(1), default=1)
    filter_init: Initializer = option(initializer(), default=XavierInitializer())
    bias_init: Initializer = option(initializer(), default=ConstantInitializer(0.0))
    filter_regu: Regularizer = option(regularizer(), default=L2Regu(1.0))
    bias_regu: Regularizer = option(regularizer(), default=NoRegu())
    filter_cons: Constraint = option(constraint(), default=NoCons())
    bias_cons: Constraint = option(constraint(), default=NoCons())
    filter_lr: float = option(real(0), default=1.0)
    bias_lr: float = option(real(0), default=2.0)
    neuron: Neuron = option(neuron(), default=Identity())
    filter: str = option(parameter_blob(), default="")
    bias: str | bool = option(bias_blob(), default="")

    def windows(self, x: Value) -> dict[str, Any]:
        """The attributes of the op for images x."""
        attrs = {name: per_axis(name, getattr(self, name), x) for name in ("stride", "pad")}
        dilation = per_axis("dilation", self.dilation, x)
        return {**attrs, "group": self.n_group, **({"dilation": dilation} if max(dilation) > 1 else {})}

    def parameters(self, ctx: TraceContext, shape: Sequence[int]) -> tuple[Value, ...]:
        """The filter, of this shape, and the bias if there is one."""
        w = self.parameter(ctx, "filter", shape)
        return (w,) if self.bias is False else (w, self.parameter(ctx, "bias", (self.n_filter,), decays=False))

    def check_images(self, bottoms: tuple[Value, ...]) -> None:
        """Checks before the shape of the filter is computed."""
        first = bottoms[0].type.shape
        for x in bottoms:
            spatial_axes(x)
            if x.type.shape[1:] != first[1:]:
                raise OpTypeError("bottoms differ in shape", str(first[1:]), str(x.type.shape[1:]))
        for what, count in (("channels", first[1]), ("n_filter", self.n_filter)):
            if count % self.n_group:
                rule, got = "channels and filters do not divide into groups", f"{count} % {self.n_group}"
                hint = that_divide("n_group", self.n_group, first[1], self.n_filter)
                raise OpTypeError(rule, f"{what} % n_group == 0", f"{got} == {count % self.n_group}", hint)


@layer
class ConvolutionLayer(Convolving):
    """Convolution (strictly, cross-correlation) with zero padding and groups of channels, over one to three axes.

        out = floor((in + 2*pad - (kernel - 1)*dilation - 1) / stride) + 1

    Args:
        kernel, stride: elements, >= 1; one integer for all spatial axes, or a tuple with one for each, such as (height,
            width).
        pad: zeros on each side, likewise, >= 0.
        dilation: distance of neighbouring taps of the kernel, likewise, elements, >= 1.
        n_filter: number of output channels, >= 1.
        n_group: number of groups into which input channels and filters are split; divides both numbers. With one group
            per channel, it is a depthwise convolution.
        filter_init, bias_init, filter_regu, bias_regu, filter_cons, bias_cons, filter_lr, bias_lr: settings of the two
            parameters; the lr are factors of the learning rate, >= 0.
        neuron: activation of the tops.
        filter, bias: names of blobs, such as those of a ParameterLayer, to use instead of parameters of its own;
            bias=False: there is no bias, which has no effect in front of a BatchNormLayer anyway.

    Shapes: (batch, channels, height, width) -> (batch, n_filter, out_height, out_width); likewise (batch, channels,
    length) and (batch, channels, depth, height, width). Several bottoms must have the same shape, and share the
    parameters. Source: Mocha.jl src/layers/convolution.jl.

    >>> ConvolutionLayer(name="conv1", n_filter=20, kernel=(5, 3), bottoms=["data"]).kernel
    (5, 3)
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits((2, 4, 3), kernel=3, pad=1, n_filter=2),
        fits((4, 3, 3), kernel=(2, 1), stride=(1, 2), n_filter=4, n_group=2, neuron=Sigmoid()),
        fits((1, 3, 3), (1, 3, 3), kernel=2, n_filter=2, tops=["left", "right"]),
        fits((2, 5, 5), kernel=(3, 2), pad=1, dilation=(1, 2), n_filter=2, n_group=2),
        fits((2, 7), kernel=3, stride=2, pad=(1,), n_filter=3),
        fits((1, 3, 2, 4), kernel=(2, 1, 3), stride=(1, 1, 2), pad=(0, 0, 1), n_filter=2),
        fits((3, 3, 3), kernel=2, n_filter=6, n_group=3),
        fits((2, 4, 3), kernel=3, pad=1, n_filter=2, bias=False, neuron=Sigmoid()),
        breaks("a bottom is not a batch of images", (3,)),
        breaks("a bottom is not a batch of images", (1, 2, 2, 2, 2)),
        breaks("a bottom is not a batch of images", LOSS),
        breaks("bottoms differ in shape", (1, 3, 3), (1, 3, 4), tops=["left", "right"]),
        breaks("channels and filters do not divide into groups", (3, 4, 4), n_filter=4, n_group=2),
        breaks("channels and filters do not divide into groups", (4, 4, 4), n_filter=3, n_group=2),
        breaks("kernel does not fit its input", (1, 3, 3), kernel=(3, 4)),
        breaks("dilated kernel does not fit its input", (1, 4, 4), kernel=2, dilation=4),
        breaks("stride needs one number per spatial axis", (1, 3, 3), stride=(1, 1, 1)),
        breaks("kernel needs one number per spatial axis", (1, 5), kernel=(3, 3)),
        breaks("filter 'W' has another shape", (1, 3, 3), near=PARAMETER, filter="W"),
        breaks("filter 'b1' holds samples", (1, 3, 3), (1,), bottoms=["b0"], filter="b1"),
    )

    name: str = option(text(), default="convolution")

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        self.check_images(bottoms)
        x, attrs = bottoms[0], self.windows(bottoms[0])
        shape = (self.n_filter, x.type.shape[1] // self.n_group, *per_axis("kernel", self.kernel, x))
        parameters = self.parameters(ctx, shape)
        return [self.neuron(ctx, ctx.op("conv", x, *parameters, **attrs)) for x in bottoms]


@layer
class DeconvolutionLayer(Convolving):
    """Transposed convolution: each element of a bottom adds the filter, times the element, to a window of the top.

        out = (in - 1)*stride - 2*pad + (kernel - 1)*dilation + 1 + output_pad

    Args:
        kernel, stride: elements, >= 1; one integer for all spatial axes, or a tuple with one for each, such as (height,
            width).
        pad: elements that are cut off on each side of the top, likewise, >= 0.
        dilation: distance of neighbouring taps of the kernel, likewise, elements, >= 1.
        output_pad: more elements of the top at the end of each axis, likewise, >= 0, smaller than stride: of the sizes
            that a convolution with this stride maps to the bottom's, it chooses one.
        n_filter: number of output channels, >= 1.
        n_group: number of groups into which input and output channels are split; divides both numbers.
        filter_init, bias_init, filter_regu, bias_regu, filter_cons, bias_cons, filter_lr, bias_lr: settings of the two
            parameters; the lr are factors of the learning rate, >= 0. With BilinearInitializer() and n_group = n_filter
            = channels, the layer enlarges images by interpolation.
        neuron: activation of the tops.
        filter, bias: names of blobs, such as those of a ParameterLayer, to use instead of parameters of its own;
            bias=False: there is no bias, which has no effect in front of a BatchNormLayer anyway.

    Shapes: (batch, channels, height, width) -> (batch, n_filter, out_height, out_width); likewise (batch, channels,
    length) and (batch, channels, depth, height, width). Several bottoms must have the same shape, and share the
    parameters. Source: Zeiler et al. 2010; Caffe's Deconvolution, and PyTorch's ConvTranspose2d with padding=pad.

    >>> DeconvolutionLayer(name="up", n_filter=3, kernel=4, stride=2, pad=1, bottoms=["code"]).stride
    2
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits((2, 3, 2), kernel=3, n_filter=3),
        fits((2, 3, 2), kernel=(4, 3), stride=2, pad=1, output_pad=(0, 1), n_filter=2, neuron=Sigmoid()),
        fits((4, 3, 3), kernel=2, stride=(1, 2), dilation=(2, 1), n_filter=2, n_group=2),
        fits((2, 2, 2), kernel=4, stride=2, pad=1, n_filter=2, n_group=2, filter_init=BilinearInitializer()),
        fits((1, 3, 3), (1, 3, 3), kernel=2, n_filter=2, tops=["left", "right"]),
        fits((2, 4), kernel=3, stride=2, n_filter=2),
        fits((2, 3, 2), kernel=3, n_filter=3, bias=False, neuron=Sigmoid()),
        fits((1, 2, 1, 3), kernel=(1, 2, 2), stride=(2, 1, 2), output_pad=(1, 0, 0), n_filter=2),
        breaks("a bottom is not a batch of images", (3,)),
        breaks("a bottom is not a batch of images", LOSS),
        breaks("bottoms differ in shape", (1, 3, 3), (1, 3, 4), tops=["left", "right"]),
        breaks("channels and filters do not divide into groups", (3, 4, 4), n_filter=4, n_group=2),
        breaks("nothing is left of the top", (1, 3, 1), kernel=3, pad=(1, 2)),
        breaks("output_pad must be smaller than stride", (1, 3, 3), kernel=2, stride=2, output_pad=2),
        breaks("kernel needs one number per spatial axis", (1, 5), kernel=(3, 3)),
        breaks("filter 'W' has another shape", (1, 3, 3), near=PARAMETER, filter="W"),
    )

    name: str = option(text(), default="deconvolution")
    bias_lr: float = option(real(0), default=1.0)
    output_pad: PerAxis = option(per_axis_field(0), default=0)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        self.check_images(bottoms)
        x = bottoms[0]
        size, kernel, attrs = self._size(x), per_axis("kernel", self.kernel, x), self.windows(x)
        w, *biases = self.parameters(ctx, (x.type.shape[1], self.n_filter // self.n_group, *kernel))
        tops: list[Value] = []
        for x in bottoms:
            y = ctx.op("conv_dx", x, w, shape=(x.type.shape[0], self.n_filter, *size), **attrs)
            for b in biases:
                y = ctx.op("add", y, over(ctx, b, y, (1,)))
            tops.append(self.neuron(ctx, y))
        return tops

    def _size(self, x: Value) -> tuple[int, ...]:
        """Sizes of the tops' images."""
        fields = ("kernel", "stride", "pad", "dilation", "output_pad")
        axes = list(zip(x.type.shape[2:], *(per_axis(f, getattr(self, f), x) for f in fields), strict=True))
        for (_, _, stride, _, _, more), name in zip(axes, SPATIAL[len(axes)], strict=True):
            if more >= stride:
                rule = "output_pad must be smaller than stride"
                raise OpTypeError(rule, f"output_pad < {stride} for the {name}", str(more))
        size = tuple((n - 1) * s - 2 * p + (k - 1) * d + 1 + more for n, k, s, p, d, more in axes)
        if min(size) < 1:
            wanted = "(in - 1)*stride - 2*pad + (kernel - 1)*dilation + 1 + output_pad >= 1"
            raise OpTypeError("nothing is left of the top", wanted, str(size), "a smaller pad")
        return size
