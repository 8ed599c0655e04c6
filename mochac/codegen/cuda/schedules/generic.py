"""The generic schedule: one item of the outermost independent loops per thread.

Neighbouring threads take neighbouring elements along the axis where most loads and stores are contiguous, usually the
last one. Small windows are unrolled. Every kernel fits, so everything compiles.

Elementwise kernels and gradients of windows with enough results for all threads get several per thread, loaded and
stored as vectors of up to 16 bytes; common operands load once. Index arithmetic and memory instructions then go down to
a quarter.

    each item (thread):  each of its rows (unrolled):  vectors in;  each of 2 or 4 neighbours (unrolled);  vectors out

`fitted_rule` chooses the first of some rules whose schedule fits a kernel and a device, else this one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from mochac.codegen.combinators.sums import subtotals
from mochac.codegen.combinators.tiles import unroll_inner
from mochac.codegen.cuda.schedules.sectors import MemoryAccess, accesses, best_order
from mochac.codegen.cuda.target import CudaTarget
from mochac.codegen.cuda.vectors import BYTES, TYPES
from mochac.ir.applying import apply
from mochac.ir.grids import grids
from mochac.ir.kernel import Accum, Kernel, Load, Loop, Store
from mochac.ir.nest import band, loops
from mochac.ir.schedule import Schedule, ScheduleError
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.clip import Clip
from mochac.ir.steps.merge import Reorder
from mochac.ir.steps.run import Parallel, Unroll
from mochac.ir.steps.vectors import Collect

MAX_UNROLL = 9
MIN_CLIPPED = 4
ENOUGH = 256
"""Minimum threads per multiprocessor for several results each."""
MAX_ROWS = 4
"""Maximum rows per thread."""


def rule(kernel: Kernel, target: CudaTarget) -> Schedule:
    """A schedule for any kernel."""
    b, outer = ScheduleBuilder(kernel), band(kernel.body, kind="each")
    long = (v for v, s in loops(kernel).items() if s.kind == "sum" and (s.extent or 0) >= MIN_CLIPPED)
    clipped = [var for var in long if b.fits(Clip(var))]  # a thread skips the iterations without effect
    unroll_inner(b, [loop for loop in b.all_loops() if loop not in (*b.loops(), *clipped)], MAX_UNROLL)
    if not outer:
        return b.schedule("generic.one")
    if not clipped and _wide(b, outer, target):
        return b.schedule("generic.vectors")
    order = best_order(kernel, {loop.var: loop.extent or 0 for loop in outer})
    b.reason = "neighbouring threads take neighbouring elements"
    if order != b.loops():
        b.add(Reorder(order))
    b.add(Parallel(order))
    subtotals(b)
    return b.schedule("generic.items")


# -- vectors


def _wide(b: ScheduleBuilder, outer: Sequence[Loop], target: CudaTarget) -> bool:
    """Schedule the kernel if it has enough results, and these are contiguous; return whether it has."""
    extents = {loop.var: loop.extent or 0 for loop in outer}
    uses, (*rows, vector) = accesses(b.kernel, extents), extents
    if not uses or any(loop.lo.const != 0 for loop in outer):
        return False
    count = next((n for n in (4, 2) if _vectors(uses, extents, n)), 0)
    items, least = math.prod(extents.values()) // count if count else 0, ENOUGH * target.multiprocessors
    if items < least:
        return False
    shared_rows = [loop for loop in _shared_rows(uses, extents) if items // extents[loop] >= least]
    parallel = [loop for loop in rows if loop not in shared_rows]
    buffers = dict.fromkeys(u.stmt.buffer for u in uses if u.step(vector))
    if any(len({u.index for u in uses if u.stmt.buffer == name}) > 1 for name in buffers):
        return False
    b.reason = "a thread takes several neighbours, which it loads and stores by one instruction each"
    if extents[vector] > count:
        outside, vector = b.split(vector, count)
        parallel.append(outside)
    b.add(Reorder((*parallel, *shared_rows, vector)), Unroll(vector), *(Collect(buffer, vector) for buffer in buffers))
    b.add(*map(Unroll, shared_rows), Parallel(tuple(parallel)))
    return True


def _vectors(uses: list[MemoryAccess], extents: dict[str, int], count: int) -> bool:
    """Whether the last loop can be cut into such vectors, with those of neighbouring threads contiguous."""
    *rows, last = extents
    if not all(_fits(u, last, count) for u in uses) or extents[last] % count:
        return False
    if extents[last] > count:
        return count == BYTES // max(u.size for u in uses)
    return all(bool(rows) and u.step(rows[-1]) == count for u in uses if isinstance(u.stmt, Store))


def _fits(use: MemoryAccess, loop: str, count: int) -> bool:
    """Whether an access does not depend on the vector's loop, or accesses a whole vector."""
    if not use.step(loop):
        return not isinstance(use.stmt, Store)
    others = (c for v, c in use.index.terms if v != loop)
    whole = use.step(loop) == 1 and not any(c % count for c in (use.index.const, *others))
    plain = use.outside and use.dtype in TYPES and not isinstance(use.stmt, Accum) and use.elems % count == 0
    return whole and plain and use.size * count in (BYTES // 2, BYTES)


def _shared_rows(uses: list[MemoryAccess], extents: dict[str, int]) -> tuple[str, ...]:
    """A short loop on which the loads of windows do not depend, so that all its iterations share these loads."""
    *rows, _ = extents
    loads = [u for u in uses if not u.outside and isinstance(u.stmt, Load)]
    free = [v for v in rows if extents[v] <= MAX_ROWS and not any(u.step(v) for u in loads)]
    return tuple(free[-1:]) if loads else ()


Rule = Callable[[Kernel, CudaTarget], Schedule | None]

TRIES = 6
"""How often a rule is tried, each time with an eighth less shared memory."""


def fitted_rule(rules: Iterable[Rule], kernel: Kernel, target: CudaTarget) -> tuple[Rule, Schedule]:
    """The first rule that takes the kernel, and its schedule."""
    for other in rules:
        schedule = fitted(other, kernel, target)
        if schedule is not None:
            return other, schedule
    return rule, rule(kernel, target)


def fitted(other: Rule, kernel: Kernel, target: CudaTarget) -> Schedule | None:
    """A rule's schedule if all its steps apply, else None: a rule only looks at the sum, and a step may refuse the
    epilogue. If a block would exceed its shared memory, the rule is tried again with less: the panels of images that a
    kernel strides over are larger than block_tile.py estimates."""
    room = target
    for _ in range(TRIES):
        try:
            schedule = other(kernel, room)
            if schedule is None:
                return None
            scheduled = apply(schedule, kernel)
        except ScheduleError:
            return None
        shared = ([b.type.storage_bytes for b in grid.locals if b.space == "shared"] for grid in grids(scheduled))
        if max(map(sum, shared)) <= target.machine.block_bytes:
            return schedule
        room = replace(room, panel_bytes=room.room * 7 // 8)
    return None
