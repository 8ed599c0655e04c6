"""NetsSource: the batches of several nets side by side, each net's in its own order.

A batch holds batch_size samples of the first net, then of the second, and so on: (nets * batch_size, ...).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mochac.base.errors import MochacError
from mochac.base.records import record
from mochac.base.threads import cached_property
from mochac.runtime.data.source import Arrays, DataSource, Reading


@record
class _Layer:
    """What a ring needs of a data layer."""

    name: str
    kind: str
    origin: tuple[str, int]
    batch_size: int
    shuffle: bool = False


class NetsSource(DataSource):
    """Samples of several sources with equal shapes.

    Args:
        sources: one per net.
        owners: what messages call each net.
        places: the number of batches side by side; those beyond the sources repeat the last one's.
    """

    def __init__(self, sources: Sequence[DataSource], owners: Sequence[str], places: int) -> None:
        layer: Any = sources[0].layer
        self.each, self.places, self.sources = layer.batch_size, places, list(sources)
        self.owners = list(owners)
        super().__init__(_Layer(layer.name, layer.kind, layer.origin, places * self.each), Reading())
        self.shapes, self.floats = sources[0].shapes, sources[0].floats
        self.live = any(source.live for source in sources)

    def fill(self, start: int, out: Arrays) -> int:
        """Fill whole batches, from the one that begins at `start` on; returns the number of samples, all of them."""
        count = len(next(iter(out.values()))) // (self.places * self.each)
        first = start // self.places
        if self._alike and self.sources[0].fill_numbered(self._numbers(first, count), out):
            return count * self.places * self.each
        shaped = {top: a.reshape(count, self.places, self.each, *a.shape[1:]) for top, a in out.items()}
        for k, source in enumerate(self.sources):  # names the sample of an illegal value, too
            own = {top: np.empty((count * self.each, *a.shape[1:]), a.dtype) for top, a in out.items()}
            try:
                source.fill(first, own)
            except MochacError as error:
                raise error.noted(self.owners[k]) from None
            for top, samples in own.items():
                shaped[top][:, k] = samples.reshape(count, self.each, *samples.shape[1:])
        for batches in shaped.values():
            batches[:, len(self.sources) :] = batches[:, len(self.sources) - 1, None]
        return count * self.places * self.each

    @cached_property
    def _alike(self) -> bool:
        """Whether all sources have the same samples, in other orders."""
        first = self.sources[0]
        if not all(source.takes and type(source) is type(first) for source in self.sources):
            return False
        return all(s.identity(top) == first.identity(top) for s in self.sources for top in self.shapes.tops)

    def _numbers(self, first: int, count: int) -> np.ndarray:
        """Numbers of the samples of `count` batches, in the order of `out`."""
        rows = [source.numbers(first, count * self.each).reshape(count, 1, self.each) for source in self.sources]
        rows += rows[-1:] * (self.places - len(rows))
        return np.concatenate(rows, axis=1).reshape(-1)

    def locate(self, epoch: int, position: int) -> str:
        """Not used: the sources name their samples."""
        raise NotImplementedError

    def close(self) -> None:
        for source in self.sources:
            source.close()
