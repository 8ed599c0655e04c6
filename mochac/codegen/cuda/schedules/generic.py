"""The generic schedule: one item of the outermost independent loops per thread.

Neighbouring threads take neighbouring elements along the axis where most loads and stores are contiguous, usually the
last one. Small windows are unrolled. Every kernel fits, so everything compiles.
"""

from __future__ import annotations

from mochac.codegen.combinators.sums import subtotals
from mochac.codegen.combinators.tiles import unroll_inner
from mochac.codegen.cuda.schedules.sectors import best_order
from mochac.codegen.cuda.schedules.wide import wide
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.kernel import Kernel
from mochac.ir.nest import band, loops
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.clip import Clip
from mochac.ir.steps.merge import Reorder
from mochac.ir.steps.run import Parallel

MAX_UNROLL = 9
MIN_CLIPPED = 4


def rule(kernel: Kernel, target: CudaTarget) -> Schedule:
    """A schedule for any kernel."""
    b, outer = ScheduleBuilder(kernel), band(kernel.body, kind="each")
    long = (v for v, s in loops(kernel).items() if s.kind == "sum" and (s.extent or 0) >= MIN_CLIPPED)
    clipped = [var for var in long if b.fits(Clip(var))]  # a thread skips the iterations without effect
    unroll_inner(b, [loop for loop in b.all_loops() if loop not in (*b.loops(), *clipped)], MAX_UNROLL)
    if not outer:
        return b.schedule("generic.one")
    if not clipped and wide(b, outer, target):
        return b.schedule("generic.vectors")
    order = best_order(kernel, {loop.var: loop.extent or 0 for loop in outer})
    b.reason = "neighbouring threads take neighbouring elements"
    if order != b.loops():
        b.add(Reorder(order))
    b.add(Parallel(order))
    subtotals(b)
    return b.schedule("generic.items")
