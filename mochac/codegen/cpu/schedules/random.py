"""Elementwise kernels that draw random numbers: each sample is one line of features, processed in whole blocks.

    blocked results    for q:  for block of features:  word unrolled, lanes = batch
    natural results    for n:  for vec:  lanes = features, enough of them that their blocks fill a register

A block is what a function of the scalar table computes at once (Function.shared): four features for Philox. Features
are counted along the whole line, so no block is split, as it would be in an image of 13 columns.
"""

from __future__ import annotations

from functools import reduce

from mochac.codegen.analysis.nests import accesses, batch_vars, block_lanes, float_dtype, may_pad, mixed_lanes
from mochac.codegen.combinators.tiles import hold, lanes
from mochac.codegen.cpu.schedules.picking import pick
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.index import Index
from mochac.ir.kernel import Kernel, Let, Loop, walk
from mochac.ir.scalar import FUNCTIONS
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import Handle, ScheduleBuilder
from mochac.ir.steps.merge import Reorder
from mochac.ir.steps.run import Parallel
from mochac.ir.steps.split import Peel
from mochac.ir.steps.storage import Flatten

ENOUGH_ITEMS = 16


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule; None if the kernel draws no random numbers, or if other work in it determines the schedule."""
    b, size = ScheduleBuilder(kernel), shared_size(kernel)
    each = b.loops()
    if not size or len(each) < 2 or mixed_lanes(kernel) or not _elementwise(kernel, each):
        return None
    batch, line = each[0], _line(b, each)
    b.reason = "one call of the generator gives numbers for several neighbouring features"
    if block_lanes(kernel):
        b.add(Reorder((line, batch)))
        block, word = b.split(line, size, "cut")
        vectors, _ = lanes(b, batch, block_lanes(kernel), "pad" if may_pad(kernel, batch) else "guard")
        hold(b, word)
        b.add(Parallel((block, vectors)))
        return b.schedule("random.blocked")
    count, features = target.lanes(float_dtype(kernel)), b.extent(line)
    wide = next((n for n in pick((size * count, count), (count,)) if n <= features), 0)
    if not wide:
        return None
    vectors, _ = lanes(b, line, wide, "guard")
    if features % wide and b.extent(batch) >= ENOUGH_ITEMS:  # only the last vector of a line is masked
        b.add(Peel(vectors, 0, 1), Parallel((batch,)))
    else:
        b.add(Parallel((batch, vectors)))
    return b.schedule("random.natural")


def shared_size(kernel: Kernel) -> int:
    """Features of a block that one of the kernel's functions computes at once, 0 if there is no such function."""
    rows = [FUNCTIONS[s.fn].shared for s in walk(kernel.body) if isinstance(s, Let) and isinstance(s.args[-1], Index)]
    return max((row.size for row in rows if row is not None), default=0)


def _elementwise(kernel: Kernel, each: tuple[Handle, ...]) -> bool:
    """Whether the kernel has no loops other than these, and reads every operand at their indices or at the sample's."""
    whole = tuple(map(Index.var, each))
    batch = batch_vars(kernel)
    return (
        sum(isinstance(s, Loop) for s in walk(kernel.body)) == len(each)
        and not kernel.locals
        and batch in ([], [each[0]])
        and all(index in (whole, whole[:1], ()) for _, index, _ in accesses(kernel))
    )


def _line(b: ScheduleBuilder, each: tuple[Handle, ...]) -> Handle:
    """Merge all axes but the first into one."""
    names = dict.fromkeys(buffer.name for buffer, index, _ in accesses(b.kernel) if len(index) == len(each))
    b.add(*(Flatten(name, 1) for name in names for _ in each[2:]))
    return reduce(b.merge, each[1:])
