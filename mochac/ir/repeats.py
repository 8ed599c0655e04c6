"""repeats: values that a loop computes although an earlier loop beside it has computed them for the same elements.

    sum c in 0..9 { %e = exp(x[c]); s = add(%e, s) }
    each d in 0..9 { %f = exp(x[d]); y[d] = div(%f, s) }       %f repeats %e

The step keep stores the first value for the second loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from mochac.base.records import record
from mochac.ir.index import Index
from mochac.ir.kernel import Body, If, Kernel, Let, Load, Loop, Operand, written_buffers

APART = ("parallel", "blocks", "threads")
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
    for at, second in enumerate(body):
        if isinstance(second, (Loop, If)):
            yield from _in_body(second.body)
        if isinstance(second, Loop):
            for k, first in enumerate(body[:at]):
                if isinstance(first, Loop):
                    yield from _between(first, second, written_buffers(body[k : at + 1]))


def _between(first: Loop, second: Loop, written: set[str]) -> Iterator[Repeat]:
    same = _Same(_chain(first), _chain(second), written)
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
    """Compares the computations of two chains for the same values of their variables."""

    def __init__(self, first: list[Loop | If], second: list[Loop | If], written: set[str]) -> None:
        self.first, self.second, self.written = first, second, written
        pairs = zip(_loops(first), _loops(second), strict=False)
        self.vars = {b.var: Index.var(a.var) for a, b in pairs}
        self.before, self.after = _made(first), _made(second)

    def iterations(self) -> bool:
        """Whether both chains have the same iterations."""
        return list(map(_range, self.first)) == [_range(s, self.vars) for s in self.second] and all(
            loop.extent is not None and not loop.at and loop.run not in APART for loop in _loops(self.first)
        )

    def equal(self, a: Operand, b: Operand) -> bool:
        """Whether an operand in the earlier chain is one in the later chain."""
        if isinstance(a, str) and isinstance(b, str) and (a in self.before or b in self.after):
            return a in self.before and b in self.after and self._made_alike(self.before[a], self.after[b])
        return a == (b.substitute(self.vars) if isinstance(b, Index) else b)

    def _made_alike(self, a: Let | Load, b: Let | Load) -> bool:
        if isinstance(a, Let) and isinstance(b, Let):
            return a.fn == b.fn and len(a.args) == len(b.args) and all(map(self.equal, a.args, b.args))
        if isinstance(a, Load) and isinstance(b, Load):
            unchanged = a.buffer == b.buffer and a.buffer not in self.written
            return unchanged and a.index == tuple(i.substitute(self.vars) for i in b.index)
        return False


def _range(stmt: Loop | If, vars: Mapping[str, Index] = MappingProxyType({})) -> tuple[object, ...]:
    if isinstance(stmt, If):
        return tuple(c.substitute(vars) for c in stmt.conds)
    return stmt.lo, stmt.hi, stmt.run in APART, stmt.run == "vector"


def _made(chain: list[Loop | If]) -> dict[str, Let | Load]:
    return {s.name: s for stmt in chain for s in stmt.body if isinstance(s, (Let, Load))}
