"""Teams: how evenly threads can share the items of a kernel.

A schedule has enough items for the `team` of its target, and for fewer threads. Teams differ in how results are divided
among threads, never in the order of a sum, so bits are the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from mochac.codegen.prediction.prediction import makespan

TRANSFORMED = 8
"""The transform of a tile of an image (ops/_winograd.py) takes as long as its products for so many filters: 6 vector
instructions for each cell of a tile, and what packs the image."""
LEAST_RESULTS = 4
"""Minimum results of a part of an item: with fewer, register tiles are too small."""


def spread(items: Sequence[float], team: int) -> float:
    """How many times as long items take as if threads shared them evenly; the mean for a team, half of it and a quarter
    of it.

    >>> spread([64, 64, 64, 64], 4), round(spread([64, 64, 64, 64, 44], 4), 2), round(spread([80, 80, 80, 60], 4), 2)
    (1.0, 1.2, 1.04)
    """
    teams = (team // 4, team // 2, team)
    return sum(makespan(items, threads) * threads for threads in teams) / (len(teams) * sum(items))


def result_parts(items: Sequence[float], results: int, again: float, team: int) -> int:
    """Into how many parts items, the longest first, divide their results, so that the threads of a team end soonest.

    Args:
        results: of each item.
        again: what every part of an item computes again takes as long as so many results.

    >>> [result_parts([1.0] * 6 + [0.25], 32, 8, team) for team in (4, 16, 64)], result_parts([1.0] * 64, 32, 8, 64)
    ([1, 2, 4], 1)
    """
    options = [n for n in range(1, results // LEAST_RESULTS + 1) if results % n == 0]

    def cost(n: int) -> float:
        divided = [item for item in items for _ in range(n)]
        return spread(divided, team) * n * (again + results / n)

    return min(options, key=cost, default=1)
