"""Elementwise kernels that draw random numbers: each sample is one line of features, processed in whole blocks.

    blocked results    for q:  for block of features:  word unrolled, lanes = batch
    natural results    for n:  for vec:  lanes = features, enough of them that their blocks fill a register

A block is what a function of the scalar table computes at once (Function.shared): four features of Philox. Feature
counts are affine in the line, so no block is split, as it would be in an image of 13 columns.
"""

from __future__ import annotations

from math import prod

from mochac.codegen.analysis.nests import accesses, batch_vars, block_lanes, float_dtype, may_pad, mixed_lanes
from mochac.codegen.cpu.schedules.picking import pick
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.index import Index
from mochac.ir.kernel import Kernel, Let, Loop, walk
from mochac.ir.nest import band
from mochac.ir.scalar import FUNCTIONS
from mochac.ir.schedule import Schedule, Step
from mochac.ir.steps.distribute import Distribute
from mochac.ir.steps.flatten import Flatten
from mochac.ir.steps.merge import Merge
from mochac.ir.steps.peel import Peel
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.run import Parallel, Unroll, Vector
from mochac.ir.steps.split import Split

ENOUGH_ITEMS = 16


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule; None if the kernel draws no random numbers, or if other work in it determines the schedule."""
    size, each = shared_size(kernel), band(kernel.body, kind="each")
    if not size or len(each) < 2 or mixed_lanes(kernel) or not _elementwise(kernel, each):
        return None
    merged, line = _line(kernel, each)
    features = prod(loop.extent or 0 for loop in each[1:])
    if block_lanes(kernel):
        return Schedule("random.blocked", (*merged, *_blocked(kernel, each[0].var, line, size)))
    lanes = target.lanes(float_dtype(kernel))
    wide = next((n for n in pick((size * lanes, lanes), (lanes,)) if n <= features), 0)
    if not wide:
        return None
    peeled = bool(features % wide) and (each[0].extent or 0) >= ENOUGH_ITEMS
    return Schedule("random.natural", (*merged, *_natural(each[0].var, line, wide, peeled)))


def shared_size(kernel: Kernel) -> int:
    """Features of a block that one of the kernel's functions computes at once, 0 if there is no such function."""
    rows = [FUNCTIONS[s.fn].shared for s in walk(kernel.body) if isinstance(s, Let) and isinstance(s.args[-1], Index)]
    return max((row.size for row in rows if row is not None), default=0)


def _elementwise(kernel: Kernel, each: list[Loop]) -> bool:
    """Whether the kernel has no other loops, and reads every operand at their indices or at the sample's."""
    whole = tuple(Index.var(loop.var) for loop in each)
    batch = batch_vars(kernel)
    return (
        sum(isinstance(s, Loop) for s in walk(kernel.body)) == len(each)
        and not kernel.locals
        and batch in ([], [each[0].var])
        and all(index in (whole, whole[:1], ()) for _, index, _ in accesses(kernel))
    )


def _line(kernel: Kernel, each: list[Loop]) -> tuple[list[Step], str]:
    """Merge all axes but the first into one."""
    names = dict.fromkeys(buffer.name for buffer, index, _ in accesses(kernel) if len(index) == len(each))
    steps: list[Step] = [Flatten(name, 1) for name in names for _ in each[2:]]
    line = each[1].var
    for k, loop in enumerate(each[2:]):
        steps.append(Merge(line, loop.var, f"line{k}"))
        line = f"line{k}"
    return steps, line


def _blocked(kernel: Kernel, batch: str, line: str, size: int) -> tuple[Step, ...]:
    tail = "pad" if may_pad(kernel, batch) else "guard"
    return (
        Reorder((line, batch)),
        Split(line, size, "block", "word", "cut"),
        Split(batch, block_lanes(kernel), "q", "lane", tail),
        Distribute("word", ("*",)),
        Distribute("lane", ("*",)),
        Unroll("word"),
        Vector("lane"),
        Parallel(("block", "q")),
    )


def _natural(batch: str, line: str, lanes: int, peeled: bool) -> tuple[Step, ...]:
    """`peeled`: only the last vector of a line is masked, and threads share the samples."""
    return (
        Split(line, lanes, "vec", "lane", "guard"),
        Distribute("lane", ("*",)),
        *((Peel("vec", 0, 1),) if peeled else ()),
        Vector("lane"),
        Parallel((batch,) if peeled else (batch, "vec")),
    )
