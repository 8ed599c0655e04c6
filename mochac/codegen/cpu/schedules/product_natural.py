"""Fully connected forward and data gradient of natural activations: lanes over the output's features, none idle.

    forward:   for o-tile: pack w[o-tile, f] as [f][o];  for n-tile: acc[r][v] over f: splat x[n, f] * packed[f][o...]
    gradient:  for f-tile: for n-tile: acc[r][v] over o: splat dy[n, o] * w[o, f...]

The layout pass leaves activations natural where blocks of samples would leave lanes idle. Weights are stored naturally;
the forward pass transposes a panel of them in registers into the thread's scratch memory.
"""

from __future__ import annotations

from mochac.codegen.analysis.nests import block_lanes, float_dtype
from mochac.codegen.combinators.cache_block import cache_block, keep_near
from mochac.codegen.combinators.lanes import lanes
from mochac.codegen.combinators.register_tile import hold, register_tile
from mochac.codegen.cpu.schedules.picking import pick
from mochac.codegen.cpu.schedules.product import Product, product
from mochac.codegen.cpu.schedules.tiles import RegisterTile, best_tile
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import Handle, ScheduleBuilder
from mochac.ir.steps.distribute import Distribute
from mochac.ir.steps.prefetch_tile import PrefetchTile
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.run import Parallel
from mochac.ir.steps.transpose import Transpose

PANELS = (256, 128, 512)
"""Weights of one output in a transposed panel; a search tries the others."""
L1_BYTES = 32 << 10
"""Part of L1 that a panel of the weight may fill."""
CLASH_BYTES = 2048
"""Rows of the weight whose length is a multiple of this share few cache sets: a panel of them is copied,"""
CLASH_ROWS = 32
"""and has so few rows that prefetched ones stay in cache until they are used."""
LEAST_ROWS = 4
"""Minimum samples of a tile, for enough accumulators; product_rows takes forward products of fewer samples."""


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless the kernel is a product of natural activations with weights."""
    p = None if block_lanes(kernel) else product(kernel)
    if p is None:
        return None
    rows, columns, _ = p.sizes()
    if rows < LEAST_ROWS or columns < target.lanes(float_dtype(kernel)) // 2:
        return None
    if p.forward:
        return _forward(p, target)
    return _gradient(p, target) if p.data_gradient else None


def _forward(p: Product, target: CpuTarget) -> Schedule:
    """Panels of the weight are packed: transposed in registers."""
    b, (rows, columns, terms) = ScheduleBuilder(p.form.kernel), p.sizes()
    count = target.lanes(float_dtype(b.kernel))
    tile = best_tile(rows, -(-columns // count), target.machine, max_columns=4)
    samples, outputs, vector, lane = _tiled(b, p, tile, count)
    panel, term = cache_block(b, p.term, pick(*(n if terms > 1.5 * n else terms for n in PANELS)), samples)
    b.stage(p.right, panel, "scratch")
    _, run = b.split(term, count, "cut")
    b.add(Distribute(run, (vector, lane)), Transpose(p.right, lane, run))
    keep_near(b, p.form.accumulator, samples)
    b.add(Parallel((*p.form.shared, outputs)))
    return b.schedule("product.natural")


def _gradient(p: Product, target: CpuTarget) -> Schedule:
    """The weight is read as it lies, the next rows are prefetched; rows that share cache sets are packed."""
    b, (rows, columns, terms) = ScheduleBuilder(p.form.kernel), p.sizes()
    count = target.lanes(float_dtype(b.kernel))
    tile = best_tile(rows, -(-columns // count), target.machine, max_columns=4)
    clash = columns * (target.vector_bytes // count) % CLASH_BYTES == 0 and rows > 2 * tile.rows
    size = panel_rows(terms, CLASH_ROWS if clash else L1_BYTES // (tile.columns * target.vector_bytes))
    samples, features, vector, _ = _tiled(b, p, tile, count)
    turns, per, outer = -(-rows // tile.rows), 1, ()
    if turns > tile.columns:
        group, samples = b.split(samples, tile.columns, "cut")
        outer = (group,)
    else:
        per = -(-tile.columns // turns)
    panel, term = cache_block(b, p.term, size, *outer, samples)
    if clash:
        b.stage(p.right, panel, "scratch")
    b.add(PrefetchTile(p.right, term, vector, samples, panel, features, per))
    keep_near(b, p.form.accumulator, samples)
    b.add(Parallel((*p.form.shared, features)))
    return b.schedule("product.data-gradient")


def _tiled(b: ScheduleBuilder, p: Product, tile: RegisterTile, count: int) -> tuple[Handle, Handle, Handle, Handle]:
    """Loops over tiles of rows and over tiles of columns, and inside a tile over vectors and lanes of columns."""
    b.add(Reorder((p.column, p.row)))
    columns, some = b.split(p.column, tile.columns * count, "cut")
    vector, lane = lanes(b, some, count, "cut")
    ((rows, _),) = register_tile(b, (p.row, tile.rows))
    hold(b, vector)
    return rows, columns, vector, lane


def panel_rows(extent: int, rows: int) -> int:
    """Rows of a panel, at most about `rows`; the last panel is shorter, which is how PrefetchTile recognizes it.

    >>> panel_rows(1000, 128), panel_rows(1024, 128), panel_rows(100, 128)
    (128, 120, 100)
    """
    if extent <= 1.5 * rows:
        return extent
    return rows if extent % rows else rows - 8
