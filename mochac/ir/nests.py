"""Top-level nests of a kernel: their domains, totals of rows, and nests that repeat others.

The nests of a staged kernel: which top-level statements compute which values.

    each n, c { .. conv[n, c] = .. }                values: conv
    each a0, a1 { .. = conv[a0, a1]; y[a0, a1] = .. }       y, which reads conv

A value is a result of a nest: an output of the kernel, or a local that another nest reads. This is how kernels are seen
by the steps that put nests into each other (ir/steps/inline.py, fuse.py), and by codegen/nesting.py,
which chooses these steps.

row_totals: sums over rows, element by element, as in a nest of a staged kernel that adds to its results in each row.

    each a { each i { acc = 0; sum b { acc += f(x[a, b, i]) }; T[a, i] = acc } }      rows along axes 0 and 1 of x

The results keep some leading axes of the rows, and the sum goes over all other axes of the rows. Gradients of a scale
and a shift are such sums. The step by_rows lets every row add to them.

repeats: values that a loop computes although an earlier loop beside it has computed them for the same elements.

    sum c in 0..9 { %e = exp(x[c]); s = add(%e, s) }
    each d in 0..9 { %f = exp(x[d]); y[d] = div(%f, s) }       %f repeats %e

The step keep stores the first value for the second loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from mochac.base.records import record
from mochac.base.threads import cached_property
from mochac.ir.index import Index
from mochac.ir.kernel import (
    Accum,
    Body,
    If,
    Kernel,
    Let,
    Load,
    Loop,
    Operand,
    Stmt,
    Store,
    rewrite,
    walk,
    written_buffers,
)
from mochac.ir.nest import band


@record
class ValueRead:
    """A load of a value: the loops around it, outer first, and whether a condition guards it."""

    value: str
    index: tuple[Index, ...]
    loops: tuple[Loop, ...]
    guarded: bool


@record
class Definition:
    """A nest that computes its values for one element of a domain at a time: `body`, then `stores`, at index (*vars) or
    at constant distances from it (the parts of a concatenation)."""

    vars: tuple[str, ...]
    body: Body
    stores: tuple[Store, ...]

    @property
    def elementwise(self) -> bool:
        """Whether every value is stored once, at index (*vars)."""
        own = tuple(map(Index.var, self.vars))
        return all(s.index == own for s in self.stores) and len(self.results) == len(self.stores)

    @property
    def results(self) -> Mapping[str, Operand]:
        """The values at index (*vars), if they are computed element by element."""
        return {s.buffer: s.value for s in self.stores}


@record(eq=False)
class StagedNest:
    """Top-level statements of a kernel that compute `values` from the buffers in `reads`."""

    body: Body
    values: tuple[str, ...]
    reads: frozenset[str]

    @cached_property
    def definition(self) -> Definition | None:
        """How any element can be computed; None if the nest stores in more than one place or at indices that do not
        move with its loops."""
        stores: list[Store] = []
        _note_stores(self.body, self.values, stores)
        if not stores:
            return None
        index = stores[0].index
        around = band(self.body, kind="each")[: len(index)]
        inner = around[-1].body if around else self.body
        names = tuple(loop.var for loop in around)
        if inner[-len(stores) :] != tuple(stores) or not all(_moves_with(s.index, names) for s in stores):
            return None
        return Definition(names, inner[: -len(stores)], tuple(stores))

    @cached_property
    def has_loops(self) -> bool:
        """Whether an element takes a loop, as for a sum, a window or a row."""
        found = self.definition
        return found is None or _contains_loop(found.body)

    def uses(self, values: set[str]) -> list[ValueRead]:
        """All loads of some values."""
        return list(_reads(self.body, values, (), False)) if values & self.reads else []


def reads_gates(nest: StagedNest, value: str, shape: tuple[int, ...]) -> bool:
    """Whether a nest reads equal parts of the columns of `value` together, and computes, element by element, a result
    as large as one part: y[n, u] from value[n, u], value[n, u + U], value[n, u + 2*U].

    Args:
        shape: that of `value`.
    """
    definition, reads = nest.definition, nest.uses({value})
    if definition is None or nest.has_loops or not reads or len(definition.vars) != len(shape) or not shape:
        return False
    *rows, column = map(Index.var, definition.vars)
    few = next(loop.extent for loop in reads[0].loops if loop.var == definition.vars[-1]) or 0
    at = [(read.index[:-1] == tuple(rows), read.index[-1] - column) for read in reads]
    return few < shape[-1] and all(same and i.is_const and i.const % few == 0 for same, i in at) and not shape[-1] % few


def _moves_with(index: tuple[Index, ...], vars: tuple[str, ...]) -> bool:
    """Whether an index lies at a constant distance from index (*vars)."""
    return len(index) == len(vars) and all((i - Index.var(v)).is_const for i, v in zip(index, vars, strict=True))


def _note_stores(body: Body, values: tuple[str, ...], found: list[Store]) -> None:
    for stmt in body:
        if isinstance(stmt, Store):
            if stmt.buffer in values:
                found.append(stmt)
        elif isinstance(stmt, (Loop, If)):
            _note_stores(stmt.body, values, found)


def _contains_loop(body: Body) -> bool:
    return any(isinstance(s, Loop) or (isinstance(s, If) and _contains_loop(s.body)) for s in body)


def nests_of(kernel: Kernel) -> tuple[StagedNest, ...]:
    """The nests of a kernel, in order. Statements that write one buffer are in one nest."""
    parts = _parts(kernel)
    outputs = {b.name for b in kernel.outputs}
    later = [set(outputs)]
    for part in reversed(parts):
        later.append(later[-1] | part.reads)
    after = later[-2::-1]
    return tuple(
        StagedNest(tuple(part.body), tuple(name for name in part.writes if name in rest), frozenset(part.reads))
        for part, rest in zip(parts, after, strict=True)
    )


@dataclass
class _Part:
    """Some top-level statements, with the buffers that they load and write, in order."""

    body: list[Stmt] = field(default_factory=list)
    reads: set[str] = field(default_factory=set)
    writes: dict[str, None] = field(default_factory=dict)

    def add(self, stmt: Stmt) -> None:
        """Append a statement."""
        self.body.append(stmt)
        self._note((stmt,))

    def join(self, other: _Part) -> None:
        """Append another part."""
        self.body += other.body
        self.reads |= other.reads
        self.writes.update(other.writes)

    def _note(self, body: Body) -> None:
        for stmt in body:
            if isinstance(stmt, Load):
                self.reads.add(stmt.buffer)
            elif isinstance(stmt, (Store, Accum)):
                self.writes[stmt.buffer] = None
            elif isinstance(stmt, (Loop, If)):
                self._note(stmt.body)


def _parts(kernel: Kernel) -> list[_Part]:
    """The body, cut after every top-level nest that stores to an output or an array; a scalar is one of rank 0."""
    registers = {b.name for b in kernel.locals if b.space == "register"}
    parts: list[_Part] = []
    done = True
    for stmt in kernel.body:
        stored = isinstance(stmt, Store) and stmt.buffer not in registers
        if done and not (stored and parts):
            parts.append(_Part())
        parts[-1].add(stmt)
        done = not registers.issuperset(parts[-1].writes)
    return _joined(parts)


def _joined(parts: list[_Part]) -> list[_Part]:
    """The parts; parts that write the same buffer are joined, with what lies between them."""
    last = {name: k for k, part in enumerate(parts) for name in part.writes}
    joined: list[_Part] = []
    until = -1
    for k, part in enumerate(parts):
        until_here = max((last[name] for name in part.writes), default=k)
        if k <= until:
            joined[-1].join(part)
        else:
            joined.append(part)
        until = max(until, until_here)
    return joined


def _reads(body: Body, values: set[str], loops: tuple[Loop, ...], guarded: bool) -> Iterator[ValueRead]:
    for stmt in body:
        if isinstance(stmt, Loop):
            yield from _reads(stmt.body, values, (*loops, stmt), guarded)
        elif isinstance(stmt, If):
            yield from _reads(stmt.body, values, loops, True)
        elif isinstance(stmt, Load) and stmt.buffer in values:
            yield ValueRead(stmt.buffer, stmt.index, loops, guarded)


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


CONCURRENT = ("parallel", "blocks", "threads")
"""Ways to run a loop in which iterations do not see each other's locals."""


