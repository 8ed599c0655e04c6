"""Convolution weight gradient (stride 1) of a batch with a tail: full blocks first, then only the samples left.

    for co-tile:  for q, ci, kh:  acc[kw][r] from scratch;  for oh, ow: acc += x * dy;  back;  the same with lanes =
    columns and samples (conv_dw_tail);  then sum lanes, epilogue

The rule conv_dw tries it first. Requires blocked operands.
"""

from __future__ import annotations

from mochac.codegen.analysis.nests import block_lanes, edge_tiles, is_guarded
from mochac.codegen.cpu.schedules.conv_dw_tail import ConvDwTail, copies, cut_tail, packing, tail_of
from mochac.codegen.cpu.schedules.picking import pick
from mochac.codegen.cpu.schedules.tiles import MIN_CYCLES, WORTH_TRYING, RegisterTile, axis_parts
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
from mochac.ir.steps.run import Parallel, Unroll, Vector
from mochac.ir.steps.split import Split
from mochac.ir.steps.stage import Stage

AXES = ["co", "ci", "kh", "kw", "n", "oh", "ow"]


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None if there is no tail or padding it is cheaper than packing it."""
    if kernel.root != "conv2d_dw" or list(loops(kernel)) != AXES or not block_lanes(kernel):
        return None
    extent = extents(kernel)
    tile = filter_tile(extent["co"], extent["ow"], extent["kw"], target.registers)
    if tile is None:
        return None
    lanes = block_lanes(kernel)
    tail = tail_of(kernel, extent, lanes, tile)
    if tail is None:
        return None
    return Schedule("conv2d_dw.mixed", steps(kernel, extent, lanes, tile.rows, tile.columns, tail))


def filter_tile(filters: int, width: int, kernel_width: int, registers: int) -> RegisterTile | None:
    """Filters (rows) and unrolled output columns of a tile, or None if not even one filter fits.

    The registers hold kw * rows accumulators, `rows` gradients, the live columns of x (one if a single output column is
    unrolled, else up to kw) and one more vector. Full registers are preferred, then tiles that divide the filters.

    >>> filter_tile(50, 8, 5, 32), filter_tile(32, 16, 3, 32), filter_tile(8, 8, 40, 32)
    (RegisterTile(rows=5, columns=1), RegisterTile(rows=7, columns=4), None)
    """
    fits = [
        RegisterTile(rows, columns)
        for columns, alive in ((min(4, width), min(kernel_width, 4)), (1, 1))
        for rows in range(1, filters + 1)
        if kernel_width * rows + rows + alive < registers
    ]

    def cost(tile: RegisterTile) -> tuple[float, int]:
        steps = sum(
            count
            * (max(size * kernel_width / 2, MIN_CYCLES) + 0.1 * (size + (kernel_width if tile.columns == 1 else 1)))
            for size, count in axis_parts(filters, tile.rows)
        )
        return round(steps * (1 + 0.05 * (filters % tile.rows > 0)), 6), -tile.columns

    return pick(*(sorted(fits, key=cost)[:WORTH_TRYING] or [None]))


def steps(
    kernel: Kernel, extent: dict[str, int], lanes: int, rows: int, columns: int, tail: ConvDwTail
) -> tuple[Step, ...]:
    """Split, make the lanes partial sums, distribute ci and kh past the batch blocks, stage the tile in registers."""
    columns = min(columns, extent["ow"])
    edges = edge_tiles(kernel, "ow", columns)
    whole = tail.whole > 0
    suffixes = ("", tail.suffix) if whole else ("",)
    inner = ("q", "oh", "wt", "t", *tail.loops)
    filters = (Split("co", rows, "ct", "r", "cut"),)
    if tail.group > 1:
        filters = (Split("co", rows * tail.group, "cg", "within", "cut"), Split("within", rows, "ct", "r", "cut"))
    return (
        *cut_tail(tail),
        *((Split("n", lanes, "q", "lane", "guard"),) if whole else ()),
        *filters,
        *packing(tail),
        *((Split("ow", columns, "wt", "t", "cut"),) if whole else ()),
        *((Clip(f"oh{s}") for s in suffixes) if is_guarded(kernel, "oh") else ()),
        Partial("acc", "lane"),
        Distribute("lane", ("*",)),
        Distribute("r", ("ci", "kh", "kw", *inner)),
        Distribute("kw", inner),
        Distribute("kh", ("q",)),
        Distribute("ci", ("q",)),
        *((Distribute("ct", ("ci",)),) if tail.group > 1 else ()),
        Innermost("acc", "lane"),
        *((Stage("acc", "kh"), Place("acc", "scratch")) if whole else ()),
        *_prefetched(tail, rows, whole),
        *((Peel("wt", *edges),) if whole and any(edges) else ()),
        Unroll("kw"),
        Unroll("r"),
        *((Unroll("t"),) if whole else ()),
        Vector("lane"),
        *copies(),
        Parallel(("cg" if tail.group > 1 else "ct",)),
    )


def _prefetched(tail: ConvDwTail, rows: int, whole: bool) -> tuple[Step, ...]:
    """Prefetch the input of the next channel, and gradients one row ahead, as in conv_dw."""
    if not whole:
        return ()
    return (PrefetchTile(tail.image, "t", "lane", "", "ci"), PrefetchTile(tail.gradient, "t", "r", "", "oh", per=rows))
