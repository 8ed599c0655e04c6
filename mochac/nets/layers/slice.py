"""SliceLayer: parts of a blob along an axis, the reverse of ConcatLayer."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.blob_fields import names
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, PARAMETER, Example, breaks, fits
from mochac.nets.layers.fields import integer, option, text
from mochac.nets.layers.shape_fields import sizes


@layer
class SliceLayer(Layer):
    """Top k holds the elements points[k-1] .. points[k] - 1 of the bottom along `axis`.

    Args:
        tops: one name per part; required.
        axis: 1 (channels) by default, in NumPy order; not the batch, but any axis of a blob without samples.
        points: where all parts but the first begin, increasing. () by default: parts of one size.

    Shapes: the shape of the bottom, with the size of the part at `axis`. Source: Caffe's Slice.

    >>> SliceLayer(bottoms=["x"], tops=["a", "b", "c"], points=(2, 3)).points
    (2, 3)
    """

    n_tops: ClassVar[tuple[int, int | None]] = (1, None)
    examples: ClassVar[tuple[Example, ...]] = (
        fits((4, 3), tops=["left", "right"]),
        fits((6,), tops=["a", "b", "c"], points=(1, 4)),
        fits((2, 3, 5), tops=["left", "right"], axis=-1, points=(3,)),
        fits((3,), tops=["all"]),
        fits(near=PARAMETER, bottoms=["W"], tops=["left", "right"], axis=0),
        breaks("axis 0 is not an axis", (4,), tops=["left", "right"], axis=0),
        breaks("the axis does not divide into parts of one size", (5,), tops=["left", "right"]),
        breaks("points must increase and lie inside the axis", (5,), tops=["left", "right"], points=(5,)),
        breaks("points must increase and lie inside the axis", (5,), tops=["a", "b", "c"], points=(3, 3)),
        breaks("axis 2 is not an axis", (4,), tops=["left", "right"], axis=2),
        breaks("not an axis", LOSS, tops=["left", "right"]),
    )

    name: str = option(text(), default="slice")
    tops: Sequence[str] = option(names())
    axis: int = option(integer(), default=1)
    points: tuple[int, ...] = option(sizes(), default=())

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.points and len(self.points) != len(self.tops) - 1:
            wanted = f"{len(self.tops) - 1} points for {len(self.tops)} tops"
            raise self.error("tops and points differ in number", expected=wanted, got=str(len(self.points)))

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        (x,) = bottoms
        axis = ctx.axis(self.axis, x)
        ends = (0, *self._points(x.type.shape[axis]), x.type.shape[axis])
        return [self._part(ctx, x, axis, start, end) for start, end in pairwise(ends)]

    def _points(self, extent: int) -> tuple[int, ...]:
        """Where all parts but the first begin."""
        if not self.points:
            parts = len(self.tops)
            if extent % parts:
                raise OpTypeError(
                    "the axis does not divide into parts of one size", f"a multiple of {parts}", f"{extent}"
                )
            return tuple(range(extent // parts, extent, extent // parts))
        if any(b <= a for a, b in pairwise((0, *self.points, extent))):
            rule = "points must increase and lie inside the axis"
            raise OpTypeError(rule, f"0 < points < {extent}, each once", str(self.points))
        return self.points

    def _part(self, ctx: TraceContext, x: Value, axis: int, start: int, end: int) -> Value:
        shape = x.type.shape
        begin = tuple(start if a == axis else 0 for a in range(len(shape)))
        return ctx.op("slice", x, start=begin, shape=(*shape[:axis], end - start, *shape[axis + 1 :]))
