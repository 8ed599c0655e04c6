"""Fully connected forward of few samples or to few outputs: lanes are partial sums over the input features.

    for o-tile, n-tile: acc[r][c][lane] over f: x[n, f...] * w[o, f...];  then every accumulator's lanes are added up

With few samples each weight is used only a few times, so transposing panels of it (inner_product_natural) would not
pay; with few outputs that rule would leave lanes idle.
"""

from __future__ import annotations

from mochac.codegen.combinators.partial_lanes import partial_lanes
from mochac.codegen.combinators.register_tile import register_tile
from mochac.codegen.cpu.schedules.nests import block_lanes, float_dtype
from mochac.codegen.cpu.schedules.picking import pick
from mochac.codegen.cpu.schedules.tiles import WORTH_TRYING, RegisterTile, total_cost
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
    shape = tile(extent["n"], extent["o"], target.registers)
    b = ScheduleBuilder(kernel)
    sample, output, feature = b.all_loops()
    b.add(Reorder((output, sample)))
    vector = partial_lanes(b, "acc", feature, count, peeled=True)
    ((samples, _),) = register_tile(b, (sample, shape.rows), past=(vector,))
    ((outputs, _),) = register_tile(b, (output, shape.columns), past=(samples, vector))
    b.add(Parallel((outputs,)))
    return b.schedule("inner_product.rows")


def tile(samples: int, outputs: int, registers: int) -> RegisterTile:
    """The cheapest tile whose accumulators, the vectors of its shorter side and one more vector fit the registers.

    >>> tile(1, 500, 32), tile(4, 500, 32), tile(100, 1, 32)
    (RegisterTile(rows=1, columns=14), RegisterTile(rows=4, columns=6), RegisterTile(rows=13, columns=1))
    """
    fits = [
        RegisterTile(rows, columns)
        for rows in range(1, min(MOST_SIDE, samples) + 1)
        for columns in range(1, min(MOST_SIDE, outputs) + 1)
        if rows * columns + min(rows, columns) + 1 <= registers
    ]
    cheapest = sorted(fits, key=lambda t: (round(total_cost(samples, outputs, t), 6), -t.columns))
    return pick(*cheapest[:WORTH_TRYING])
