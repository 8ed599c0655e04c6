"""fitted_rule: the first of some rules whose schedule fits a kernel and a device, else the generic one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from mochac.codegen.cuda.schedules import generic
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.applying import apply
from mochac.ir.grids import grids
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Schedule, ScheduleError

Rule = Callable[[Kernel, CudaTarget], Schedule | None]

TRIES = 6
"""How often a rule is tried, each time with an eighth less shared memory."""


def fitted_rule(rules: Iterable[Rule], kernel: Kernel, target: CudaTarget) -> tuple[Rule, Schedule]:
    """The first rule that takes the kernel, and its schedule."""
    for rule in rules:
        schedule = fitted(rule, kernel, target)
        if schedule is not None:
            return rule, schedule
    return generic.rule, generic.rule(kernel, target)


def fitted(rule: Rule, kernel: Kernel, target: CudaTarget) -> Schedule | None:
    """A rule's schedule if all its steps apply, else None: a rule only looks at the sum, and a step may refuse the
    epilogue. If a block would exceed its shared memory, the rule is tried again with less: the panels of images that a
    kernel strides over are larger than block_tile.py estimates."""
    room = target
    for _ in range(TRIES):
        try:
            schedule = rule(kernel, room)
            if schedule is None:
                return None
            scheduled = apply(schedule, kernel)
        except ScheduleError:
            return None
        shared = ([b.type.storage_bytes for b in grid.locals if b.space == "shared"] for grid in grids(scheduled))
        if max(map(sum, shared)) <= target.machine.block_bytes:
            return schedule
        room = replace(room, panel_bytes=room.room * 7 // 8)
    return None