@record
class Repeat:
    """A value that is computed again.

    Attributes:
        value, again: its names, in the earlier loop and in the later one.
        first, second: the outermost loops that compute it.
    """

    value: str
    again: str
    first: Loop
    second: Loop

    @property
    def loops(self) -> tuple[list[Loop], list[Loop]]:
        """The loops around the value, of the earlier and the later one, outer first; their limits are constant."""
        return _loops(_chain(self.first)), _loops(_chain(self.second))


def repeats(kernel: Kernel) -> Iterator[Repeat]:
    """All repeats in loops and conditions that have only values beside them, in the order of the later loops."""
    yield from _in_body(kernel.body)


def _in_body(body: Body) -> Iterator[Repeat]:
    written: dict[str, int] = {}  # buffers, with the last statement that writes them
    for at, second in enumerate(body):
        written.update(dict.fromkeys(written_buffers((second,)), at))
        if isinstance(second, (Loop, If)):
            yield from _in_body(second.body)
        if isinstance(second, Loop):
            for k, first in enumerate(body[:at]):
                if isinstance(first, Loop):
                    yield from _between(first, second, written, k)


def _between(first: Loop, second: Loop, written: Mapping[str, int], since: int) -> Iterator[Repeat]:
    same = _Same(_chain(first), _chain(second), written, since)
    if same.iterations():
        for again in _values(same.second):
            found = next((value for value in _values(same.first) if same.equal(value, again)), None)
            if found is not None:
                yield Repeat(found, again, first, second)


