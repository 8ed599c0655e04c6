"""Names in a kernel: fresh ones, renamed ones, and values defined once where they are visible.

Names in a kernel: renaming values, loops and buffers, and keeping each value defined once where it is visible.

Steps that copy or move statements use it.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace

from mochac.ir.index import Index
from mochac.ir.kernel import (
    Accum,
    Body,
    If,
    Let,
    Load,
    Loop,
    Operand,
    Prefetch,
    Stmt,
    Store,
    defined_names,
    rewrite,
    substitute,
    written_buffers,
)


def fresh(stem: str, taken: Container[str]) -> str:
    """`stem`, or the first unused name of stem.1, stem.2, ...

    >>> fresh("x", {"y"}), fresh("x", {"x", "x.1"})
    ('x', 'x.2')
    """
    name, n = stem, 0
    while name in taken:
        n += 1
        name = f"{stem}.{n}"
    return name


def claimed(stem: str, taken: set[str]) -> str:
    """A fresh name, which is taken from now on."""
    name = fresh(stem, taken)
    taken.add(name)
    return name


def rename_loops(body: Body, names: Mapping[str, str]) -> Body:
    """Rename loops, and their variables where they are used."""

    def renamed(stmt: Stmt) -> Stmt | None:
        return replace(stmt, var=names[stmt.var]) if isinstance(stmt, Loop) and stmt.var in names else None

    return rewrite(substitute(body, {old: Index.var(new) for old, new in names.items()}), renamed)


def rename_buffers(body: Body, names: Mapping[str, str]) -> Body:
    """Rename buffers, wherever they are accessed."""

    def renamed(stmt: Stmt) -> Stmt | None:
        if isinstance(stmt, (Load, Store, Accum, Prefetch)) and stmt.buffer in names:
            return replace(stmt, buffer=names[stmt.buffer])
        return None

    return rewrite(body, renamed)


def rename_values(body: Body, names: Mapping[str, str]) -> Body:
    """Rename values, where they are defined and where they are used."""

    def operand(x: Operand) -> Operand:
        return names.get(x, x) if isinstance(x, str) else x

    out: list[Stmt] = []
    for stmt in body:
        match stmt:
            case Let(name, fn, args):
                out.append(Let(names.get(name, name), fn, tuple(map(operand, args))))
            case Load(name, buffer, index):
                out.append(Load(names.get(name, name), buffer, index))
            case Store(buffer, index, value):
                out.append(Store(buffer, index, operand(value)))
            case Accum(buffer, index, fn, args):
                out.append(Accum(buffer, index, fn, tuple(map(operand, args))))
            case Loop():
                out.append(replace(stmt, body=rename_values(stmt.body, names), at=names.get(stmt.at, stmt.at)))
            case If():
                out.append(stmt.with_body(rename_values(stmt.body, names)))
            case _:
                out.append(stmt)
    return tuple(out)


def defined_once(body: Body) -> Body:
    """Drop calls, and loads of read-only buffers, that repeat a visible one; rename others that reuse its name."""
    return _Deduplicator(body).body(body, {})


class _Deduplicator:
    def __init__(self, body: Body) -> None:
        self.taken = defined_names(body)
        self.written = written_buffers(body)

    def body(self, body: Body, visible: Mapping[str, Stmt]) -> Body:
        here = dict(visible)
        for at, stmt in enumerate(body):
            if isinstance(stmt, (Loop, If)):
                inner = self.body(stmt.body, here)
                if inner is not stmt.body:
                    body = (*body[:at], stmt.with_body(inner), *body[at + 1 :])
            elif isinstance(stmt, (Let, Load)):
                if stmt.name in here:
                    return (*body[:at], *self._redefined(stmt, body[at + 1 :], here))
                here[stmt.name] = stmt
        return body

    def _redefined(self, stmt: Let | Load, rest: Body, visible: Mapping[str, Stmt]) -> Body:
        """Handle a statement whose name is already visible, and what follows it."""
        changes = isinstance(stmt, Load) and stmt.buffer in self.written
        if visible[stmt.name] == stmt and not changes:
            return self.body(rest, visible)
        name = claimed(stmt.name, self.taken)
        return self.body((replace(stmt, name=name), *rename_values(rest, {stmt.name: name})), visible)
