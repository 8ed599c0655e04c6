"""Ring: batches of one data layer, filled ahead of time by a reader thread.

The content of a batch depends on its number only, not on how far the thread has read ahead.
"""

from __future__ import annotations

import os
import time
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from mochac.base.errors import OptionError
from mochac.base.records import record
from mochac.base.support.interrupts import ctrl_c_later
from mochac.base.support.log import LOG
from mochac.base.support.memory import ALIGNMENT
from mochac.base.threads import fork_lock
from mochac.ir.plan import Share
from mochac.runtime.data.ring_reader import RingReader
from mochac.runtime.data.source import Arrays, DataSource

RING_BYTES = 8 << 20
"""Memory of a ring, bytes, unless that violates the limits on its depth."""
DEPTH = (4, 2048)
"""Minimum and maximum batches in a ring. Nets with steps of a few microseconds need thousands to run without Python."""
FILLS = 64
"""How many of the latest times to fill batches are kept."""


@record
class SampleRange:
    """`total` samples from absolute number `start` on (the last batch may be partial); None: without end, or not known
    yet."""

    start: int = 0
    total: int | None = None


EVERYTHING = SampleRange()
ALONE = Share()


@record
class RankPart:
    """What a rank reads: its share of the rows of every batch, or every n-th batch.

    >>> RankPart(rows=Share(1, 4)).first(0, 100), RankPart(turns=Share(1, 4)).first(2, 100)
    (25, 900)
    """

    rows: Share = ALONE
    turns: Share = ALONE

    def first(self, batch: int, batch_size: int) -> int:
        """The number of the first sample of this rank's batch number `batch`."""
        return self.number(batch) * batch_size + self.rows.first(batch_size)

    def number(self, batch: int) -> int:
        """The number, among all batches, of this rank's batch number `batch`."""
        return batch * self.turns.ranks + self.turns.rank

    def count(self, batches: int) -> int:
        """How many of the first `batches` batches this rank has."""
        return len(range(self.turns.rank, batches, self.turns.ranks))


WHOLE = RankPart()
"""All rows of all batches."""


