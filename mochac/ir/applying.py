"""apply: run the steps of a Schedule on a kernel, giving the scheduled Kernel.

Backends call it before they print a kernel. The kernel interpreter can run the result, too.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from mochac.ir.guards import simplify_guards
from mochac.ir.kernel import If, Kernel, Loop, Stmt
from mochac.ir.schedule import Schedule, ScheduleError, Step

_last: deque[tuple[Schedule, Kernel, Kernel]] = deque(maxlen=8)
"""The last schedules with their kernels and results: what is chosen by trying several schedules is applied next."""


def apply(schedule: Schedule, kernel: Kernel) -> Kernel:
    """Run the steps in order, then simplify conditions that are decided at compile time.

    Raises:
        ScheduleError: a step does not fit; the message names the schedule, the step and the rule, and shows the loops.
    """
    for known, of, scheduled in tuple(_last):
        if known == schedule and of == kernel:
            return scheduled
    scheduled = kernel
    for number, step in enumerate(schedule.steps, 1):
        try:
            scheduled = after(step, scheduled)
        except ScheduleError as error:
            raise ScheduleError(f"schedule {schedule.name!r}, step {number} {error}") from None
    scheduled = finished(scheduled)
    remember(schedule, kernel, scheduled)
    return scheduled


def after(step: Step, kernel: Kernel) -> Kernel:
    """The kernel after one step.

    Raises:
        ScheduleError: the step does not fit; the message names the step and the rule, and shows the loops.
    """
    try:
        return step.apply(kernel)
    except ScheduleError as error:
        raise ScheduleError(f"{step}: {error}\nthe loops before this step:\n{outline(kernel)}") from None


def outline(kernel: Kernel) -> str:
    """The loops and conditions of a kernel; other statements are counted.

    >>> from mochac.ir.kernel_text import parse_kernel
    >>> print(outline(parse_kernel("kernel @zero() -> (%y: f32[4]) {\\n each n in 0..4 {\\n %y[n] = 0.0:f32\\n }\\n}")))
    each n in 0..4 {
      (1 statement)
    }
    """
    return "\n".join(_outline(kernel.body, ""))


def _outline(body: tuple[Stmt, ...], indent: str) -> Iterator[str]:
    others = 0
    for stmt in (*body, None):
        if stmt is not None and not isinstance(stmt, (Loop, If)):
            others += 1
            continue
        if others:
            yield f"{indent}({others} statement{'s' if others > 1 else ''})"
            others = 0
        if stmt is not None:
            yield f"{indent}{stmt}"
            yield from _outline(stmt.body, indent + "  ")
            yield indent + "}"


def finished(kernel: Kernel) -> Kernel:
    """The rest of `apply` after the last step."""
    return simplify_guards(kernel)


def remember(schedule: Schedule, kernel: Kernel, scheduled: Kernel) -> None:
    """Note the result of a schedule, so that applying it next costs nothing."""
    _last.append((schedule, kernel, scheduled))


def misfit(schedule: Schedule, kernel: Kernel) -> str:
    """Why a schedule does not fit: the first line of the error of its first step that does not; "" if it fits."""
    try:
        apply(schedule, kernel)
    except ScheduleError as error:
        return str(error).partition("\n")[0]
    return ""


def fitted(schedule: Schedule, kernel: Kernel) -> Kernel | None:
    """The result of `apply`, or None if a step does not fit."""
    try:
        return apply(schedule, kernel)
    except ScheduleError:
        return None
