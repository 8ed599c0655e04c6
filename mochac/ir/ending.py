"""ending: schedule a strip, and let its loops over columns end where the strip ends.

    each k in 0..256 { .. s[q, k] .. }                    each k_o in 0..min(16, ceil(end / 16)) {
    split(loop=k, factor=16, outer=k_o, inner=k_i)   ->     each k_i in 0..16 { .. s[q, k_o*16 + k_i] .. }
                                                          }

A step that cuts a loop over columns makes an outer loop over groups of columns; the outer loop ends early, a few
columns behind the end of the strip.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mochac.base.records import record
from mochac.ir.above import column_loops
from mochac.ir.applying import after
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import Kernel, Loop, Stmt, loops_named, rewrite
from mochac.ir.nests import Repeat, nests_of
from mochac.ir.schedule import ScheduleError, Step
from mochac.ir.steps.inline import Keep
from mochac.ir.steps.merge import Distribute, Reorder
from mochac.ir.steps.pack import Pack
from mochac.ir.steps.prefetch import PrefetchBlock, PrefetchEpilogue
from mochac.ir.steps.prefetch_tile import PrefetchTile
from mochac.ir.steps.run import Place, Unroll, Vector
from mochac.ir.steps.split import Cut, Split
from mochac.ir.steps.split_sum import Partial
from mochac.ir.steps.stage import Stage
from mochac.ir.steps.vectors import Join, Transpose

END = "end"
"""The variable that stands for the column where a strip ends."""
KEEP = (
    *(Distribute, Keep, Pack, Partial, Place, PrefetchBlock, PrefetchEpilogue, PrefetchTile, Reorder, Stage),
    Transpose,
)
"""Steps that change neither the columns nor the name of a loop."""
RUN = (Unroll, Vector)
"""Steps that only say how a loop runs."""


@record
class Columns:
    """How many columns a loop takes at a time, and the first column."""

    count: int = 1
    first: int = 0


Taken = Mapping[str, Columns]


def ending(kernel: Kernel, steps: Sequence[Step], columns: Mapping[str, int]) -> Kernel:
    """The scheduled kernel of a strip.

    Args:
        columns: for buffers, the axis of columns.

    Raises:
        ScheduleError: a step does not fit, or a loop over columns cannot end early.
    """
    kernel, taken = _taken(kernel, steps, columns)
    return kernel.with_(body=rewrite(kernel.body, lambda s: _ended(s, taken)))


def _taken(kernel: Kernel, steps: Sequence[Step], columns: Mapping[str, int]) -> tuple[Kernel, Taken]:
    """The scheduled kernel, and its loops over columns."""
    at = 0
    while at < len(steps) and len(nests_of(kernel)) > 1:
        kernel, at = after(steps[at], kernel), at + 1
    loops = column_loops(kernel.body, columns)
    if loops is None:
        raise ScheduleError("by_items: a column has no loop of its own")
    taken: Taken = dict.fromkeys(loops, Columns())
    for step in steps[at:]:
        if isinstance(step, Keep) and not _end_alike(step.repeat(kernel), taken):
            raise ScheduleError(f"by_items: {step} keeps a value for columns that the earlier loop leaves out")
        kernel = after(step, kernel)
        taken = _after(step, taken, kernel)
    return kernel, taken


def _after(step: Step, taken: Taken, kernel: Kernel) -> Taken:
    """The loops over columns after a step, given the kernel after the step."""
    if isinstance(step, (*KEEP, *RUN)) or (isinstance(step, Join) and taken.keys().isdisjoint(step.lanes)):
        return taken
    if isinstance(step, Split):
        part = taken.get(step.loop)
        rest = {var: other for var, other in taken.items() if var != step.loop}
        return taken if part is None else {**rest, step.outer: replace(part, count=part.count * step.factor)}
    if isinstance(step, Cut):
        copies = {f"{var}{step.suffix}": part for var, part in taken.items()}
        if (part := taken.get(step.loop)) is not None:
            second = replace(part, first=part.first + step.at * part.count)
            copies = {f"{step.loop}{step.suffix}": second}
        return {**taken, **{var: part for var, part in copies.items() if loops_named(kernel.body, var)}}
    raise ScheduleError(f"by_items: {step} may change which columns a loop has")


def _end_alike(repeat: Repeat, taken: Taken) -> bool:
    """Whether both loops of a value end at the same columns."""
    return all(taken.get(a.var) == taken.get(b.var) for a, b in zip(*repeat.loops, strict=True))


def _ended(stmt: Stmt, taken: Taken) -> Stmt | None:
    if not isinstance(stmt, Loop) or stmt.var not in taken:
        return None
    if stmt.run in ("unroll", "vector"):
        raise ScheduleError(f"by_items: loop {stmt.var!r} over columns has no end of its own")
    part = taken[stmt.var]
    return replace(stmt, hi=Limit((*stmt.hi.candidates, (Index.var(END) - part.first, part.count))))
