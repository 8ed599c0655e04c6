"""PadLayer: images with a border of one number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.layers._spatial import PerAxis, per_axis
from mochac.layers.axis_fields import per_axis_field
from mochac.layers.base import Layer, layer
from mochac.layers.context import TraceContext
from mochac.layers.examples import LOSS, Example, breaks, fits
from mochac.layers.fields import option, real, text


@layer
class PadLayer(Layer):
    """Puts `before` elements of a number in front of each spatial axis, and `after` behind it.

    For padding that differs on both sides; ConvolutionLayer and PoolingLayer have a `pad` of their own.

    Args:
        before, after: elements, >= 0; one integer for all spatial axes, or a tuple with one for each, such as (height,
            width).
        value: the number.

    Shapes: (batch, channels, height, width) -> the same with before + after more rows and columns; likewise with one or
    three spatial axes. Source: PyTorch's ConstantPad2d.

    >>> PadLayer(after=(1, 0), bottoms=["data"]).after
    (1, 0)
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits((2, 3, 4), before=1),
        fits((1, 3, 2), before=(0, 2), after=(1, 0), value=-0.5),
        fits((2, 3), after=2),
        breaks("before needs one number per spatial axis", (2, 3), before=(1, 2)),
        breaks("a bottom is not a batch of images", (3,), after=1),
        breaks("a bottom is not a batch of images", LOSS),
    )

    name: str = option(text(), default="pad")
    before: PerAxis = option(per_axis_field(0), default=0)
    after: PerAxis = option(per_axis_field(0), default=0)
    value: float = option(real(), default=0.0)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        (x,) = bottoms
        before, after = (per_axis(name, getattr(self, name), x) for name in ("before", "after"))
        axes = zip(x.type.shape[2:], before, after, strict=True)
        shape = (*x.type.shape[:2], *(first + extent + last for extent, first, last in axes))
        inside = ctx.op("sub", x, ctx.constant(self.value, x)) if self.value else x
        padded = ctx.op("pad", inside, start=(0, 0, *before), shape=shape)
        return [ctx.op("add", padded, ctx.constant(self.value, padded)) if self.value else padded]
