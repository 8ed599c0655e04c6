"""Where the locals of a kernel are declared, and which of their dimensions are the threads of a block.

A local is declared in the innermost C scope around all its uses. Dimensions indexed by thread loops are dropped, since
every thread has registers of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from mochac.ir.index import Index
from mochac.ir.kernel import Body, If, Kernel, Loop, Prefetch, access


@dataclass
class Local:
    """Where a local is declared: the body (by identity), and the number of the first statement in it that uses it."""

    home: int = 0
    first: int = 0
    private: tuple[int, ...] = ()


@dataclass
class Places:
    """Places of all locals; `at` returns those first used by statement k of a body."""

    locals: dict[str, Local] = field(default_factory=dict)

    def at(self, body: Body, k: int) -> list[str]:
        return [name for name, x in self.locals.items() if x.home == id(body) and x.first == k]


def find(kernel: Kernel) -> Places:
    """The places of a kernel's locals, except shared ones, which the function declares at its top."""
    spaces = {b.name: b.space for b in kernel.locals}
    paths: dict[str, list[list[tuple[int, int]]]] = {}
    private: dict[str, set[int]] = {}

    def visit(body: Body, path: list[tuple[int, int]], own: frozenset[str]) -> None:
        for k, stmt in enumerate(body):
            here = [*path, (id(body), k)]
            accessed = access(stmt)
            if isinstance(stmt, Loop):
                visit(stmt.body, here, own | {stmt.var} if stmt.run in ("threads", "vector") else own)
            elif isinstance(stmt, If):
                visit(stmt.body, here, own)
            elif accessed is not None and accessed[0] in spaces and not isinstance(stmt, Prefetch):
                paths.setdefault(accessed[0], []).append(here)
                if spaces[accessed[0]] == "register":
                    axes = {a for a, i in enumerate(accessed[1]) if _is_private(i, own)}
                    private[accessed[0]] = private.get(accessed[0], axes) & axes

    visit(kernel.body, [], frozenset())
    places = Places()
    for name, uses in paths.items():
        home = _common(uses) if spaces[name] != "shared" else (0, 0)
        places.locals[name] = Local(*home, tuple(sorted(private.get(name, ()))))
    return places


def _is_private(index: Index, own: frozenset[str]) -> bool:
    """Whether an index is just the variable of a thread loop or of a vector loop."""
    return len(index.terms) == 1 and not index.const and index.terms[0][1] == 1 and index.terms[0][0] in own


def _common(paths: list[list[tuple[int, int]]]) -> tuple[int, int]:
    """The innermost body that all paths go through, and the first statement of it on any of them."""
    depth = 0
    while all(len(p) > depth + 1 for p in paths) and len({p[depth + 1][0] for p in paths}) == 1:
        depth += 1
    return paths[0][depth][0], min(p[depth][1] for p in paths)
