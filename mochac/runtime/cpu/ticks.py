"""Seconds of a tick of the clock that generated code reads, measured once a process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

_ATTEMPTS = 32
_BRACKET_S = 2e-6
"""Longest time between two looks at one clock, with a look at the other between them."""
_SPAN_S = 0.02
"""Shortest time to take the rate over: a bracket's error is then 1 in 10,000."""


class TickRate:
    """Seconds of a tick of a steady clock against `perf_counter`.

    Two clocks are never read at the same moment, and a thread may lose its CPU between them for milliseconds: more than
    the run that is to be timed takes, so that a rate taken over that run alone can be wrong several times over. So both
    readings are bracketed, and taken over the whole time since the first one.

    Args:
        ticks: reads the clock.
    """

    def __init__(self, ticks: Callable[[], int]) -> None:
        self._ticks = ticks
        self._lock = threading.Lock()
        self._first = self._pair()
        self._last = self._first

    def seconds(self) -> float:
        """Of one tick; the first call may wait some milliseconds."""
        with self._lock:
            if self._last[1] - self._first[1] < _SPAN_S:
                time.sleep(max(0.0, self._first[1] + _SPAN_S - time.perf_counter()))
                self._last = self._pair()
            ticks = self._last[0] - self._first[0]
            return (self._last[1] - self._first[1]) / max(1, ticks)

    def _pair(self) -> tuple[int, float]:
        """(ticks, seconds) at one moment: the tightest bracket of a few, less tight ones on a busy machine."""
        best = (float("inf"), 0, 0.0)
        for _ in range(_ATTEMPTS):
            before = time.perf_counter()
            ticks = self._ticks()
            after = time.perf_counter()
            best = min(best, (after - before, ticks, (before + after) / 2))
            if best[0] < _BRACKET_S:
                break
        return best[1], best[2]
