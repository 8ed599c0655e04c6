"""Cutter: cuts a loop's body into segments, each of which gets its own copy of the loop.

Distribute and Fission use it. Values and locals that cross from one segment to a later one are recomputed, or kept in a
local that gains a dimension indexed by the loop.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from operator import is_

from mochac.ir.index import Index
from mochac.ir.kernel import (
    Accum,
    Body,
    Buffer,
    If,
    Kernel,
    Let,
    Load,
    Loop,
    Prefetch,
    Stmt,
    Store,
    access,
    accessed_buffers,
    defined_names,
    used_names,
    walk,
    written_buffers,
)
from mochac.ir.kernel_rules import name_dtypes
from mochac.ir.names import fresh
from mochac.ir.nest import drop_unused, mentions, offset, pure_global_load, store_after
from mochac.ir.schedule import ScheduleError
from mochac.ir.starts_fresh import starts_fresh
from mochac.ir.types import TensorType


@dataclass
class Cutter:
    """Cuts all loops over `var` in a kernel.

    `link` is called for each loop with its segments and makes them self-contained; `finish` adds the new dimension to
    all accesses of the locals that cross segments: those that a segment reads before it has written all of them.
    """

    kernel: Kernel
    var: str
    step: str
    crossing: set[str] = field(default_factory=set)
    spilled: dict[str, Buffer] = field(default_factory=dict)
    segments: list[Body] = field(default_factory=list)
    extent: int = 0

    def __post_init__(self) -> None:
        self.locals = {b.name: b for b in self.kernel.locals}
        self.written = written_buffers(self.kernel.body)
        self._dtypes: dict[str, str] = {}

    def link(self, loop: Loop, segments: list[Body]) -> list[Body]:
        """Make each segment define every value it uses, and record the locals that several segments access."""
        self._note_crossing_locals(segments)
        self.segments = segments
        before: dict[str, Stmt] = {}
        linked: list[Body] = []
        for body in segments:
            linked.append(self._import_names(loop, body, before, linked))
            before.update({s.name: s for s in walk(body) if isinstance(s, (Let, Load))})
        return [drop_unused(body) for body in linked]

    def _note_crossing_locals(self, segments: list[Body]) -> None:
        touched: set[str] = set()
        written = {name for body in segments for name in written_buffers(body)}
        for body in segments:
            here = accessed_buffers(body) & self.locals.keys()
            again = {n for n in here & touched if n in written and not starts_fresh(body, n)}
            self.crossing |= {n for n in again if not self._indexed(segments, n)}
            touched |= here

    def _indexed(self, segments: list[Body], name: str) -> bool:
        """Whether every access to a local is already indexed by the loop."""
        accesses = [a[1] for body in segments for s in walk(body) if (a := access(s)) and a[0] == name]
        return all(any(mentions(i, self.var) for i in index) for index in accesses)

    def _import_names(self, loop: Loop, body: Body, before: dict[str, Stmt], linked: list[Body]) -> Body:
        needed = (used_names(body) - defined_names(body)) & before.keys()
        prefix: list[Stmt] = []
        have: set[str] = set()
        for name in sorted(needed):
            self._import_one(loop, name, before, linked, prefix, have)
        return _inside_guard(tuple(prefix), body)

    def _import_one(
        self, loop: Loop, name: str, before: dict[str, Stmt], linked: list[Body], prefix: list[Stmt], have: set[str]
    ) -> None:
        if name in have:
            return
        stmt = before[name]
        if self._pure(stmt, before):
            for arg in stmt.args if isinstance(stmt, Let) else ():
                if isinstance(arg, str) and arg in before:
                    self._import_one(loop, arg, before, linked, prefix, have)
            prefix.append(stmt)
        else:
            local = self._spill(loop, name, linked)
            prefix.append(Load(name, local, (offset(loop),)))
        have.add(name)

    def _pure(self, stmt: Stmt, before: dict[str, Stmt]) -> bool:
        if isinstance(stmt, Load):
            return pure_global_load(stmt, self.kernel, self.written)
        return isinstance(stmt, Let) and all(
            self._pure(before[a], before) for a in stmt.args if isinstance(a, str) and a in before
        )

    def _spill(self, loop: Loop, name: str, linked: list[Body]) -> str:
        """Keep a value in a local array, stored where it is defined: last, if loops beside each other define it."""
        self.need_constant(loop, name)
        if name not in self.spilled:
            if not self._dtypes:
                self._dtypes = name_dtypes(self.kernel.body, self.kernel.buffers())
            taken = (*self.kernel.buffers(), *(b.name for b in self.spilled.values()))
            type = TensorType(self._dtypes[name], (0,))
            self.spilled[name] = Buffer(fresh(f"{name}.kept", taken), type, "register")
        buffer = self.spilled[name].name
        store = Store(buffer, (offset(loop),), name)
        k = max(k for k, _ in enumerate(linked) if name in defined_names(self.segments[k]))
        if store not in tuple(walk(linked[k])):
            linked[k] = store_after(linked[k], name, store)
        return buffer

    def need_constant(self, loop: Loop, name: str) -> None:
        if loop.extent is None:
            raise ScheduleError(
                f"{self.step}: {name!r} crosses segments of loop {loop.var!r}, whose limits must then be constant"
            )
        self.extent = max(self.extent, loop.extent)

    def finish(self, body: Body) -> Kernel:
        """The kernel with the new body, in which crossing locals have one more dimension."""
        expansion = _Expansion(self)
        body = expansion.rewrite(body, None, frozenset())
        grown = []
        for b in self.kernel.locals:
            if b.name in self.crossing:
                at = expansion.position[b.name]
                shape = (*b.type.shape[:at], self.extent, *b.type.shape[at:])
                b = replace(b, type=b.type.with_(shape=shape))
            grown.append(b)
        spilled = [replace(b, type=b.type.with_(shape=(self.extent,))) for b in self.spilled.values()]
        return self.kernel.with_(body=body, locals=(*grown, *spilled))


class _Expansion:
    """Adds the loop's index to every access of the crossing locals. The new dimension is placed in nesting order: after
    those of loops around the cut loop, before those of loops inside it."""

    def __init__(self, cutter: Cutter) -> None:
        self.cutter = cutter
        self.position: dict[str, int] = {}

    def rewrite(self, body: Body, loop: Loop | None, inner: frozenset[str]) -> Body:
        if not self.cutter.crossing:
            return body
        new = tuple([self._statement(s, loop, inner) for s in body])
        return body if all(map(is_, new, body)) else new

    def _statement(self, stmt: Stmt, loop: Loop | None, inner: frozenset[str]) -> Stmt:
        if isinstance(stmt, (If, Loop)):
            if isinstance(stmt, Loop):
                loop, inner = (stmt, frozenset()) if stmt.var == self.cutter.var else (loop, inner | {stmt.var})
            body = self.rewrite(stmt.body, loop, inner)
            return stmt if body is stmt.body else stmt.with_body(body)
        if isinstance(stmt, (Load, Store, Accum, Prefetch)) and stmt.buffer in self.cutter.crossing:
            return replace(stmt, index=self._index(stmt.buffer, stmt.index, loop, inner))
        return stmt

    def _index(
        self, name: str, index: tuple[Index, ...], loop: Loop | None, inner: frozenset[str]
    ) -> tuple[Index, ...]:
        if loop is None:
            raise ScheduleError(
                f"{self.cutter.step}: local {name!r} crosses parts of loop {self.cutter.var!r} and is used outside it"
            )
        self.cutter.need_constant(loop, name)
        at = self.position.setdefault(name, next((k for k, i in enumerate(index) if inner & set(i.vars)), len(index)))
        return (*index[:at], offset(loop), *index[at:])


def _inside_guard(prefix: Body, body: Body) -> Body:
    """Put statements in front of a body, inside the condition that guards all of it."""
    if prefix and len(body) == 1 and isinstance(body[0], If):
        return (replace(body[0], body=_inside_guard(prefix, body[0].body)),)
    return (*prefix, *body)
