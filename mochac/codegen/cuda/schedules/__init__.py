"""Which Schedule for which Kernel on a CUDA device: one rule a file, tried in the order of RULES.

driver calls `choose`; a rule looks at the kernel's root op and loops, never at layers or nets. An op of a user's own
may bring a rule, which is asked first. What no tuned rule wants, the generic rule takes, so that everything compiles.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from mochac.codegen.cuda.schedules import contraction, generic, long_sum, reduce
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.applying import fitted
from mochac.ir.kernel import Kernel
from mochac.ir.op import OPS
from mochac.ir.schedule import Schedule

Rule = Callable[[Kernel, CudaTarget], Schedule | None]

RULES: tuple[Rule, ...] = (long_sum.rule, contraction.rule, reduce.rule)
TURNS = 6
"""How often a rule is asked, each time for an eighth less shared memory."""


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
        schedule = _fitting(rule, kernel, target)
        if schedule is not None:
            return rule, schedule
    return generic.rule, generic.rule(kernel, target)


def _fitting(rule: Rule, kernel: Kernel, target: CudaTarget) -> Schedule | None:
    """A rule's schedule whose steps all apply; None where it has none: a rule looks at the sum, an epilogue may be of a
    form that a step refuses. Where a block would need more shared memory than it may have, the rule is asked again for
    less: panels of images that a kernel strides over are larger than tiles.py estimates."""
    room = target
    for _ in range(TURNS):
        schedule = rule(kernel, room)
        if schedule is None:
            return None
        scheduled = fitted(schedule, kernel)
        if scheduled is None:
            return None
        needed = sum(b.type.storage_bytes for b in scheduled.locals if b.space == "shared")
        if needed <= target.shared_bytes:
            return schedule
        room = replace(room, shared_bytes=room.shared_bytes * 7 // 8)
    return None


def _own_rule(kernel: Kernel) -> list[Rule]:
    rule = OPS[kernel.root].schedules.get("cuda") if kernel.root in OPS.foreign else None
    return [rule] if rule else []