def _values(chain: list[Loop | If]) -> list[str]:
    return [s.name for s in chain[-1].body if isinstance(s, Let)]


def _chain(stmt: Loop | If) -> list[Loop | If]:
    """The nested loops and conditions, outer first, that have only values beside them."""
    found = [stmt]
    while len(inner := [s for s in found[-1].body if not isinstance(s, (Let, Load))]) == 1:
        if not isinstance(inner[0], (Loop, If)):
            break
        found.append(inner[0])
    return found


def _loops(chain: list[Loop | If]) -> list[Loop]:
    return [s for s in chain if isinstance(s, Loop)]


class _Same:
    """Compares the computations of two chains for the same values of their variables.

    Args:
        written: buffers, with the last statement that writes them; those before `since` do not count.
    """

    def __init__(self, first: list[Loop | If], second: list[Loop | If], written: Mapping[str, int], since: int) -> None:
        self.first, self.second, self._written, self._since = first, second, written, since
        pairs = zip(_loops(first), _loops(second), strict=False)
        self.vars = {b.var: Index.var(a.var) for a, b in pairs}
        self.before, self.after = _definitions(first), _definitions(second)

    def iterations(self) -> bool:
        """Whether both chains have the same iterations."""
        return list(map(_range, self.first)) == [_range(s, self.vars) for s in self.second] and all(
            loop.extent is not None and not loop.at and loop.run not in CONCURRENT for loop in _loops(self.first)
        )

    def equal(self, a: Operand, b: Operand) -> bool:
        """Whether an operand in the earlier chain is one in the later chain."""
        if isinstance(a, str) and isinstance(b, str) and (a in self.before or b in self.after):
            return a in self.before and b in self.after and self._equal_statements(self.before[a], self.after[b])
        return a == (b.substitute(self.vars) if isinstance(b, Index) else b)

    def _equal_statements(self, a: Let | Load, b: Let | Load) -> bool:
        if isinstance(a, Let) and isinstance(b, Let):
            return a.fn == b.fn and len(a.args) == len(b.args) and all(map(self.equal, a.args, b.args))
        if isinstance(a, Load) and isinstance(b, Load):
            unchanged = a.buffer == b.buffer and self._written.get(a.buffer, -1) < self._since
            return unchanged and a.index == tuple(i.substitute(self.vars) for i in b.index)
        return False


def _range(stmt: Loop | If, vars: Mapping[str, Index] = MappingProxyType({})) -> tuple[object, ...]:
    if isinstance(stmt, If):
        return tuple(c.substitute(vars) for c in stmt.conds)
    return stmt.lo, stmt.hi, stmt.run in CONCURRENT, stmt.run == "vector"


def _definitions(chain: list[Loop | If]) -> dict[str, Let | Load]:
    return {s.name: s for stmt in chain for s in stmt.body if isinstance(s, (Let, Load))}
