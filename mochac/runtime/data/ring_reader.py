"""RingReader: the thread that fills the batches of a ring ahead of their use."""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable
from typing import Protocol

from mochac.runtime.data.source import DataSource

POLL_S = 0.1
"""Time between checks whether a batch is still wanted, seconds."""
STOP_TIMEOUT_S = 0.5
"""Timeout for the end of a reader that runs a user's code, seconds; then it is abandoned."""


class FilledRing(Protocol):
    """The parts of a ring that the thread needs. The thread does not refer to the ring itself, so that dropping the
    ring ends the thread."""

    source: DataSource
    depth: int
    fills: deque[tuple[float, int]]

    @property
    def n_batches(self) -> int | None:
        """Number of batches of the span, once that is known."""
        ...

    def fill(self, batch: int, count: int) -> int:
        """Fill neighbouring entries; returns how many have samples."""
        ...


class RingReader:
    """The reader thread of a ring: numbers of filled and released batches, guarded by a condition variable."""

    def __init__(self, ring: FilledRing, taken: int) -> None:
        self.pid = os.getpid()
        self._ring, self._source = weakref.ref(ring), ring.source
        self._depth, self._end = ring.depth, ring.n_batches
        self._filled = self._released = taken
        self._error: BaseException | None = None
        self._stopping = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="mochac-reader", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def cancel(self) -> None:
        """Let the thread end, without waiting for it. Finalizers call this, since they run in any thread, which may
        hold locks that the reader waits for."""
        if self.pid != os.getpid():  # the thread runs in the parent, and may hold the lock in this copy
            return
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        if self._source.runs_users_code:
            self._source.cancel()

    def stop(self) -> bool:
        """Whether the thread has ended: a thread in a user's code may be abandoned."""
        self.cancel()
        if self.pid == os.getpid() and self._thread is not threading.current_thread():
            self._thread.join(STOP_TIMEOUT_S if self._source.runs_users_code else None)
            return not self._thread.is_alive()
        return True

    @property
    def failed(self) -> bool:
        return self._error is not None

    def filled(self, taken: int) -> int:
        return self._filled - taken

    def wait_for(self, taken: int, wanted: Callable[[], bool]) -> int:
        """Wait for filled batches after the first `taken`; return their number, 0 if there will be none, or none are
        wanted."""
        with self._changed:
            while self._filled <= taken and self._error is None and self._end != taken and wanted():
                self._changed.wait(POLL_S)
            if self._filled <= taken and self._error is not None:
                raise self._error
            return self._filled - taken

    def release(self, taken: int) -> None:
        if self.pid == os.getpid():
            with self._changed:
                self._released = taken
                self._changed.notify_all()

    def _run(self) -> None:
        burst = 1
        while (count := self._room(burst)) > 0:
            ring = self._ring()
            if ring is None:
                return
            count = self._fill(ring, count)
            end = ring.n_batches
            del ring
            with self._changed:
                self._filled, self._end = self._filled + count, end
                self._changed.notify_all()
            if not count:
                return
            burst = min(2 * burst, max(1, self._depth // 4)) if self._source.in_bursts else 1

    def _room(self, burst: int) -> int:
        """Number of batches to fill next, contiguous in memory; 0: no more."""
        with self._changed:
            self._changed.wait_for(lambda: self._stopping or self._filled - self._released < self._depth)
            if self._stopping:
                return 0
            free = self._depth - (self._filled - self._released)
            count = min(burst, free, self._depth - self._filled % self._depth)
            return count if self._end is None else min(count, self._end - self._filled)

    def _fill(self, ring: FilledRing, count: int) -> int:
        """Number of batches filled. A failed burst is repeated batch by batch, so that those before the fault are
        used."""
        try:
            begin = time.perf_counter()
            filled = ring.fill(self._filled, count)
            ring.fills.append((time.perf_counter() - begin, count))
            return filled
        except BaseException as error:
            if count > 1:
                return self._fill(ring, 1)
            with self._changed:
                self._error = error
                self._changed.notify_all()
            return 0
