"""Reader of MemoryDataLayer, and NetsSource: the batches of several nets side by side.

Samples of NumPy arrays are gathered into batches. The arrays are not copied: a change that the user makes to them
appears in batches filled afterwards. A batch for several nets holds batch_size samples of the first net, then of the
second, and so on: (nets * batch_size, ...), each net's in its own order.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from mmap import ALLOCATIONGRANULARITY, mmap
from typing import Any, cast
from zlib import crc32

import numpy as np

from mochac.base.errors import MochacError
from mochac.base.records import record
from mochac.base.threads import cached_property
from mochac.runtime.data.source import SOURCES, Arrays, DataSource, Reading, SampleShapes

MAX_SUMMED = 1 << 28
"""Bytes of an array that a checksum reads, about a tenth of a second."""


class MemorySource(DataSource):
    """Samples along axis 0 of one array per top; dtypes and lengths have been checked by the layer."""

    numbered = takes = True

    def __init__(self, layer: Any, reading: Reading) -> None:
        super().__init__(layer, reading)
        self.arrays: dict[str, np.ndarray] = dict(zip(layer.tops, layer.data, strict=True))
        shapes = {top: array.shape[1:] for top, array in self.arrays.items()}
        self.shapes = SampleShapes(shapes, len(layer.data[0]))
        self.floats = {top for top, array in self.arrays.items() if array.dtype.kind == "f"}
        self.octets = {top for top, array in self.arrays.items() if array.dtype.kind in "ub" and array.itemsize == 1}
        self.live = any(writable(array) for array in self.arrays.values())

    def read(self, epoch: int, position: int, out: Arrays) -> None:
        stop = position + len(next(iter(out.values())))
        order = self.permuted(epoch)[position:stop] if self.shuffle else slice(position, stop)
        for top, rows in out.items():
            gather(self.arrays[top], order, rows)

    def read_on(self, start: int, out: Arrays) -> int:
        """Gathers several short epochs at once: a call for each would take longer than the steps of a small net."""
        n = len(next(iter(out.values())))
        if start % self.n_samples + n <= self.n_samples:
            return super().read_on(start, out)
        order = np.arange(start, start + n) % self.n_samples
        if self.shuffle:
            epochs = range(start // self.n_samples, (start + n - 1) // self.n_samples + 1)
            order = np.concatenate([self.permuted(epoch) for epoch in epochs])[start % self.n_samples :][:n]
        for top, rows in out.items():
            gather(self.arrays[top], order, rows)
        return n

    def prepare(self) -> None:
        for top, array in self.arrays.items():
            if found := truncated(array):
                path, bytes_, expected = found
                rule = f"file {path} of the memory-mapped array of {top!r} has become shorter"
                hint = "map it again, and compile the net again; to replace a file, write another and rename it"
                raise self.error(rule, expected=f"{expected:,} bytes", got=f"{bytes_:,}", hint=hint)

    def contents(self) -> str:
        """The number of samples and a checksum, which covers only some samples of a large array."""
        sums = []
        for top, array in self.arrays.items():
            some = np.ascontiguousarray(array[:: 1 + array.nbytes // MAX_SUMMED])
            sums.append(f"{top} {crc32(some.reshape(-1).view(np.uint8).data):08x}")
        return f"{super().contents()}, checksums {', '.join(sums)}"

    def locate(self, epoch: int, position: int) -> str:
        return f"sample {int(self.permuted(epoch)[position]) if self.shuffle else position}"

    def order(self, epoch: int) -> np.ndarray:
        return self.permutation(self.n_samples, epoch)

    def take(self, numbers: np.ndarray, out: Arrays) -> None:
        for top, rows in out.items():
            gather(self.arrays[top], numbers, rows)

    def identity(self, top: str) -> Hashable:
        return SameArray(self.arrays[top])


class SameArray:
    """Equal for two arrays that are the same view of the same memory, which it keeps alive.

    >>> a = np.arange(6)
    >>> SameArray(a[:, None]) == SameArray(a.reshape(6, 1)), SameArray(a) == SameArray(a[::-1])
    (True, False)
    """

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
        steps = tuple(step for step, n in zip(array.strides, array.shape, strict=True) if n > 1)
        self._key = (array.__array_interface__["data"][0], array.shape, steps, array.dtype.str)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SameArray) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


def writable(array: Any) -> bool:
    """Whether the memory of an array can be written to, as far as NumPy knows."""
    while isinstance(array, np.ndarray):
        if array.flags.writeable:
            return True
        array = array.base
    return not (array is None or isinstance(array, (bytes, mmap)))


def truncated(array: Any) -> tuple[str, int, int] | None:
    """(file, its size, the size that the array needs) of a memory-mapped array whose file is too short: reading the
    missing part would end the process (SIGBUS). None if nothing is missing."""
    while isinstance(array, np.ndarray) and not isinstance(array.base, mmap):
        array = array.base
    if not isinstance(array, np.memmap):
        return None
    start, mapped = array.offset - array.offset % ALLOCATIONGRANULARITY, cast(mmap, array.base)
    found, needed = mapped.size(), start + len(mapped)
    return (str(array.filename), found, needed) if found < needed else None


def gather(array: np.ndarray, order: np.ndarray | slice, out: np.ndarray) -> None:
    """out[i] = array[order[i]], converted to out's dtype."""
    if isinstance(order, slice) or not array.flags.c_contiguous:
        out[...] = array[order]
    elif array.dtype == out.dtype and out.flags.c_contiguous:
        np.take(array, order, axis=0, out=out, mode="clip")
    else:
        out[...] = np.take(array, order, axis=0, mode="clip")


SOURCES.add("memory", MemorySource)


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
        owners: names of the nets in messages.
        places: number of batches side by side; batches beyond the last source repeat its batch.
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
        if self._same_samples and self.sources[0].fill_numbered(self._numbers(first, count), out):
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
    def _same_samples(self) -> bool:
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
