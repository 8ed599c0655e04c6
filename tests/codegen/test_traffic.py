"""What a rule's schedule moves between levels of cache, beside the best blocking that is known, in the same simulation.

The best ones lie under tests/golden/traffic, found by the search in traffic_cases.py among everything that the
combinators can make of a contraction. Cycles are those that the CPU needs to move the lines. No time is measured.
"""

from __future__ import annotations

import pytest
from codegen.traffic_cases import CASES, CPUS, Cost, cheapest, kernel_and_target, recorded

from mochac.codegen.cpu.schedules import choose

LIMIT = 1.3
"""A rule's schedule costs at most this many times what the best blocking does."""
WORSE: dict[str, float] = {}
"""Where rules are not there yet: by case and CPU, what is proved instead. An entry that LIMIT covers is an error."""
QUICK = ("forward-few", "strided")


def ratio(name: str, cpu: str) -> float:
    kernel, target = kernel_and_target(name, cpu)
    cost = Cost(kernel, target.machine)
    own = cost(choose(kernel, target))
    best = [cost(schedule) for schedule in recorded(name, cpu)]
    assert best and max(best) < float("inf"), "search again: python tests/codegen/traffic_cases.py"
    return own / min(best)


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in CASES])
def test_rules_move_little_more_than_the_best_blocking(name, cpu):
    found = ratio(name, cpu)
    limit = WORSE.get(f"{name} {cpu}", LIMIT)
    assert found <= limit, f"{found:.2f} times the traffic of the best blocking"
    assert limit == LIMIT or found > LIMIT, "WORSE can be shorter"


@pytest.mark.soak
@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("name", CASES)
def test_no_better_blocking_is_found(name, cpu):
    kernel, target = kernel_and_target(name, cpu)
    cost = Cost(kernel, target.machine)
    best = min(map(cost, recorded(name, cpu)))
    assert cost(cheapest(cost, target, 200, seed=1)) >= best / LIMIT, "record it: python tests/codegen/traffic_cases.py"
