"""The operations that a kernel executes, counted from its loops: all iterations that limits and conditions allow.

Profiles show this number next to the nominal one. It is smaller if taps on padding are skipped, and larger because of
unused lanes in the last block of samples and products that are computed twice. codegen/prediction counts cycles in the
same way.
"""

from __future__ import annotations

from collections.abc import Callable

from mochac.ir.kernel import Accum, Body, If, Kernel, Loop

Env = dict[str, int]
"""Values of the loop variables around a body that its limits and conditions use."""


def executed_flops(kernel: Kernel) -> int:
    """2 for every multiply-add into an accumulator, in every iteration that reaches it."""
    return round(Executed(_multiply_adds).count(kernel.body, {}))


def _multiply_adds(count: Executed, body: Body, env: Env) -> float:
    own = sum(2 for stmt in body if isinstance(stmt, Accum) and stmt.fn == "fma")
    return own + sum(count.inside(stmt, env) for stmt in body if isinstance(stmt, (If, Loop)))


class Executed:
    """Sums a cost over all iterations, each body once per combination of the loop variables that matter inside.

    Args:
        cost: (self, body, values of the variables around it) -> the cost of running the body once.
    """

    def __init__(self, cost: Callable[[Executed, Body, Env], float]) -> None:
        self._cost = cost
        self._vars: dict[int, tuple[str, ...]] = {}
        self._known: dict[tuple[int, tuple[int, ...]], float] = {}

    def count(self, body: Body, env: Env) -> float:
        """The cost of a body."""
        key = (id(body), tuple(env[v] for v in self.variables(body) if v in env))
        if key not in self._known:
            self._known[key] = self._cost(self, body, env)
        return self._known[key]

    def inside(self, stmt: If | Loop, env: Env) -> float:
        """The cost of the body of a loop or a condition."""
        if isinstance(stmt, If):
            return self.count(stmt.body, env) if holds(stmt, env) else 0
        turns = range(max(stmt.lo.values(env)), min(stmt.hi.values(env)))
        turns = turns[:1] if stmt.at else turns
        if not turns or stmt.var not in self.variables(stmt.body):
            return len(turns) * self.count(stmt.body, env) if turns else 0
        return sum(self.count(stmt.body, {**env, stmt.var: i}) for i in turns)

    def variables(self, body: Body) -> tuple[str, ...]:
        """Variables used by the limits and conditions inside a body."""
        if id(body) not in self._vars:
            found: set[str] = set()
            for stmt in body:
                if isinstance(stmt, (Loop, If)):
                    limits = (stmt.lo, stmt.hi) if isinstance(stmt, Loop) else stmt.conds
                    found.update(self.variables(stmt.body), *(limit.vars for limit in limits))
            self._vars[id(body)] = tuple(sorted(found))
        return self._vars[id(body)]


def holds(stmt: If, env: Env) -> bool:
    """Whether all conditions hold."""
    return all(c.evaluate(env) >= 0 for c in stmt.conds)
