"""Change of layout: 16 x 16 tiles (lanes x lanes) turned in registers, so that both sides move whole vectors.

    for f-tile, q:  load rows of the side that lies along them, shuffle, store rows of the other side

Samples beyond the batch are neither read nor written.
"""

from __future__ import annotations

from mochac.codegen.cpu.schedules.nests import block_lanes, extents, loops
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Schedule, Step
from mochac.ir.steps.peel import Peel
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.run import Threads
from mochac.ir.steps.sink import Sink
from mochac.ir.steps.split import Split
from mochac.ir.steps.transpose import Transpose


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None when this is not a plain change between natural and blocked."""
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
    ragged = extents(kernel)["a0"] % lanes > 0
    to_blocks: tuple[Step, ...] = (Transpose(source.name, "lane", "f"),)
    to_rows: tuple[Step, ...] = (Sink("lane", ("f",)), Transpose(source.name, "f", "lane"))
    steps = (
        Reorder(("a1", "a0")),
        Split("a0", lanes, "q", "lane", "guard"),
        Split("a1", lanes, "ft", "f", "cut"),
        Sink("f", ("q", "lane")),
        *((Peel("q", 0, 1),) if ragged else ()),
        *(to_blocks if result.type.lanes else to_rows),
        Threads(("ft",) if ragged else ("ft", "q")),
    )
    return Schedule("relayout.tiles", steps)
