"""Fully connected weight gradient: lanes over input features, gradients broadcast, the update in the epilogue.

    for o-tile, f-tile: acc[r][v] over n: splat dy[n, o] * x[n, f...]   (6 outputs x 64 features with 32)

Requires natural x (the layout pass provides it) and blocked or natural dy.
"""

from __future__ import annotations

from mochac.codegen.cpu.schedules.nests import block_lanes, float_dtype
from mochac.codegen.cpu.schedules.tiles import best_tile
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel
from mochac.ir.nest import extents, loops
from mochac.ir.schedule import Schedule
from mochac.ir.steps.distribute import Distribute
from mochac.ir.steps.prefetch_tile import PrefetchTile
from mochac.ir.steps.run import Parallel, Unroll, Vector
from mochac.ir.steps.split import Split

MOST_ROWS = 6
"""Maximum outputs of a tile in 16 registers if it can be more than one vector wide; larger ones spill (AVX2: 0.58 of
peak instead of 0.93)."""


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless this is a weight gradient over at least one vector of features."""
    lanes = target.lanes(float_dtype(kernel))
    extent = extents(kernel)
    if kernel.root != "inner_product_dw" or list(loops(kernel)) != ["o", "f", "n"] or extent["f"] < lanes:
        return None
    vectors = -(-extent["f"] // lanes)
    rows = MOST_ROWS if vectors > 1 and target.registers < 32 else 14
    tile = best_tile(extent["o"], vectors, target.registers, max_columns=4, max_rows=rows)
    block = block_lanes(kernel) or lanes
    state = [b.name for b in kernel.inputs if not b.type.batch and len(b.type.shape) == 2]
    per = -(-tile.rows // max(1, extent["n"] // block))
    steps = (
        Split("n", block, "q", "b", "cut"),
        Split("f", tile.columns * lanes, "ft", "fi", "cut"),
        Split("fi", lanes, "v", "lane", "guard"),
        Split("o", tile.rows, "ot", "r", "cut"),
        Distribute("r", ("*",)),
        Distribute("v", ("*",)),
        Distribute("lane", ("*",)),
        *(PrefetchTile(name, "q", "r", "q", per=per, whole="v") for name in state),
        Unroll("r"),
        Unroll("v"),
        Vector("lane"),
        Parallel(("ot",)),
    )
    return Schedule("inner_product_dw.natural", steps)
