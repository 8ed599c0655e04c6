"""Maps that read an operand along a different axis than they write: tiles of lanes x lanes are transposed in registers.

    for c-tile, r-tile:  load rows of x as vectors, shuffle, store columns y[c, r: lanes]

An example is a permutation of the last axis. Whole vectors are read and written; with lanes along the results alone,
each vector would be gathered from as many lines as it has lanes.
"""

from __future__ import annotations

from mochac.codegen.analysis.nests import block_lanes, float_dtype
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.index import Index
from mochac.ir.kernel import If, Kernel, Load, walk
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.merge import Distribute
from mochac.ir.steps.run import Parallel
from mochac.ir.steps.vectors import Transpose


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
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
    b.add(Parallel((tiles if loops[0] == columns else loops[0],)))
    return b.schedule("transposed.tiles")


def _is_strided(load: Load, loop: str) -> bool:
    """Whether neighbouring iterations of a loop load elements that lie apart."""
    return any(loop in i.vars for i in load.index[:-1]) and loop not in load.index[-1].vars