class Ring:
    """Filled batches of one data layer, read ahead.

    Args:
        source: reads the samples; from now on only the reader thread uses it.
        batch_size: samples per batch, of all ranks together.
        dtype: dtype of the blobs, float32 or float64.
        span: range of the samples.
        depth: number of batches in memory; None: as many as fit in RING_BYTES.
        part: part of the batches that this rank reads.
    """

    def __init__(
        self,
        source: DataSource,
        batch_size: int,
        dtype: np.dtype,
        span: SampleRange = EVERYTHING,
        depth: int | None = None,
        part: RankPart = WHOLE,
    ) -> None:
        self.source, self.batch_size, self.span, self.part = source, batch_size, span, part
        self._rows = part.rows.samples(batch_size)
        self._whole = part == WHOLE
        sizes = {top: self._rows * int(np.prod(shape)) for top, shape in source.shapes.tops.items()}
        self._strides = {top: _rounded(n, dtype) for top, n in sizes.items()}
        batch_bytes = sum(self._strides.values()) * dtype.itemsize
        self.depth = depth or min(max(RING_BYTES // batch_bytes, DEPTH[0]), DEPTH[1])
        self._entries = self._allocated(batch_bytes, dtype)
        self._views = {top: _batches(a, self._rows, source.shapes.tops[top]) for top, a in self._entries.items()}
        self._table = {top: _addresses(a) for top, a in self._entries.items()}
        self._arrays: dict[int, dict[str, np.ndarray]] = {}
        self.taken = 0
        self._renewed = -1  # the batch that renew() has filled
        self.stall_s = self._stalled = 0.0  # seconds waited in all, and those before the batches in use now
        self.fills: deque[tuple[float, int]] = deque(maxlen=FILLS)  # seconds and batches, by the reader thread
        self.waits: deque[tuple[float, int]] = deque(maxlen=FILLS)  # seconds and batches, by those who use them
        self._thread: RingReader | None = None
        self._left_behind = False
        self._changing = fork_lock(waits=False)  # of starts and stops: another thread may close the program

    def _allocated(self, batch_bytes: int, dtype: np.dtype) -> dict[str, np.ndarray]:
        try:
            return {top: self.source.memory((self.depth, n), dtype) for top, n in self._strides.items()}
        except MemoryError:
            raise OptionError(
                "not enough memory for its batches",
                got=f"{self.depth} batches of {self._rows:,} samples, {self.depth * batch_bytes:,} bytes",
                hint="a smaller batch_size",
                **self.source.where,
            ) from None

    def start(self) -> RingReader:
        """Begin reading ahead, as wait() does too. After a fork, the child starts a reader of its own."""
        with self._changing:
            reader = self._thread
            if reader is None or reader.pid != os.getpid():
                self._renewed = -1
                if self._left_behind:
                    LOG.warning("data layer %r: its reader did not answer and was left behind", self.source.layer.name)
                    self.source, self._left_behind = self.source.clone(), False
                self.source.prepare()
                with ctrl_c_later():  # stop() cannot wait for a thread that has not started
                    reader = self._thread = RingReader(self, self.taken)
                    weakref.finalize(self, reader.cancel)
                    reader.start()
            return reader

    def stop(self) -> None:
        """End the reader thread, and drop what was read ahead. May be called again."""
        with self._changing:
            if self._thread is not None:
                self._left_behind = not self._thread.stop()
                self._thread = None

    def seek(self, span: SampleRange) -> None:
        """Continue with other samples."""
        self.stop()
        self.span, self.taken, self._renewed = span, 0, -1

    def renew(self) -> None:
        """If the user may have changed the arrays, drop what was read ahead, and fill the next batch in this thread.

        Raises:
            DataError: it could not be filled.
        """
        if self.source.live:
            self.stop()
            self._renewed = -1
            self.fill(self.taken, 1)
            self._renewed = self.taken

    @property
    def n_batches(self) -> int | None:
        """Number of batches of this rank; None: without end."""
        return None if self.span.total is None else self.part.count(-(-self.span.total // self.batch_size))

    def wait(self, limit: int, wanted: Callable[[], bool] = lambda: True) -> int:
        """Wait for a filled batch. Returns how many may be used now: 1..limit, or 0 if there are no more, or none are
        `wanted` any longer.

        Raises:
            DataError: the next batch could not be filled.
        """
        if self.n_batches is not None and self.taken >= self.n_batches:
            return 0
        if self._renewed == self.taken:
            return 1
        reader = self.start()  # another thread may stop it meanwhile
        filled = reader.filled(self.taken)
        if not filled:
            begin = time.perf_counter()
            try:
                filled = reader.wait_for(self.taken, wanted)
            except BaseException:
                if reader.failed:
                    self.stop()  # the user may correct the data and continue
                raise
            self.stall_s += time.perf_counter() - begin
        return min(limit, filled, max(1, self.depth // 2))

    @property
    def fill_s(self) -> float | None:
        """Mean seconds that the reader took for the latest batches, without the first, which may open files; None
        before there are any."""
        fills = [*self.fills]
        return _each(fills[1:] or fills)

    @property
    def wait_s(self) -> float | None:
        """Mean seconds that the latest steps waited for their batch, without the first; None before there are any."""
        return _each([*self.waits][1:])

    def n_filled(self) -> int:
        """Filled batches that have not been released."""
        return 0 if self._thread is None else max(0, self._thread.filled(self.taken))

    def addresses(self, n: int) -> dict[str, np.ndarray]:
        """Addresses (uint64) of the next n filled batches, by top."""
        first = self.taken % self.depth
        return {top: table[first : first + n] for top, table in self._table.items()}

    def arrays(self, offset: int = 0) -> dict[str, np.ndarray]:
        """The next filled batch (or the one `offset` batches later), valid until it is released; an entry's arrays are
        always the same objects."""
        return self._entry((self.taken + offset) % self.depth)

    def _entry(self, k: int) -> dict[str, np.ndarray]:
        if k not in self._arrays:
            self._arrays[k] = {top: view[k] for top, view in self._views.items()}
        return self._arrays[k]

    def n_valid(self, n: int) -> np.ndarray:
        """Number of samples in each of the next n batches; a batch is padded with copies of a sample."""
        valid = np.full(n, self._rows, np.int64)
        if self.span.total is not None:
            firsts = [self.part.first(self.taken + k, self.batch_size) for k in range(n)]
            valid = np.clip(self.span.total - np.array(firsts, np.int64), 0, valid)
        return valid

    def remaining(self, limit: int) -> int:
        """Like wait(), for batches as indices, which need not be filled."""
        return limit if self.n_batches is None else min(limit, self.n_batches - self.taken)

    def numbers(self, n: int) -> np.ndarray:
        """Indices of the samples in the next n batches, int32 (n, rows of this rank); ends the reader thread.

        Raises:
            NotImplementedError: the source does not number its samples.
        """
        self.stop()
        if self._whole:
            return self._numbers(self.taken * self.batch_size, n, self.batch_size)
        firsts = (self.part.first(self.taken + k, self.batch_size) for k in range(n))
        return np.concatenate([self._numbers(first, 1, self._rows) for first in firsts])

    def _numbers(self, first: int, n: int, rows: int) -> np.ndarray:
        """Indices of n times `rows` samples; those behind the end of a pass repeat the first sample of the last row."""
        samples = n * rows
        wanted = samples if self.span.total is None else min(samples, self.span.total - first)
        numbers = np.empty(samples, np.int32)
        numbers[:wanted] = self.source.numbers(self.span.start + first, wanted)
        numbers[wanted:] = numbers[samples - rows]
        return numbers.reshape(n, rows)

    def prepare_numbers(self, n: int) -> None:
        """Prepare numbers() of the batches after the next n."""
        self.source.prepare_numbers(self.span.start + (self.taken + n) * self.batch_size)

    def release(self, n: int) -> None:
        """Give the next n batches back to the reader."""
        self.taken += n
        if n:
            self.waits.append((self.stall_s - self._stalled, n))
            self._stalled = self.stall_s
        reader = self._thread
        if reader is not None:
            reader.release(self.taken)

    def fill(self, batch: int, count: int) -> int:
        """Fill `count` neighbouring entries from batch number `batch`; called by the reader thread only. Returns how
        many have samples."""
        if not self._whole:
            return sum(self._fill_part(batch + k) for k in range(count))
        entry, samples = batch % self.depth, count * self.batch_size
        wanted = samples
        if self.span.total is not None:
            wanted = min(samples, self.span.total - batch * self.batch_size)
        out = {top: self._run(top, entry, count) for top in self._entries}
        first = self.span.start + batch * self.batch_size
        got = self.source.fill(first, {top: array[:wanted] for top, array in out.items()})
        if got < wanted:
            self.span = replace(self.span, total=batch * self.batch_size + got)
            wanted, count = got, -(-got // self.batch_size)
        for top, array in out.items():
            array[wanted:] = array[max(0, count - 1) * self.batch_size]
            target = self._views[top][entry : entry + count]
            if not np.may_share_memory(array, target):
                target[...] = array[: count * self.batch_size].reshape(target.shape)
        return count

    def _fill_part(self, batch: int) -> int:
        """Fill the entry of this rank's batch of that number; returns 1, or 0 if it has no samples."""
        out = self._entry(batch % self.depth)
        first = self.part.first(batch, self.batch_size)
        wanted = self._rows if self.span.total is None else max(0, min(self._rows, self.span.total - first))
        if self.source.sequential:
            got = self._read_on(batch, out)
        else:
            got = self.source.fill(self.span.start + first, {t: a[:wanted] for t, a in out.items()}) if wanted else 0
        for array in out.values():
            array[got:] = array[max(0, got - 1)]
        return int(got > 0 or self._rows < self.batch_size)

    def _read_on(self, batch: int, out: Arrays) -> int:
        """Fill `out` from a source that can only be read sample by sample, with those of other ranks dropped; returns
        how many samples there are."""
        number, k = self.part.number(batch), self.part.number(batch - 1) if batch else -1
        whole = {top: np.empty((self.batch_size, *a.shape[1:]), a.dtype) for top, a in out.items()}
        got = self.batch_size
        while k < number and got == self.batch_size:
            k += 1
            got = self.source.fill(self.span.start + k * self.batch_size, whole)
        if got < self.batch_size:
            self.span = replace(self.span, total=k * self.batch_size + got)
        first = self.part.rows.first(self.batch_size)
        got = max(0, min(self._rows, got - first)) if k == number else 0
        for top, array in out.items():
            array[:got] = whole[top][first : first + got]
        return got

    def _run(self, top: str, entry: int, count: int) -> np.ndarray:
        """Memory for count * batch_size samples: the entries themselves, if there is no padding between them."""
        view = self._views[top][entry : entry + count]
        shape = (count * self.batch_size, *view.shape[2:])
        return view.reshape(shape) if view.flags.c_contiguous else np.empty(shape, view.dtype)


def _each(times: Sequence[tuple[float, int]]) -> float | None:
    """Seconds for one of several numbers of batches.

    >>> _each([(1.0, 2), (0.5, 1)]), _each([])
    (0.5, None)
    """
    return sum(s for s, _ in times) / sum(n for _, n in times) if times else None


def _rounded(n_elems: int, dtype: np.dtype) -> int:
    """Elements from one entry to the next: whole cache lines."""
    line = ALIGNMENT // dtype.itemsize
    return -(-n_elems // line) * line


def _batches(entries: np.ndarray, batch_size: int, shape: tuple[int, ...]) -> np.ndarray:
    """The entries as batches (depth, batch, *shape), without the padding between them."""
    inner = np.empty((1, *shape), entries.dtype).strides
    return np.lib.stride_tricks.as_strided(entries, (len(entries), batch_size, *shape), (entries.strides[0], *inner))


def _addresses(entries: np.ndarray) -> np.ndarray:
    """Addresses of the entries, repeated once, so that a run that wraps around is a slice."""
    once = entries.ctypes.data + np.arange(len(entries), dtype=np.uint64) * np.uint64(entries.strides[0])
    return np.concatenate([once, once]).astype(np.uint64)
