"""NarrowLayer: one part of a blob along an axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, PARAMETER, Example, breaks, fits
from mochac.nets.layers.fields import integer, option, text


@layer
class NarrowLayer(Layer):
    """The elements start .. start + length - 1 of every sample along `axis`.

    Args:
        start: >= 0, the first of them.
        length: >= 1.
        axis: 1 (channels) by default, in NumPy order; not the batch. Of a blob without samples, such as a table of
            positions, 0 is an axis, too.

    Shapes: the shape of the bottom, with extent `length` along the axis. For parts that lie side by side SliceLayer
    has a top each. Source: PyTorch's narrow.

    >>> NarrowLayer(name="last", start=9, length=1, bottoms=["steps"]).tops
    ('last',)
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, None)
    n_tops: ClassVar[tuple[int, int | None]] = (1, None)
    paired: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits((5,), start=1, length=3),
        fits((2, 4, 3), (1, 5, 1), start=0, length=2, axis=2, tops=["left", "right"]),
        fits((2, 3), start=2, length=1, axis=-1),
        fits(near=PARAMETER, bottoms=["W"], start=1, length=1, axis=0),
        breaks("axis 0 is not an axis", (4,), start=0, length=1, axis=0),
        breaks("there are no such elements along axis 1", (4,), start=2, length=3),
        breaks("axis 2 is not an axis", (4,), start=0, length=1, axis=2),
        breaks("not an axis", LOSS, start=0, length=1),
    )

    name: str = option(text(), default="narrow")
    start: int = option(integer(0))
    length: int = option(integer(1))
    axis: int = option(integer(), default=1)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return [self._part(ctx, x) for x in bottoms]

    def _part(self, ctx: TraceContext, x: Value) -> Value:
        axis, shape = ctx.axis(self.axis, x), x.type.shape
        if self.start + self.length > shape[axis]:
            rule = f"there are no such elements along axis {axis}"
            raise OpTypeError(rule, f"start + length <= {shape[axis]}", f"{self.start} + {self.length}")
        start = tuple(self.start if a == axis else 0 for a in range(len(shape)))
        return ctx.op("slice", x, start=start, shape=(*shape[:axis], self.length, *shape[axis + 1 :]))
