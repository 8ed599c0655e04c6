"""Fully connected forward and data gradient of natural activations: lanes over the output's features, none idle.

    forward:   for o-tile: pack w[o-tile, f] as [f][o];  for n-tile: acc[r][v] over f: splat x[n, f] * packed[f][o...]
    gradient:  for f-tile: for n-tile: acc[r][v] over o: splat dy[n, o] * w[o, f...]

The layout pass leaves activations natural where blocks of samples would leave lanes idle. Weights are stored naturally;
the forward pass transposes a panel of them in registers into the thread's scratch memory.
"""

from __future__ import annotations

from mochac.codegen.cpu.schedules.nests import block_lanes, float_dtype, read_along
from mochac.codegen.cpu.schedules.picking import pick
from mochac.codegen.cpu.schedules.tiles import RegisterTile, best_tile
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel
from mochac.ir.nest import extents, loops
from mochac.ir.schedule import Schedule, Step
from mochac.ir.steps.distribute import Distribute
from mochac.ir.steps.place import Place
from mochac.ir.steps.prefetch_tile import PrefetchTile
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.run import Parallel, Unroll, Vector
from mochac.ir.steps.split import Split
from mochac.ir.steps.stage import Stage
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
    extent, lanes = extents(kernel), target.lanes(float_dtype(kernel))
    if extent["n"] < LEAST_ROWS or extent[feature] < lanes // 2:
        return None
    weight = read_along(kernel, "o", "f")
    if weight is None:
        return None
    if kernel.root == "inner_product":
        return _forward(kernel, target, weight)
    return _gradient(kernel, target, weight)


def _forward(kernel: Kernel, target: CpuTarget, weight: str) -> Schedule:
    extent, lanes = extents(kernel), target.lanes(float_dtype(kernel))
    tile = best_tile(extent["n"], -(-extent["o"] // lanes), target.registers, max_columns=4)
    steps = (
        *_cut("o", "f", tile, lanes, pick(*(p if extent["f"] > 1.5 * p else extent["f"] for p in PANELS))),
        Distribute("nt", ("kp",)),
        Stage(weight, "kp", "scratch"),
        Split("ki", lanes, "kt", "k", "cut"),
        Distribute("k", ("v", "lane")),
        Transpose(weight, "lane", "k"),
        *_in_registers("nt"),
    )
    return Schedule("inner_product.natural", steps)


def _gradient(kernel: Kernel, target: CpuTarget, weight: str) -> Schedule:
    extent, lanes = extents(kernel), target.lanes(float_dtype(kernel))
    tile = best_tile(extent["n"], -(-extent["f"] // lanes), target.registers, max_columns=4)
    clash = extent["f"] * (target.vector_bytes // lanes) % CLASH_BYTES == 0 and extent["n"] > 2 * tile.rows
    panel = panel_rows(extent["o"], CLASH_ROWS if clash else L1_BYTES // (tile.columns * target.vector_bytes))
    tiles = -(-extent["n"] // tile.rows)
    turns, per = ("nv", 1) if tiles > tile.columns else ("nt", -(-tile.columns // tiles))
    steps = (
        *_cut("f", "o", tile, lanes, panel),
        *(
            (Split("nt", tile.columns, "ng", "nv", "cut"), Distribute("nv", ("kp",)), Distribute("ng", ("kp",)))
            if turns == "nv"
            else (Distribute("nt", ("kp",)),)
        ),
        *((Stage(weight, "kp", "scratch"),) if clash else ()),
        PrefetchTile(weight, "ki", "v", turns, "kp", "ft", per),
        *_in_registers(turns),
    )
    return Schedule("inner_product_dx.natural", steps)


def panel_rows(extent: int, rows: int) -> int:
    """Rows of a panel, at most about `rows`; the last panel is shorter, which is how PrefetchTile recognizes it.

    >>> panel_rows(1000, 128), panel_rows(1024, 128), panel_rows(100, 128)
    (128, 120, 100)
    """
    if extent <= 1.5 * rows:
        return extent
    return rows if extent % rows else rows - 8


def _cut(feature: str, reduced: str, tile: RegisterTile, lanes: int, panel: int) -> tuple[Step, ...]:
    """Tiles of the output, panels of the reduced features; the loops inside a tile go innermost."""
    return (
        Reorder((feature, "n")),
        Split(feature, tile.columns * lanes, "ft", "fi", "cut"),
        Split("fi", lanes, "v", "lane", "cut"),
        Split("n", tile.rows, "nt", "r", "cut"),
        Split(reduced, panel, "kp", "ki", "cut"),
        Distribute("r", ("*",)),
        Distribute("v", ("*",)),
        Distribute("lane", ("*",)),
    )


def _in_registers(around: str) -> tuple[Step, ...]:
    """Accumulators in registers inside loop `around`, in scratch between panels."""
    return (Stage("acc", around), Place("acc", "scratch"), Unroll("r"), Unroll("v"), Vector("lane"), Parallel(("ft",)))
