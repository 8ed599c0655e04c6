"""Teams: how evenly threads can share the items of a kernel. A schedule is the same for any number of threads."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

TEAMS = (1, 2, 4)
"""Numbers of threads among which items should be shared evenly."""


def spread(items: Sequence[float]) -> float:
    """How many times as long items take as if they were shared evenly, as a mean over TEAMS.

    >>> spread([64, 64, 64, 64]), round(spread([64, 64, 64, 64, 44]), 2), round(spread([80, 80, 80, 60]), 2)
    (1.0, 1.2, 1.04)
    """
    return sum(_makespan(items, threads) * threads for threads in TEAMS) / (len(TEAMS) * sum(items))


def _makespan(items: Sequence[float], threads: int) -> float:
    """When the last of the threads is done, if each takes the next item as soon as it is free."""
    done = [0.0] * threads
    for item in items:
        heapq.heapreplace(done, done[0] + item)
    return max(done)
