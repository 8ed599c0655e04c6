"""Sums with few results, whose terms threads share: a block for each result, or for results that are contiguous.

    for each result (block):  parts over r0, r1, ... by threads;  one tree joins them;  epilogue
    for each tile of columns (block):  parts by rows of threads;  each column adds up its rows;  epilogue

For bias gradients, losses, norms and statistics, where a thread per result would leave most of the device idle. Kernels
that are launched together are scheduled in the same way, each for blocks of its own, which all have as many threads as
the kernel with the most.

    blocks of the first,  then blocks of the second,  ...
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from mochac.codegen.combinators.sums import block_reduction, subtotals
from mochac.codegen.cuda.schedules.sectors import accesses
from mochac.codegen.cuda.target import CudaTarget
from mochac.codegen.nesting import Nested
from mochac.ir.grids import WARP
from mochac.ir.kernel import Accum, Kernel, Loop, walk
from mochac.ir.nest import band
from mochac.ir.schedule import Schedule, Step
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.items import SideBySide, members_of
from mochac.ir.steps.merge import Reorder
from mochac.ir.steps.run import Blocks, Threads
from mochac.ir.steps.threads import RowReduce

MIN_TERMS, MIN_ROW_TERMS = 64, 8
"""Minimum terms of a sum, and of the sums of a row (as in a softmax), for threads to share them."""
TERMS = 4
"""Approximate number of terms per thread."""
SCATTERED = 32
"""Rows per multiprocessor for which a thread each is faster, if rows are scattered in memory."""
MAX_THREADS, MAX_ROWS = 1024, 256
"""Maximum threads of a block: for one result, and for columns."""
ENOUGH = 64
"""Results per multiprocessor that keep it busy with a thread each."""
FULL = 512
"""Threads per multiprocessor that keep it busy if each waits for memory."""
MIN_ROW = 2
"""Minimum terms per thread if rows share a sum."""
MIN_WIDTH, MAX_WIDTH = 16, 64
"""Minimum and maximum of neighbouring results per block: several sectors, but few enough to leave threads for rows."""


def rule(kernel: Kernel, target: CudaTarget) -> Schedule | None:
    """The schedule, or None if a thread per result keeps the device busy, the sums are short, or some add to arrays."""
    if any(isinstance(s, Accum) and s.index for s in walk(kernel.body)):
        return None
    return _columns(kernel, target) or _rows(kernel, target)


def _columns(kernel: Kernel, target: CudaTarget) -> Schedule | None:
    """For contiguous results: rows of threads share the terms."""
    outer = band(kernel.body, kind="each")
    sums = [s for s in (outer[-1].body if outer else ()) if isinstance(s, Loop)]
    if len(sums) != 1 or sums[0].kind != "sum" or "max" in {s.fn for s in walk(kernel.body) if isinstance(s, Accum)}:
        return None
    extents = {loop.var: loop.extent or 0 for loop in outer}
    order = _by_main_load(kernel, extents, sums[0])
    if not order:
        return None
    b = ScheduleBuilder(kernel)
    b.reason = "a block of threads takes neighbouring results, which it reads together"
    blocks, columns = _tile(b, order)
    width = math.prod(b.extent(loop) for loop in columns)
    results = math.prod(extents.values())
    rows = min((sums[0].extent or 0) // MIN_ROW, MAX_ROWS // width, FULL * target.multiprocessors // results)
    if rows < 2:
        return None
    b.add(Reorder((*blocks, *columns)), RowReduce(sums[0].var, columns, rows))
    subtotals(b)
    if blocks:
        b.add(Blocks(blocks))
    return b.schedule("reduce.columns")


def _by_main_load(kernel: Kernel, results: Collection[str], sums: Loop) -> tuple[str, ...]:
    """The result loops in the order of the steps of the sum's operand along them, the fastest last; empty if the
    operand is contiguous along the sum instead."""
    inside = [loop.var for loop in band((sums,), kind="sum")]
    reached = [r for r in accesses(kernel, results) if any(r.step(v) for v in inside)]
    if len(reached) != 1 or any(abs(reached[0].step(v)) == 1 for v in inside):
        return ()
    order = reached[0].order(results)
    return order if reached[0].step(order[-1]) == 1 else ()


def _tile(b: ScheduleBuilder, order: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The loops over blocks, and the fastest loops as columns: enough for whole sectors; a long loop is split."""
    columns: tuple[str, ...] = ()
    width = 1
    while order and width < MIN_WIDTH:
        order, loop = order[:-1], order[-1]
        if b.extent(loop) > MAX_WIDTH // width:
            outer, inner = b.split(loop, MAX_WIDTH // 2 // width)
            return (*order, outer), (inner, *columns)
        columns, width = (loop, *columns), width * b.extent(loop)
    return order, columns


def _rows(kernel: Kernel, target: CudaTarget) -> Schedule | None:
    """For contiguous terms: a block for each result, of one warp for rows that a single thread could read.

    In a softmax, each row's sums have loops over its results beside them.
    """
    outer = band(kernel.body, kind="each")
    nests = [band((s,), kind=s.kind) for s in (outer[-1].body if outer else kernel.body) if isinstance(s, Loop)]
    kinds = {nest[0].kind for nest in nests}
    if "sum" not in kinds or "for" in kinds:
        return None
    results = math.prod(loop.extent or 0 for loop in outer)
    terms = max(math.prod(loop.extent or 0 for loop in nest) for nest in nests)
    if terms < (MIN_ROW_TERMS if "each" in kinds else MIN_TERMS):
        return None
    few = (SCATTERED if _scattered(kernel, outer, nests) else ENOUGH) * target.multiprocessors
    if results > few and (terms < WARP or "each" not in kinds or _scattered(kernel, outer, nests)):
        return None
    b, threads = ScheduleBuilder(kernel), _threads(terms, results, target)
    if outer:
        b.add(Blocks(b.loops()))
    for nest in nests:
        block_reduction(b, [loop.var for loop in nest], threads)
    return b.schedule("reduce.block")


def _scattered(kernel: Kernel, outer: Sequence[Loop], nests: Sequence[Sequence[Loop]]) -> bool:
    """Whether neighbours in memory belong to neighbouring results, as in sums over the channels of images."""
    results, last = [loop.var for loop in outer], [nest[-1].var for nest in nests]
    reached = [r for r in accesses(kernel, results) if any(map(r.step, last)) and any(map(r.step, results))]
    return bool(reached) and not any(abs(r.step(v)) == 1 for r in reached for v in last)


def _threads(terms: int, results: int, target: CudaTarget) -> int:
    """Threads of a block: a few terms for each, and for short rows no more blocks than run at once."""
    wanted = min(terms // TERMS, FULL * target.multiprocessors // results, MAX_THREADS, target.max_threads)
    return max(WARP, 1 << (wanted.bit_length() - 1) if wanted else WARP)


# -- kernels that are launched together


def side_by_side(kernel: Kernel, target: CudaTarget) -> Schedule | None:
    """The schedule of a kernel that several have been joined to, None for others."""
    if not kernel.members:
        return None
    b = ScheduleBuilder(kernel)
    b.add(SideBySide(tuple(_alone(member, target) for member in members_of(kernel))))
    return b.schedule("side-by-side")


def _alone(member: Kernel, target: CudaTarget) -> tuple[Step, ...]:
    """The steps of a member: threads share its sums or, if these are short, each sums some results."""
    nested = Nested.of(member)
    found = rule(nested.kernel, target) or _a_thread_each(nested.kernel)
    return nested.whole(found).steps


def _a_thread_each(kernel: Kernel) -> Schedule:
    b = ScheduleBuilder(kernel)
    b.reason = "sums are short: a thread for each result"
    results = b.loops()
    threads = min(MAX_ROWS, -(-math.prod(map(b.extent, results)) // WARP) * WARP)
    if len(results) == 1 and b.extent(results[0]) > threads:
        blocks, loop = b.split(results[0], threads)
        b.add(Threads((loop,), threads), Blocks((blocks,)))
    else:
        b.add(Threads(results, threads))
    return b.schedule("side-by-side.threads")
