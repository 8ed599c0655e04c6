"""Convolution weight gradient fused with the gradient of the following pooling: planes of the gradient in scratch.

    for co-tile:  for q:  planes of r filters from the pooled gradient;
                          for some rows:  for ci, kh:  acc[kw][r] from scratch;  for oh, ow: acc += x * plane;  back
    then sum lanes, epilogue

The scattered gradient, as large as the image, is never stored: each plane is read from cache for all ci, kh. Requires
blocked operands.
"""

from __future__ import annotations

from dataclasses import dataclass

from mochac.codegen.analysis.nests import accesses, block_lanes, edge_tiles, is_guarded
from mochac.codegen.cpu.schedules.conv_dw_mixed import filter_tile
from mochac.codegen.cpu.schedules.tiles import RegisterTile
from mochac.codegen.cpu.schedules.windows import clips, column_tile
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel
from mochac.ir.nest import extents, loops
from mochac.ir.schedule import Schedule, Step
from mochac.ir.steps.clip import Clip
from mochac.ir.steps.distribute import Distribute
from mochac.ir.steps.innermost import Innermost
from mochac.ir.steps.partial import Partial
from mochac.ir.steps.peel import Peel
from mochac.ir.steps.place import Place
from mochac.ir.steps.prefetch_tile import PrefetchTile
from mochac.ir.steps.rename import Rename
from mochac.ir.steps.run import Parallel, Unroll, Vector
from mochac.ir.steps.split import Split
from mochac.ir.steps.stage import Stage
from mochac.ir.steps.unguard import Unguard

OUTER, PLANE, INNER = ["co", "ci", "kh", "kw", "n"], ["th", "rh", "tw", "rw", "dh", "dw"], ["oh", "ow"]
MOST_UNROLLED = 72
L1_FLOATS = 8192
"""Elements of plane rows to work on at a time, so that they stay in L1."""


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless the kernel is a blocked weight gradient that computes its own planes."""
    if kernel.root != "conv2d_dw" or not block_lanes(kernel) or list(loops(kernel)) != [*OUTER, *PLANE, *INNER]:
        return None
    extent = extents(kernel)
    tile = filter_tile(extent["co"], extent["ow"], extent["kw"], target.registers)
    cells = Cells.of(extent, target.registers)
    if tile is None or not cells.columns or not _image(kernel):
        return None
    return Schedule("conv2d_dw.planes", steps(kernel, block_lanes(kernel), tile, cells))


@dataclass(frozen=True)
class Cells:
    """How planes are computed: how many columns of tiles at a time, and whether all rows of a tile are unrolled."""

    columns: int
    whole: bool

    @classmethod
    def of(cls, extent: dict[str, int], registers: int) -> Cells:
        """Whole tiles if the code of at least two columns of them stays small.

        >>> Cells.of({"tw": 16, "rh": 2, "rw": 2, "dh": 2, "dw": 2}, 32)
        Cells(columns=4, whole=True)
        """
        row = extent["rw"] * extent["dw"]
        whole = min(extent["tw"], registers // 4, MOST_UNROLLED // (row * extent["rh"] * extent["dh"]))
        if whole >= min(2, extent["tw"]):
            return cls(column_tile(extent["tw"], whole), True)
        return cls(column_tile(extent["tw"], min(registers // 4, MOST_UNROLLED // row)), False)


def _image(kernel: Kernel) -> str:
    """The input, which moves with the taps; "" if it is an inlined constant."""
    images = (b.name for b, index, _ in accesses(kernel) if b.type.lanes and any(i.coefficient("kw") for i in index))
    return next(images, "")


def steps(kernel: Kernel, lanes: int, tile: RegisterTile, cells: Cells) -> tuple[Step, ...]:
    """Split, make the lanes partial sums, distribute; the plane's nest stays outside of ci, kh, kw. See above."""
    extent = extents(kernel)
    columns = min(tile.columns, extent["ow"])
    near = max(1, min(extent["oh"], L1_FLOATS // (tile.rows * extent["ow"] * lanes)))
    edges, borders = edge_tiles(kernel, "ow", columns), edge_tiles(kernel, "tw", cells.columns)
    tops = edge_tiles(kernel, "th", 1) if cells.whole else (0, 0)
    plane = next(b.name for b in kernel.locals if len(b.type.shape) == 2)
    unrolled = ("kw", "r", "t", "u", "rw", "dw", *(("rh", "dh") if cells.whole else ()))
    return (
        Split("n", lanes, "q", "lane", "guard"),
        *((Unguard("th"),) if extent["n"] % lanes else ()),
        Split("co", tile.rows, "ct", "r", "cut"),
        Split("oh", near, "ot", "o", "cut"),
        Split("ow", columns, "wt", "t", "cut"),
        Split("tw", cells.columns, "pt", "u", "cut"),
        *((Clip("o"),) if is_guarded(kernel, "oh") else ()),
        *(() if cells.whole else clips(kernel, ("dh",))),
        Distribute("u", ("*",)),
        Distribute("rw", ("*",)),
        Partial("acc", "lane"),
        Distribute("lane", ("*",)),
        Distribute("r", ("ci", "kh", "kw", "q", "th", "ot", "o", "wt", "t")),
        Rename("r", "plane_of", "th"),
        Distribute("kw", ("q", "ot", "o", "wt", "t")),
        Distribute("kh", ("q", "ot")),
        Distribute("ci", ("q", "ot")),
        Innermost("acc", "lane"),
        Innermost(plane, "lane"),
        Stage("acc", "kh"),
        Place("acc", "scratch"),
        PrefetchTile(_image(kernel), "t", "lane", "", "ci"),
        *((Peel("wt", *edges),) if any(edges) else ()),
        *((Peel("pt", *borders),) if any(borders) else ()),
        *((Peel("th", *tops),) if any(tops) else ()),
        *((Peel("q", 0, 1),) if extent["n"] % lanes else ()),
        *(Unroll(var) for var in unrolled),
        Vector("lane"),
        Parallel(("ct",)),
    )
