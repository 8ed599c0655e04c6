"""Convolution forward and data gradient (stride 1): batch lanes, a register tile of channels x columns.

    for q, oh, co-tile, ow-tile:  acc[r][t] over ci, kh, (kw unrolled), epilogue

Rows that meet padding shorten the kh loop, columns that do get tiles of their own; what the epilogue reads is asked for
before the sum. It wants blocked operands.
"""

from __future__ import annotations

from dataclasses import dataclass

from mochac.codegen.cpu.schedules.nests import (
    block_lanes,
    edge_tiles,
    extents,
    is_guarded,
    loops,
    may_pad,
    read_outside,
)
from mochac.codegen.cpu.schedules.tiles import best_tile
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Schedule, Step
from mochac.ir.steps.clip import Clip
from mochac.ir.steps.peel import Peel
from mochac.ir.steps.prefetching import Prefetching
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.run import Threads, Unroll, Vector
from mochac.ir.steps.sink import Sink
from mochac.ir.steps.split import Split


@dataclass(frozen=True)
class Names:
    """Loop names of a contraction over images: output channel, rows, columns; reduced channel."""

    channel: str
    row: str
    column: str
    reduced: str


NAMES = {"conv2d": Names("co", "oh", "ow", "ci"), "conv2d_dx": Names("ci", "ih", "iw", "co")}


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None when the kernel is not a plain blocked convolution."""
    names = NAMES.get(kernel.root)
    found = extents(kernel)
    if names is None or list(loops(kernel)) != ["n", names.channel, names.row, names.column, names.reduced, "kh", "kw"]:
        return None
    lanes = block_lanes(kernel)
    if not lanes or not may_pad(kernel, "n"):
        return None
    tile = best_tile(found[names.channel], found[names.column], target.registers)
    return Schedule(f"{kernel.root}.blocked", steps(kernel, names, lanes, tile.rows, tile.columns))


def steps(kernel: Kernel, names: Names, lanes: int, rows: int, columns: int) -> tuple[Step, ...]:
    """Cut, clip, sink, unroll; see the nest above."""
    edges = edge_tiles(kernel, names.column, columns)
    return (
        Reorder(("n", names.row, names.channel, names.column)),
        Split("n", lanes, "q", "lane", "pad"),
        Split(names.channel, rows, "ct", "r", "cut"),
        Split(names.column, columns, "wt", "t", "cut"),
        *((Clip("kh"),) if is_guarded(kernel, "kh") else ()),
        Sink("r", ("*",)),
        Sink("t", ("*",)),
        Sink("lane", ("*",)),
        *(Prefetching(name, names.reduced, "lane") for name in read_outside(kernel, names.reduced)),
        *((Peel("wt", *edges),) if any(edges) else ()),
        Unroll("r"),
        Unroll("t"),
        Unroll("kw"),
        Vector("lane"),
        Threads(("q", names.row)),
    )
