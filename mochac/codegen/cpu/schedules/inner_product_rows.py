"""Fully connected forward of few samples or to few outputs: lanes are partial sums over the input features.

    for o-tile, n-tile: acc[r][c][lane] over f: x[n, f...] * w[o, f...];  then every accumulator's lanes are added up

With few samples each weight is used only a few times, so transposing panels of it (inner_product_natural) would not
pay; with few outputs that rule would leave lanes idle.
"""

from __future__ import annotations

from mochac.codegen.analysis.nests import block_lanes, float_dtype
from mochac.codegen.combinators.partial_lanes import partial_lanes
from mochac.codegen.combinators.register_tile import register_tile
from mochac.codegen.cpu.schedules.tiles import best_tile
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel
from mochac.ir.nest import extents, loops
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.run import Parallel

MOST_ROWS = 24
"""From this many samples on, transposing panels pays."""
MOST_SIDE = 14
"""Maximum rows or columns of a tile."""


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless this is a product of natural samples with few samples or few outputs."""
    if kernel.root != "inner_product" or block_lanes(kernel) or list(loops(kernel)) != ["n", "o", "f"]:
        return None
    extent, count = extents(kernel), target.lanes(float_dtype(kernel))
    if extent["f"] < count or (extent["n"] > MOST_ROWS and extent["o"] >= count // 2):
        return None
    shape = best_tile(extent["n"], extent["o"], target.registers, MOST_SIDE, MOST_SIDE, two_vectors=True)
    b = ScheduleBuilder(kernel)
    sample, output, feature = b.all_loops()
    b.add(Reorder((output, sample)))
    vector = partial_lanes(b, "acc", feature, count, peeled=True)
    ((samples, _),) = register_tile(b, (sample, shape.rows), past=(vector,))
    ((outputs, _),) = register_tile(b, (output, shape.columns), past=(samples, vector))
    b.add(Parallel((outputs,)))
    return b.schedule("inner_product.rows")
