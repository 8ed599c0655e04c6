"""The team of worker threads, one per process, and the number of threads that share each launch of a plan.

Workers are plain pthreads that never touch Python: they are started on demand, parked in native code between jobs, and
end with the process. The code and memory they use are never freed. A forked child has none of its parent's threads, so
it forgets the team and starts another on first use.

When a plan is bound, `shares` estimates how many threads each launch is worth, from flops and bytes: a plan from the
cache has no kernels to predict times by. ThreadThrottle reduces the threads of a plan while another process keeps a CPU
busy, or if fewer are faster. The executor reports how long each run took, and how often a thread slept at a barrier
because another was delayed. Such sleeps start a trial with fewer threads; so do short steps, at first and then ever
more rarely, because cores may take longer to pass on results than to compute them. The faster number is kept, and more
threads are tried again from time to time. Results never depend on the number of threads.
"""

from __future__ import annotations

import ctypes
import math
import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from mochac.base.files.cache import Cache
from mochac.base.records import record
from mochac.base.support.memory import aligned_zeros
from mochac.base.support.times import default_threads
from mochac.base.threads import fork_lock
from mochac.codegen.cpu import worker_team as layout
from mochac.codegen.cpu.step_driver import mochac_run, mochac_ticks, mochac_worker
from mochac.codegen.cpu.worker_team import WAIT_NS, SlotWord
from mochac.ir.plan import Launch, Plan
from mochac.runtime.cpu import loader
from mochac.runtime.cpu.loader import native_code

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

    def poll_ns(self, threads: int) -> int:
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


_FLOPS_PER_S, _BYTES_PER_S, _NEAR_BYTES_PER_S = 50e9, 10e9, 50e9
"""Rates of one thread by which times are guessed, rather low: a guess must be quick, and serve any CPU. The last one is
for plans whose values all fit into _NEAR_BYTES."""
_NEAR_BYTES = 1 << 18
_MIN_PLAN_S = 20e-6
"""A plan that is shorter runs on one thread."""
_MIN_SHARE_S = 2e-6
"""Minimum work of each thread that shares a phase."""
_CHUNK_S = 2e-6
"""Duration of a chunk of items, which a thread takes at a time."""


@record(slots=True)
class LaunchShare:
    """How a launch runs: by at most `cap` threads, at least `grain` items at a time, after a barrier if `sync`."""

    cap: int
    grain: int
    sync: bool


def shares(plan: Plan, threads: int) -> list[LaunchShare]:
    """A LaunchShare per launch. Consecutive phases that one thread runs alone need no barrier between them. In loops,
    threads are worth it if they are in each step."""
    n_bytes = {placement.name: placement.type.storage_bytes for placement in plan.placements}
    rate = _NEAR_BYTES_PER_S if sum(n_bytes.values()) <= _NEAR_BYTES else _BYTES_PER_S
    seconds = [_guess_s(launch, n_bytes, rate) for launch in plan.launches]
    caps = _caps(plan.launches, seconds, threads)
    launch_shares: list[LaunchShare] = []
    previous: Launch | None = None
    for launch, guess in zip(plan.launches, seconds, strict=True):
        cap = caps[launch.phase]
        turned = previous is not None and previous.phase != launch.phase
        sync = turned and max(cap, caps[previous.phase]) > 1  # type: ignore[union-attr]
        grain = int(launch.items * _CHUNK_S * launch.trips / guess) if guess else launch.items
        launch_shares.append(LaunchShare(cap, max(1, min(grain, launch.items)), sync))
        previous = launch
    return launch_shares


def _guess_s(launch: Launch, n_bytes: Mapping[str, int], bytes_per_s: float) -> float:
    moved = launch.moved_bytes or sum(n_bytes[name] for name in launch.buffers)
    return launch.flops / _FLOPS_PER_S + moved / bytes_per_s


def _caps(launches: Sequence[Launch], seconds: Sequence[float], threads: int) -> dict[int, int]:
    """Threads worth using in each phase; 1 everywhere if the whole plan is short."""
    phases: dict[int, float] = {}
    for launch, guess in zip(launches, seconds, strict=True):
        phases[launch.phase] = phases.get(launch.phase, 0.0) + guess / launch.trips
    if sum(seconds) < _MIN_PLAN_S:
        return dict.fromkeys(phases, 1)
    return {phase: min(threads, max(1, int(guess / _MIN_SHARE_S))) for phase, guess in phases.items()}


def item_slots(launches: Sequence[Launch], shared: Sequence[LaunchShare], threads: int) -> np.ndarray:
    """The full slots of a job, [launches][threads][words]: of n = min(cap, threads) takers, thread t owns the items
    from items*t // n to items*(t+1) // n."""
    table = aligned_zeros((max(1, len(launches)), threads, int(SlotWord.WORDS)), np.int64)
    for row, launch, share in zip(table, launches, shared, strict=False):
        takers = min(share.cap, threads)
        for t in range(takers):
            lo, hi = launch.items * t // takers, launch.items * (t + 1) // takers
            row[t, SlotWord.LEFT] = row[t, SlotWord.FULL] = hi << 32 | lo
    return table


