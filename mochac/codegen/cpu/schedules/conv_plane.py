"""Convolution fused with a pooling over its planes: pools the rows of a window as soon as they are convolved.

    for c-tile, q, ph:  for oh among the rows new to ph: convolve into scratch;  each r: pool row ph of plane r

Windows may overlap, extend beyond the edge or touch padding. Every element of the convolution is computed once and read
from cache. Requires blocked operands.
"""

from __future__ import annotations

from math import prod

from mochac.codegen.cpu.schedules.conv_plane_tail import tail_of, tail_steps
from mochac.codegen.cpu.schedules.nests import block_lanes, edge_tiles, is_guarded, may_pad, used_with
from mochac.codegen.cpu.schedules.picking import pick
from mochac.codegen.cpu.schedules.tiles import RegisterTile, best_tile
from mochac.codegen.cpu.schedules.windows import REGISTERS_PER_COLUMN, clips, column_tile
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel, Load, walk
from mochac.ir.nest import extents, loops
from mochac.ir.schedule import Schedule, Step
from mochac.ir.steps.clip import Clip
from mochac.ir.steps.distribute import Distribute
from mochac.ir.steps.innermost import Innermost
from mochac.ir.steps.interleave import Interleave
from mochac.ir.steps.peel import Peel
from mochac.ir.steps.rename import Rename
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.run import Parallel, Unroll, Vector
from mochac.ir.steps.split import Split

BEFORE = ["n", "c", "oh", "ow", "ci", "kh", "kw", "ph", "pw", "i", "j"]
MOST_UNROLLED = 72


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless the kernel is a blocked convolution with a pooling over its planes."""
    if kernel.root != "conv2d" or list(loops(kernel))[: len(BEFORE)] != BEFORE:
        return None
    if not block_lanes(kernel) or not may_pad(kernel, "n"):
        return None
    extent = extents(kernel)
    tile = best_tile(extent["c"], extent["ow"], target.registers)
    _, columns = window_loops(kernel)
    most = min(target.registers // REGISTERS_PER_COLUMN, MOST_UNROLLED // prod(extent[var] for var in columns))
    pooled = column_tile(extent["pw"], most)
    if not pooled:
        return None
    tail = pick(tail_of(kernel, target, tile), None)
    if tail is None:
        return Schedule("conv2d.planes", (*steps(kernel, tile, pooled), Parallel(("ct", "q"))))
    last = tail_steps(kernel, tail, _plane(kernel), window_loops(kernel), pooled)
    full = steps(kernel, tile, pooled) if tail.whole else ()
    parallel = ("ct", "q") if tail.whole else ("ct",)
    return Schedule("conv2d.planes", (*last, *full, Parallel(tuple(dict.fromkeys((*parallel, f"ct{tail.suffix}"))))))


def steps(kernel: Kernel, tile: RegisterTile, pooled: int) -> tuple[Step, ...]:
    """Split, distribute, interleave, unroll: see the nest above."""
    rows, columns = window_loops(kernel)
    plane = _plane(kernel)
    edges, windows = edge_tiles(kernel, "ow", tile.columns), edge_tiles(kernel, "pw", pooled)
    return (
        Reorder(("c", "n")),
        Split("c", tile.rows, "ct", "r", "cut"),
        Split("n", block_lanes(kernel), "q", "lane", "pad"),
        Split("ow", tile.columns, "wt", "t", "cut"),
        Split("pw", pooled, "pt", "u", "cut"),
        Reorder(("q", "lane", "r")),
        *((Clip("kh"),) if is_guarded(kernel, "kh") else ()),
        *clips(kernel, rows),
        Distribute("r", ("oh", "wt", "t", "ci", "kh", "kw", "ph")),
        Rename("r", "plane_of", "ph"),
        Distribute("t", ("*",)),
        Distribute("u", ("*",)),
        Distribute("lane", ("*",)),
        *((Innermost(plane, "lane"),) if plane else ()),
        *interleaved(kernel),
        *((Peel("wt", *edges),) if any(edges) else ()),
        *((Peel("pt", *windows),) if any(windows) else ()),
        *(Unroll(var) for var in ("r", "t", "kw", "u", *columns)),
        Vector("lane"),
    )


def _plane(kernel: Kernel) -> str:
    return next((b.name for b in kernel.locals if len(b.type.shape) == 2), "")


def window_loops(kernel: Kernel) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The loops over window rows, and those over window columns, recognized by the column in their conditions."""
    inner = list(loops(kernel))[BEFORE.index("i") :]
    columns = tuple(var for var in inner if "pw" in used_with(kernel, var))
    return tuple(var for var in inner if var not in columns), columns


def interleaved(kernel: Kernel) -> list[Step]:
    """The step that interleaves convolution and pooling, if the windows cover all rows."""
    extent = extents(kernel)
    rows = [i for s in walk(loops(kernel)["ph"].body) if isinstance(s, Load) for i in s.index if i.coefficient("i")]
    stride, pad = rows[0].coefficient("ph"), -rows[0].const
    reach = extent["i"] - pad
    complete = stride * (extent["ph"] - 1) + reach >= extent["oh"]
    return [Interleave("ph", "oh", stride, reach)] if complete and reach >= 1 else []
