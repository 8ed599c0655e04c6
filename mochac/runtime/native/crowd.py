"""Fewer threads while something else wants the CPUs: how many share the next run of a plan.

runtime/cpu.py tells it how long each run took and how often a thread fell asleep at a barrier, waiting for one that the
machine held up. Only that starts a trial with fewer threads; the faster number stays, and more threads are tried again
now and then. It changes when steps run, never what they compute.
"""

from __future__ import annotations

WINDOW_S = 0.03
"""Runs are compared over so long: several time slices of a scheduler."""
SLEEPS = 0.5
"""Sleeps at barriers per step, from which on threads are in each other's way."""
PATIENCE = {-1: (1, 32), 1: (4, 16)}
"""Windows until a trial with a thread fewer (-1) or more (1): at first, and at most when each trial was in vain."""


class Crowd:
    """Threads for the runs of one plan, from 1 to `most`.

    >>> crowd = Crowd(2)
    >>> for _ in range(10):
    ...     crowd.saw(5, 0.05, 0)
    >>> crowd.threads  # nobody slept
    2
    >>> crowd.saw(5, 0.05, 9)
    >>> crowd.threads  # a trial
    1
    >>> crowd.saw(5, 0.04, 0)
    >>> crowd.threads  # was faster
    1
    """

    def __init__(self, most: int) -> None:
        self.most = self.threads = most
        self._trial = 0
        self._settled_s = 0.0
        self._patience = {way: least for way, (least, _) in PATIENCE.items()}
        self._waited = 0
        self._open()

    def saw(self, n_steps: int, seconds: float, sleeps: int) -> None:
        """A run by `threads` threads took so long."""
        self._steps += n_steps
        self._seconds += seconds
        self._sleeps += sleeps
        if self._seconds >= WINDOW_S:
            step_s, tired = self._seconds / self._steps, self._sleeps / self._steps >= SLEEPS
            self._open()
            if self._trial:
                self._judge(step_s < self._settled_s)
            else:
                self._settled_s = step_s
                self._consider(tired)

    def _open(self) -> None:
        self._steps, self._seconds, self._sleeps = 0, 0.0, 0

    def _judge(self, better: bool) -> None:
        """A trial is over: stay, or go back and wait longer for the next one."""
        way, self._trial = self._trial, 0
        least, most = PATIENCE[way]
        self._patience[way] = least if better else min(2 * self._patience[way], most)
        self.threads -= 0 if better else way

    def _consider(self, tired: bool) -> None:
        """Begin a trial where one is due."""
        self._waited += 1
        way = -1 if tired and self.threads > 1 else 1 if self.threads < self.most else 0
        if way and self._waited >= self._patience[way]:
            self._trial, self._waited = way, 0
            self.threads += way
