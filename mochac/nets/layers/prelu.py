"""PReLULayer: a ReLU that leaks, with a learnt slope for each channel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers.base import Parametric, layer
from mochac.nets.layers.blob_fields import parameter_blob
from mochac.nets.layers.constraints import Constraint, NoCons, constraint
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import FIVE, LOSS, Example, breaks, fits
from mochac.nets.layers.fields import boolean, instance, option, real, text
from mochac.nets.layers.initializers import ConstantInitializer, Initializer
from mochac.nets.layers.regularizers import L2Regu, NoRegu, Regularizer


@layer
class PReLULayer(Parametric):
    """top = bottom where it is > 0, else slope * bottom.

    Args:
        shared: one slope for all channels.
        slope_init, slope_regu, slope_cons, slope_lr: settings of the parameter; the lr is a factor of the learning
            rate, >= 0. By default slopes begin at 0.25 and are not regularized.
        slope: name of a blob, such as that of a ParameterLayer, to use instead of a parameter of its own.

    Shapes: (batch, channels, ...) -> the same; the parameter `slope` is (channels,), or (1,) if shared.
    Gradient: dy * (1 or slope) to the bottom; to a slope, the sum of dy * bottom over its elements <= 0.
    Source: He et al. 2015 (arXiv:1502.01852); Caffe's PReLU, PyTorch's PReLU.

    >>> PReLULayer(name="prelu1", bottoms=["conv1"]).slope_init
    ConstantInitializer(value=0.25)
    """

    blob_fields: ClassVar[tuple[str, ...]] = ("slope",)
    torch_names: ClassVar[Mapping[str, str]] = {"slope": "weight"}
    absent: ClassVar[Mapping[str, str]] = {
        "num_parameters": "one slope for each channel is the default; shared=True is num_parameters=1",
        "init": "write slope_init=ConstantInitializer(0.25)",
    }
    examples: ClassVar[tuple[Example, ...]] = (
        fits((4,)),
        fits((3, 2, 2), slope_init=ConstantInitializer(-0.5), slope_regu=L2Regu(1.0)),
        fits((3, 5), shared=True),
        fits((5, 2), near=FIVE, slope="W"),
        breaks("slope 'W' has another shape", (4,), near=FIVE, slope="W"),
        breaks("axis 1 is not an axis", LOSS),
    )

    name: str = option(text(), default="prelu")
    shared: bool = option(boolean(), default=False)
    slope_init: Initializer = option(
        instance(Initializer, "an initializer such as ConstantInitializer(0.25)", ConstantInitializer(0.25)),
        default=ConstantInitializer(0.25),
    )
    slope_regu: Regularizer = option(
        instance(Regularizer, "a regularizer such as L2Regu(1)", L2Regu(1)), default=NoRegu()
    )
    slope_cons: Constraint = option(constraint(), default=NoCons())
    slope_lr: float = option(real(0), default=1.0)
    slope: str = option(parameter_blob(), default="")

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        (x,) = bottoms
        shape, channels = x.type.shape, ctx.axis(1, x)
        settings = self.slope_init, self.slope_regu, self.slope_lr, self.slope_cons
        slope = ctx.param("slope", (1,) if self.shared else (shape[channels],), *settings, decays=False)
        if self.shared:
            slope = ctx.op("reshape", slope, shape=())
        axes = () if self.shared else (channels,)
        return [ctx.op("prelu", x, ctx.op("broadcast", slope, shape=shape, axes=axes, batch=x.type.batch))]
