"""apply: run the steps of a Schedule on a naive Kernel, giving the scheduled Kernel.

Backends call it before they print a kernel. The kernel interpreter can run the result, too.
"""

from __future__ import annotations

from functools import lru_cache

from mochac.ir.guards import simplify_guards
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Schedule, ScheduleError


@lru_cache(maxsize=1)  # whoever picked a schedule with `fitted` applies it next
def apply(schedule: Schedule, kernel: Kernel) -> Kernel:
    """Run the steps in order, then simplify conditions that are decided at compile time.

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
    """The result of `apply`, or None if a step does not fit."""
    try:
        return apply(schedule, kernel)
    except ScheduleError:
        return None
