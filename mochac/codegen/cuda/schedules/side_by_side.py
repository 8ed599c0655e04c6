"""Kernels that are launched together: each block works for one of them, by the schedule that it would have alone.

    blocks of the first,  then blocks of the second,  ...

All blocks have as many threads as the kernel with the most.
"""

from __future__ import annotations

import math

from mochac.codegen.cuda.schedules import reduce as reductions
from mochac.codegen.cuda.target import CudaTarget
from mochac.codegen.nesting import Nested
from mochac.ir.grids import WARP
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Schedule, Step
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.items import SideBySide, members_of
from mochac.ir.steps.run import Blocks, Threads

MAX_THREADS = 256
"""Maximum threads for results that are summed by a thread each."""


def rule(kernel: Kernel, target: CudaTarget) -> Schedule | None:
    """The schedule of a kernel that several have been joined to, None for others."""
    if not kernel.members:
        return None
    b = ScheduleBuilder(kernel)
    b.add(SideBySide(tuple(_alone(member, target) for member in members_of(kernel))))
    return b.schedule("side-by-side")


def _alone(member: Kernel, target: CudaTarget) -> tuple[Step, ...]:
    """The steps of a member: threads share its sums or, if these are short, each sums some results."""
    nested = Nested.of(member)
    found = reductions.rule(nested.kernel, target) or _a_thread_each(nested.kernel)
    return nested.whole(found).steps


def _a_thread_each(kernel: Kernel) -> Schedule:
    b = ScheduleBuilder(kernel)
    b.reason = "sums are short: a thread for each result"
    loops = b.loops()
    results = math.prod(map(b.extent, loops))
    threads = min(MAX_THREADS, -(-results // WARP) * WARP)
    if len(loops) == 1 and results > threads:
        blocks, loop = b.split(loops[0], threads)
        b.add(Threads((loop,), threads), Blocks((blocks,)))
    else:
        b.add(Threads(loops, threads))
    return b.schedule("side-by-side.threads")
