"""Pooling, its gradients and local response normalization on blocked images: batch lanes, columns in registers.

    for q, c, row:  for column-tile:  acc[t] over window rows (only those inside), window columns (unrolled);  epilogue

Neighbouring windows of a tile share loads, and only the tiles at the borders have conditions. Gradients of pooling use
tiles of one stride, and unroll their small loops if the code stays small. The rule requires blocked operands.
"""

from __future__ import annotations

from itertools import takewhile
from math import prod

from mochac.codegen.analysis.nests import batch_vars, block_lanes, edge_tiles, may_pad, mixed_lanes
from mochac.codegen.combinators.images import window_columns, window_loops
from mochac.codegen.combinators.tiles import hold, lanes
from mochac.codegen.cpu.schedules.generic import enough_items
from mochac.codegen.cpu.schedules.picking import pick
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel
from mochac.ir.nest import extents
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.run import Parallel, Unroll
from mochac.ir.steps.split import Peel

REGISTERS_PER_COLUMN, REGISTERS_BACK = 4, 6
"""Registers for each column. Forward: the maximum and its position. Backward: two gradients, the vectors that are
compared, and loads in flight."""
MOST_UNROLLED = 72
FORWARD = frozenset({"lrn_sum", "max_pool", "mean_pool"})
BACKWARD = frozenset({"max_pool_dx", "mean_pool_dx"})


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule; None if the kernel is no window over blocked images, or if its windows are very wide."""
    b = ScheduleBuilder(kernel)
    each, back, count = b.loops(), kernel.root in BACKWARD, block_lanes(kernel)
    if len(each) != 6 if back else kernel.root not in FORWARD or len(each) < 3:
        return None
    batch, *outer, column = each[:5] if back else each
    cells = each[5:] if back else ()
    if not count or mixed_lanes(kernel) or batch_vars(kernel) != [batch] or not may_pad(kernel, batch):
        return None
    (rows, columns), extent = window_loops(b, column), extents(kernel)
    if not all(v in extent for v in (*rows, *columns)):
        return None
    size = prod(extent[v] for v in (*columns, *cells))
    registers = REGISTERS_BACK if back else REGISTERS_PER_COLUMN
    tile = column_tile(extent[column], min(target.registers // registers, MOST_UNROLLED // size))
    if not tile:
        return None
    small = back and tile * size * prod(extent[v] for v in (*rows, outer[-1])) <= MOST_UNROLLED
    whole = pick(True, False) if small else False  # window rows are unrolled, too
    block, _ = lanes(b, batch, count, "pad")
    unrolled = (outer[-1], *rows) if whole else ()
    edges = edge_tiles(kernel, outer[1], 1) if whole else (0, 0)
    serial = {*unrolled, *([outer[1]] if any(edges) else [])}
    parallel = enough_items(b, (block, *takewhile(lambda v: v not in serial, outer)))
    window_columns(b, column, tile, clipped=not whole)
    hold(b, *cells)
    if any(edges):
        b.add(Peel(outer[1], *edges))
    b.add(*map(Unroll, unrolled), Parallel(parallel))
    return b.schedule("windows.blocked")


def column_tile(width: int, most: int) -> int:
    """Columns of a tile: the whole width if that is at most `most`, else a divisor of at least half of `most`, else
    `most`.

    >>> column_tile(5, 8), column_tile(16, 8), column_tile(15, 8), column_tile(17, 8), column_tile(16, 0)
    (5, 8, 5, 8, 0)
    """
    if width <= most:
        best = width
    else:
        best = max((n for n in range(max(1, most // 2), most + 1) if width % n == 0), default=most)
    return pick(best, *(n for n in range(min(most, width), 0, -1) if n != best))


def pooled_columns(windows: int, width: int, target: CpuTarget) -> int:
    """The number of neighbouring windows of a pooling in registers; 0 if a window has too many columns to unroll."""
    return column_tile(windows, min(target.registers // REGISTERS_PER_COLUMN, MOST_UNROLLED // width))
