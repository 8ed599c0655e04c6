"""FlattenLayer: the features of each sample on one axis, as in Slugnet."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, PARAMETER, Example, breaks, fits
from mochac.nets.layers.fields import integer, option, text


@layer
class FlattenLayer(Layer):
    """Reshapes its bottoms to `outdim` axes: the last axis takes all that remain.

    Args:
        outdim: number of axes of the top, including the batch, >= 2.

    Shapes: (batch, d1, d2, ...) -> (batch, d1 * d2 * ...) for outdim=2. Layers that need features, such as
    InnerProductLayer, flatten their bottoms themselves. Source: Slugnet's Flatten.
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, None)
    n_tops: ClassVar[tuple[int, int | None]] = (1, None)
    paired: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits((2, 3)),
        fits((3,)),
        fits((2, 3, 2), outdim=3),
        fits(near=PARAMETER, bottoms=["W"]),
        breaks("cannot flatten to more axes than there are", (3,), outdim=3),
        breaks("cannot flatten to more axes than there are", LOSS),
    )

    name: str = option(text(), default="flatten")
    outdim: int = option(integer(2), default=2)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return [self._flat(ctx, x) for x in bottoms]

    def _flat(self, ctx: TraceContext, x: Value) -> Value:
        shape, kept = x.type.shape, self.outdim - 1
        if len(shape) < self.outdim:
            raise OpTypeError("cannot flatten to more axes than there are", f"{self.outdim} or more axes", str(shape))
        return ctx.op("reshape", x, shape=(*shape[:kept], math.prod(shape[kept:])))
