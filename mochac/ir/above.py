"""above: whether strips may leave out what lies above a diagonal, such as the future in causal attention.

    scores[q, k] = select(ge(q, k), .., -inf)     above the diagonal, where k > q, scores are -inf
    rows[q, k] = exp(scores[q, k] - most) / sum   so the rows are 0 there
    y[q, d] = sum k { rows[q, k] * v[k, d] }      and nothing is added

A nest may end its loops over k where the strip ends, or some columns later, if above the diagonal it adds only zeros to
its sums, takes maxima only with -inf, and stores only values that nests pass to each other. Where a reader goes further
than the nest that makes a value, it finds the value that it would have been given: this is stored before the first
strip, since later strips have more columns. Zero times anything counts as zero. Only calls and constants are examined,
never names of operations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf

from mochac.base.records import record
from mochac.ir.index import Index
from mochac.ir.items import AFTER, EACH, ItemFrame
from mochac.ir.kernel import Accum, Body, Const, Kernel, Let, Load, Loop, Operand, Store, identity, walk

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
