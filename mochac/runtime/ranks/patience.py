"""Patience: how long a rank has waited for another one, without the time in which the waiting rank was stopped."""

from __future__ import annotations

import time
from collections.abc import Callable

LONGEST_LOOK_S = 1.0
"""The time between two checks counts as at most this long, seconds: a job that was stopped (Ctrl-Z, a batch system, a
laptop that slept) has not waited meanwhile."""


class Patience:
    """Counts the time of a wait, from check to check.

    Args:
        limit_s: how long to wait.
        clock: seconds.

    >>> times = iter([0.0, 0.5, 3600.0, 3600.5])
    >>> patience = Patience(1.7, lambda: next(times))
    >>> patience.is_over(), patience.is_over(), patience.is_over()
    (False, False, True)
    """

    def __init__(self, limit_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit_s, self._clock = limit_s, clock
        self.spent_s, self._last = 0.0, clock()

    def is_over(self) -> bool:
        """Whether it has lasted too long; called at every check."""
        now = self._clock()
        self.spent_s += min(now - self._last, LONGEST_LOOK_S)
        self._last = now
        return self.spent_s > self._limit_s
