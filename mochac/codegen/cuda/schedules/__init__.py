"""Chooses the schedule of a kernel for a CUDA device: one rule per file, tried in the order of RULES.

A rule looks at the kernel's root op and its loops, never at layers or nets. A user's own op may bring a rule, which is
tried first. The generic rule takes every kernel that no tuned rule takes, so everything compiles.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from mochac.codegen.cuda.schedules import contraction, generic, long_sum, reduce
from mochac.codegen.cuda.target import CudaTarget
from mochac.codegen.nesting import Nested
from mochac.ir.applying import fitted
from mochac.ir.kernel import Kernel
from mochac.ir.op import OPS
from mochac.ir.schedule import Schedule

Rule = Callable[[Kernel, CudaTarget], Schedule | None]

RULES: tuple[Rule, ...] = (long_sum.rule, contraction.rule, reduce.rule)
TRIES = 6
"""How often a rule is tried, each time with an eighth less shared memory."""


def choose(kernel: Kernel, target: CudaTarget) -> Schedule:
    """The schedule of the first rule that takes the kernel."""
    return decided(kernel, target)[1]


def decided(kernel: Kernel, target: CudaTarget) -> tuple[Rule, Schedule]:
    """The first rule that takes the kernel, and its schedule."""
    nested = Nested.of(kernel)
    for rule in _own_rule(nested.kernel):
        schedule = nested.schedule(rule, target)
        if schedule is not None:
            return rule, schedule
    for rule in RULES:
        schedule = _fitting(rule, nested, target)
        if schedule is not None:
            return rule, schedule
    schedule = nested.schedule(generic.rule, target)
    assert schedule is not None
    return generic.rule, schedule


def _fitting(rule: Rule, nested: Nested, target: CudaTarget) -> Schedule | None:
    """A rule's schedule if all its steps apply, else None: a rule only looks at the sum, and a step may refuse the
    epilogue. If a block would exceed its shared memory, the rule is tried again with less: the panels of images that a
    kernel strides over are larger than tiles.py estimates."""
    room = target
    for _ in range(TRIES):
        schedule = nested.schedule(rule, room)
        if schedule is None:
            return None
        scheduled = fitted(schedule, nested.staged)
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
