"""The operations that a kernel executes, counted from its loops: all iterations that limits and conditions allow.

Profiles show this number next to the nominal one. It is smaller if taps on padding are skipped, and larger because of
unused lanes in the last block of samples and products that are computed twice. codegen/prediction counts cycles in the
same way.
"""

from __future__ import annotations

from collections.abc import Callable

from mochac.base.records import record
from mochac.ir.kernel import DOT4, MULTIPLY_ADDS, Accum, Body, If, Kernel, Loop

FACTORS = {"dot2": 2, **dict.fromkeys(DOT4, 4)}
"""Products that a row of the scalar table adds; 1 of others."""
Env = dict[str, int]
"""Values of the loop variables around a body that its limits and conditions use."""


def executed_flops(kernel: Kernel) -> int:
    """2 for every product that is added to an accumulator, in every iteration that reaches it."""
    return round(Executed(_multiply_adds).count(kernel.body, {}))


def _multiply_adds(count: Executed, body: Body, env: Env) -> float:
    own = sum(2 * FACTORS.get(s.fn, 1) for s in body if isinstance(s, Accum) and s.fn in MULTIPLY_ADDS)
    return own + sum(count.inside(stmt, env) for stmt in body if isinstance(stmt, (If, Loop)))


class Executed:
    """Sums a cost over all iterations, each body once for all values of the variables around it that decide the same
    conditions and limits inside.

    Args:
        cost: (self, body, values of the variables around it) -> the cost of running the body once.
    """

    def __init__(self, cost: Callable[[Executed, Body, Env], float]) -> None:
        self._cost = cost
        self._sides: dict[int, tuple[_Side, ...]] = {}
        self._known: dict[tuple[int, tuple[int, ...]], float] = {}

    def count(self, body: Body, env: Env) -> float:
        """The cost of a body."""
        key = (id(body), tuple([side.value(env) for side in self.sides(body)]))
        if key not in self._known:
            self._known[key] = self._cost(self, body, env)
        return self._known[key]

    def inside(self, stmt: If | Loop, env: Env) -> float:
        """The cost of the body of a loop or a condition."""
        if isinstance(stmt, If):
            return self.count(stmt.body, env) if holds(stmt, env) else 0
        turns = range(max(stmt.lo.values(env)), min(stmt.hi.values(env)))
        turns = turns[:1] if stmt.at else turns
        if not turns or not any(stmt.var == var for side in self.sides(stmt.body) for var, _ in side.terms):
            return len(turns) * self.count(stmt.body, env) if turns else 0
        return sum(self.count(stmt.body, {**env, stmt.var: i}) for i in turns)

    def sides(self, body: Body) -> tuple[_Side, ...]:
        """What limits and conditions inside a body depend on outside of it."""
        if id(body) not in self._sides:
            found: dict[_Side, None] = {}
            for stmt in body:
                if isinstance(stmt, Loop):
                    found.update(
                        dict.fromkeys(_Side(i.terms, i.const) for x in (stmt.lo, stmt.hi) for i, _ in x.candidates)
                    )
                    span = _span(stmt)
                    found.update(dict.fromkeys(side.without(stmt.var, span) for side in self.sides(stmt.body)))
                elif isinstance(stmt, If):
                    found.update(dict.fromkeys(_Side(i.terms, i.const, (0, 0)) for i in stmt.conds))
                    found.update(dict.fromkeys(self.sides(stmt.body)))
            self._sides[id(body)] = tuple(side for side in found if side.terms)
        return self._sides[id(body)]


@record(slots=True)
class _Side:
    """The part of a condition or a limit in variables around a body.

    Attributes:
        terms, const: the sum of these variables.
        inside: of a condition, the least and largest sum of its variables inside the body; None if only the exact
            value decides.
    """

    terms: tuple[tuple[str, int], ...]
    const: int
    inside: tuple[int, int] | None = None

    def value(self, env: Env) -> int:
        """A number that is equal wherever the condition or limit is."""
        total = self.const
        for var, c in self.terms:
            total += c * env.get(var, 0)
        if self.inside is not None:
            low, high = self.inside
            if total + low >= 0:
                return ALWAYS
            if total + high < 0:
                return -ALWAYS
        return total

    def without(self, var: str, span: tuple[int, int] | None) -> _Side:
        """This side of a body around a loop over `var`, whose values lie in `span` (None: unknown)."""
        own = next((c for v, c in self.terms if v == var), 0)
        if not own:
            return self
        terms = tuple(term for term in self.terms if term[0] != var)
        if self.inside is None or span is None:
            return _Side(terms, self.const)
        (low, high), ends = self.inside, (own * span[0], own * span[1])
        return _Side(terms, self.const, (low + min(ends), high + max(ends)))


ALWAYS = 1 << 60
"""Stands for all values of a condition that holds for every value of the variables inside."""


def _span(loop: Loop) -> tuple[int, int] | None:
    """The least and largest value of a loop's variable, as far as constant limits say."""
    low = [-(-i.const // d) for i, d in loop.lo.candidates if not i.terms]
    high = [-(-i.const // d) for i, d in loop.hi.candidates if not i.terms]
    return (max(low), max(max(low), min(high) - 1)) if low and high else None


def holds(stmt: If, env: Env) -> bool:
    """Whether all conditions hold."""
    return all(c.evaluate(env) >= 0 for c in stmt.conds)
