"""Weave: replays the nests of a staged kernel into each other, for the steps that place nests.

Statements are written again with new names. A read of a value that has a definition here computes the value: the body
of its nest is spliced in at that index. Values that are known in the scope, and calls and loads that it already has,
are not written twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

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
    Operand,
    Prefetch,
    Stmt,
    Store,
    access,
    walk,
)
from mochac.ir.kernel_build import BodyBuilder, IndexTuple
from mochac.ir.nests import Definition, StagedNest
from mochac.ir.schedule import ScheduleError

Env = Mapping[str, Index]


class Weaver(BodyBuilder):
    """Writes one nest of a kernel again.

    Args:
        kernel: the kernel.
        nests: its nests.
        kept: those of them that stay as they are; their names are not taken again.
        definitions: values to compute where they are read.
        step: the step's name, for messages.

    Attributes:
        on_stores: called with consecutive stores of the nest's values, in place of writing them.
        on_loop: called at the start of every loop with its old name.
    """

    def __init__(
        self,
        kernel: Kernel,
        nests: Iterable[StagedNest],
        kept: Iterable[StagedNest],
        definitions: Mapping[str, Definition],
        step: str,
    ) -> None:
        self.every = {b.name for b in (*kernel.inputs, *kernel.outputs)}.union(*(nest.values for nest in nests))
        super().__init__(self.every | _names(kept))
        self.kernel, self.definitions, self.step = kernel, definitions, step
        self.buffers = kernel.buffers()
        self.values: frozenset[str] = frozenset()
        self.on_stores: Callable[[list[Store]], None] | None = None
        self.on_loop: Callable[[str], None] = lambda var: None

    def rewritten(self, nest: StagedNest) -> Body:
        """The nest, with the values it reads computed where it reads them."""
        self.values = frozenset(nest.values)
        with self.nest() as body:
            self.replay(nest.body, {})
            return tuple(body)

    def value(self, name: str, index: IndexTuple) -> Operand:
        """An element of a value that has a definition."""
        found = self.known(name, index)
        if found is None:
            for s in self.stores(name, index):
                self.know(s.buffer, s.index, s.value)
            found = self.known(name, index)
            if found is None:
                raise ScheduleError(f"{self.step}: {name!r} is read at another index than it is stored at")
        return found

    def stores(self, name: str, index: IndexTuple) -> list[Store]:
        """The values that the nest of a value with a definition stores for an index of its domain, computed here."""
        definition = self.definitions[name]
        if len(definition.vars) != len(index):
            raise ScheduleError(f"{self.step}: {name!r} has another rank where it is read")
        env = dict(zip(definition.vars, index, strict=True))
        names = self.replay(definition.body, env)
        return [
            Store(s.buffer, tuple(i.substitute(env) for i in s.index), names.operand(s.value, env))
            for s in definition.stores
        ]

    def replay(self, body: Body, env: Env) -> _Names:
        """Write statements again, their loop variables replaced by `env`; returns the names they got."""
        names = _Names(self)
        self._replay_all(body, env, names)
        return names

    def replay_together(self, parts: Sequence[tuple[Body, Env]]) -> None:
        """Write several bodies side by side: their loops become one. Inside of it, loops of different kinds or ranges
        follow each other."""
        self._replay_together([(body, env, _Names(self)) for body, env in parts])

    def _replay_inside(self, parts: Sequence[tuple[Body, Env, _Names]]) -> None:
        """The content of a loop: parts with equal loops together, in the order of the first part of each kind."""
        by_loops: dict[object, list[tuple[Body, Env, _Names]]] = {}
        for part in parts:
            by_loops.setdefault(tuple((s.kind, s.lo, s.hi) for s in part[0] if isinstance(s, Loop)), []).append(part)
        for found in by_loops.values():
            self._replay_together(found)

    def _replay_together(self, parts: Sequence[tuple[Body, Env, _Names]]) -> None:
        places = [[k for k, s in enumerate(body) if isinstance(s, Loop)] for body, _, _ in parts]
        if not any(places) or len(parts) == 1:
            for part in parts:
                self._replay_all(*part)
            return
        if any(len(found) != 1 for found in places):
            raise ScheduleError(f"{self.step}: nests that share loops have one at every place")
        at = [k for (k,) in places]
        for k, (body, env, names) in zip(at, parts, strict=True):
            self._replay_all(body[:k], env, names)
        self._one_loop([(body[k], env, names) for k, (body, env, names) in zip(at, parts, strict=True)])
        for k, (body, env, names) in zip(at, parts, strict=True):
            self._replay_all(body[k + 1 :], env, names)

    def _one_loop(self, parts: Sequence[tuple[Stmt, Env, _Names]]) -> None:
        found = [(s, env, names) for s, env, names in parts if isinstance(s, Loop)]
        first = found[0][0]
        if any((s.kind, s.lo, s.hi) != (first.kind, first.lo, first.hi) for s, _, _ in found) or first.extent is None:
            raise ScheduleError(f"{self.step}: loops {' '.join(s.var for s, _, _ in found)} differ in kind or range")
        with self.range(first.kind, first.var, first.lo, first.hi) as index:
            self._replay_inside([(s.body, {**env, s.var: index}, names) for s, env, names in found])

    def _replay_all(self, body: Body, env: Env, names: _Names) -> None:
        pending: list[Store] = []
        for stmt in body:
            if isinstance(stmt, Store) and stmt.buffer in self.values and self.on_stores is not None:
                index = tuple(i.substitute(env) for i in stmt.index)
                pending.append(Store(stmt.buffer, index, names.operand(stmt.value, env)))
                continue
            self._finish(pending)
            self._replay(stmt, env, names)
        self._finish(pending)

    def _finish(self, stores: list[Store]) -> None:
        if stores and self.on_stores is not None:
            self.on_stores(list(stores))
            stores.clear()

    def _replay(self, stmt: Stmt, env: Env, names: _Names) -> None:
        match stmt:
            case Let(name, fn, args):
                names.of[name] = self.call(fn, *(names.operand(a, env) for a in args))
            case Load(name, buffer, index):
                names.of[name] = self._load(buffer, tuple(i.substitute(env) for i in index), names)
            case Store(buffer, index, value):
                at = tuple(i.substitute(env) for i in index)
                self.store(names.buffer(buffer), at, names.operand(value, env))
            case Accum(buffer, index, fn, args):
                at = tuple(i.substitute(env) for i in index)
                self.accum(names.buffer(buffer), fn, *(names.operand(a, env) for a in args), index=at)
            case If(conds, inner):
                with self.where(*(c.substitute(env) for c in conds)):
                    self._replay_all(inner, env, names)
            case Loop(var, lo, hi, kind, _, inner, at):
                limits = lo.substitute(dict(env)), hi.substitute(dict(env))
                value = self.named(names.operand(at, env)) if at else ""
                with self.range(kind, var, *limits, value) as index:
                    self.on_loop(var)
                    self._replay_all(inner, {**env, var: index}, names)
            case Prefetch():
                raise ScheduleError(f"{self.step}: nests are placed before anything else is done with them")

    def _load(self, buffer: str, index: IndexTuple, names: _Names) -> Operand:
        found = self.known(buffer, index)
        if found is not None:
            return found
        if buffer in self.definitions:
            return self.value(buffer, index)
        if buffer in self.every and buffer not in self.values:
            return self.load(buffer, *index)
        if buffer in self.values and self.on_stores is not None:
            raise ScheduleError(f"{self.step}: {buffer!r} is read at another index than it is stored at")
        return self.get(names.buffer(buffer), *index)

    def with_body(self, body: Iterable[Stmt]) -> Kernel:
        """The kernel with a new body, and with the locals that it uses, in the order of their use."""
        new = tuple(body)
        every = {**self.buffers, **{b.name: b for b in self.locals}}
        known = {b.name for b in (*self.kernel.inputs, *self.kernel.outputs)}
        used = dict.fromkeys(a[0] for s in walk(new) if (a := access(s)) and a[0] not in known)
        return self.kernel.with_(body=new, locals=tuple(every[name] for name in used))


class _Names:
    """New names for the definitions of a replayed body: operands, and locals of its own."""

    def __init__(self, weaver: Weaver) -> None:
        self.weaver = weaver
        self.of: dict[str, Operand] = {}
        self.locals: dict[str, str] = {}

    def operand(self, x: Operand, env: Env) -> Operand:
        if isinstance(x, str):
            return self.of[x]
        return x.substitute(env) if isinstance(x, Index) else x

    def buffer(self, name: str) -> str:
        """A value keeps its name; other locals are new in every copy of the body."""
        weaver = self.weaver
        if name in weaver.every or name in self.locals:
            return self.locals.get(name, name)
        old = weaver.buffers[name]
        new = Buffer(weaver.fresh(name), old.type, old.space)
        weaver.locals.append(new)
        self.locals[name] = new.name
        return new.name


def _names(nests: Iterable[StagedNest]) -> set[str]:
    """The names that nests define, and those of the buffers that they use."""
    names: set[str] = set()
    for s in (s for nest in nests for s in walk(nest.body)):
        if isinstance(s, (Let, Load)):
            names.add(s.name)
        if (a := access(s)) is not None:
            names.add(a[0])
    return names
