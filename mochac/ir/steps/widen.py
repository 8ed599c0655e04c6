"""Widen: start a loop earlier, with iterations that do nothing."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import If, Kernel, Loop
from mochac.ir.nest import constant_range, map_loops, require_loops
from mochac.ir.schedule import ScheduleError, Step, step


@step
@record
class Widen(Step):
    """Start the loop `before` iterations earlier; a condition makes these iterations empty.

    each i in 0..9 { A }  ->  each i in -1..9 { if i >= 0 { A } }    (before=1)

    A later split then cuts at the places where an image with `before` rows of padding would be cut.
    """

    purpose = "tiles begin where whole windows begin, their padding included"

    loop: str
    before: int

    def apply(self, kernel: Kernel) -> Kernel:
        if self.before < 1:
            raise ScheduleError(f"widen: before must be at least 1, not {self.before}")
        require_loops(kernel, self.loop, "widen")
        return kernel.with_(body=map_loops(kernel.body, self.loop, self._widen))

    def _widen(self, loop: Loop) -> Loop:
        lo, _ = constant_range(loop, "widen")
        guarded = If((Index.var(loop.var) - lo,), loop.body)
        return replace(loop, lo=Limit.of(lo - self.before), body=(guarded,))
