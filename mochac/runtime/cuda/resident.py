"""Datasets in device memory: their columns, and batches gathered from them.

Column: all samples of one top of a data layer, shared by all readers of the same samples. It holds bytes if the dataset
does, else numbers of the program's type, converted and transformed on the host as for every batch. resident_sets.py
decides which there are.
NumberFeed: gathers the batches of one plan. It replaces FeedRing if a run is given Numbered: only the numbers of the
samples are copied.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np

from mochac.base.records import record
from mochac.codegen.cuda.step import GATHER, StepLayout
from mochac.runtime.cuda.device import Device
from mochac.runtime.cuda.driver import Span
from mochac.runtime.cuda.feeds import StepRing
from mochac.runtime.data.source import DataSource

CHUNK_BYTES = 4 << 20
"""Size of the page-locked memory through which samples are copied; there are two of them."""

_known: WeakKeyDictionary[Device, dict[Hashable, Column]] = WeakKeyDictionary()


class Column:
    """Device memory for the samples of one top.

    Attributes:
        dtype: element type in the column.
        n_samples: number of samples.
        sent: whether the samples have been copied.
        users: number of programs that hold it.
    """

    def __init__(self, key: Hashable, source: DataSource, top: str, dtype: np.dtype, device: Device) -> None:
        self.key, self.device, self.dtype = key, device, dtype
        self.n_samples, self.n_bytes = source.n_samples, column_bytes(source, top, dtype)
        self.address = device.alloc(self.n_bytes, f"top {top!r} of data layer {source.layer.name!r}")
        device.data_bytes += self.n_bytes
        self.sent, self.users = False, 0

    def release(self) -> None:
        """Drop one user; the last one frees the memory."""
        with self.device.use():
            self.users -= 1
            if not self.users:
                _known[self.device].pop(self.key)
                self.device.data_bytes -= self.n_bytes
                self.device.free(self.address)


def stored_dtype(source: DataSource, top: str, dtype: np.dtype) -> np.dtype:
    """The type in which a column stores a top, such that batches have exactly the numbers that a reader would give."""
    changed = any(top == name for name, _ in source.layer.transformers)
    return np.dtype(np.uint8) if top in source.octets and not changed else dtype


def column_bytes(source: DataSource, top: str, dtype: np.dtype) -> int:
    """Size of a column in bytes."""
    return source.n_samples * int(np.prod(source.shapes.tops[top], dtype=np.int64)) * dtype.itemsize


def column_key(source: DataSource, top: str, dtype: np.dtype) -> Hashable:
    """A key that is equal for columns of the same numbers with the same checks."""
    reading = source.reading
    changes = tuple(change for name, change in source.layer.transformers if name == top)
    checks = (reading.classes.get(top), tuple(reading.targets.get(top, ())))
    return (type(source), source.identity(top), dtype.str, changes, checks)


def find(device: Device, key: Hashable) -> Column | None:
    """The column, if a program holds it."""
    return _known.get(device, {}).get(key)


def take(device: Device, key: Hashable, source: DataSource, top: str, dtype: np.dtype) -> Column:
    """The column with one more user.

    Raises:
        BackendError: the device has not enough memory left.
    """
    with device.use():
        found = find(device, key)
        if found is None:
            found = Column(key, source, top, dtype, device)
            _known.setdefault(device, {})[key] = found
        found.users += 1
    return found


def send(source: DataSource, columns: Mapping[str, Column]) -> None:
    """Fill columns by top; later work on the device's stream finds the samples.

    Raises:
        DataError: a sample is invalid, or files have just changed; the columns are then empty.
    """
    device = next(iter(columns.values())).device
    for column in columns.values():
        column.sent = False
    reader = source.unshuffled()
    if any(reader.identity(top) != source.identity(top) for top in columns):  # the columns have the old files' types
        raise source.error("files changed after the run began")
    chunk = _Chunk(source, columns)
    try:
        chunk.open(device)
        for k, start in enumerate(range(0, source.n_samples, chunk.samples)):
            views = chunk.views(k % 2, min(chunk.samples, source.n_samples - start))
            reader.fill(start, views)
            chunk.upload(k % 2, start, views)
        with device.use() as driver:
            driver.wait(device.stream)
    finally:
        chunk.close()
        reader.close()
    for column in columns.values():
        column.sent = True


class _Chunk:
    """Two buffers of page-locked memory for samples of every column: one is filled while the other is copied."""

    def __init__(self, source: DataSource, columns: Mapping[str, Column]) -> None:
        self._columns = columns
        self._shapes = {top: source.shapes.tops[top] for top in columns}
        self._sizes = {top: column.n_bytes // source.n_samples for top, column in columns.items()}
        self.samples = max(1, min(source.n_samples, CHUNK_BYTES // sum(self._sizes.values())))
        self._memory: list[dict[str, np.ndarray]] = [{}, {}][: -(-source.n_samples // self.samples)]
        self._uploaded: list[object] = []

    def open(self, device: Device) -> None:
        """Allocate the memory."""
        self._device = device
        with device.use() as driver:
            for half in self._memory:
                self._uploaded.append(driver.event())
                for top, size in self._sizes.items():
                    half[top] = driver.pinned(self.samples * size)
        self._busy = [False, False]

    def views(self, half: int, n: int) -> dict[str, np.ndarray]:
        """A buffer's arrays for n samples, once its previous contents are on the device."""
        if self._busy[half]:
            with self._device.use() as driver:
                driver.wait_event(self._uploaded[half])
        return {
            top: memory[: n * self._sizes[top]].view(self._columns[top].dtype).reshape(n, *self._shapes[top])
            for top, memory in self._memory[half].items()
        }

    def upload(self, half: int, start: int, views: Mapping[str, np.ndarray]) -> None:
        """Copy a buffer's samples to their places."""
        with self._device.use() as driver:
            for top, array in views.items():
                flat = array.reshape(-1).view(np.uint8)
                address = self._columns[top].address + start * self._sizes[top]
                driver.upload(address, flat, self._device.stream)
            driver.record(self._uploaded[half], self._device.stream)
        self._busy[half] = True

    def close(self) -> None:
        """Free the memory once all copies are done."""
        if not self._uploaded:
            return
        with self._device.use() as driver:
            driver.wait(self._device.stream)
            for half in self._memory:
                for memory in half.values():
                    driver.free_pinned(memory)
            while self._uploaded:  # PyCUDA destroys an event with its last reference; its context must be current then
                driver.free_event(self._uploaded.pop())


