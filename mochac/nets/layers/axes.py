"""Other axes for the same elements."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from mochac.base.records import option
from mochac.base.rules import integer, text
from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers._axes import kept_in_front
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, PARAMETER, Example, breaks, fits
from mochac.nets.layers.field_kinds import axes, shape


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
