"""What a rule's schedule moves between levels of cache, beside the best blocking that is known, in the same simulation.

The best ones lie under tests/golden/traffic, found by the search in traffic_cases.py among everything that the
combinators can make of a contraction. Cycles are those that the CPU needs to move the lines; those of the best count as
a share HIDDEN of the time of the multiply-adds where they are less: loads run ahead of them. Of blockings, those count
that are not slower than the rule's schedule by the model of the machine, with the lines of the exact simulation: a copy
saves lines, but takes instructions. No time is measured.
"""

from __future__ import annotations

import pytest
from codegen.traffic_cases import CASES, CPUS, Cost, cheapest, kernel_and_target, recorded

from mochac.codegen.cpu.schedules import choose
from mochac.codegen.cpu.schedules.image_order import HIDDEN
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel

LIMIT = 1.33
"""A rule's schedule costs at most this many times what the best blocking does."""
QUICK = ("forward-few", "strided")


def ratio(name: str, cpu: str) -> float:
    """Cycles of the rule's traffic over those of the best blocking."""
    kernel, target = kernel_and_target(name, cpu)
    rule = choose(kernel, target)
    cost = Cost.beside(rule, kernel, target.machine)
    best = min(cost(rule), *map(cost, recorded(name, cpu)))
    return cost(rule) / max(best, hidden(kernel, target))


def hidden(kernel: Kernel, target: CpuTarget) -> float:
    """Cycles of traffic that the multiply-adds hide: what takes fewer counts as much as this."""
    return HIDDEN * kernel.flops / (2 * target.lanes("f32") * target.machine.multiply_adds)


@pytest.mark.sampled(0, test=4)
@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in CASES])
def test_rules_move_little_more_than_the_best_blocking(name, cpu):
    found = ratio(name, cpu)
    assert found <= LIMIT, f"{found:.2f} times the traffic of the best blocking"


@pytest.mark.soak
@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("name", CASES)
def test_no_better_blocking_is_found(name, cpu):
    kernel, target = kernel_and_target(name, cpu)
    rule = choose(kernel, target)
    cost = Cost.beside(rule, kernel, target.machine)
    best, found = min(cost(rule), *map(cost, recorded(name, cpu))), cost(cheapest(cost, target, 200, seed=1))
    least = hidden(kernel, target)
    assert max(found, least) >= max(best, least) / LIMIT, "record it: python tests/codegen/traffic_cases.py"
