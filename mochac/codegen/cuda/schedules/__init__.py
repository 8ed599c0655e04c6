"""Which Schedule for which Kernel on a CUDA device: one rule a file, tried in the order of RULES.

driver calls `choose`; a rule looks at the kernel's root op and loops, never at layers or nets. An op of a user's own
may bring a rule, which is asked first. What no tuned rule wants, the generic rule takes, so that everything compiles.
"""

from __future__ import annotations

from collections.abc import Callable

from mochac.codegen.cuda.schedules import contraction, generic, long_sum, reduce
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.applying import apply
from mochac.ir.kernel import Kernel
from mochac.ir.op import OPS
from mochac.ir.schedule import Schedule, ScheduleError

Rule = Callable[[Kernel, CudaTarget], Schedule | None]

RULES: tuple[Rule, ...] = (long_sum.rule, contraction.rule, reduce.rule)


def choose(kernel: Kernel, target: CudaTarget) -> Schedule:
    """The first rule's schedule that fits the kernel, else the generic one."""
    return decided(kernel, target)[1]


def decided(kernel: Kernel, target: CudaTarget) -> tuple[Rule, Schedule]:
    """The rule that chose, and its schedule."""
    for rule in _own_rule(kernel):
        schedule = rule(kernel, target)
        if schedule is not None:
            return rule, schedule
    for rule in RULES:
        schedule = rule(kernel, target)
        if schedule is not None and _fits(schedule, kernel):
            return rule, schedule
    return generic.rule, generic.rule(kernel, target)


def _fits(schedule: Schedule, kernel: Kernel) -> bool:
    """Whether every step applies: a rule looks at the sum, an epilogue may be of a form that a step refuses."""
    try:
        apply(schedule, kernel)
    except ScheduleError:
        return False
    return True


def _own_rule(kernel: Kernel) -> list[Rule]:
    found = OPS[kernel.root].schedules.get("cuda") if kernel.root in OPS.foreign else None
    return [found] if found else []
