"""ReshapeLayer: another shape for the features of each sample."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers._axes import kept_in_front
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, PARAMETER, Example, breaks, fits
from mochac.nets.layers.fields import option, text
from mochac.nets.layers.shape_fields import shape


@layer
class ReshapeLayer(Layer):
    """Reshapes the features of each sample, in row-major order.

    Args:
        shape: extents without the batch, NumPy order (channels, height, width); with the same number of features; ()
            for one number per sample. Of a blob without samples, it is the whole shape.

    Shapes: (batch, ...) -> (batch, *shape).
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, None)
    n_tops: ClassVar[tuple[int, int | None]] = (1, None)
    paired: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits((6,), shape=(1, 2, 3)),
        fits((2, 3), (3, 2), shape=(6,), tops=["left", "right"]),
        fits((1,), shape=()),
        fits(near=PARAMETER, bottoms=["W"], shape=(5, 1, 2)),
        breaks("shape does not fit its input", (2, 3), shape=(4,)),
        breaks("shape does not fit its input", near=PARAMETER, bottoms=["W"], shape=(5,)),
        breaks("no samples", LOSS, shape=(1,)),
    )

    name: str = option(text(), default="reshape")
    shape: tuple[int, ...] = option(shape(empty=True))

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return [self._reshaped(ctx, x) for x in bottoms]

    def _reshaped(self, ctx: TraceContext, x: Value) -> Value:
        rows = kept_in_front(ctx, x)
        have, want = math.prod(x.type.shape[len(rows) :]), math.prod(self.shape)
        if have != want:
            size = " * ".join(map(str, self.shape))
            raise OpTypeError("shape does not fit its input", f"{have} features", f"{size} = {want}")
        return ctx.op("reshape", x, shape=(*rows, *self.shape))
