"""Kernels on samples that fill a part of a vector: columns and samples become one axis, which natural rules take.

    each n in 0..4 { each c { each w in 0..9 {            each c { each w_n in 0..36 {
      y[n, c, w] = f(x[n, c, w], b[c])              ->      y[c, w_n] = f(x[c, w_n], b[c])
    } } }                                                 } }

The block of a batch of 4 has 4 lanes (passes/assign_layout.py), so neighbouring columns lie side by side, each with its
samples. The rule requires that all that the kernel does with a column, it does with all of its samples.
"""

from __future__ import annotations

from functools import partial

from mochac.codegen.analysis.nests import accesses, batch_vars, block_lanes, float_dtype, may_pad, mixed_lanes
from mochac.codegen.cpu.schedules import generic, rows
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.index import Index
from mochac.ir.kernel import Body, Kernel, Loop, walk
from mochac.ir.nest import band, loops
from mochac.ir.schedule import Schedule, ScheduleError
from mochac.ir.schedule_builder import Handle, ScheduleBuilder
from mochac.ir.steps.merge import Reorder
from mochac.ir.steps.run import Vector
from mochac.ir.steps.storage import Flatten, SamplesLast

SHORT = 4
"""Vectors of a line: shorter ones are joined, row by row, as far as rows lie side by side."""


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless all columns of blocks that do not fill a vector are computed alike."""
    count, pairs = block_lanes(kernel), _pairs(kernel)
    if not 0 < count < target.lanes(float_dtype(kernel)) or mixed_lanes(kernel) or not pairs:
        return None
    b = ScheduleBuilder(kernel)
    for samples in batch_vars(kernel):
        if b.extent(samples) < count and not may_pad(kernel, samples):
            return None
    b.reason = "columns and samples, which lie side by side, are one axis"
    for column, samples in pairs.items():
        lane = b.split(samples, count, "pad")[1] if b.extent(samples) < count else samples
        b.add(Reorder((*_between(b.kernel, column, lane), column, lane)))
        pairs[column] = lane
    for buffer in (x for x in (*kernel.inputs, *kernel.outputs) if x.type.lanes):
        b.add(SamplesLast(buffer.name))
        if len(buffer.type.shape) > 1:
            b.add(Flatten(buffer.name, len(buffer.type.shape) - 2))
    lines = tuple(b.merge(column, lane) for column, lane in pairs.items())
    while min(map(b.extent, lines)) < SHORT * target.lanes(float_dtype(kernel)):
        longer = b.attempt(partial(_with_rows, b, lines))
        if longer is None:
            break
        lines = longer
    found = rows.rule(b.kernel, target) or generic.rule(b.kernel, target)
    b.take_over(found)
    return b.schedule(found.name) if any(isinstance(step, Vector) for step in found.steps) else None


def _with_rows(b: ScheduleBuilder, lines: tuple[Handle, ...]) -> tuple[Handle, ...]:
    """Make rows of lines longer lines."""
    for buffer in (x for x in (*b.kernel.inputs, *b.kernel.outputs) if x.passed and len(x.type.shape) > 1):
        b.add(Flatten(buffer.name, len(buffer.type.shape) - 2))
    return tuple(b.merge(_around(b.kernel.body, line), line) for line in lines)


def _around(body: Body, line: str) -> str:
    """The loop right around another one."""
    for loop in (s for s in walk(body) if isinstance(s, Loop)):
        if any(isinstance(s, Loop) and s.var == line for s in loop.body):
            return loop.var
    raise ScheduleError(f"no loop around {line!r}")


def _pairs(kernel: Kernel) -> dict[str, str]:
    """Loops over columns, the last axis of blocked buffers, each with the loop over their samples; none if one loop
    does anything else."""
    pairs: dict[str, str] = {}
    for buffer, index, _ in accesses(kernel):
        if buffer.type.lanes and len(index) > 1:
            (column, *others), (samples, *more) = index[-1].vars or ("",), index[0].vars or ("",)
            plain = index[-1] == Index.var(column) and index[0] == Index.var(samples)
            if others or more or not plain or pairs.setdefault(column, samples) != samples:
                return {}
    return pairs if len(set(pairs.values())) == len(pairs) else {}


def _between(kernel: Kernel, column: str, samples: str) -> list[str]:
    """The loops between those over columns and samples."""
    around = next(loop for name, loop in loops(kernel).items() if name in (column, samples))
    inside = [loop.var for loop in _inner(around)]
    last = column if around.var == samples else samples
    return inside[: inside.index(last)] if last in inside else []


def _inner(loop: Loop) -> list[Loop]:
    return band(loop.body, kind=loop.kind)
