"""row_totals: sums over rows, element by element, as in a nest of a staged kernel that adds to its results in each row.

    each a { each i { acc = 0; sum b { acc += f(x[a, b, i]) }; T[a, i] = acc } }      rows along axes 0 and 1 of x

The results keep some leading axes of the rows, and the sum goes over all other axes of the rows. Gradients of a scale
and a shift are such sums. The step by_rows lets every row add to them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mochac.base.records import record
from mochac.ir.index import Index
from mochac.ir.kernel import Accum, Body, Load, Loop, Stmt, Store, rewrite, walk
from mochac.ir.nest import band
from mochac.ir.nests import StagedNest


@record
class RowTotal:
    """What a nest adds up over rows.

    Attributes:
        rows: its loops over the axes of the rows, outer first.
        kept: how many of these loops, from the first, are axes of the results.
        start: sets the results at one place of the kept axes to the initial value of the sum.
        body: adds one row to them.
    """

    rows: tuple[Loop, ...]
    kept: int
    start: Body
    body: Body

    def places(self, at: Sequence[Index]) -> Mapping[str, Index]:
        """The values of the variables of the rows at one place of the first of them, or of all."""
        return {loop.var: index for loop, index in zip(self.rows, at, strict=False)}


def row_total(nest: StagedNest, axes: Sequence[int], inlined: bool = False) -> RowTotal | None:
    """The sum of a nest over the rows that lie along these axes of its operand; None if the nest is no such sum.

    Args:
        inlined: the nest may compute its operand, so that no load has all axes; the results keep their order.
    """
    found = nest.definition
    if found is None or len(found.results) != 1 or len(found.body) != 3:
        return None
    zero, total, last = found.body
    if not (isinstance(zero, Store) and isinstance(total, Loop) and isinstance(last, Load)):
        return None
    sums = band((total,), kind="sum")
    inner = sums[-1].body if sums else ()
    if any(isinstance(s, (Loop, Store)) for s in walk(inner)) or zero.buffer != last.buffer:
        return None
    loops = {loop.var: loop for loop in (*band(nest.body, kind="each")[: len(found.vars)], *sums)}
    element = _element(inner, list(loops))
    if element is None and inlined:
        element = _in_order(found.vars, [loop.var for loop in sums], axes)
    if element is None or any(axis >= len(element) for axis in axes):
        return None
    rows = [element[axis] for axis in axes]
    kept = [var for var in rows if var in found.vars]
    if not kept or kept != rows[: len(kept)] or {loop.var for loop in sums} != set(rows) - set(kept):
        return None
    (value,) = found.results
    index = tuple(map(Index.var, found.vars))
    around = [loops[var] for var in found.vars if var not in rows]
    return RowTotal(
        rows=tuple(loops[var] for var in rows),
        kept=len(kept),
        start=_within(around, (Store(value, index, zero.value),)),
        body=_within(around, rewrite(inner, lambda s: _added(s, zero.buffer, value, index))),
    )


def _element(body: Body, vars: list[str]) -> list[str] | None:
    """The loops in the order of the axes of the operand; None if the nest reads nothing that has one axis for each
    loop."""
    for s in walk(body):
        if isinstance(s, Load) and sorted(map(str, s.index)) == sorted(vars):
            return list(map(str, s.index))
    return None


def _in_order(vars: Sequence[str], sums: Sequence[str], axes: Sequence[int]) -> list[str] | None:
    """The loops in the order of the axes of an operand with rows along `axes`: the first of these are axes of the
    results, the others are summed over; None if they do not fit.

    >>> _in_order(["a", "i"], ["b"], (0, 1))
    ['a', 'b', 'i']
    """
    kept = len(axes) - len(sums)
    if not 0 < kept <= len(vars):
        return None
    places, rest = dict(zip(axes, (*vars[:kept], *sums), strict=True)), iter(vars[kept:])
    return [places[a] if a in places else next(rest, "") for a in range(len(vars) + len(sums))]


def _added(stmt: Stmt, sum: str, value: str, index: tuple[Index, ...]) -> Stmt | None:
    return replace(stmt, buffer=value, index=index) if isinstance(stmt, Accum) and stmt.buffer == sum else None


def _within(loops: Sequence[Loop], body: Body) -> Body:
    for loop in reversed(loops):
        body = (loop.with_body(body),)
    return body
