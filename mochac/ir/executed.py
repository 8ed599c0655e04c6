"""executed_flops: the number of floating-point operations that a kernel executes, counted from its loops.

Profiles show it next to the nominal number. Skipping taps on padding makes it smaller; unused lanes of the last block
of samples and products that are computed twice make it larger.
"""

from __future__ import annotations

from mochac.ir.kernel import Accum, If, Kernel, Loop, Stmt

Body = tuple[Stmt, ...]


def executed_flops(kernel: Kernel) -> int:
    """2 for every multiply-add into an accumulator, in every iteration that reaches it."""
    return _Counter().count(kernel.body, {})


class _Counter:
    """Counts bodies, each once per combination of the loop variables that its bounds and conditions use."""

    def __init__(self) -> None:
        self._vars: dict[int, tuple[str, ...] | None] = {}
        self._known: dict[tuple[int, tuple[int, ...]], int] = {}

    def count(self, body: Body, env: dict[str, int]) -> int:
        used = self._used_variables(body)
        if used is None:
            return 0
        key = (id(body), tuple(env[v] for v in used if v in env))
        if key not in self._known:
            self._known[key] = sum(self._statement(stmt, env) for stmt in body)
        return self._known[key]

    def _statement(self, stmt: Stmt, env: dict[str, int]) -> int:
        if isinstance(stmt, Accum):
            return 2 * (stmt.fn == "fma")
        if not isinstance(stmt, (If, Loop)) or (used := self._used_variables(stmt.body)) is None:
            return 0
        if isinstance(stmt, If):
            return self.count(stmt.body, env) if all(c.evaluate(env) >= 0 for c in stmt.conds) else 0
        turns = range(max(stmt.lo.values(env)), min(stmt.hi.values(env)))
        if stmt.var not in used:
            return len(turns) * self.count(stmt.body, env) if turns else 0
        return sum(self.count(stmt.body, {**env, stmt.var: i}) for i in turns)

    def _used_variables(self, body: Body) -> tuple[str, ...] | None:
        """Variables used by the bounds and conditions around multiply-adds; None if there are no multiply-adds."""
        if id(body) not in self._vars:
            variables: set[str] = set()
            counts = False
            for stmt in body:
                inner = self._used_variables(stmt.body) if isinstance(stmt, (Loop, If)) else None
                if inner is not None:
                    limits = (stmt.lo, stmt.hi) if isinstance(stmt, Loop) else getattr(stmt, "conds", ())
                    variables.update(inner, *(limit.vars for limit in limits))
                counts |= inner is not None or (isinstance(stmt, Accum) and stmt.fn == "fma")
            self._vars[id(body)] = tuple(sorted(variables)) if counts else None
        return self._vars[id(body)]
