"""The nests of a staged kernel: which top-level statements compute which values.

    each n, c { .. conv2d[n, c] = .. }                values: conv2d
    each a0, a1 { .. = conv2d[a0, a1]; y[a0, a1] = .. }       y, which reads conv2d

A value is what a nest hands on: an output of the kernel, or a local that another nest reads. Steps that put nests into
each other (ir/steps/inline.py, compute_at.py, fuse.py) and codegen/nesting.py, which chooses them, look at kernels in
this way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from mochac.ir.index import Index
from mochac.ir.kernel import If, Kernel, Load, Loop, Operand, Stmt, Store, walk, written_buffers
from mochac.ir.nest import Body, band


@dataclass(frozen=True)
class Read:
    """A load of a value: the loops around it, outer first, and whether a condition guards it."""

    value: str
    index: tuple[Index, ...]
    loops: tuple[Loop, ...]
    guarded: bool


@dataclass(frozen=True)
class Definition:
    """A nest that computes its values element by element: `body` gives `results` at index (*vars)."""

    vars: tuple[str, ...]
    body: Body
    results: Mapping[str, Operand]


@dataclass(frozen=True, eq=False)
class Nest:
    """Top-level statements of a kernel that compute `values` from the buffers in `reads`."""

    body: Body
    values: tuple[str, ...]
    reads: frozenset[str]

    @cached_property
    def definition(self) -> Definition | None:
        """How any element can be computed; None if the nest stores in more than one place or at other indices."""
        top = band(self.body, kind="each")
        stores = [s for s in walk(self.body) if isinstance(s, Store) and s.buffer in self.values]
        if not stores:
            return None
        index = stores[0].index
        around = top[: len(index)]
        inner = around[-1].body if around else self.body
        plain = tuple(Index.var(loop.var) for loop in around)
        if inner[-len(stores) :] != tuple(stores) or any(s.index != plain for s in stores):
            return None
        results = {s.buffer: s.value for s in stores}
        return Definition(tuple(loop.var for loop in around), inner[: -len(stores)], results)

    @cached_property
    def has_loops(self) -> bool:
        """Whether an element takes more than a few calls: a sum, a window, a row."""
        found = self.definition
        return found is None or any(isinstance(s, Loop) for s in walk(found.body))

    def uses(self, values: set[str]) -> list[Read]:
        """All loads of some values."""
        return [read for read in _reads(self.body, (), False) if read.value in values] if values & self.reads else []


def nests_of(kernel: Kernel) -> tuple[Nest, ...]:
    """The nests of a kernel, in order. Statements that write one buffer are in one nest."""
    parts = _parts(kernel)
    reads = [{s.buffer for s in walk(part) if isinstance(s, Load)} for part in parts]
    outputs = {b.name for b in kernel.outputs}
    found: list[Nest] = []
    for k, part in enumerate(parts):
        later = outputs.union(*reads[k + 1 :])
        written = dict.fromkeys(s.buffer for s in walk(part) if isinstance(s, Store) and s.buffer in later)
        found.append(Nest(part, tuple(written), frozenset(reads[k])))
    return tuple(found)


def _parts(kernel: Kernel) -> list[Body]:
    """The body, cut after every top-level nest that stores to an output or an array; a scalar is one of rank 0."""
    registers = {b.name for b in kernel.locals if b.space == "register"}
    parts: list[list[Stmt]] = [[]]
    for stmt in kernel.body:
        stores = written_buffers((stmt,)) - registers
        if parts[-1] and not (isinstance(stmt, Store) and stores) and written_buffers(tuple(parts[-1])) - registers:
            parts.append([])
        parts[-1].append(stmt)
    return _joined([tuple(part) for part in parts if part])


def _joined(parts: list[Body]) -> list[Body]:
    """The parts, with those joined that write one buffer, and what lies between them."""
    if len(parts) == 1:
        return parts
    last = {name: k for k, part in enumerate(parts) for name in written_buffers(part)}
    joined: list[Body] = []
    until = -1
    for k, part in enumerate(parts):
        if k <= until:
            joined[-1] = (*joined[-1], *part)
        else:
            joined.append(part)
        until = max([until, *(last[name] for name in written_buffers(part))])
    return joined


def _reads(body: Body, loops: tuple[Loop, ...], guarded: bool) -> Iterator[Read]:
    for stmt in body:
        if isinstance(stmt, Loop):
            yield from _reads(stmt.body, (*loops, stmt), guarded)
        elif isinstance(stmt, If):
            yield from _reads(stmt.body, loops, True)
        elif isinstance(stmt, Load):
            yield Read(stmt.buffer, stmt.index, loops, guarded)
