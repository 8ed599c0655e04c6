"""Search levels: how much "quick" and "full" try."""

from __future__ import annotations

from mochac.base.records import record


@record
class SearchLevel:
    """Limits of the search in one plan.

    Attributes:
        total_s: seconds for all kernels together, divided by the time they take in a step.
        candidate_s: seconds for one candidate, after which it is refused; also the maximum time of a single run.
        candidates: maximum number tried for one kernel.
        least_share: kernels that take a smaller fraction of the step keep their rules' schedules.
        rounds: rounds of a first comparison with the best so far.
        confirming: rounds of the decisive one.
        burst_s: duration of one timing.
        hops: how often the search continues with the neighbours of a better schedule.
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
"""A schedule must be this many times as fast as the best so far, in both comparisons."""
