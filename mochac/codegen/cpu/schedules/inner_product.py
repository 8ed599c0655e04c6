"""Fully connected forward and data gradient: features x batch blocks in registers, weights broadcast.

    for o-tile, q-tile: acc[r][qv] over f: splat w[o, f] * x[q][f]   (6 features x 4 blocks with 32 registers)

Requires blocked activations; weights stay in their natural layout.
"""

from __future__ import annotations

from mochac.codegen.combinators.lanes import lanes
from mochac.codegen.combinators.register_tile import register_tile
from mochac.codegen.cpu.schedules.nests import block_lanes, may_pad
from mochac.codegen.cpu.schedules.tiles import best_tile
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel
from mochac.ir.nest import loops
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.run import Parallel

FEATURE = {"inner_product": ("o", "f"), "inner_product_dx": ("f", "o")}


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless the kernel is a product of blocked activations with weights."""
    if kernel.root not in FEATURE:
        return None
    feature, reduced = FEATURE[kernel.root]
    if list(loops(kernel)) != ["n", feature, reduced] or not block_lanes(kernel) or not may_pad(kernel, "n"):
        return None
    b = ScheduleBuilder(kernel)
    sample, feature = b.loops()
    b.add(Reorder((feature, sample)))
    block, _ = lanes(b, sample, block_lanes(kernel), "pad")
    tile = best_tile(b.extent(feature), b.extent(block), target.registers, max_columns=4)
    whole = b.extent(block) % tile.columns == 0
    (features, _), (blocks, _) = register_tile(b, (feature, tile.rows), (block, tile.columns))
    b.add(Parallel((features, blocks) if whole else (features,)))  # if blocks are cut, they are two loops in sequence
    return b.schedule(f"{kernel.root}.blocked")
