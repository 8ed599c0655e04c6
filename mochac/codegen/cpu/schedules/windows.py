"""Pooling, its gradients and local response normalization on blocked images: batch lanes, columns in registers.

    for q, c, row:  for column-tile:  acc[t] over window rows (only those inside), window columns (unrolled);  epilogue

Neighbouring windows of a tile share loads, and only the tiles at the borders have conditions. Gradients of pooling use
tiles of one stride, and unroll their small loops if the code stays small. Requires blocked operands.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from mochac.codegen.analysis.nests import batch_vars, block_lanes, edge_tiles, may_pad, mixed_lanes, used_with
from mochac.codegen.combinators.lanes import lanes
from mochac.codegen.combinators.register_tile import hold
from mochac.codegen.combinators.window_columns import window_columns
from mochac.codegen.cpu.schedules.picking import pick
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel
from mochac.ir.nest import band, extents, loops
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.peel import Peel
from mochac.ir.steps.run import Parallel, Unroll

REGISTERS_PER_COLUMN, REGISTERS_BACK = 4, 6
"""Forward: the maximum and its position. Backward: two gradients, the vectors they compare, and loads in flight."""
MOST_UNROLLED = 72
ENOUGH_ITEMS = 64
FORWARD = frozenset({"lrn_sum", "max_pool", "mean_pool"})
BACKWARD = frozenset({"max_pool_dx", "mean_pool_dx"})


@dataclass(frozen=True)
class WindowNest:
    """Loops of a window kernel.

    Attributes:
        batch, column: the loop over samples, and the loop that is cut into tiles.
        outer: the loops between them, outer first; one of them is `row`, which is peeled if `rows` are unrolled.
        cells: `each` loops inside of the column.
        rows, columns: reductions over window rows and window columns (those used with the column).
    """

    batch: str
    column: str
    outer: tuple[str, ...]
    row: str
    cells: tuple[str, ...]
    rows: tuple[str, ...]
    columns: tuple[str, ...]


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None if the kernel is no window over blocked images or its windows are very wide."""
    nest = nest_of(kernel)
    if nest is None or not block_lanes(kernel) or mixed_lanes(kernel) or batch_vars(kernel) != [nest.batch]:
        return None
    extent = extents(kernel)
    if not may_pad(kernel, nest.batch) or not all(v in extent for v in (*nest.rows, *nest.columns)):
        return None
    each = prod(extent[v] for v in (*nest.columns, *nest.cells[-1:]))
    registers = REGISTERS_BACK if nest.cells else REGISTERS_PER_COLUMN
    tile = column_tile(extent[nest.column], min(target.registers // registers, MOST_UNROLLED // each))
    if not tile:
        return None
    whole = bool(nest.cells) and tile * each * prod(extent[v] for v in (*nest.rows, nest.outer[-1])) <= MOST_UNROLLED
    return _schedule(kernel, nest, tile, pick(True, False) if whole else False)


def nest_of(kernel: Kernel) -> WindowNest | None:
    """The loops of a kernel of this family, or None."""
    each = [loop.var for loop in band(kernel.body, kind="each")]
    inner = list(loops(kernel))[len(each) :]
    if kernel.root in BACKWARD and len(each) == 6:
        cut = 4
    elif kernel.root in FORWARD and len(each) >= 3:
        cut = len(each) - 1
    else:
        return None
    column = each[cut]
    columns = tuple(var for var in inner if column in used_with(kernel, var))
    rows = tuple(var for var in inner if var not in columns)
    return WindowNest(each[0], column, tuple(each[1:cut]), each[2], tuple(each[cut + 1 :]), rows, columns)


def column_tile(width: int, most: int) -> int:
    """Columns of a tile: the whole width, else a divisor that is at least half of `most`, else `most`.

    >>> column_tile(5, 8), column_tile(16, 8), column_tile(15, 8), column_tile(17, 8), column_tile(16, 0)
    (5, 8, 5, 8, 0)
    """
    if width <= most:
        best = width
    else:
        best = max((n for n in range(max(1, most // 2), most + 1) if width % n == 0), default=most)
    return pick(best, *(n for n in range(min(most, width), 0, -1) if n != best))


def pooled_columns(windows: int, width: int, target: CpuTarget) -> int:
    """Neighbouring windows of a pooling in registers; 0 if the columns of a window are too many to unroll."""
    return column_tile(windows, min(target.registers // REGISTERS_PER_COLUMN, MOST_UNROLLED // width))


def _schedule(kernel: Kernel, nest: WindowNest, tile: int, whole: bool) -> Schedule:
    """`whole`: window rows are unrolled too."""
    b, count = ScheduleBuilder(kernel), block_lanes(kernel)
    block, _ = lanes(b, nest.batch, count, "pad")
    unrolled = (nest.outer[-1], *nest.rows) if whole else ()
    rows = edge_tiles(kernel, nest.row, 1) if whole else (0, 0)
    parallel, items = [str(block)], b.extent(block)
    for var in nest.outer:
        if items >= ENOUGH_ITEMS or var in unrolled or (var == nest.row and any(rows)):
            break
        parallel.append(var)
        items *= b.extent(var)
    window_columns(b, nest.column, tile, clipped=not whole)
    hold(b, *nest.cells)
    if any(rows):
        b.add(Peel(nest.row, *rows))
    b.add(*(Unroll(var) for var in unrolled), Parallel(tuple(parallel)))
    return b.schedule("windows.blocked")
