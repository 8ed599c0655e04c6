"""Reader of MemoryDataLayer: samples of NumPy arrays, gathered into batches.

The arrays are not copied: a change the user makes to them appears in batches filled afterwards.
"""

from __future__ import annotations

from collections.abc import Hashable
from mmap import ALLOCATIONGRANULARITY, mmap
from typing import Any, cast
from zlib import crc32

import numpy as np

from mochac.runtime.data.source import SOURCES, Arrays, DataSource, Reading, SampleShapes

MOST_SUMMED = 1 << 28
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
        """See the base. The checksum of a large array covers only every so many samples."""
        sums = []
        for top, array in self.arrays.items():
            some = np.ascontiguousarray(array[:: 1 + array.nbytes // MOST_SUMMED])
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
    """The file of a memory-mapped array, its bytes and those that the array needs, if they are more: reading those that
    are missing would end the process (SIGBUS). None if nothing is missing."""
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
