"""The schedule for anything: one item of the outermost independent loops per thread.

Neighbouring threads take neighbouring elements of the last axis, so what they load and store together lies together.
Small windows are unrolled. Every kernel fits, so everything compiles.
"""

from __future__ import annotations

from mochac.codegen.cuda.schedules.nests import band, inner_loops
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Schedule, Step
from mochac.ir.steps.run import Threads, Unroll

MAX_UNROLL = 9


def rule(kernel: Kernel, target: CudaTarget) -> Schedule:
    """Always a schedule."""
    outer = band(kernel.body, "each")
    steps: list[Step] = [Threads(tuple(loop.var for loop in outer))] if outer else []
    return Schedule("generic.items" if outer else "generic.one", (*_unrolled(kernel, {x.var for x in outer}), *steps))


def _unrolled(kernel: Kernel, outer: set[str]) -> tuple[Step, ...]:
    """Inner loops from the innermost out, while all of them together stay short."""
    steps: list[Step] = []
    count = 1
    for loop in reversed([x for x in inner_loops(kernel) if x.var not in outer]):
        count *= loop.extent or MAX_UNROLL + 1
        if count > MAX_UNROLL:
            break
        steps.append(Unroll(loop.var))
    return tuple(steps)
