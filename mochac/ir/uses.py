"""uses: where a body accesses a buffer, inside which loops and conditions."""

from __future__ import annotations

from collections.abc import Iterator

from mochac.base.records import record
from mochac.ir.index import Index
from mochac.ir.kernel import If, Loop, Stmt, access


@record
class Use:
    """An access, with the loops and conditions around it, outermost first."""

    stmt: Stmt
    index: tuple[Index, ...]
    loops: tuple[Loop, ...]
    conds: tuple[Index, ...]

    def apart(self, other: Use) -> tuple[Loop, ...]:
        """The loops around it that are not around the other access."""
        shared = sum(a is b for a, b in zip(self.loops, other.loops, strict=False))
        return self.loops[shared:]


def uses(
    body: tuple[Stmt, ...], name: str, loops: tuple[Loop, ...] = (), conds: tuple[Index, ...] = ()
) -> Iterator[Use]:
    """Accesses to a buffer in a body, in order; prefetches are among them.

    Args:
        loops, conds: around the body.
    """
    for stmt in body:
        if isinstance(stmt, Loop):
            yield from uses(stmt.body, name, (*loops, stmt), conds)
        elif isinstance(stmt, If):
            yield from uses(stmt.body, name, loops, (*conds, *stmt.conds))
        elif (at := access(stmt)) is not None and at[0] == name:
            yield Use(stmt, at[1], loops, conds)
