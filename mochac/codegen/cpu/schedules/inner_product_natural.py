"""Fully connected forward and data gradient of natural activations: lanes over the output's features, none idle.

    forward:   for o-tile: pack w[o-tile, f] as [f][o];  for n-tile: acc[r][v] over f: splat x[n, f] * packed[f][o...]
    gradient:  for f-tile: for n-tile: acc[r][v] over o: splat dy[n, o] * w[o, f...]

The layout pass leaves activations natural where blocks of samples would leave lanes idle. Weights are stored naturally;
the forward pass transposes a panel of them in registers into the thread's scratch memory.
"""

from __future__ import annotations

from mochac.codegen.analysis.nests import block_lanes, float_dtype, read_along
from mochac.codegen.combinators.cache_block import cache_block, keep_near
from mochac.codegen.combinators.lanes import lanes
from mochac.codegen.combinators.register_tile import hold, register_tile
from mochac.codegen.cpu.schedules.picking import pick
from mochac.codegen.cpu.schedules.tiles import best_tile
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel
from mochac.ir.nest import extents, loops
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import Handle, ScheduleBuilder
from mochac.ir.steps.distribute import Distribute
from mochac.ir.steps.prefetch_tile import PrefetchTile
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.run import Parallel
from mochac.ir.steps.transpose import Transpose

FEATURE = {"inner_product": ("o", "f"), "inner_product_dx": ("f", "o")}
PANELS = (256, 128, 512)
"""Weights of one output in a transposed panel; a search tries the others."""
L1_BYTES = 32 << 10
"""Part of L1 that a panel of the weight may fill."""
CLASH_BYTES = 2048
"""Rows of the weight whose length is a multiple of this share few cache sets: a panel of them is copied,"""
CLASH_ROWS = 32
"""and has so few rows that prefetched ones stay in cache until they are used."""
LEAST_ROWS = 4
"""Minimum samples of a tile, for enough accumulators; inner_product_rows takes forward products of fewer samples."""


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless the kernel is a product of natural activations with weights."""
    if kernel.root not in FEATURE or block_lanes(kernel):
        return None
    feature, reduced = FEATURE[kernel.root]
    if list(loops(kernel)) != ["n", feature, reduced]:
        return None
    extent, count = extents(kernel), target.lanes(float_dtype(kernel))
    weight = read_along(kernel, "o", "f")
    if extent["n"] < LEAST_ROWS or extent[feature] < count // 2 or weight is None:
        return None
    if kernel.root == "inner_product":
        return _forward(kernel, target, weight)
    return _gradient(kernel, target, weight)


def _forward(kernel: Kernel, target: CpuTarget, weight: str) -> Schedule:
    """Panels of the weight are packed: transposed in registers."""
    b, count = ScheduleBuilder(kernel), target.lanes(float_dtype(kernel))
    sample, output, feature = b.all_loops()
    extent = b.extent(feature)
    tile = best_tile(b.extent(sample), -(-b.extent(output) // count), target.registers, max_columns=4)
    samples, outputs, vector, lane = _tiled(b, (sample, tile.rows), (output, tile.columns), count)
    panel, term = cache_block(b, feature, pick(*(p if extent > 1.5 * p else extent for p in PANELS)), samples)
    b.stage(weight, panel, "scratch")
    _, run = b.split(term, count, "cut")
    b.add(Distribute(run, (vector, lane)), Transpose(weight, lane, run))
    keep_near(b, "acc", samples)
    b.add(Parallel((outputs,)))
    return b.schedule("inner_product.natural")


def _gradient(kernel: Kernel, target: CpuTarget, weight: str) -> Schedule:
    """The weight is read as it lies, the next rows are prefetched; rows that share cache sets are packed."""
    b, count = ScheduleBuilder(kernel), target.lanes(float_dtype(kernel))
    sample, feature, output = b.all_loops()
    tile = best_tile(b.extent(sample), -(-b.extent(feature) // count), target.registers, max_columns=4)
    row_bytes = b.extent(feature) * (target.vector_bytes // count)
    clash = row_bytes % CLASH_BYTES == 0 and b.extent(sample) > 2 * tile.rows
    rows = panel_rows(b.extent(output), CLASH_ROWS if clash else L1_BYTES // (tile.columns * target.vector_bytes))
    turns = -(-b.extent(sample) // tile.rows)
    samples, features, vector, _ = _tiled(b, (sample, tile.rows), (feature, tile.columns), count)
    outer: tuple[Handle, ...] = ()
    if turns > tile.columns:
        group, samples = b.split(samples, tile.columns, "cut")
        outer = (group,)
    panel, term = cache_block(b, output, rows, *outer, samples)
    if clash:
        b.stage(weight, panel, "scratch")
    per = 1 if outer else -(-tile.columns // turns)
    b.add(PrefetchTile(weight, term, vector, samples, panel, features, per))
    keep_near(b, "acc", samples)
    b.add(Parallel((features,)))
    return b.schedule("inner_product_dx.natural")


def _tiled(
    b: ScheduleBuilder, rows: tuple[Handle, int], columns: tuple[Handle, int], count: int
) -> tuple[Handle, Handle, Handle, Handle]:
    """Loops over tiles of rows and over tiles of columns, and inside a tile over vectors and lanes of columns."""
    b.add(Reorder((columns[0], rows[0])))
    outer, inner = b.split(columns[0], columns[1] * count, "cut")
    vector, lane = lanes(b, inner, count, "cut")
    ((outer_rows, _),) = register_tile(b, rows)
    hold(b, vector)
    return outer_rows, outer, vector, lane


def panel_rows(extent: int, rows: int) -> int:
    """Rows of a panel, at most about `rows`; the last panel is shorter, which is how PrefetchTile recognizes it.

    >>> panel_rows(1000, 128), panel_rows(1024, 128), panel_rows(100, 128)
    (128, 120, 100)
    """
    if extent <= 1.5 * rows:
        return extent
    return rows if extent % rows else rows - 8
