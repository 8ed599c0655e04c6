"""Maps that read along one axis and write along another: tiles of lanes x lanes are transposed in registers.

relayout: a change of layout, of which both sides move whole vectors.

    for q, f-tile:  load rows of the side that lies along them, shuffle, store rows of the other side

Samples beyond the batch are neither read nor written.

transposed: other maps, such as a permutation of the last axis.

    for c-tile, r-tile:  load rows of x as vectors, shuffle, store columns y[c, r: lanes]

With lanes along the results alone, each vector would be gathered from as many lines as it has lanes.
"""

from __future__ import annotations

from mochac.codegen.analysis.nests import block_lanes, float_dtype
from mochac.codegen.combinators.caches import share_items
from mochac.codegen.cpu.schedules.generic import enough_items
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.index import Index
from mochac.ir.kernel import If, Kernel, Load, walk
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.merge import Distribute, Reorder
from mochac.ir.steps.run import Parallel
from mochac.ir.steps.split import Peel
from mochac.ir.steps.vectors import Transpose


def relayout(kernel: Kernel, target: CpuTarget) -> Schedule | None:
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


def transposed(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless all loops are the result's axes and one operand is read along another one."""
    b, count = ScheduleBuilder(kernel), target.lanes(float_dtype(kernel))
    loops = b.loops()
    if len(loops) < 2 or loops != b.all_loops() or block_lanes(kernel) or len(kernel.outputs) != 1:
        return None
    rows, across = loops[-1], [s for s in walk(kernel.body) if isinstance(s, Load) and _is_strided(s, loops[-1])]
    if len(across) != 1 or any(isinstance(s, If) for s in walk(kernel.body)):
        return None
    (load,) = across
    columns = next((loop for loop in loops[:-1] if load.index[-1] == Index.var(loop)), None)
    if columns is None or min(b.extent(columns), b.extent(rows)) < count or count & (count - 1):
        return None
    b.reason = "tiles of one vector each way: both sides are read and written in whole vectors"
    between = loops[loops.index(columns) + 1 : -1]
    tiles, column = b.split(columns, count, "cut")
    vectors, row = b.split(rows, count, "cut")
    b.add(Distribute(column, (*between, vectors, row)), Transpose(load.buffer, row, column))
    share_items(b, *enough_items(b, (*loops[: loops.index(columns)], tiles, *between)), least=target.team)
    return b.schedule("transposed.tiles")


def _is_strided(load: Load, loop: str) -> bool:
    """Whether neighbouring iterations of a loop load elements that lie apart."""
    return any(loop in i.vars for i in load.index[:-1]) and loop not in load.index[-1].vars
