"""Schedule: frozen data saying how a naive kernel is cut, ordered and run.

codegen/<backend> chooses one per kernel, a test may construct one, `ir.apply(schedule, kernel)` gives another Kernel.
Each kind of step is one file in ir/steps/. A Schedule knows no machine: numbers in it were chosen by who made it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

from mochac.ir.kernel import Kernel
from mochac.registry import Registry


class ScheduleError(ValueError):
    """A step does not fit its kernel; the message says which rule it breaks."""


@dataclass(frozen=True)
class Step:
    """Base of all steps; subclasses are frozen dataclasses in ir/steps/ whose fields are str, int, bool or tuples."""

    def apply(self, kernel: Kernel) -> Kernel:
        raise NotImplementedError

    def __str__(self) -> str:
        args = ", ".join(f"{f.name}={_text(getattr(self, f.name))}" for f in fields(self))
        return f"{type(self).__name__.lower()}({args})"


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return "(" + ", ".join(_text(v) for v in value) + ")"
    return str(value)


STEPS: Registry[type[Step]] = Registry("schedule step", "mochac.ir.steps")


def step(cls: type[Step]) -> type[Step]:
    """Decorator of a step class: registers it under its lower-case name."""
    return STEPS.add(cls.__name__.lower(), cls)


@dataclass(frozen=True)
class Schedule:
    """A name that says which rule chose it, and the steps in order."""

    name: str
    steps: tuple[Step, ...] = ()

    def __str__(self) -> str:
        return f"schedule {self.name}\n" + "".join(f"  {s}\n" for s in self.steps)


Chooser = Callable[[Kernel], Schedule]
