"""How much a search tries: "quick" and "full".

compiler.py checks names against LEVELS; plan_search.py and search.py keep to the numbers.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SearchLevel:
    """Limits of the search in one plan.

    Attributes:
        total_s: seconds for all kernels together, shared out by the time they take in a step.
        candidate_s: seconds for one candidate, after which it is refused; also what a single run may take.
        candidates: tried for one kernel.
        least_share: of the step; kernels that take less are left to their rules.
        rounds: of a first comparison with the best so far. confirming: of the one that decides.
        burst_s: a timing lasts so long.
        hops: how often the search goes on from a better schedule to that one's neighbours.
    """

    name: str
    total_s: float
    candidate_s: float
    candidates: int
    least_share: float
    rounds: int
    confirming: int
    burst_s: float
    hops: int


LEVELS = {
    level.name: level
    for level in (
        SearchLevel("quick", 20.0, 1.0, 12, 0.02, rounds=5, confirming=15, burst_s=0.002, hops=1),
        SearchLevel("full", 300.0, 10.0, 80, 0.002, rounds=7, confirming=31, burst_s=0.004, hops=4),
    )
}
WORTH = 1.02
"""A schedule must be so many times as fast as the best so far, in both comparisons."""
