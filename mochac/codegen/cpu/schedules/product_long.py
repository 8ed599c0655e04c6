"""Weight gradient of natural activations over many rows, as of all steps and samples of a recurrent layer.

    for o-group: for n-block: pack dy[n-block, o-group];  for f-tile: pack x[n-block, f-tile];
        for o-tile: acc[r][v] over n: splat dy.tile[n, r] * x.tile[n, v]

The activations are too large to stay near while one tile of outputs after the other reads them. So a block of rows is
read for a group of outputs at a time: both factors are packed, and results wait in scratch for the next block. Unpacked
rows lie a power of two apart more often than not, which would leave them few sets of the caches.
"""

from __future__ import annotations

from mochac.codegen.analysis.nests import block_lanes, float_dtype
from mochac.codegen.combinators.cache_block import cache_block, keep_near
from mochac.codegen.combinators.lanes import lanes
from mochac.codegen.combinators.register_tile import hold, register_tile
from mochac.codegen.cpu.schedules.picking import pick
from mochac.codegen.cpu.schedules.product import product
from mochac.codegen.cpu.schedules.tiles import best_tile
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.run import Parallel

LEAST_TERMS = 512
"""Fewer rows stay near as they are."""
BLOCKS = (256, 128, 512)
"""Rows of a block; a search tries the others."""
TILES = 8
"""Tiles of outputs in a group."""


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless the kernel is a weight gradient whose features do not stay near."""
    p = None if block_lanes(kernel) else product(kernel)
    if p is None or not p.weight_gradient or p.form.factors[1].batch:
        return None
    b, (rows, columns, terms) = ScheduleBuilder(p.form.kernel), p.sizes()
    count = target.lanes(float_dtype(kernel))
    size = target.vector_bytes // count
    if terms < LEAST_TERMS or columns < count or terms * columns * size < target.machine.l2.n_bytes:
        return None
    tile = best_tile(rows, -(-columns // count), target.machine, max_columns=4)
    b.add(Reorder((p.row, p.column)))
    group, within = b.split(p.row, TILES * tile.rows, "cut")
    b.add(Reorder((p.column, within)))
    features, some = b.split(p.column, tile.columns * count, "cut")
    vector, _ = lanes(b, some, count, "cut")
    ((outputs, _),) = register_tile(b, (within, tile.rows))
    hold(b, vector)
    block, _ = cache_block(b, p.term, pick(*BLOCKS), features, outputs)
    b.stage(p.left, block, "scratch")
    b.stage(p.right, features, "scratch")
    keep_near(b, p.form.accumulator, outputs)
    b.add(Parallel((*p.form.shared, group)))
    return b.schedule("product.long-sums")
