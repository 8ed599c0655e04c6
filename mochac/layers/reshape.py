"""ReshapeLayer: another shape for the features of each sample."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.layers.base import Layer, features, layer
from mochac.layers.context import TraceContext
from mochac.layers.examples import LOSS, Example, breaks, fits
from mochac.layers.fields import option, text
from mochac.layers.shape_fields import shape


@layer
class ReshapeLayer(Layer):
    """Reshapes the features of each sample, in row-major order.

    Args:
        shape: extents without the batch, NumPy order (channels, height, width); with the same number of features; ()
            for one number per sample.

    Shapes: (batch, ...) -> (batch, *shape).
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, None)
    n_tops: ClassVar[tuple[int, int | None]] = (1, None)
    paired: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits((6,), shape=(1, 2, 3)),
        fits((2, 3), (3, 2), shape=(6,), tops=["left", "right"]),
        fits((1,), shape=()),
        breaks("shape does not fit its input", (2, 3), shape=(4,)),
        breaks("no samples", LOSS, shape=(1,)),
    )

    name: str = option(text(), default="reshape")
    shape: tuple[int, ...] = option(shape(empty=True))

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return [self._reshaped(ctx, x) for x in bottoms]

    def _reshaped(self, ctx: TraceContext, x: Value) -> Value:
        have, want = features(x), math.prod(self.shape)
        if have != want:
            size = " * ".join(map(str, self.shape))
            raise OpTypeError("shape does not fit its input", f"{have} features", f"{size} = {want}")
        return ctx.op("reshape", x, shape=(x.type.shape[0], *self.shape))
