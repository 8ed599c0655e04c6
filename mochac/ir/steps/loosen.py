"""Loosen: leave unused elements in a local, so that its rows do not all begin in the same set of a cache."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import ScheduleError, Step, step


@step
@record
class Loosen(Step):
    """Make a local `by` elements longer along an axis; nothing accesses them.

    local V: f32[36,32,4,16] scratch  ->  local V: f32[36,33,4,16] scratch                     (local=V, axis=1, by=1)

    Elements that lie a multiple of a power of two apart, such as 8 KB, are in one set of a cache, which holds 8 to 12
    of them.
    """

    purpose = "what is accessed together would lie in the same set of a cache without a gap"

    local: str
    axis: int
    by: int

    def apply(self, kernel: Kernel) -> Kernel:
        found = next((b for b in kernel.locals if b.name == self.local), None)
        if found is None:
            raise ScheduleError(f"loosen: kernel {kernel.name!r} has no local {self.local!r}")
        shape = found.type.shape
        if not 0 <= self.axis < len(shape) or self.by < 1:
            raise ScheduleError(f"loosen: {self.local!r} has axes 0 .. {len(shape) - 1}, and grows by 1 or more")
        longer = tuple(n + self.by * (axis == self.axis) for axis, n in enumerate(shape))
        new = replace(found, type=found.type.with_(shape=longer))
        return kernel.with_(locals=tuple(new if b is found else b for b in kernel.locals))