NUMBERS = "numbers"


@record(slots=True)
class Numbered:
    """Feeds of consecutive steps, given by the numbers of their samples.

    Attributes:
        numbers: int32 (n_steps, batch), by feed key.
        columns: the columns with the samples, by feed key.
        meanwhile: called while the device is busy with the steps.
    """

    numbers: Mapping[str, np.ndarray]
    columns: Mapping[str, Column]
    meanwhile: Callable[[], None]

    def part(self, first: int, n: int) -> Numbered:
        """The feeds of n of the steps."""
        return replace(self, numbers={key: a[first : first + n] for key, a in self.numbers.items()})


class NumberFeed:
    """Brings the numbers of samples, in a StepRing; used like FeedRing.

    Args:
        columns: by feed key; a captured step contains their addresses.
    """

    symbol = GATHER

    def __init__(self, layout: StepLayout, columns: Mapping[str, Column], device: Device) -> None:
        self.layout, self.device, self.columns = layout, device, dict(columns)
        piece, pieces = layout.number_pieces
        self._ring = StepRing({NUMBERS: 4 * sum(layout.batches)}, piece, pieces, device)
        self._flags = 0
        self._meanwhile: Callable[[], None] | None = None

    @property
    def blocks(self) -> int:
        """Blocks of the kernel that gathers."""
        return self.layout.gather_blocks

    @property
    def piece(self) -> int:
        """Number of steps that are staged at a time."""
        return self._ring.piece

    def fits(self, columns: Mapping[str, Column]) -> bool:
        """Whether these are the columns that it gathers from."""
        return all(columns[key] is column for key, column in self.columns.items())

    def allocate(self, what: str) -> None:
        """Allocate the memory; messages name the plan as `what`."""
        flags = np.array([self.columns[s.key].dtype == np.uint8 for s in self.layout.feeds], np.int32)
        self._ring.allocate(what)
        with self.device.use() as driver:
            self._flags = self.device.alloc(flags.nbytes, f"batches of {what}")
            driver.upload(self._flags, flags, self.device.stream)
            driver.wait(self.device.stream)

    def arguments(self, feeds: Sequence[Span]) -> list[Span]:
        """Arguments of GATHER after the scalars; `feeds` is where batches go."""
        found = [self._ring.span(NUMBERS), Span(self._flags, 4 * len(feeds))]
        for placement, feed in zip(self.layout.feeds, feeds, strict=True):
            column = self.columns[placement.key]
            found += [Span(column.address, column.n_bytes), feed]
        return found

    def check(self, n_steps: int, feeds: Numbered) -> None:
        """Raise ValueError if there are too few or too many numbers."""
        for placement in self.layout.feeds:
            found, wanted = feeds.numbers.get(placement.key), (n_steps, placement.type.shape[0])
            if found is None or found.shape != wanted:
                got = "none" if found is None else found.shape
                raise ValueError(f"feed {placement.key!r}: expected numbers of samples {wanted}, got {got}")

    def stage(self, first: int, n: int, feeds: Numbered) -> None:
        """Send the numbers of steps first..first+n-1 of a run, all in one piece; later work on the stream waits."""
        whole = max(len(numbers) for numbers in feeds.numbers.values())

        def fill(_: str, rows: np.ndarray) -> None:
            table, column = rows.view(np.int32), 0
            for placement, batch in zip(self.layout.feeds, self.layout.batches, strict=True):
                table[:, column : column + batch] = feeds.numbers[placement.key][first : first + n]
                column += batch

        self._ring.stage(first, n, fill)
        self._meanwhile = feeds.meanwhile if first + n == whole else None

    def used(self, first: int) -> None:
        """The steps of a piece have been enqueued; after the last one there is time for other things."""
        self._ring.used(first)
        if self._meanwhile is not None:
            self._meanwhile()
        self._meanwhile = None

    def close(self) -> None:
        """Free the memory."""
        self._ring.close()
        if self._flags:
            self.device.free(self._flags)
        self._flags = 0