WINDOW_S = 0.03
"""Runs are compared over windows of this length: several time slices of a scheduler."""
SLEEPS = 0.5
"""Sleeps at barriers per step that indicate that threads wait for each other."""
SLOW = 1.25
"""Relative to the best window: slower windows with fewer sleeps, which a reader thread causes, count if they
persist."""
STRAINED = 3
"""Number of consecutive slow windows with sleeps that start a trial."""
TRIAL_BACKOFF = {-1: (1, 32), 1: (4, 16)}
"""Windows until a trial with one thread fewer (-1) or more (1): at first, and the maximum if trials keep failing."""
SHORT_S = 0.5e-3
"""Steps shorter than this are tried with fewer threads even if no thread sleeps."""
SHORT_BACKOFF = (2, 4, 2048)
"""Windows of such steps until a trial: at first, the factor after each failed trial, and the maximum."""
WORTH = {-1: 0.95, 1: 1.0}
"""What a step must take at most after a trial, relative to before, so that the number is kept."""
TRIAL_WINDOWS = {-1: 1, 1: 2}
"""Windows of a trial, judged by its last one: an additional thread may start on the CPU of another."""


class ThreadThrottle:
    """Number of threads for the runs of one plan, from 1 to `most`.

    >>> throttle = ThreadThrottle(2)
    >>> for _ in range(10):
    ...     throttle.record(10, 0.05, sleeps=0, used=2)
    >>> throttle.threads  # nobody slept
    2
    >>> for _ in range(3):
    ...     throttle.record(10, 0.13, sleeps=19, used=2)
    >>> throttle.threads  # a trial
    1
    >>> throttle.record(10, 0.1, sleeps=0, used=1)
    >>> throttle.threads  # was faster
    1
    """

    def __init__(self, most: int) -> None:
        self.most = self.threads = most
        self._trial = self._left = 0
        self._settled_s = 0.0
        self._best_s = [math.inf] * (most + 1)
        self._patience = {way: least for way, (least, _) in TRIAL_BACKOFF.items()}
        self._waited = self._tired = self._strained = self._short = 0
        self._doubt = SHORT_BACKOFF[0]
        self._step_s = 0.0
        self._open()

    def steps(self, most: int) -> int:
        """How many of `most` steps to run before the next decision: about a window's, one if nothing is known yet."""
        return min(most, max(1, int(WINDOW_S / self._step_s))) if self._step_s else 1

    def record(self, n_steps: int, seconds: float, sleeps: int, used: int) -> None:
        """Report a run; it says nothing about `threads` if another program was using the team."""
        self._step_s = seconds / n_steps
        if used != self.threads:
            return
        self._steps += n_steps
        self._seconds += seconds
        self._sleeps += sleeps
        if self._seconds >= WINDOW_S:
            step_s, tired = self._seconds / self._steps, self._sleeps / self._steps >= SLEEPS
            self._open()
            if self._trial:
                self._judge(step_s)
            else:
                self._consider(step_s, tired)

    def _open(self) -> None:
        self._steps, self._seconds, self._sleeps = 0, 0.0, 0

    def _judge(self, step_s: float) -> None:
        """End a window of a trial; after the last one keep the number, or return and wait longer for the next trial."""
        self._left -= 1
        if self._left and step_s >= self._settled_s:
            return
        way, self._trial = self._trial, 0
        least, most = TRIAL_BACKOFF[way]
        better = step_s < WORTH[way] * self._settled_s
        self._patience[way] = least if better else min(2 * self._patience[way], most)
        if way < 0:
            first, factor, last = SHORT_BACKOFF
            self._doubt = first if better else min(factor * self._doubt, last)
        self.threads -= 0 if better else way

    def _consider(self, step_s: float, tired: bool) -> None:
        """Begin a trial if one is due."""
        best = self._best_s[self.threads] = min(self._best_s[self.threads], step_s)
        self._tired = self._tired + 1 if tired else 0
        self._strained = self._strained + 1 if tired and step_s > SLOW * best else 0
        self._short = self._short + 1 if step_s < SHORT_S else 0
        self._settled_s = step_s
        self._waited += 1
        way = self._way()
        if way and self._waited >= self._patience[way]:
            self._trial, self._left = way, TRIAL_WINDOWS[way]
            self._waited = self._tired = self._short = 0
            self.threads += way

    def _way(self) -> int:
        """Direction of the next trial: -1, 1, or 0 for none."""
        doubtful = self._strained >= STRAINED or self._tired >= TRIAL_BACKOFF[-1][1] or self._short >= self._doubt
        if self.threads > 1 and doubtful:
            return -1
        return 1 if self.threads < self.most else 0
