"""What a rule's schedule moves between levels of cache, beside the best blocking that is known, in the same simulation.

The best ones lie under tests/golden/traffic, found by the search in traffic_cases.py among everything that the
combinators can make of a contraction. Cycles are those that the CPU needs to move the lines; those of the best count as
a share HIDDEN of the time of the multiply-adds where they are less: loads run ahead of them. A blocking that takes more
instructions than the rule's schedule is none of the best (traffic_cases.INSTRUCTIONS). No time is measured.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from codegen.traffic_cases import CASES, CPUS, Cost, cheapest, kernel_and_target, recorded

from mochac.codegen.cpu.schedules import choose
from mochac.codegen.cpu.schedules.image_order import HIDDEN
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.machine import LINE
from mochac.ir.kernel import Kernel

LIMIT = 1.3
"""A rule's schedule costs at most this many times what the best blocking does."""
CLASHING = {
    "weight-gradient znver5": 1.6,
    "weight-gradient znver3": 1.6,
    "conv-dw cascadelake": 1.6,
    "padded znver3": 1.7,
    "padded-dx znver3": 1.7,
    "padded-dw cascadelake": 1.6,
    "padded-dw znver3": 1.4,
    "one-tap-dx znver5": 1.6,
    "one-tap-dx znver3": 1.7,
}
"""Where rows or planes that lie a multiple of 2 KB apart evict each other from L1: by case and CPU, the limit instead.

Blockings that avoid it copy an operand or hold taller tiles. Where that was measured, it was slower, since the lines
come from L2 behind the multiply-adds: rows of a weight gradient copied take it from 94 to 88 % of the peak (Zen 5), in
tiles twice as high it takes 1.01 to 1.04 times as long (Zen 4). Planes one column farther apart were faster by less
than 5 % in 40 of 42 convolutions of 16 to 64 channels, by 7 % at most (Zen 4, code for AVX-512 and AVX2).
"""
NO_SETS = 1.35
"""Their limit in an L1 without sets."""
SLOWER = {"forward znver5": 1.8}
"""Where less traffic is known to be slower: forward products that move less transpose the weight, and reach 79 to 87 %
of the peak on Zen 5 where packed samples reach 86 to 89."""
QUICK = ("forward-few", "strided")


def ratio(name: str, cpu: str, *, sets: bool = True) -> float:
    """Cycles of the rule's traffic over those of the best blocking, which is counted with sets anyway."""
    kernel, target = kernel_and_target(name, cpu)
    machine, rule = target.machine, choose(kernel, target)
    cost = Cost.beside(rule, kernel, machine)
    best = min(map(cost, recorded(name, cpu)), default=float("inf"))
    assert best < float("inf"), "search again: python tests/codegen/traffic_cases.py"
    whole = machine.with_caches(machine.sizes, (machine.l1.n_bytes // LINE,))
    own = (cost if sets else replace(cost, machine=whole, known={}))(rule)
    return own / max(best, hidden(kernel, target))


def hidden(kernel: Kernel, target: CpuTarget) -> float:
    """Cycles of traffic that the multiply-adds hide: what takes fewer counts as much as this."""
    return HIDDEN * kernel.flops / (2 * target.lanes("f32") * target.machine.multiply_adds)


@pytest.mark.slow
@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in CASES])
def test_rules_move_little_more_than_the_best_blocking(name, cpu):
    found = ratio(name, cpu)
    assert found <= {**CLASHING, **SLOWER}.get(f"{name} {cpu}", LIMIT), (
        f"{found:.2f} times the traffic of the best blocking"
    )


@pytest.mark.slow
@pytest.mark.parametrize("case", CLASHING)
def test_lines_that_evict_each_other_are_why_some_move_more(case):
    assert ratio(*case.split(), sets=False) <= NO_SETS


@pytest.mark.soak
def test_only_what_is_worse_has_a_limit_of_its_own():
    assert [x for x in (*CLASHING, *SLOWER) if ratio(*x.split()) <= LIMIT] == []


@pytest.mark.soak
@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("name", CASES)
def test_no_better_blocking_is_found(name, cpu):
    kernel, target = kernel_and_target(name, cpu)
    cost = Cost.beside(choose(kernel, target), kernel, target.machine)
    best, found = min(map(cost, recorded(name, cpu))), cost(cheapest(cost, target, 200, seed=1))
    least = hidden(kernel, target)
    assert max(found, least) >= max(best, least) / LIMIT, "record it: python tests/codegen/traffic_cases.py"
