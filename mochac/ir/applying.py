"""apply: a Schedule and a naive Kernel give the scheduled Kernel.

Backends call it before they print, the interpreter runs its result too; `fitted` is for choosing among schedules. It
knows no step and no machine.
"""

from __future__ import annotations

from functools import lru_cache

from mochac.ir.guards import simplify_guards
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Schedule, ScheduleError


@lru_cache(maxsize=1)  # who chose by `fitted` applies next
def apply(schedule: Schedule, kernel: Kernel) -> Kernel:
    """Run the steps in order, then fold conditions that are decided.

    Raises:
        ScheduleError: a step does not fit; the message names the schedule, the step and the rule.
    """
    for number, step in enumerate(schedule.steps, 1):
        try:
            kernel = step.apply(kernel)
        except ScheduleError as error:
            raise ScheduleError(f"schedule {schedule.name!r}, step {number} {step}: {error}") from None
    return simplify_guards(kernel)


def fitted(schedule: Schedule, kernel: Kernel) -> Kernel | None:
    """What `apply` gives, None where a step does not fit."""
    try:
        return apply(schedule, kernel)
    except ScheduleError:
        return None
