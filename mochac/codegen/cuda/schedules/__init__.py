"""Chooses the schedule of a kernel for a CUDA device: one rule per file, tried in the order of RULES.

A rule looks at the kernel's root op and its loops, never at layers or nets. A user's own op may bring a rule, which is
tried first. The generic rule takes every kernel that no tuned rule takes, so everything compiles.
"""

from __future__ import annotations

from collections.abc import Iterator

from mochac.codegen.cuda.schedules import (
    contraction,
    generic,
    items,
    split_sum,
    table_rows,
    time_loop,
)
from mochac.codegen.cuda.schedules import reduce as reductions
from mochac.codegen.cuda.schedules.generic import Rule, fitted, fitted_rule
from mochac.codegen.cuda.target import CudaTarget
from mochac.codegen.nesting import Nested
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Schedule

RULES: tuple[Rule, ...] = (
    time_loop.rule,
    items.rule,
    reductions.side_by_side,
    split_sum.rule,
    contraction.rule,
    reductions.rule,
    table_rows.rule,
)


def choose(kernel: Kernel, target: CudaTarget) -> Schedule:
    """The schedule of the first rule that takes the kernel."""
    return decided(kernel, target)[1]


def variants(kernel: Kernel, target: CudaTarget) -> Iterator[Schedule]:
    """Schedules for a search to try, without duplicates: the rules' choice, then other tiles of products, those first
    that take the fewest cycles by the model, then what other rules make of the kernel."""
    first, nested = choose(kernel, target), Nested.of(kernel)
    yield first
    seen = {first}
    for rule in (*contraction.rules(nested.kernel, target), *RULES, generic.rule):
        found = fitted(rule, nested.kernel, target)
        schedule = first if found is None else nested.whole(found)
        if schedule not in seen:
            seen.add(schedule)
            yield schedule


def decided(kernel: Kernel, target: CudaTarget) -> tuple[Rule, Schedule]:
    """The first rule that takes the kernel, and its schedule."""
    nested = Nested.of(kernel)
    own = nested.own_rule("cuda")
    if own and (schedule := nested.schedule(own, target)):
        return own, schedule
    rule, found = fitted_rule(RULES, nested.kernel, target)
    return rule, nested.whole(found)
