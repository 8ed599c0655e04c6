"""Sums with few results, whose terms threads share: a block for each result, or for results that are contiguous.

    for each result (block):  parts over r0, r1, ... by threads;  one tree joins them;  epilogue
    for each tile of columns (block):  parts by rows of threads;  each column adds up its rows;  epilogue

For bias gradients, losses, norms and statistics, where a thread per result would leave most of the device idle.
"""

from __future__ import annotations

import math

from mochac.codegen.cuda.schedules.sectors import reaches
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.kernel import Accum, Kernel, Loop, Stmt, walk
from mochac.ir.nest import band
from mochac.ir.schedule import Schedule, Step
from mochac.ir.steps.grid import Blocks, Threads
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.row_reduce import RowReduce
from mochac.ir.steps.split import Split

MIN_TERMS, MIN_ROW_TERMS = 64, 8
"""Minimum terms of a sum, and of the sums of a row (as in a softmax), for threads to share them."""
TERMS = 4
"""Approximate number of terms per thread."""
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
    """The schedule, or None if a thread per result keeps the device busy or the sums are short."""
    return _columns(kernel, target) or _rows(kernel, target)


def _columns(kernel: Kernel, target: CudaTarget) -> Schedule | None:
    """For contiguous results: rows of threads share the terms."""
    outer = band(kernel.body, kind="each")
    body = outer[-1].body if outer else ()
    sums = [s for s in body if isinstance(s, Loop)]
    if len(sums) != 1 or sums[0].kind != "sum" or any(isinstance(s, Accum) and s.fn == "max" for s in walk(body)):
        return None
    order = _by_main_load(kernel, outer, sums[0])
    results = math.prod(loop.extent or 0 for loop in outer)
    if not order:
        return None
    split, columns = _tile(order)
    width = math.prod(n for _, n in columns)
    rows = min((sums[0].extent or 0) // MIN_ROW, MAX_ROWS // width, FULL * target.multiprocessors // results)
    if rows < 2:
        return None
    names = tuple(var for var, _ in columns)
    blocks = tuple(f"{v}_b" if split and v == split.loop else v for v in order if v not in names)
    steps = (Reorder((*blocks, *names)), RowReduce(sums[0].var, names, rows))
    grid = (Blocks(blocks),) if blocks else ()
    return Schedule("reduce.columns", (*((split,) if split else ()), *steps, *grid))


def _by_main_load(kernel: Kernel, outer: list[Loop], sums: Loop) -> dict[str, int]:
    """Result loops with their extents, ordered by the step of the sum's operand along them, the fastest last; empty if
    the operand is contiguous along the sum instead."""
    inside = [loop.var for loop in band((sums,), kind="sum")]
    reached = [r for r in reaches(kernel, outer) if any(r.steps.get(v) for v in inside)]
    if len(reached) != 1 or any(abs(reached[0].steps.get(v, 0)) == 1 for v in inside):
        return {}
    steps = reached[0].steps
    order = sorted(outer, key=lambda loop: -steps.get(loop.var, 1 << 62))
    return {loop.var: loop.extent or 0 for loop in order} if order and steps.get(order[-1].var) == 1 else {}


def _tile(order: dict[str, int]) -> tuple[Split | None, list[tuple[str, int]]]:
    """The fastest loops as columns: enough of them for whole sectors; a long loop is split."""
    columns: list[tuple[str, int]] = []
    width = 1
    for var, extent in reversed(order.items()):
        if width >= MIN_WIDTH:
            break
        if extent > MAX_WIDTH // width:
            cut = MAX_WIDTH // 2 // width
            return Split(var, cut, f"{var}_b", f"{var}_i"), [(f"{var}_i", cut), *columns]
        columns.insert(0, (var, extent))
        width *= extent
    return None, columns


def _rows(kernel: Kernel, target: CudaTarget) -> Schedule | None:
    """For contiguous terms: a block for each result, of one warp for rows that a single thread could read."""
    outer = band(kernel.body, kind="each")
    body = outer[-1].body if outer else kernel.body
    nests = [[loop.var for loop in band((s,), kind=s.kind)] for s in body if isinstance(s, Loop)]
    terms = [_terms(s) for s in body if isinstance(s, Loop)]
    results = math.prod(loop.extent or 0 for loop in outer)
    row = _row(body) and any(s.kind != "sum" for s in body if isinstance(s, Loop))
    if not terms or any(s.kind == "for" for s in body if isinstance(s, Loop)):
        return None
    if max(terms) < (MIN_ROW_TERMS if row else MIN_TERMS) or results > ENOUGH * target.multiprocessors:
        return None
    if any(s.kind != "sum" for s in body if isinstance(s, Loop)) and not row:
        return None
    threads = _threads(max(terms), results, target)
    steps: list[Step] = [Blocks(tuple(loop.var for loop in outer))] if outer else []
    steps += [Threads(tuple(names), threads) for names in nests]
    return Schedule("reduce.block", tuple(steps))


def _threads(terms: int, results: int, target: CudaTarget) -> int:
    """Threads of a block: a few terms for each, and for short rows no more blocks than run at once."""
    wanted = min(terms // TERMS, FULL * target.multiprocessors // results, MAX_THREADS, target.max_threads)
    return max(32, 1 << (wanted.bit_length() - 1) if wanted else 32)


def _row(body: tuple[Stmt, ...]) -> bool:
    """Whether there are loops over results next to the sums, as in a softmax."""
    return any(isinstance(s, Loop) and s.kind == "sum" for s in body)


def _terms(loop: Loop) -> int:
    return math.prod(x.extent or 0 for x in band((loop,), kind=loop.kind))
