"""BatchPlace: where the batch is among the axes of a tensor of a graph.

A blob has the batch first and the other axes in the graph's order. The graph's tensor may have it elsewhere, as
recurrent nets do (time, batch, features), and one with the axis in front of it or behind it, as in (time,
batch * heads, width). So moving the batch in the graph takes no layer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mochac.base.records import record

Shape = tuple[int, ...]


@record
class BatchPlace:
    """The place of the batch.

    Attributes:
        at: its position, where axes that are one with it count by themselves. None: the tensor is one sample.
        outer: whether it is one with the axis in front of it.
        inner: with the axis behind it.

    >>> BatchPlace(1, inner=True).extents((8, 5, 3, 4))
    (5, 24, 4)
    """

    at: int | None = 0
    outer: bool = False
    inner: bool = False

    @property
    def moved(self) -> bool:
        """Whether it is neither axis 0 by itself, nor left out."""
        return self.at not in (0, None) or self.outer or self.inner

    @property
    def merged(self) -> bool:
        """Whether it is one with another axis."""
        return self.outer or self.inner

    def order(self, rank: int) -> tuple[int, ...]:
        """The axes of a blob of this rank in the graph's order, merged ones one after the other."""
        others = range(1, rank)
        return tuple(others) if self.at is None else (*others[: self.at], 0, *others[self.at :])

    def axes(self, rank: int) -> tuple[tuple[int, ...], ...]:
        """For each of the graph's axes, which axes of the blob it is."""
        order = self.order(rank)
        if self.at is None:
            return tuple((a,) for a in order)
        begin, end = self.at - self.outer, self.at + 1 + self.inner
        return (*((a,) for a in order[:begin]), order[begin:end], *((a,) for a in order[end:]))

    def extents(self, shape: Shape) -> Shape:
        """The extents of the graph's tensor for a blob of this shape."""
        return tuple(math.prod(shape[a] for a in group) for group in self.axes(len(shape)))

    def spread(self, shape: Shape) -> Shape:
        """The extents in the graph's order, of merged axes one after the other, for a blob of this shape."""
        return tuple(shape[a] for a in self.order(len(shape)))

    def blob_shape(self, spread: Sequence[int], batch: int) -> Shape:
        """The shape of the blob, from the extents in the graph's order."""
        return (batch, *(n for k, n in enumerate(spread) if k != self.at))

    def spread_out(self, array: np.ndarray, rank: int) -> np.ndarray:
        """A constant that is broadcast to a blob of this rank, the same for all samples: merged axes are there one
        after the other, with extent 1 for the batch. Axes in front may be missing."""
        if not self.merged or self.at is None:
            return array
        places, at = len(self.axes(rank)), self.at - self.outer
        whole = array.reshape(*(1 for _ in range(places - array.ndim)), *array.shape)
        before = (whole.shape[at],) if self.outer else ()
        behind = (1 if self.outer else whole.shape[at],) if self.inner else ()
        return whole.reshape(*whole.shape[:at], *before, 1, *behind, *whole.shape[at + 1 :])

    def in_blob(self, array: np.ndarray, rank: int) -> np.ndarray:
        """A constant that the graph broadcasts to a blob of this rank, with its axes in the blob's order."""
        if self.at is None or not self.moved:
            return array
        array = self.spread_out(array, rank)
        whole = array.reshape(*(1 for _ in range(rank - array.ndim)), *array.shape)
        return np.moveaxis(whole, self.at, 0)

    def without(self, axes: Sequence[int]) -> BatchPlace:
        """The place after these axes of the blob are left out."""
        return self if self.at is None else replace(self, at=self.at - sum(1 <= a <= self.at for a in axes))

    def behind(self, count: int) -> BatchPlace:
        """The place after `count` more axes are put in front of the graph's."""
        return self if self.at is None else replace(self, at=self.at + count)

    def with_more(self, axis: int, count: int) -> BatchPlace:
        """The place after `count` more axes are put where this axis of the blob is."""
        return self if self.at is None or axis > self.at else replace(self, at=self.at + count)

    def permuted(self, rank: int, order: Sequence[int]) -> tuple[BatchPlace, tuple[int, ...]]:
        """The place after the graph puts the axes of a blob of this rank into this order, and the blob's order."""
        groups = self.axes(rank)
        spread = [a for place in order for a in groups[place]]
        at = None if self.at is None else spread.index(0)
        return replace(self, at=at), (0, *(a for a in spread if a))

    def reshaped(self, shape: Shape, extents: Sequence[int]) -> tuple[BatchPlace, Shape] | None:
        """Place and shape after the graph's tensor of a blob gets other extents; None if samples would mix.

        What is in front of the batch stays there, and what is behind it, too.

        >>> BatchPlace(1).reshaped((8, 5, 12), (5, 24, 4))
        (BatchPlace(at=1, outer=False, inner=True), (8, 5, 3, 4))
        """
        batch, spread = shape[0], self.spread(shape)
        if self.at is None:
            return self, (batch, *extents)
        front, found = math.prod(spread[: self.at]), list[tuple[BatchPlace, Shape]]()
        for k, extent in enumerate(extents):
            before = math.prod(extents[:k])
            if not before or front % before or extent % (front // before * batch):
                continue
            outer, inner = front // before, extent // (front // before * batch)
            if inner * math.prod(extents[k + 1 :]) != math.prod(spread[self.at + 1 :]):
                continue
            more = (*((outer,) if outer > 1 else ()), *((inner,) if inner > 1 else ()))
            place = BatchPlace(k + (outer > 1), outer > 1, inner > 1)
            found.append((place, (batch, *extents[:k], *more, *extents[k + 1 :])))
        return next((pair for pair in found if not pair[0].merged), found[0] if found else None)


FIRST = BatchPlace()
LEFT_OUT = BatchPlace(None)
