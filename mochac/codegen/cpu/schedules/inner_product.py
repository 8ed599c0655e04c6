"""Fully connected forward and data gradient: features x batch blocks in registers, weights broadcast.

    for o-tile, q-tile: acc[r][qv] over f: splat w[o, f] * x[q][f]   (6 features x 4 blocks with 32 registers)

Requires blocked activations; weights stay in their natural layout.
"""

from __future__ import annotations

from mochac.codegen.cpu.schedules.nests import block_lanes, may_pad
from mochac.codegen.cpu.schedules.tiles import best_tile
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel
from mochac.ir.nest import extents, loops
from mochac.ir.schedule import Schedule
from mochac.ir.steps.distribute import Distribute
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.run import Parallel, Unroll, Vector
from mochac.ir.steps.split import Split

FEATURE = {"inner_product": ("o", "f"), "inner_product_dx": ("f", "o")}


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless the kernel is a product of blocked activations with weights."""
    if kernel.root not in FEATURE:
        return None
    feature, reduced = FEATURE[kernel.root]
    lanes = block_lanes(kernel)
    if list(loops(kernel)) != ["n", feature, reduced] or not lanes or not may_pad(kernel, "n"):
        return None
    extent = extents(kernel)
    blocks = -(-extent["n"] // lanes)
    tile = best_tile(extent[feature], blocks, target.registers, max_columns=4)
    steps = (
        Reorder((feature, "n")),
        Split("n", lanes, "qn", "lane", "pad"),
        Split("qn", tile.columns, "q", "v", "cut"),
        Split(feature, tile.rows, "ft", "r", "cut"),
        Distribute("r", ("*",)),
        Distribute("v", ("*",)),
        Distribute("lane", ("*",)),
        Unroll("r"),
        Unroll("v"),
        Vector("lane"),
        Parallel(("ft",) if blocks % tile.columns else ("ft", "q")),  # if q was cut, it is two loops in sequence
    )
    return Schedule(f"{kernel.root}.blocked", steps)
