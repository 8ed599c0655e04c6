"""Place: choose the memory space of a local."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.kernel import SPACES, Kernel
from mochac.ir.schedule import ScheduleError, Step, step


@step
@record
class Place(Step):
    """Put a local into registers (its indices must be constants after unrolling) or into the thread's scratch memory.

    local acc: f32[4,16] register  ->  local acc: f32[4,16] scratch
    """

    purpose = "its size decides whether it lies in registers or in memory"

    local: str
    space: str

    def apply(self, kernel: Kernel) -> Kernel:
        if self.space not in SPACES:
            raise ScheduleError(f"place: space must be one of {', '.join(SPACES)}, not {self.space!r}")
        if all(b.name != self.local for b in kernel.locals):
            raise ScheduleError(f"place: kernel {kernel.name!r} has no local {self.local!r}")
        changed = tuple(replace(b, space=self.space) if b.name == self.local else b for b in kernel.locals)
        return kernel.with_(locals=changed)
