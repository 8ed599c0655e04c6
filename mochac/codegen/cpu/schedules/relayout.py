"""Change of layout: transposes 16 x 16 tiles (lanes x lanes) in registers, so that both sides move whole vectors.

    for q, f-tile:  load rows of the side that lies along them, shuffle, store rows of the other side

Samples beyond the batch are neither read nor written.
"""

from __future__ import annotations

from mochac.codegen.analysis.nests import block_lanes
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.merge import Distribute, Reorder
from mochac.ir.steps.run import Parallel
from mochac.ir.steps.split import Peel
from mochac.ir.steps.vectors import Transpose


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless this is a plain conversion between natural and blocked layout."""
    b, count = ScheduleBuilder(kernel), block_lanes(kernel)
    if kernel.root != "relayout" or len(b.loops()) != 2 or len(b.all_loops()) != 2 or count & (count - 1):
        return None
    if len(kernel.inputs) != 1 or len(kernel.outputs) != 1:
        return None
    source, to_blocks = kernel.inputs[0], bool(kernel.outputs[0].type.lanes)
    if bool(source.type.lanes) == to_blocks:
        return None
    batch, feature = b.loops()
    b.reason = "tiles of one vector each way: both sides are read and written in whole vectors"
    has_tail, by_blocks = b.extent(batch) % count > 0, b.extent(feature) % count == 0
    if not by_blocks:
        b.add(Reorder((feature, batch)))
    block, lane = b.split(batch, count)
    tiles, f = b.split(feature, count, "cut")
    rows, columns = (lane, f) if to_blocks else (f, lane)
    if by_blocks:  # tiles along the features of one block: as many streams of cache lines as there are lanes
        b.add(Distribute(lane, (tiles,) if to_blocks else (tiles, f)))
        parallel = (block, tiles)
    else:  # tiles of all blocks for some features; the remaining features are a separate nest for the threads
        b.add(Distribute(f, (block, lane)))
        if not to_blocks:
            b.add(Distribute(lane, (f,)))
        parallel = (tiles,) if has_tail else (tiles, block)
    if has_tail:
        b.add(Peel(block, 0, 1))
    b.add(Transpose(source.name, rows, columns), Parallel(parallel))
    return b.schedule("relayout.tiles")
