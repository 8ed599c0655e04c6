"""PadLayer: images with a border of one number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers._axes import over
from mochac.nets.layers._spatial import PerAxis, per_axis
from mochac.nets.layers.axis_fields import per_axis_field
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, PARAMETER, Example, breaks, fits
from mochac.nets.layers.fields import option, real, text


@layer
class PadLayer(Layer):
    """Puts `before` elements of a number in front of each spatial axis, and `after` behind it.

    For padding that differs on both sides; ConvolutionLayer and PoolingLayer have a `pad` of their own.

    Args:
        before, after: elements, >= 0; one integer for all spatial axes, or a tuple with one for each, such as (height,
            width). Of a blob without samples, all axes are padded.
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
        fits(near=PARAMETER, bottoms=["W"], before=(1, 0), after=(0, 2)),
        fits(near=PARAMETER, bottoms=["W"], before=1, value=0.5),
        breaks("before needs one number per axis", near=PARAMETER, bottoms=["W"], before=(1, 2, 1)),
        breaks("before needs one number per spatial axis", (2, 3), before=(1, 2)),
        breaks("a bottom is not a batch of images", (3,), after=1),
        breaks("a bottom is not a batch of images", LOSS),
    )

    name: str = option(text(), default="pad")
    before: PerAxis = option(per_axis_field(0, most=8), default=0)
    after: PerAxis = option(per_axis_field(0, most=8), default=0)
    value: float = option(real(), default=0.0)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        (x,) = bottoms
        before, after = (self._per_axis(ctx, name, x) for name in ("before", "after"))
        axes = zip(x.type.shape, before, after, strict=True)
        shape = tuple(first + extent + last for extent, first, last in axes)
        padded = ctx.op("pad", x, start=before, shape=shape)
        if not self.value:
            return [padded]
        padded_axes = range(0 if ctx.without_samples(x) else 2, len(shape))
        inside = np.zeros([x.type.shape[a] for a in padded_axes])
        sides = [(before[a], after[a]) for a in padded_axes]
        border = ctx.table("border", np.pad(inside, sides, constant_values=self.value))
        return [ctx.op("add", padded, over(ctx, border, padded, padded_axes))]

    def _per_axis(self, ctx: TraceContext, name: str, x: Value) -> tuple[int, ...]:
        """The numbers of a field for all axes of x."""
        value = getattr(self, name)
        if not ctx.without_samples(x):
            return (0, 0, *per_axis(name, value, x))
        rank = len(x.type.shape)
        numbers = (value,) * rank if isinstance(value, int) else value
        if len(numbers) != rank:
            raise OpTypeError(f"{name} needs one number per axis", f"{rank} numbers", str(value))
        return numbers
