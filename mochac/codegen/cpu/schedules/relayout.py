"""Change of layout: transposes 16 x 16 tiles (lanes x lanes) in registers, so that both sides move whole vectors.

    for q, f-tile:  load rows of the side that lies along them, shuffle, store rows of the other side

Samples beyond the batch are neither read nor written.
"""

from __future__ import annotations

from mochac.codegen.analysis.nests import block_lanes
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel
from mochac.ir.nest import extents, loops
from mochac.ir.schedule import Schedule, Step
from mochac.ir.steps.distribute import Distribute
from mochac.ir.steps.peel import Peel
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.run import Parallel
from mochac.ir.steps.split import Split
from mochac.ir.steps.transpose import Transpose


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless this is a plain conversion between natural and blocked layout."""
    lanes = block_lanes(kernel)
    if (
        kernel.root != "relayout"
        or list(loops(kernel)) != ["a0", "a1"]
        or len(kernel.inputs) != 1
        or lanes & (lanes - 1)
    ):
        return None
    source, result = kernel.inputs[0], kernel.outputs[0]
    if len(kernel.outputs) != 1 or bool(source.type.lanes) == bool(result.type.lanes):
        return None
    has_tail = extents(kernel)["a0"] % lanes > 0
    whole = extents(kernel)["a1"] % lanes == 0
    steps = _by_blocks if whole else _by_features
    return Schedule("relayout.tiles", steps(lanes, source.name, bool(result.type.lanes), has_tail))


def _by_blocks(lanes: int, source: str, to_blocks: bool, has_tail: bool) -> tuple[Step, ...]:
    """Tiles along the features of one block: as many streams of consecutive cache lines as there are lanes."""
    return (
        Split("a0", lanes, "q", "lane", "guard"),
        Split("a1", lanes, "ft", "f", "cut"),
        Distribute("lane", ("ft",) if to_blocks else ("ft", "f")),
        *((Peel("q", 0, 1),) if has_tail else ()),
        Transpose(source, *(("lane", "f") if to_blocks else ("f", "lane"))),
        Parallel(("q", "ft")),
    )


def _by_features(lanes: int, source: str, to_blocks: bool, has_tail: bool) -> tuple[Step, ...]:
    """Tiles of all blocks for some features; the remaining features are a separate nest for the threads."""
    blocks: tuple[Step, ...] = (Transpose(source, "lane", "f"),)
    rows: tuple[Step, ...] = (Distribute("lane", ("f",)), Transpose(source, "f", "lane"))
    return (
        Reorder(("a1", "a0")),
        Split("a0", lanes, "q", "lane", "guard"),
        Split("a1", lanes, "ft", "f", "cut"),
        Distribute("f", ("q", "lane")),
        *((Peel("q", 0, 1),) if has_tail else ()),
        *(blocks if to_blocks else rows),
        Parallel(("ft",) if has_tail else ("ft", "q")),
    )
