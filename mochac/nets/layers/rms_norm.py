"""RMSNormLayer: every sample, or every row of a sample, divided by the root of its mean square; then a learnt scale.

The parameter `scale` has the extents of `axes`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers._axes import distinct_axes, over, within
from mochac.nets.layers._norms import Scaling
from mochac.nets.layers.axis_fields import axes
from mochac.nets.layers.base import layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import FIVE, LOSS, Example, breaks, fits
from mochac.nets.layers.fields import option
from mochac.nets.layers.neurons import Tanh


@layer
class RMSNormLayer(Scaling):
    """y = scale * x / sqrt(mean(x^2) + epsilon), with the mean over `axes`.

    Args:
        axes: of the bottom, without the batch; negative ones count from the last.
        epsilon: > 0; added to the mean square.
        affine: False: there is no `scale`.
        scale_init, scale_regu, scale_lr: settings of the parameter; the lr is a factor of the learning rate, >= 0.
        neuron: activation of the top.
        scale: name of a blob, such as that of a ParameterLayer, to use instead of a parameter of its own; False: there
            is none.

    Shapes: (batch, ...) -> the same. Source: Zhang and Sennrich, Root Mean Square Layer Normalization, 2019.

    >>> RMSNormLayer(name="rms", bottoms=["data"]).axes
    (-1,)
    """

    absent: ClassVar[Mapping[str, str]] = dict.fromkeys(
        ("shift", "shift_init", "shift_regu", "shift_lr", "bias", "center", "use_beta", "beta_initializer"),
        "RMSNorm has no shift: leave it out, or add a BiasLayer",
    )
    examples: ClassVar[tuple[Example, ...]] = (
        fits((6,)),
        fits((3, 1), neuron=Tanh()),
        fits((2, 3, 2), axes=(1, 3), affine=False),
        fits((2, 5), near=FIVE, scale="W"),
        fits((2, 5), scale=False),
        breaks("is not an axis", LOSS),
    )

    axes: tuple[int, ...] = option(axes(), default=(-1,))

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        (x,) = bottoms
        along = distinct_axes(ctx, x, self.axes)
        mean = within(ctx, ctx.op("square", x), along)
        rest = [a for a in range(len(x.type.shape)) if a not in along]
        inverse = ctx.op("div", ctx.constant(1.0, mean), self.deviation(ctx, mean))
        return [self.affinely(ctx, ctx.op("mul", x, over(ctx, inverse, x, rest)), along)]
