"""Convolution fused with a pooling whose windows do not overlap: whole windows of the output in registers.

    for q, ph, c-tile, pw-tile:  acc[r][i][t][j] over ci, kh, (kw unrolled);  pool each window in registers

The convolution's result is never stored. It wants blocked operands.
"""

from __future__ import annotations

from mochac.codegen.cpu.schedules.nests import beside, block_lanes, edge_tiles, extents, is_guarded, loops, may_pad
from mochac.codegen.cpu.schedules.tiles import best_tile
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel, Loop
from mochac.ir.schedule import Schedule
from mochac.ir.steps.clip import Clip
from mochac.ir.steps.fission import Fission
from mochac.ir.steps.peel import Peel
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.run import Threads, Unroll, Vector
from mochac.ir.steps.sink import Sink
from mochac.ir.steps.split import Split

AXES = ["n", "c", "ph", "pw", "i", "j", "ci", "kh", "kw"]
MAX_CELLS = 9


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None when the kernel is not a blocked convolution with a pooling of whole windows."""
    if kernel.root != "conv2d" or list(loops(kernel)) != AXES or not block_lanes(kernel) or not may_pad(kernel, "n"):
        return None
    if any(loops(kernel)[var].kind == "sum" for var in ("i", "j")):  # a mean: its window is one accumulator
        return None
    found = extents(kernel)
    cells = found["i"] * found["j"]
    if cells > MAX_CELLS or (is_guarded(kernel, "i") and not is_guarded(kernel, "kh")):
        return None
    tile = best_tile(found["c"], found["pw"], target.registers, max_columns=8, cells=cells)
    edges = edge_tiles(kernel, "pw", tile.columns)
    clips = is_guarded(kernel, "kh") and "i" not in beside(kernel, "kh")  # else the range of kh differs by window row
    steps = (
        Reorder(("n", "ph", "c", "pw")),
        Split("n", block_lanes(kernel), "q", "lane", "pad"),
        Split("c", tile.rows, "ct", "r", "cut"),
        Split("pw", tile.columns, "wt", "t", "cut"),
        *((Clip("kh"),) if clips else ()),
        Fission("j", 1 + _reduction(loops(kernel)["j"])),
        Fission("i", 1),
        *(Sink(var, ("*",)) for var in ("r", "i", "t", "j", "lane")),
        *((Peel("wt", *edges),) if any(edges) else ()),
        *(Unroll(var) for var in ("r", "t", "i", "j", "kw")),
        Vector("lane"),
        Threads(("q", "ph")),
    )
    return Schedule("conv2d.pooled", steps)


def _reduction(loop: Loop) -> int:
    """Position of the convolution's sum among the statements of the window loop."""
    return next(k for k, s in enumerate(loop.body) if isinstance(s, Loop) and s.kind == "sum")
