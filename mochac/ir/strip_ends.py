"""Strips whose loops over columns end early: where they may, and a schedule in which they do.

    scores[q, k] = select(ge(q, k), .., -inf)     above the diagonal, where k > q, scores are -inf
    rows[q, k] = exp(scores[q, k] - most) / sum   so the rows are 0 there
    y[q, d] = sum k { rows[q, k] * v[k, d] }      and nothing is added

Strips may leave out what lies above a diagonal, such as the future in causal attention. A nest may end its loops over k
where the strip ends, or some columns later, if above the diagonal it adds only zeros to its sums, takes maxima only
with -inf, and stores only values that nests pass to each other. Where a reader goes further than the nest that makes a
value, it finds the value that it would have been given: this is stored before the first strip, since later strips have
more columns. Zero times anything counts as zero. Only calls and constants are examined, never names of operations.

    each k in 0..256 { .. s[q, k] .. }                    each k_o in 0..min(16, ceil(end / 16)) {
    split(loop=k, factor=16, outer=k_o, inner=k_i)   ->     each k_i in 0..16 { .. s[q, k_o*16 + k_i] .. }
                                                          }

A step that cuts a loop over columns makes an outer loop over groups of columns; the outer loop ends early, a few
columns behind the end of the strip.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import inf

from mochac.base.records import record
from mochac.ir.applying import after
from mochac.ir.index import Index, Limit
from mochac.ir.items import AFTER, EACH, ItemFrame
from mochac.ir.kernel import (
    Accum,
    Body,
    Const,
    Kernel,
    Let,
    Load,
    Loop,
    Operand,
    Stmt,
    Store,
    identity,
    loops_named,
    rewrite,
    walk,
)
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

ZERO, LOWEST, FALSE, TRUE, ROW, COLUMN, ANY = "zero", "lowest", "false", "true", "row", "column", ""
"""What is known about a value above the diagonal; ROW and COLUMN: it is the number of its row, or of its column."""
COMPARED = {"ge": FALSE, "gt": FALSE, "eq": FALSE, "le": TRUE, "lt": TRUE, "ne": TRUE}
"""A comparison of a row's number with a column's."""
TURNED = {"ge": TRUE, "gt": TRUE, "eq": FALSE, "le": FALSE, "lt": FALSE, "ne": TRUE}


@record
class Above:
    """What may be left out.

    Attributes:
        columns: for each value of rows and columns that nests pass to each other, the axis of columns.
        fills: the elements of these values above the diagonal; 0 where that does not matter.
    """

    columns: Mapping[str, int]
    fills: Mapping[str, Const]


def above_diagonal(kernel: Kernel, frame: ItemFrame) -> Above | None:
    """What may be left out above the diagonal of strips and columns; None unless all that nests compute there may be
    left out."""
    types = {b.name: b.type for b in kernel.locals}
    for columns in frame.others:
        work = _Above(kernel, frame, columns)
        if types.keys() >= columns.keys() and work.ends():
            return Above(columns, {name: _filled(work.of.get(name, ANY), types[name].dtype) for name in columns})
    return None


def _filled(known: str, dtype: str) -> Const:
    if dtype == "bool":
        return Const(known == TRUE, dtype)
    return identity("max" if known == LOWEST else "add", dtype)


class _Above:
    """What is known above the diagonal if rows are strips and columns are an axis of some values."""

    def __init__(self, kernel: Kernel, frame: ItemFrame, columns: Mapping[str, int]) -> None:
        self.kernel, self.frame, self.columns = kernel, frame, columns
        self.of: dict[str, str] = {}
        """What is known about the values that nests pass to each other."""

    def ends(self) -> bool:
        """Whether every nest may end its loops over columns."""
        pairs = zip(self.kernel.body, self.frame.nests, strict=True)
        return all(self._nest_ends(nest, roles.strip, roles.kind) for nest, roles in pairs if isinstance(nest, Loop))

    def _nest_ends(self, nest: Loop, row: str, kind: str) -> bool:
        vars = column_loops((nest,), self.columns)
        if vars is None:
            return False
        if not vars or kind == AFTER:
            return not vars
        known: dict[str, str] = {}
        ongoing = _ongoing((nest,), vars)
        for s in walk((nest,)):
            if isinstance(s, Let):
                known[s.name] = _called(s.fn, [self._operand(a, known, row, vars) for a in s.args])
            elif isinstance(s, Load):
                known[s.name] = self.of.get(s.buffer, ANY)
            elif isinstance(s, Accum) and s.buffer in ongoing and not self._is_neutral(s, known):
                return False
            elif isinstance(s, Store) and s.buffer in self.columns:
                self.of[s.buffer] = self._operand(s.value, known, row, vars)
            elif isinstance(s, Store) and kind == EACH and _mentions(s.index, vars):
                return False
        return True

    def _operand(self, x: Operand, known: Mapping[str, str], row: str, columns: Iterable[str]) -> str:
        if isinstance(x, Const):
            return ZERO if x.value == 0 else LOWEST if x.value == -inf else ANY
        if isinstance(x, Index):
            return ROW if x == Index.var(row) else COLUMN if any(x == Index.var(v) for v in columns) else ANY
        return known.get(x, ANY)

    def _is_neutral(self, s: Accum, known: Mapping[str, str]) -> bool:
        args = [known.get(a, ANY) if isinstance(a, str) else ANY for a in s.args]
        return LOWEST in args if s.fn == "max" else ZERO in args and LOWEST not in args


def column_loops(body: Body, columns: Mapping[str, int]) -> set[str] | None:
    """The variables that index an axis of columns; None if an index there is not a variable."""
    found: set[str] = set()
    for s in walk(body):
        if isinstance(s, (Load, Store, Accum)) and s.buffer in columns:
            index = s.index[columns[s.buffer]]
            if len(index.vars) != 1 or index != Index.var(index.vars[0]):
                return None
            found.add(index.vars[0])
    return found


def _ongoing(body: Body, columns: set[str]) -> set[str]:
    """The accumulators of sums that continue from column to column."""
    found: set[str] = set()
    for s in walk(body):
        if isinstance(s, Loop) and s.var in columns:
            inside = list(walk(s.body))
            found |= {x.buffer for x in inside if isinstance(x, Accum)} - {
                x.buffer for x in inside if isinstance(x, Store)
            }
    return found


def _mentions(index: Iterable[Index], vars: set[str]) -> bool:
    return any(v in vars for i in index for v in i.vars)


def _called(fn: str, args: list[str]) -> str:
    """What is known about a call's result."""
    if fn.startswith("to_"):
        return args[0]
    if fn in COMPARED and set(args) == {ROW, COLUMN}:
        return (COMPARED if args[0] == ROW else TURNED)[fn]
    if fn == "select":
        test, yes, no = args
        return yes if test == TRUE or yes == no else no if test == FALSE else ANY
    if fn == "and" and FALSE in args:
        return FALSE
    if fn == "mul" and ZERO in args and LOWEST not in args:
        return ZERO
    if fn == "sub" and args[0] == LOWEST:
        return LOWEST
    if fn in ("add", "sub") and args == [ZERO, ZERO]:
        return ZERO
    if fn == "exp" and args[0] == LOWEST:
        return ZERO
    return ZERO if fn in ("div", "neg") and args[0] == ZERO else ANY


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
        if isinstance(step, Keep) and not _same_end(step.repeat(kernel), taken):
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


def _same_end(repeat: Repeat, taken: Taken) -> bool:
    """Whether both loops of a value end at the same columns."""
    return all(taken.get(a.var) == taken.get(b.var) for a, b in zip(*repeat.loops, strict=True))


def _ended(stmt: Stmt, taken: Taken) -> Stmt | None:
    if not isinstance(stmt, Loop) or stmt.var not in taken:
        return None
    if stmt.run in ("unroll", "vector"):
        raise ScheduleError(f"by_items: loop {stmt.var!r} over columns has no end of its own")
    part = taken[stmt.var]
    return replace(stmt, hi=Limit((*stmt.hi.candidates, (Index.var(END) - part.first, part.count))))
