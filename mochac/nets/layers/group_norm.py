"""GroupNormLayer: every group of channels of every sample with mean 0 and variance 1; then a learnt scale and shift.

The parameters are `scale` and `shift` (channels,).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers._axes import over
from mochac.nets.layers._divisors import that_divide
from mochac.nets.layers._norms import CHANNELS_FIRST, Norm, centred, channels
from mochac.nets.layers.base import layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import FIVE, LOSS, Example, breaks, fits
from mochac.nets.layers.fields import integer, option
from mochac.nets.layers.neurons import Tanh


@layer
class GroupNormLayer(Norm):
    """y = scale * (x - mean) / sqrt(variance + epsilon) + shift, with mean and biased variance over groups of channels
    (axis 1) and all positions, for each sample.

    Args:
        groups: >= 1; divides the number of channels.
        epsilon: > 0; added to the variance.
        affine: False: there are no `scale` and `shift`.
        scale_init, shift_init, scale_regu, shift_regu, scale_lr, shift_lr: settings of the parameters; the lr are
            factors of the learning rate, >= 0.
        neuron: activation of the top.
        scale, shift: names of blobs, such as those of a ParameterLayer, to use instead of parameters of its own; False:
            there is none.

    Shapes: (batch, channels, ...) -> the same. Source: Wu and He, Group Normalization, 2018.

    >>> GroupNormLayer(name="gn", groups=8, bottoms=["conv1"]).groups
    8
    """

    absent: ClassVar[Mapping[str, str]] = CHANNELS_FIRST
    examples: ClassVar[tuple[Example, ...]] = (
        fits((4,), groups=2),
        fits((4, 3), groups=4, neuron=Tanh()),
        fits((6, 2, 2), groups=3, affine=False),
        fits((5, 2), groups=1, near=FIVE, scale="W", shift=False),
        breaks("groups do not divide the channels", (6, 2), groups=4),
        breaks("one value has no variance", (3,), groups=3),
        breaks("no channels", LOSS, groups=1),
    )

    groups: int = option(integer(1))

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        (x,) = bottoms
        size, rest = divmod(channels(x), self.groups)
        if rest:
            got, hint = f"{channels(x)} channels", that_divide("groups", self.groups, channels(x))
            raise OpTypeError("groups do not divide the channels", f"a multiple of {self.groups}", got, hint)
        n, c, *image = shape = x.type.shape
        grouped = ctx.op("reshape", x, shape=(n, self.groups, size, *image))
        distance, variance = centred(ctx, grouped, range(2, len(shape) + 1))
        inverse = ctx.op("div", ctx.constant(1.0, variance), self.deviation(ctx, variance))
        y = ctx.op("mul", distance, over(ctx, inverse, grouped, (0, 1)))
        return [ctx.op("reshape", self.affinely(ctx, y, (1, 2), (c,)), shape=shape)]
