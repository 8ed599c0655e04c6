"""The generic schedule: one item of the outermost independent loops per thread.

Neighbouring threads take neighbouring elements along the axis where most loads and stores are contiguous, usually the
last one. Small windows are unrolled. Every kernel fits, so everything compiles.
"""

from __future__ import annotations

from mochac.codegen.cuda.schedules.sectors import best_order
from mochac.codegen.cuda.schedules.wide import wide
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.kernel import Kernel
from mochac.ir.nest import band, loops
from mochac.ir.schedule import Schedule, ScheduleError, Step
from mochac.ir.steps.clip import Clip
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.run import Parallel, Unroll

MAX_UNROLL = 9
MIN_CLIPPED = 4


def rule(kernel: Kernel, target: CudaTarget) -> Schedule:
    """A schedule for any kernel."""
    outer = band(kernel.body, kind="each")
    clipped = _clipped(kernel)
    kept = {loop.var for loop in outer} | set(clipped)
    vectors = wide(kernel, outer, target) if outer and not clipped else None
    if vectors is not None:
        return Schedule("generic.vectors", (*_unrolled(kernel, kept), *vectors))
    order = best_order(kernel, outer)
    parallel: list[Step] = [Parallel(order)] if outer else []
    if order != tuple(loop.var for loop in outer):
        parallel.insert(0, Reorder(order))
    steps = (*(Clip(var) for var in clipped), *_unrolled(kernel, kept), *parallel)
    return Schedule("generic.items" if outer else "generic.one", steps)


def _clipped(kernel: Kernel) -> list[str]:
    """Long reductions whose conditions can become limits, so that a thread skips the other iterations."""
    clipped: list[str] = []
    for var, loop in loops(kernel).items():
        if loop.kind == "sum" and (loop.extent or 0) >= MIN_CLIPPED:
            try:
                kernel = Clip(var).apply(kernel)
            except ScheduleError:  # no condition, or one that does not guard the whole loop
                continue
            clipped.append(var)
    return clipped


def _unrolled(kernel: Kernel, kept: set[str]) -> tuple[Step, ...]:
    """Inner loops to unroll, from the innermost out, while their product stays small; without those `kept`."""
    steps: list[Step] = []
    count = 1
    for loop in reversed([x for x in loops(kernel).values() if x.var not in kept]):
        count *= loop.extent or MAX_UNROLL + 1
        if count > MAX_UNROLL:
            break
        steps.append(Unroll(loop.var))
    return tuple(steps)
