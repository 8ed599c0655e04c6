"""Convolution fused with a pooling whose windows do not overlap: whole windows of the output in registers.

    largest:  for q, ph, c-tile, pw-tile:  acc[r][i][t][j] over ci, kh, (kw unrolled);  pool each window in registers
    mean:     for q, ph, c-tile, pw-tile, i, j:  acc[r][t] over ci, kh, (kw unrolled);  sum[r][t] += acc[r][t]

The convolution's result is never stored. Requires blocked operands.
"""

from __future__ import annotations

from mochac.codegen.cpu.schedules.conv_pool_tail import tail_of, tail_steps
from mochac.codegen.cpu.schedules.nests import block_lanes, edge_tiles, is_guarded, may_pad, used_with
from mochac.codegen.cpu.schedules.picking import pick
from mochac.codegen.cpu.schedules.tiles import RegisterTile, best_tile
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel, Loop
from mochac.ir.nest import extents, loops
from mochac.ir.schedule import Schedule, Step
from mochac.ir.steps.clip import Clip
from mochac.ir.steps.distribute import Distribute
from mochac.ir.steps.fission import Fission
from mochac.ir.steps.peel import Peel
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.run import Parallel, Unroll, Vector
from mochac.ir.steps.split import Split

AXES = ["n", "c", "ph", "pw", "i", "j", "ci", "kh", "kw"]
MAX_CELLS = 9


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless the kernel is a blocked convolution with a pooling of whole windows."""
    if kernel.root != "conv2d" or list(loops(kernel)) != AXES or not block_lanes(kernel) or not may_pad(kernel, "n"):
        return None
    if {loops(kernel)[var].kind for var in ("i", "j")} == {"sum"}:
        return _mean(kernel, target)
    extent = extents(kernel)
    cells = extent["i"] * extent["j"]
    if cells > MAX_CELLS or (is_guarded(kernel, "i") and not is_guarded(kernel, "kh")):
        return None
    tile = best_tile(extent["c"], extent["pw"], target.registers, max_columns=8, cells=cells)
    clips = is_guarded(kernel, "kh") and "i" not in used_with(
        kernel, "kh"
    )  # else the range of kh depends on the window row
    steps = (
        *_tiled(kernel, tile, clips),
        Fission("j", 1 + _reduction(loops(kernel)["j"])),
        Fission("i", 1),
        *(Distribute(var, ("*",)) for var in ("r", "i", "t", "j", "lane")),
        *_finished(kernel, tile, ("r", "t", "i", "j", "kw")),
    )
    tail = pick(tail_of(kernel, target, tile), None)
    if tail is None:
        return Schedule("conv2d.pooled", (*steps, Parallel(("q", "ph"))))
    full, parallel = (steps, ("q", "ph")) if tail.whole else ((), ())
    parallel = Parallel((*parallel, f"rows{tail.suffix}"))
    return Schedule("conv2d.pooled", (*tail_steps(kernel, tail), *full, parallel))


def _mean(kernel: Kernel, target: CpuTarget) -> Schedule:
    """A window has a single accumulator, so its cells are computed in turn; every tile has two sets of accumulators."""
    extent = extents(kernel)
    tile = best_tile(extent["c"], extent["pw"], target.registers // 2 + 2, max_columns=8)
    steps = (
        *_tiled(kernel, tile, is_guarded(kernel, "kh")),
        *(Distribute(var, ("*",)) for var in ("r", "t", "lane")),
        *_finished(kernel, tile, ("r", "t", "kw")),
        Parallel(("q", "ph")),
    )
    return Schedule("conv2d.averaged", steps)


def _tiled(kernel: Kernel, tile: RegisterTile, clips: bool) -> tuple[Step, ...]:
    return (
        Reorder(("n", "ph", "c", "pw")),
        Split("n", block_lanes(kernel), "q", "lane", "pad"),
        Split("c", tile.rows, "ct", "r", "cut"),
        Split("pw", tile.columns, "wt", "t", "cut"),
        *((Clip("kh"),) if clips else ()),
    )


def _finished(kernel: Kernel, tile: RegisterTile, unrolled: tuple[str, ...]) -> tuple[Step, ...]:
    edges = edge_tiles(kernel, "pw", tile.columns)
    return (
        *((Peel("wt", *edges),) if any(edges) else ()),
        *(Unroll(var) for var in unrolled),
        Vector("lane"),
    )


def _reduction(loop: Loop) -> int:
    """Position of the convolution's sum among the statements of the window loop."""
    return next(k for k, s in enumerate(loop.body) if isinstance(s, Loop) and s.kind == "sum")
