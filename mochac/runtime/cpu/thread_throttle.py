"""Fewer threads while something else wants the CPUs: how many share the next run of a plan.

runtime/cpu/executor.py reports how long each run took and how often a thread fell asleep at a barrier, waiting for one
that was not scheduled. Only that starts a trial with fewer threads; the faster number stays, and more threads are tried
again now and then. Results do not depend on it.
"""

from __future__ import annotations

import math

WINDOW_S = 0.03
"""Runs are compared over so long: several time slices of a scheduler."""
SLEEPS = 0.5
"""Sleeps at barriers per step, from which on threads are in each other's way."""
SLOW = 1.25
"""Times the best window: sleeps that cost less, such as those of a reader thread's making, are looked into when they
never end."""
STRAINED = 3
"""Slow windows with sleeps, one after the other, that are no accident."""
PATIENCE = {-1: (1, 32), 1: (4, 16)}
"""Windows until a trial with a thread fewer (-1) or more (1): at first, and at most when each trial was in vain."""
TRIAL = {-1: 1, 1: 2}
"""Windows of a trial, judged by its last: a thread that joins may begin on the CPU of another."""


class ThreadThrottle:
    """Threads for the runs of one plan, from 1 to `most`.

    >>> throttle = ThreadThrottle(2)
    >>> for _ in range(10):
    ...     throttle.saw(10, 0.05, sleeps=0, used=2)
    >>> throttle.threads  # nobody slept
    2
    >>> for _ in range(3):
    ...     throttle.saw(10, 0.13, sleeps=19, used=2)
    >>> throttle.threads  # a trial
    1
    >>> throttle.saw(10, 0.1, sleeps=0, used=1)
    >>> throttle.threads  # was faster
    1
    """

    def __init__(self, most: int) -> None:
        self.most = self.threads = most
        self._trial = self._left = 0
        self._settled_s = 0.0
        self._best_s = [math.inf] * (most + 1)
        self._patience = {way: least for way, (least, _) in PATIENCE.items()}
        self._waited = self._tired = self._strained = 0
        self._step_s = 0.0
        self._open()

    def steps(self, most: int) -> int:
        """How many of `most` steps to run before looking: about a window's, one where nothing is known."""
        return min(most, max(1, int(WINDOW_S / self._step_s))) if self._step_s else 1

    def saw(self, n_steps: int, seconds: float, sleeps: int, used: int) -> None:
        """A run took so long; it tells nothing about `threads` where another program held the team."""
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
        """A window of a trial is over; after the last one stay, or go back and wait longer for the next trial."""
        self._left -= 1
        if self._left and step_s >= self._settled_s:
            return
        way, self._trial = self._trial, 0
        least, most = PATIENCE[way]
        better = step_s < self._settled_s
        self._patience[way] = least if better else min(2 * self._patience[way], most)
        self.threads -= 0 if better else way

    def _consider(self, step_s: float, tired: bool) -> None:
        """Begin a trial where one is due."""
        best = self._best_s[self.threads] = min(self._best_s[self.threads], step_s)
        self._tired = self._tired + 1 if tired else 0
        self._strained = self._strained + 1 if tired and step_s > SLOW * best else 0
        self._settled_s = step_s
        self._waited += 1
        way = self._way()
        if way and self._waited >= self._patience[way]:
            self._trial, self._left = way, TRIAL[way]
            self._waited = self._tired = 0
            self.threads += way

    def _way(self) -> int:
        """Where a trial may go: -1, 1, or 0 for none."""
        if self.threads > 1 and (self._strained >= STRAINED or self._tired >= PATIENCE[-1][1]):
            return -1
        return 1 if self.threads < self.most else 0
