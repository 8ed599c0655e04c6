"""Fully connected forward and data gradient of natural activations: lanes over the output's features, no idle lanes.

    forward:   for o-tile: pack w[o-tile, f] as [f][o];  for n-tile: acc[r][v] over f: splat x[n, f] * packed[f][o...]
    gradient:  for f-tile: for n-tile: acc[r][v] over o: splat dy[n, o] * w[o, f...]

The layout pass leaves activations natural where blocks of samples would leave lanes idle. Weights stay natural in
storage; the forward pass turns a panel of them in registers into the thread's scratch memory.
"""

from __future__ import annotations

from mochac.codegen.cpu.schedules.nests import accesses, block_lanes, extents, float_dtype, loops
from mochac.codegen.cpu.schedules.tiles import best_tile
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Schedule, Step
from mochac.ir.steps.place import Place
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.run import Threads, Unroll, Vector
from mochac.ir.steps.sink import Sink
from mochac.ir.steps.split import Split
from mochac.ir.steps.stage import Stage
from mochac.ir.steps.transpose import Transpose

FEATURE = {"inner_product": ("o", "f"), "inner_product_dx": ("f", "o")}
PANEL = 256
"""Weights of one output that a panel holds: it should stay in the near cache."""
LEAST_ROWS = 4
"""Samples below which a tile has too few accumulators; forward products of few samples are inner_product_rows'."""


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None when the kernel is not a product of natural activations with weights."""
    if kernel.root not in FEATURE or block_lanes(kernel):
        return None
    feature, reduced = FEATURE[kernel.root]
    if list(loops(kernel)) != ["n", feature, reduced]:
        return None
    found, lanes = extents(kernel), target.lanes(float_dtype(kernel))
    if found["n"] < LEAST_ROWS or found[feature] < lanes // 2:
        return None

    tile = best_tile(found["n"], -(-found[feature] // lanes), target.registers, max_columns=4)
    packs = kernel.root == "inner_product"
    weight = _weight(kernel, feature, reduced)
    blocked = found[reduced] > 1.5 * PANEL
    steps = (
        Reorder((feature, "n")),
        Split(feature, tile.columns * lanes, "ft", "fi", "cut"),
        Split("fi", lanes, "v", "lane", "cut"),
        Split("n", tile.rows, "nt", "r", "cut"),
        Split(reduced, PANEL if blocked else found[reduced], "kp", "ki", "cut"),
        Sink("r", ("*",)),
        Sink("v", ("*",)),
        Sink("lane", ("*",)),
        Sink("nt", ("kp",)),
        *(_pack(weight, lanes) if packs else ()),
        Stage("acc", "nt"),
        Place("acc", "scratch"),
        Unroll("r"),
        Unroll("v"),
        Vector("lane"),
        Threads(("ft",)),
    )
    return Schedule(f"{kernel.root}.natural", steps)


def _pack(weight: str, lanes: int) -> tuple[Step, ...]:
    """A panel of the weight in scratch, with the outputs innermost, turned in registers."""
    return (
        Stage(weight, "kp", "scratch"),
        Split("ki", lanes, "kt", "k", "cut"),
        Sink("k", ("v", "lane")),
        Transpose(weight, "lane", "k"),
    )


def _weight(kernel: Kernel, feature: str, reduced: str) -> str:
    """The buffer that is read along both features."""
    both = {feature, reduced}
    return next(b.name for b, index, _ in accesses(kernel) if {v for i in index for v in i.vars} == both)
