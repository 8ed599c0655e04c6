"""The team of worker threads, one per process, and the length of a tick of its clock.

Workers are plain pthreads that never touch Python: they are started on demand, parked in native code between jobs, and
end with the process. The code and memory they use are never freed. A forked child has none of its parent's threads, so
it forgets the team and starts another on first use.
"""

from __future__ import annotations

import ctypes
import os
import signal
import threading
import time
import warnings
from collections.abc import Callable

import numpy as np

from mochac.base.files.cache import Cache
from mochac.base.support.memory import aligned_zeros
from mochac.base.support.times import default_threads
from mochac.base.threads import fork_lock
from mochac.codegen.cpu import job_layout as layout
from mochac.codegen.cpu.step_driver import mochac_run, mochac_ticks, mochac_worker
from mochac.codegen.cpu.worker_team import WAIT_NS
from mochac.runtime.cpu import loader
from mochac.runtime.cpu.native import native_code

_ATTEMPTS = 32
_BRACKET_S = 2e-6
"""Maximum time between two readings of one clock, with a reading of the other between them."""
_SPAN_S = 0.02
"""Minimum time over which the rate is taken: a bracket's error is then 1 in 10,000."""


class TickRate:
    """Seconds per tick of a steady clock, measured against `perf_counter`.

    Two clocks cannot be read at the same moment, and a thread may lose its CPU between the readings for milliseconds:
    longer than the run to be timed, so a rate taken over that run alone may be wrong by a factor. Therefore both
    readings are bracketed, and the rate is taken over the whole time since the first one.

    Args:
        ticks: reads the clock.
    """

    def __init__(self, ticks: Callable[[], int]) -> None:
        self._ticks = ticks
        self._lock = fork_lock(inner=True)
        self._first = self._pair()
        self._last = self._first

    def seconds(self) -> float:
        """Seconds per tick; the first call may wait some milliseconds."""
        with self._lock:
            if self._last[1] - self._first[1] < _SPAN_S:
                time.sleep(max(0.0, self._first[1] + _SPAN_S - time.perf_counter()))
                self._last = self._pair()
            ticks = self._last[0] - self._first[0]
            return (self._last[1] - self._first[1]) / max(1, ticks)

    def _pair(self) -> tuple[int, float]:
        """(ticks, seconds) at one moment: the tightest of several brackets; a wider one if the machine is busy."""
        best = (float("inf"), 0, 0.0)
        for _ in range(_ATTEMPTS):
            before = time.perf_counter()
            ticks = self._ticks()
            after = time.perf_counter()
            best = min(best, (after - before, ticks, (before + after) / 2))
            if best[0] < _BRACKET_S:
                break
        return best[1], best[2]


_CRASHES = {signal.SIGSEGV, signal.SIGFPE, signal.SIGILL, signal.SIGABRT} | (
    {signal.SIGBUS} if hasattr(signal, "SIGBUS") else set()
)


class TeamCode:
    """The compiled driver: `run(job address)`, the `rate` of its clock and the entry point of workers."""

    def __init__(self, cache: Cache | None) -> None:
        library = native_code([mochac_run, mochac_ticks, mochac_worker], cache)
        self.run = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(library["mochac_run"])
        self.rate = TickRate(ctypes.CFUNCTYPE(ctypes.c_int64)(library["mochac_ticks"]))
        self.worker = library["mochac_worker"]


class Team:
    """Parked workers and the memory they share. Thread 0 of a job is the caller of `code.run`."""

    def __init__(self, code: TeamCode) -> None:
        self.code = code
        memory = aligned_zeros(layout.TEAM_BYTES, np.uint8)
        loader.immortal(memory)
        self._words = memory.view(np.int64)
        self.address: int = memory.ctypes.data
        self.workers = 0
        self._lock = threading.Lock()

    def ensure(self, threads: int) -> int:
        """Give the team at least `threads` threads, the caller included; returns how many of them can take part."""
        if threads <= self.workers + 1:
            return threads
        with self._lock:
            while self.workers + 1 < min(threads, layout.MAX_THREADS):
                if not self._hire(self.workers + 1):
                    break
                self.workers += 1
        return min(threads, self.workers + 1)

    def patience_ns(self, threads: int) -> int:
        """How long a thread polls at a barrier of this many threads before it sleeps: not at all if they outnumber the
        CPUs."""
        return WAIT_NS if threads <= default_threads() else 0

    @property
    def sleeps(self) -> int:
        """How often a thread has slept at a barrier so far."""
        return int(self._words[layout.SLEEPS // 8])

    def _hire(self, number: int) -> bool:
        box = layout.MAILBOXES + number * layout.LINE_BYTES
        self._words[(box + layout.BOX_TEAM) // 8] = self.address
        error = start_thread(self.code.worker, self.address + box)
        if error:
            warnings.warn(
                f"could not start worker thread {number} ({os.strerror(error)}); going on with {number}", stacklevel=4
            )
        return not error


def start_thread(function: int, argument: int) -> int:
    """Start a detached pthread with all signals blocked, so that it runs no signal handler; returns 0 or an errno."""
    libc = ctypes.CDLL(None)
    thread = ctypes.c_ulong()
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals() - _CRASHES)
    try:
        error = libc.pthread_create(ctypes.byref(thread), None, ctypes.c_void_p(function), ctypes.c_void_p(argument))
        if not error:
            libc.pthread_detach(thread)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
    return error


_code: TeamCode | None = None
_team: Team | None = None
_team_lock = threading.Lock()


def team(cache: Cache | None = None) -> Team:
    """The team of this process, started on first use; `cache` may hold its compiled code."""
    global _code, _team
    found = _team
    if found is not None:
        return found
    with _team_lock:
        if _code is None:
            _code = TeamCode(cache)
        if _team is None:
            _team = Team(_code)
        return _team


def _forget_team() -> None:
    global _team, _team_lock
    _team = None
    _team_lock = threading.Lock()


os.register_at_fork(after_in_child=_forget_team)
