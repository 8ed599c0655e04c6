"""Merge: turn two perfectly nested loops into one."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import Accum, If, Kernel, Let, Load, Loop, Prefetch, Stmt, Store, rewrite, walk
from mochac.ir.nest import constant_range, indices, map_loops, require_loops
from mochac.ir.schedule import ScheduleError, Step, step


@step
@record
class Merge(Step):
    """Replace loops `outer` and `inner` by one loop `name` over their iterations, in row-major order.

    each w in 0..8 { each n in 0..4 { y[n + 4*w] = x[n + 4*w + 12] } }  ->  each p in 0..32 { y[p] = x[p + 12] }

    Every index must be affine in the merged variable. A condition on `outer` alone, with coefficient 1 or -1, becomes a
    condition on the merged variable: w - 1 >= 0 becomes p - 4 >= 0.
    """

    purpose = "one loop over both has fewer loop ends, and fewer vectors that are not full"

    outer: str
    inner: str
    name: str

    def apply(self, kernel: Kernel) -> Kernel:
        require_loops(kernel, self.outer, "merge")
        if any(isinstance(s, Loop) and s.var == self.name for s in walk(kernel.body)):
            raise ScheduleError(f"merge: the kernel already has a loop {self.name!r}")
        return kernel.with_(body=map_loops(kernel.body, self.outer, self._merge))

    def _merge(self, outer: Loop) -> Loop:
        inner = outer.body[0] if len(outer.body) == 1 else None
        if not isinstance(inner, Loop) or inner.var != self.inner or inner.kind != outer.kind or inner.kind == "for":
            raise ScheduleError(
                f"merge: {self.inner!r} must be the only thing inside {self.outer!r}, both 'each' or both 'sum'"
            )
        (low, high), (lo, hi) = constant_range(outer, "merge"), constant_range(inner, "merge")
        rows = _MergedIndex(self, low, lo, hi - lo)
        body = rewrite(inner.body, rows.change)
        return Loop(self.name, Limit.of(0), Limit.of((high - low) * (hi - lo)), inner.kind, inner.run, body)


@record
class _MergedIndex:
    """name = (outer - low) * extent + (inner - lo)."""

    merge: Merge
    low: int
    lo: int
    extent: int

    def index(self, index: Index) -> Index:
        """An index as an affine form of the merged variable."""
        rows, step = index.coefficient(self.merge.outer), index.coefficient(self.merge.inner)
        if rows != step * self.extent:
            raise ScheduleError(
                f"merge: {index} is not affine in {self.merge.name!r} = {self.extent}*{self.merge.outer} + "
                f"{self.merge.inner}"
            )
        rest = index - Index.var(self.merge.outer) * rows - Index.var(self.merge.inner) * step
        return rest + Index.var(self.merge.name) * step + (rows * self.low + step * self.lo)

    def condition(self, cond: Index) -> Index:
        """A condition: w >= k becomes p >= extent*k, and w <= k becomes p <= extent*k + extent - 1."""
        rows, step = cond.coefficient(self.merge.outer), cond.coefficient(self.merge.inner)
        if step or rows not in (1, -1):
            return self.index(cond)
        rest = cond - Index.var(self.merge.outer) * rows + rows * self.low
        return rest * self.extent + Index.var(self.merge.name) * rows + (0 if rows > 0 else self.extent - 1)

    def change(self, stmt: Stmt) -> Stmt | None:
        """A statement in terms of the merged variable."""
        match stmt:
            case If(conds, body):
                return If(tuple(map(self.condition, conds)), body)
            case Loop():
                if any(i.coefficient(v) for i in indices(stmt) for v in (self.merge.outer, self.merge.inner)):
                    raise ScheduleError(f"merge: the range of {stmt.var!r} depends on the loops to be merged")
                return None
            case Load() | Prefetch():
                return replace(stmt, index=tuple(map(self.index, stmt.index)))
            case Store():
                value = self.index(stmt.value) if isinstance(stmt.value, Index) else stmt.value
                return replace(stmt, index=tuple(map(self.index, stmt.index)), value=value)
            case Let() | Accum():
                args = tuple(self.index(a) if isinstance(a, Index) else a for a in stmt.args)
                stmt = replace(stmt, args=args)
                return replace(stmt, index=tuple(map(self.index, stmt.index))) if isinstance(stmt, Accum) else stmt
