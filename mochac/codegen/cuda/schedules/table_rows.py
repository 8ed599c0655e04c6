"""Sums of rows by number, as in the gradient of an embedding: blocks of threads own some rows of the table each.

    for rows of the table (block):  for the columns (threads):  the rows are set to zero
                                    for each number in the rows, in order:  for the columns (threads):  add

A thread for each column alone would go through all rows one after the other. A block reads all numbers, a warp's 32 at
a time (the printer tests them together), and adds only those of its own rows: elements are added in the order of the
numbers, as on a CPU, so that results have the same bits.
"""

from __future__ import annotations

import math

from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.grids import WARP
from mochac.ir.index import Index
from mochac.ir.kernel import Accum, Body, Kernel, Loop, Store, walk
from mochac.ir.nest import band
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.merge import Distribute
from mochac.ir.steps.run import Blocks, Threads
from mochac.ir.steps.split_body import OwnRows

MAX_THREADS = 256
FULL = 1024
"""Threads per multiprocessor that keep it busy: each waits for memory."""


def rule(kernel: Kernel, target: CudaTarget) -> Schedule | None:
    """The schedule, or None unless the kernel writes to rows that data name."""
    columns = band(kernel.body, kind="each")
    rows = _row_loops(columns[-1].body) if columns else []
    if not rows:
        return None
    b, extent = ScheduleBuilder(kernel), rows[0].hi.const or 1
    width = math.prod(loop.extent or 0 for loop in columns)
    threads = min(MAX_THREADS, -(-width // WARP) * WARP)
    blocks = min(extent, max(1, FULL * target.multiprocessors // threads))
    b.reason = "blocks own rows of the table, so that no two of them add to one row"
    b.add(OwnRows(tuple(loop.var for loop in rows), -(-extent // blocks), "own"))
    b.reason = "neighbouring threads take neighbouring columns"
    inside = tuple(dict.fromkeys(s.var for s in walk(columns[-1].body) if isinstance(s, Loop)))
    for loop in reversed(columns):
        b.add(Distribute(loop.var, inside))
    b.add(Threads(tuple(loop.var for loop in columns), threads), Blocks(("own",)))
    return b.schedule("table.rows")


def _row_loops(body: Body) -> list[Loop]:
    """The loops over the rows of the tables that a body adds to where data say; none if it does not."""
    loops = [s for s in walk(body) if isinstance(s, Loop)]
    tables = {s.buffer for loop in loops if loop.at for s in walk(loop.body) if isinstance(s, (Store, Accum))}

    def writes_rows(loop: Loop) -> bool:
        row = Index.var(loop.var)
        return any(isinstance(s, (Store, Accum)) and s.buffer in tables and row in s.index for s in walk(loop.body))

    return [loop for loop in loops if writes_rows(loop) and loop.kind == "each"]
