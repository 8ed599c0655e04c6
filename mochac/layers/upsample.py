"""UpsampleLayer: larger images, by repeating cells or by interpolating between them.

Along each axis, an op makes `factor` elements of every cell (broadcast or interpolate), which a reshape joins.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.layers.base import Layer, layer
from mochac.layers.context import TraceContext
from mochac.layers.examples import LOSS, Example, breaks, fits
from mochac.layers.fields import choice, integer, option, text


@layer
class UpsampleLayer(Layer):
    """Enlarges every axis behind the channels `factor` times.

    Args:
        factor: >= 1.
        mode: "nearest": every cell is repeated; "bilinear": element o lies at (o + 1/2) / factor - 1/2 and is
            interpolated linearly between its two neighbours along each axis; beyond the outermost cells their value
            continues.

    Shapes: (batch, channels, height, width) -> (batch, channels, factor * height, factor * width), and so for one or
    three axes ("linear" and "trilinear" elsewhere). Source: PyTorch's Upsample, with align_corners=False, the default.
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, None)
    n_tops: ClassVar[tuple[int, int | None]] = (1, None)
    paired: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits((2, 3, 4)),
        fits((1, 3, 2), factor=3, mode="bilinear"),
        fits((2, 3), (1, 4), mode="bilinear", tops=["left", "right"]),
        fits((2, 3), factor=1, mode="bilinear"),
        breaks("upsamples images", (3,)),
        breaks("upsamples images", LOSS),
    )

    name: str = option(text(), default="upsample")
    factor: int = option(integer(1), default=2)
    mode: str = option(choice("nearest", "bilinear"), default="nearest")

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return [self._upsampled(ctx, x) for x in bottoms]

    def _upsampled(self, ctx: TraceContext, x: Value) -> Value:
        rank = len(x.type.shape)
        if rank < 3:
            raise OpTypeError("upsamples images", "(batch, channels, one or more axes)", str(x.type.shape))
        if self.mode == "nearest":
            return self._repeated(ctx, x)
        for axis in range(2, rank):
            shape = x.type.shape
            parts = ctx.op("interpolate", x, axis=axis, factor=self.factor)
            x = ctx.op("reshape", parts, shape=(*shape[:axis], self.factor * shape[axis], *shape[axis + 1 :]))
        return x

    def _repeated(self, ctx: TraceContext, x: Value) -> Value:
        samples, channels, *image = x.type.shape
        cells = tuple(d for extent in image for d in (extent, self.factor))
        kept = (0, 1, *range(2, 2 + len(cells), 2))
        copies = ctx.op("broadcast", x, shape=(samples, channels, *cells), axes=kept, batch=x.type.batch)
        return ctx.op("reshape", copies, shape=(samples, channels, *(self.factor * extent for extent in image)))
