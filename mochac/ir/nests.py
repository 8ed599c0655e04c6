"""The nests of a staged kernel: which top-level statements compute which values.

    each n, c { .. conv[n, c] = .. }                values: conv
    each a0, a1 { .. = conv[a0, a1]; y[a0, a1] = .. }       y, which reads conv

A value is a result of a nest: an output of the kernel, or a local that another nest reads. This is how kernels are seen
by the steps that put nests into each other (ir/steps/inline.py, compute_at.py, fuse.py), and by codegen/nesting.py,
which chooses these steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from mochac.base.records import record
from mochac.base.threads import cached_property
from mochac.ir.index import Index
from mochac.ir.kernel import Accum, Body, If, Kernel, Load, Loop, Operand, Stmt, Store
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
