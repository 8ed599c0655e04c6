"""TileLayer: copies of a blob side by side along an axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, PARAMETER, Example, breaks, fits
from mochac.nets.layers.fields import integer, option, text


@layer
class TileLayer(Layer):
    """Repeats the bottom `tiles` times along `axis`.

    Args:
        tiles: number of copies, >= 1.
        axis: 1 (channels) by default, in NumPy order; not the batch, but any axis of a blob without samples.

    Shapes: the shape of the bottom, with `axis` `tiles` times as long. Source: Caffe's Tile.
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, None)
    n_tops: ClassVar[tuple[int, int | None]] = (1, None)
    paired: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits((3,), tiles=2),
        fits((2, 3, 2), (1, 3, 1), tiles=3, axis=2, tops=["left", "right"]),
        fits((2, 3), tiles=1, axis=-1),
        fits(near=PARAMETER, bottoms=["W"], tiles=3, axis=0),
        breaks("axis 0 is not an axis", (4,), tiles=2, axis=0),
        breaks("axis 2 is not an axis", (4,), tiles=2, axis=2),
        breaks("not an axis", LOSS, tiles=2),
    )

    name: str = option(text(), default="tile")
    tiles: int = option(integer(1))
    axis: int = option(integer(), default=1)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return [self._tiled(ctx, x) for x in bottoms]

    def _tiled(self, ctx: TraceContext, x: Value) -> Value:
        axis, shape = ctx.axis(self.axis, x), x.type.shape
        rows = (*shape[:axis], self.tiles, *shape[axis:])
        kept = tuple(a for a in range(len(rows)) if a != axis)
        copies = ctx.op("broadcast", x, shape=rows, axes=kept, batch=x.type.batch)
        return ctx.op("reshape", copies, shape=(*shape[:axis], self.tiles * shape[axis], *shape[axis + 1 :]))
