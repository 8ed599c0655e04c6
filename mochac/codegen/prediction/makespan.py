"""makespan: when the last thread of a team is done with the items of a kernel."""

from __future__ import annotations

import heapq
from collections.abc import Sequence


def makespan(items: Sequence[float], threads: int) -> float:
    """The time at which the last thread is done, if each takes the next item as soon as it is free.

    >>> makespan([4.0, 4.0, 4.0, 3.0, 1.0], 2)
    8.0
    """
    done = [0.0] * threads
    for item in items:
        heapq.heapreplace(done, done[0] + item)
    return max(done)
