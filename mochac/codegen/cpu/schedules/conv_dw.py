"""Convolution weight gradient (stride 1): lanes are partial sums over the batch, a tile of kw x filters in registers.

    for co-tile: for q: for ci, kh: acc[kw][r] from scratch; for oh, ow: acc += x * dy; back; then sum the lanes, epilogue

The gradient's slab of one co-tile stays in the near cache over all ci, kh [CPU.md, "Winning loop nests"]. It wants blocked operands.
"""

from __future__ import annotations

from mochac.codegen.cpu.schedules.nests import block_lanes, edge_tiles, extents, is_guarded, loops
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Schedule, Step
from mochac.ir.steps.clip import Clip
from mochac.ir.steps.innermost import Innermost
from mochac.ir.steps.partial import Partial
from mochac.ir.steps.peel import Peel
from mochac.ir.steps.place import Place
from mochac.ir.steps.run import Threads, Unroll, Vector
from mochac.ir.steps.sink import Sink
from mochac.ir.steps.split import Split
from mochac.ir.steps.stage import Stage

AXES = ["co", "ci", "kh", "kw", "n", "oh", "ow"]


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None when the kernel is not a plain blocked weight gradient."""
    if kernel.root != "conv2d_dw" or list(loops(kernel)) != AXES or not block_lanes(kernel):
        return None
    found = extents(kernel)
    rows = filter_rows(found["co"], found["kw"], target.registers)
    if not rows:
        return None
    return Schedule("conv2d_dw.blocked", steps(kernel, found, block_lanes(kernel), rows, 4))


def filter_rows(filters: int, kernel_width: int, registers: int) -> int:
    """Filters per tile: kw * rows accumulators + rows gradients + kw columns + 1 in registers; 0 if even one does not fit.

    >>> filter_rows(50, 5, 32), filter_rows(32, 3, 32), filter_rows(8, 30, 32)
    (4, 6, 0)
    """
    most = (registers - 1 - min(kernel_width, 4)) // (kernel_width + 1)
    if most < 1:
        return 0
    tiles = -(-filters // min(most, filters))
    return -(-filters // tiles)


def steps(kernel: Kernel, found: dict[str, int], lanes: int, rows: int, columns: int) -> tuple[Step, ...]:
    """Cut, privatise the lanes, sink ci and kh past the batch blocks, stage the tile in registers."""
    columns = min(columns, found["ow"])
    edges = edge_tiles(kernel, "ow", columns)
    return (
        Split("n", lanes, "q", "lane", "guard"),
        Split("co", rows, "ct", "r", "cut"),
        Split("ow", columns, "wt", "t", "cut"),
        *((Clip("oh"),) if is_guarded(kernel, "oh") else ()),
        Partial("acc", "lane"),
        Sink("lane", ("*",)),
        Sink("r", ("ci", "kh", "kw", "q", "oh", "wt", "t")),
        Sink("kw", ("q", "oh", "wt", "t")),
        Sink("kh", ("q",)),
        Sink("ci", ("q",)),
        Innermost("acc", "lane"),
        Stage("acc", "kh"),
        Place("acc", "scratch"),
        *((Peel("wt", *edges),) if any(edges) else ()),
        *((Peel("q", 0, 1),) if found["n"] % lanes else ()),
        Unroll("kw"),
        Unroll("r"),
        Unroll("t"),
        Vector("lane"),
        Threads(("ct",)),
    )
