"""PermuteLayer: the axes of a blob in another order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers.axis_fields import axes
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, PARAMETER, Example, breaks, fits
from mochac.nets.layers.fields import option, text


@layer
class PermuteLayer(Layer):
    """Reorders axes: axis k of the top is axis order[k] of the bottom.

    Args:
        order: a permutation of all axes that begins with 0, the batch, unless the bottom is without samples; negative
            numbers count from the end.

    Shapes: (0, 2, 3, 1) turns (batch, channels, height, width) into (batch, height, width, channels). Source: Caffe's
    Permute (of SSD); PyTorch's permute.

    >>> PermuteLayer(order=(0, 2, 1), bottoms=["x"]).tops
    ('permute',)
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, None)
    n_tops: ClassVar[tuple[int, int | None]] = (1, None)
    paired: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits((2, 3, 4), order=(0, 2, 3, 1)),
        fits((2, 3), (4, 1), order=(0, -1, 1), tops=["left", "right"]),
        fits(near=PARAMETER, bottoms=["W"], order=(1, 0)),
        breaks("order is not a permutation of the axes", (2, 3), order=(0, 2, 2)),
        breaks("order is not a permutation of the axes", (2, 3), order=(0, 1)),
        breaks("order is not a permutation of the axes", LOSS, order=(0, 1)),
        breaks("samples must stay in front", (2, 3), order=(1, 0, 2)),
    )

    name: str = option(text(), default="permute")
    order: tuple[int, ...] = option(axes())

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return [self._permuted(ctx, x) for x in bottoms]

    def _permuted(self, ctx: TraceContext, x: Value) -> Value:
        rank = len(x.type.shape)
        order = tuple(a + rank if a < 0 else a for a in self.order)
        if sorted(order) != list(range(rank)):
            wanted = f"each of 0 .. {rank - 1} once" if rank else "a bottom with axes"
            raise OpTypeError("order is not a permutation of the axes", wanted, str(self.order))
        if order[0] and not ctx.without_samples(x):
            raise OpTypeError("samples must stay in front", "order[0] == 0", str(self.order))
        return ctx.op("permute", x, order=order)
