"""All other contractions without conditions: a tile of results in registers, lanes where memory is contiguous.

    over the columns        acc[r][v] over terms: x[r, ..] * w[.., v: lanes]        neighbouring columns are neighbours
    over the last term      acc[r][c][lane], lanes added at the end                 neighbouring terms are
    over a blocked batch    acc[r][c][lane], lanes added at the end                 sums over samples

Fully connected weight gradients have lanes over input features; the layout pass keeps these natural. A tile of outputs
reads a few elements of every row of the gradient; they are copied, since all tiles of features read them again. If the
update is in the epilogue, its state is prefetched during the sum. This rule also takes users' contractions with several
loops of rows or terms, or with a product as a factor, such as bilinear forms and their gradients.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from mochac.codegen.analysis.contraction import Contraction, contraction
from mochac.codegen.analysis.nests import block_lanes, float_dtype
from mochac.codegen.combinators.lanes import lanes
from mochac.codegen.combinators.partial_lanes import partial_lanes
from mochac.codegen.combinators.prefetch_results import ResultTile, prefetch_results
from mochac.codegen.combinators.register_tile import hold
from mochac.codegen.combinators.share_items import share_items
from mochac.codegen.combinators.subtotals import tile_subtotals
from mochac.codegen.cpu.schedules.blocking import clash
from mochac.codegen.cpu.schedules.product import Product, as_product
from mochac.codegen.cpu.schedules.tiles import RegisterTile, best_tile, no_waits
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.machine import Machine
from mochac.ir.kernel import If, Kernel, walk
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.reorder import Reorder

MOST_ROWS = 6
"""Maximum outputs of a weight gradient's tile with 16 registers, if the tile can be more than one vector wide; larger
tiles spill (AVX2: 0.58 of the peak instead of 0.93)."""

TILES = 6
"""Tiles of rows that share the columns that a tile of columns has brought to L1,"""
MANY_TILES = 24
"""and this many if these columns are copied."""
ITEMS = 2
"""Minimum items for each thread of a team, if there are enough tiles, so that threads share them evenly,"""
WORK = 8 << 10
"""in products of at least this many vectors of multiply-adds. Threads do not share smaller products."""
FAR_COST = 0.2
"""Cost of each cycle in which a vector of columns comes from L2. High tiles read columns less often (weight gradient of
LeNet's ip1, Sapphire Rapids: 8 x 3 accumulators take 0.93 of the time of 5 x 4)."""
HIDDEN = 0.4
"""Rows of the input that clash in L1 are loaded from L2 again for every tile. They are copied if these loads take more
than this share of the time of the multiply-adds (Zen 5, 100 x 1024 x 512, where they take a third: 94 % of the peak, 88
% with copies). Tiles of twice as many rows, which read columns half as often, take 1.01 to 1.04 times as long (Zen
4)."""


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule; None if the kernel is no such contraction, or if nothing is contiguous for at least a vector."""
    form, count = contraction(kernel), target.lanes(float_dtype(kernel))
    if form is None or form.window or not form.rows or not form.columns:
        return None
    gradient = _weight_gradient(form, count, target.machine)
    if gradient:
        form = gradient.form
    elif any(isinstance(s, If) for s in walk(kernel.body)):
        return None
    term = _partial(form, kernel, count)
    row, column = form.rows[-1], form.columns[-1]
    blocked = block_lanes(kernel) and not gradient
    if not term and (column not in form.factors[1].contiguous or form.extent[column] < count or blocked):
        return None
    b = ScheduleBuilder(kernel)
    rest = [loop for loop in b.loops() if loop not in (row, column)]
    b.reason = "a tile of rows and columns stays in registers while its sum runs"
    b.add(Reorder((*rest, row, column)))
    across = form.extent[column] if term else -(-form.extent[column] // count)
    most = MOST_ROWS if gradient and across > 1 and target.registers < 32 else 14
    far = gradient if _far(form, target, count) else None
    waits = _from_l2(form.extent[row], across, target.machine) if far else no_waits
    tile = best_tile(form.extent[row], across, target.machine, max_columns=4, max_rows=most, waits=waits)
    block, copied, inner = "", False, ()
    if far and across > tile.columns:
        b.reason = "a tile of columns stays in L1 for the tiles of rows of an item"
        copied = _copied(far, tile, target, count)
        shared = min(MANY_TILES if copied else TILES, max(1, form.extent[row] // tile.rows // (ITEMS * target.team)))
        block, row = b.split(row, shared * tile.rows, "cut")
        b.add(Reorder((column, row)))
    rows, held = b.split(row, tile.rows, "cut")
    if term:
        _, also = b.split(column, tile.columns, "cut")
        partial_lanes(b, form.accumulator, term, block_lanes(kernel) or count)
        hold(b, held, also)
    else:
        tiles, some = b.split(column, tile.columns * count, "cut")
        also, lane = lanes(b, some, count, "guard")
        hold(b, held, also)
        inner = () if block else (tiles,)
        if far:
            order = (rows, tiles) if block else (tiles, rows)
            prefetch_results(b, form.epilogue, far.term, ResultTile(held, also, lane, *order), block_lanes(kernel))
            if block:
                _copy(b, far, block, tiles if copied else "")
        elif gradient and block_lanes(kernel):
            b.reason = "samples of a block lie side by side, and need one address together"
            b.split(gradient.term, block_lanes(kernel), "cut")
        if gradient:
            tile_subtotals(b, form.accumulator)
    items = (*rest, block or rows)
    few = prod(map(b.extent, items)) < ITEMS * target.team and form.size(form.extent) >= WORK * count
    share_items(b, *items, *(inner if few else ()))
    return b.schedule("contraction.partial-lanes" if term else "contraction.column-lanes")


def _weight_gradient(form: Contraction, count: int, machine: Machine) -> Product | None:
    """The contraction as a weight gradient whose columns fill vectors; None if it is no weight gradient."""
    p = as_product(form)
    if p is None or not p.weight_gradient or form.factors[1].batch:
        return None
    return p if block_lanes(form.kernel) else p.filling_lanes(count, machine)


def _copy(b: ScheduleBuilder, p: Product, block: str, tiles: str) -> None:
    """Copy what a block of rows reads of the gradient, and what a tile of columns reads of the input, if given."""
    b.reason = "a few elements of every row of the gradient are copied, since all tiles of columns read them"
    b.stage(p.left, block, "scratch")
    if tiles:
        b.reason = "rows of the input share sets of L1: what a tile of columns reads of them is copied"
        b.stage(p.right, tiles, "scratch")


def _from_l2(rows: int, columns: int, machine: Machine) -> Callable[[RegisterTile], float]:
    """Cycles per term that tiles wait for their columns, which every tile of rows reads from L2."""
    fetch = FAR_COST * machine.vector_bytes / machine.l2.bytes_per_cycle
    return lambda tile: -(-rows // tile.rows) * columns * fetch


def _far(form: Contraction, target: CpuTarget, count: int) -> bool:
    """Whether the results are so large that they have left the near caches when they are read again."""
    return form.size((*form.rows, *form.columns)) * (target.vector_bytes // count) > target.machine.l1.n_bytes


def _copied(p: Product, tile: RegisterTile, target: CpuTarget, count: int) -> bool:
    """Whether a tile of columns is copied for the tiles of rows that read it."""
    machine, wide = target.machine, tile.columns * target.vector_bytes
    _, columns, terms = p.sizes()
    again = wide / machine.l2.bytes_per_cycle > HIDDEN * tile.rows * tile.columns / machine.multiply_adds
    return again and clash(machine.l1, terms, wide, columns * (target.vector_bytes // count))


def _partial(form: Contraction, kernel: Kernel, count: int) -> str:
    """The loop of the sum that is divided among lanes; "" if lanes are columns, or if nothing is contiguous."""
    first, second = form.factors
    if block_lanes(kernel):
        return first.batch if first.batch == second.batch and first.batch in form.terms else ""
    term, column = form.terms[-1], form.columns[-1]
    if column in second.contiguous and form.extent[column] >= count:
        return ""
    return term if term in second.contiguous and form.extent[term] >= count else ""
