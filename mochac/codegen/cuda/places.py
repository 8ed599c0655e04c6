"""Where the locals of a kernel are declared, and which of their dimensions are the threads of a block.

The printer asks before it prints. A local belongs to the innermost C scope around all its uses; dimensions indexed by
loops run as threads vanish, since every thread has registers of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from mochac.ir.index import Index
from mochac.ir.kernel import If, Kernel, Loop, Prefetch, Stmt, access

Body = tuple[Stmt, ...]


@dataclass
class Local:
    """A local's home: the body (by identity) and the number of its statement there that is the first to use it."""

    home: int = 0
    first: int = 0
    private: tuple[int, ...] = ()


@dataclass
class Places:
    """Homes of all locals; `at` says which are first used by statement k of a body."""

    locals: dict[str, Local] = field(default_factory=dict)

    def at(self, body: Body, k: int) -> list[str]:
        return [name for name, x in self.locals.items() if x.home == id(body) and x.first == k]


def find(kernel: Kernel) -> Places:
    """The homes of a kernel's locals; shared ones have none, the function declares them."""
    spaces = {b.name: b.space for b in kernel.locals}
    paths: dict[str, list[list[tuple[int, int]]]] = {}
    private: dict[str, set[int]] = {}

    def visit(body: Body, path: list[tuple[int, int]], threads: frozenset[str]) -> None:
        for k, stmt in enumerate(body):
            here = [*path, (id(body), k)]
            found = access(stmt)
            if isinstance(stmt, Loop):
                visit(stmt.body, here, threads | {stmt.var} if stmt.run in ("threads", "vector") else threads)
            elif isinstance(stmt, If):
                visit(stmt.body, here, threads)
            elif found is not None and found[0] in spaces and not isinstance(stmt, Prefetch):
                paths.setdefault(found[0], []).append(here)
                if spaces[found[0]] == "register":
                    axes = {a for a, i in enumerate(found[1]) if _is_private(i, threads)}
                    private[found[0]] = private.get(found[0], axes) & axes

    visit(kernel.body, [], frozenset())
    places = Places()
    for name, found in paths.items():
        home = _common(found) if spaces[name] != "shared" else (0, 0)
        places.locals[name] = Local(*home, tuple(sorted(private.get(name, ()))))
    return places


def _is_private(index: Index, threads: frozenset[str]) -> bool:
    return len(index.terms) == 1 and not index.const and index.terms[0][1] == 1 and index.terms[0][0] in threads


def _common(paths: list[list[tuple[int, int]]]) -> tuple[int, int]:
    """The deepest body all paths go through, and the first statement of it that one of them names."""
    depth = 0
    while all(len(p) > depth + 1 for p in paths) and len({p[depth + 1][0] for p in paths}) == 1:
        depth += 1
    return paths[0][depth][0], min(p[depth][1] for p in paths)
