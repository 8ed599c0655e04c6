"""Fully connected weight gradient: lanes over input features, gradients broadcast, the update in the epilogue.

    for o-tile, f-tile: acc[r][v] over n: splat dy[n, o] * x[n, f...]   (6 outputs x 64 features with 32)

Requires natural x (the layout pass provides it) and blocked or natural dy.
"""

from __future__ import annotations

from mochac.codegen.analysis.nests import block_lanes, float_dtype
from mochac.codegen.combinators.lanes import lanes
from mochac.codegen.combinators.register_tile import hold, register_tile
from mochac.codegen.cpu.schedules.tiles import best_tile
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel
from mochac.ir.nest import extents, loops
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.prefetch_tile import PrefetchTile
from mochac.ir.steps.run import Parallel

MOST_ROWS = 6
"""Maximum outputs of a tile in 16 registers if it can be more than one vector wide; larger ones spill (AVX2: 0.58 of
peak instead of 0.93)."""


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless this is a weight gradient over at least one vector of features."""
    count = target.lanes(float_dtype(kernel))
    extent = extents(kernel)
    if kernel.root != "inner_product_dw" or list(loops(kernel)) != ["o", "f", "n"] or extent["f"] < count:
        return None
    b = ScheduleBuilder(kernel)
    output, feature, sample = b.all_loops()
    vectors = -(-b.extent(feature) // count)
    rows = MOST_ROWS if vectors > 1 and target.registers < 32 else 14
    tile = best_tile(b.extent(output), vectors, target.registers, max_columns=4, max_rows=rows)
    block, _ = b.split(sample, block_lanes(kernel) or count, "cut")
    per = -(-tile.rows // max(1, extent["n"] // (block_lanes(kernel) or count)))
    _, some = b.split(feature, tile.columns * count, "cut")
    vector, _ = lanes(b, some, count, "guard")
    ((outputs, row),) = register_tile(b, (output, tile.rows))
    hold(b, vector)
    states = [x.name for x in kernel.inputs if not x.type.batch and len(x.type.shape) == 2]
    b.add(*(PrefetchTile(name, block, row, block, per=per, whole=vector) for name in states))
    b.add(Parallel((outputs,)))
    return b.schedule("inner_product_dw.natural")
