"""Teams: how evenly threads can share the items of a kernel.

A schedule has enough items for the `team` of its target, and for fewer threads. Teams differ in how results are divided
among threads, never in the order of a sum, so bits are the same.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence


def spread(items: Sequence[float], team: int) -> float:
    """How many times as long items take as if threads shared them evenly; the mean for a team, half of it and a quarter
    of it.

    >>> spread([64, 64, 64, 64], 4), round(spread([64, 64, 64, 64, 44], 4), 2), round(spread([80, 80, 80, 60], 4), 2)
    (1.0, 1.2, 1.04)
    """
    teams = (team // 4, team // 2, team)
    return sum(makespan(items, threads) * threads for threads in teams) / (len(teams) * sum(items))


def makespan(items: Sequence[float], threads: int) -> float:
    """The time at which the last thread is done, if each takes the next item as soon as it is free."""
    done = [0.0] * threads
    for item in items:
        heapq.heapreplace(done, done[0] + item)
    return max(done)
