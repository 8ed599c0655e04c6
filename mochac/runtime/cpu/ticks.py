"""TickRate: the length of a tick of the team's clock, to convert the times of kernels to seconds."""

from __future__ import annotations

import time
from collections.abc import Callable

from mochac.base.threads import fork_lock

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
