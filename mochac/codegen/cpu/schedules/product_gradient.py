"""Fully connected weight gradient: lanes over input features, gradients broadcast, the update in the epilogue.

    for o-tile, f-tile: acc[r][v] over n: splat dy[n, o] * x[n, f...]   (6 outputs x 64 features with 32)

Requires natural x (the layout pass provides it) and blocked or natural dy.
"""

from __future__ import annotations

from mochac.codegen.analysis.nests import block_lanes, float_dtype
from mochac.codegen.combinators.lanes import lanes
from mochac.codegen.combinators.register_tile import hold, register_tile
from mochac.codegen.cpu.schedules.product import product
from mochac.codegen.cpu.schedules.tiles import best_tile
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.prefetch_tile import PrefetchTile
from mochac.ir.steps.run import Parallel

MOST_ROWS = 6
"""Maximum outputs of a tile in 16 registers if it can be more than one vector wide; larger ones spill (AVX2: 0.58 of
peak instead of 0.93)."""


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless this is a weight gradient over at least one vector of features."""
    p, count = product(kernel), target.lanes(float_dtype(kernel))
    if p is None or not p.weight_gradient or p.form.factors[1].batch or p.sizes()[1] < count:
        return None
    outputs, features, samples = p.sizes()
    vectors = -(-features // count)
    most = MOST_ROWS if vectors > 1 and target.registers < 32 else 14
    tile = best_tile(outputs, vectors, target.registers, max_columns=4, max_rows=most)
    b, size = ScheduleBuilder(kernel), block_lanes(kernel) or count
    block, _ = b.split(p.term, size, "cut")
    _, some = b.split(p.column, tile.columns * count, "cut")
    vector, _ = lanes(b, some, count, "guard")
    ((tiles, row),) = register_tile(b, (p.row, tile.rows))
    hold(b, vector)
    per = -(-tile.rows // max(1, samples // size))
    for state in p.form.epilogue:
        if len(kernel.buffers()[state].type.shape) == 2:
            b.add(PrefetchTile(state, block, row, block, per=per, whole=vector))
    b.add(Parallel((*p.shared, tiles)))
    return b.schedule("product.weight-gradient")
