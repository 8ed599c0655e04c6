"""Skew: count a reduction backwards from an enclosing loop, so that only a few of its iterations remain."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import Body, If, Kernel, Loop, Stmt, substitute, walk
from mochac.ir.nest import Ranges, constant_range, loop_range, mentions, require_loops
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.steps.clip import common_conditions


@step
@record
class Skew(Step):
    """`sum` loop v becomes by - inner; `inner` runs over the range that the conditions around its whole body allow.

    each u in 0..8 { each p in 0..2 {                     each u in 0..8 { each p in 0..2 {
      sum o in 0..8 {                                       sum j in 0..2 {
        if p + 2*u - 2*o >= 0, 2*o - p - 2*u + 2 >= 0 {  ->   if -p - 2*j + 2 >= 0, u - j >= 0 {
          acc[] = add(x[o], acc[])                              acc[] = add(x[u - j], acc[])
        }                                                     }
      }                                                     }
    } }                                                   } }

    If one iteration is left, the loop vanishes: for example in a sum over groups, one of which contains a given filter.
    """

    purpose = "a result adds up only the few terms that belong to it"

    loop: str
    by: str
    inner: str

    def apply(self, kernel: Kernel) -> Kernel:
        for loop in require_loops(kernel, self.loop, "skew"):
            if loop.kind != "sum":
                raise ScheduleError(f"skew: loop {self.loop!r} is a {loop.kind!r} loop, not a reduction")
        if any(isinstance(s, Loop) and s.var == self.inner for s in walk(kernel.body)):
            raise ScheduleError(f"skew: the kernel already has a loop {self.inner!r}")
        return kernel.with_(body=self._rewrite(kernel.body, {}))

    def _rewrite(self, body: Body, ranges: Ranges) -> Body:
        out: list[Stmt] = []
        for stmt in body:
            if isinstance(stmt, Loop) and stmt.var == self.loop:
                out.extend(self._skew(stmt, ranges))
            elif isinstance(stmt, Loop):
                inside = {**ranges, stmt.var: loop_range(stmt, ranges)}
                out.append(stmt.with_body(self._rewrite(stmt.body, inside)))
            elif isinstance(stmt, If):
                out.append(stmt.with_body(self._rewrite(stmt.body, ranges)))
            else:
                out.append(stmt)
        return tuple(out)

    def _skew(self, loop: Loop, ranges: Ranges) -> Body:
        if self.by not in ranges:
            raise ScheduleError(f"skew: no loop {self.by!r} is around loop {self.loop!r}")
        lo, hi = constant_range(loop, "skew")
        old = Index.var(self.by) - Index.var(self.inner)
        inside = (old - lo, hi - 1 - old)
        body: Body = (If(inside, substitute(loop.body, {loop.var: old})),)
        first, last = self._range([c for c in common_conditions(body) if mentions(c, self.inner)], ranges)
        if first == last:
            return _decided(substitute(body, {self.inner: Index.of(first)}), ranges)
        body = _decided(body, {**ranges, self.inner: (first, last)})
        return (replace(loop, var=self.inner, lo=Limit.of(first), hi=Limit.of(last + 1), body=body),)

    def _range(self, conds: list[Index], ranges: Ranges) -> tuple[int, int]:
        """The largest range of `inner` that each of the conditions allows."""
        lows, highs = [], []
        for cond in conds:
            c = cond.coefficient(self.inner)
            rest = (cond - Index.var(self.inner) * c).bounds(ranges)
            if rest is not None:
                (lows if c > 0 else highs).append(-(rest[1] // c) if c > 0 else rest[1] // -c)
        return max(lows), min(highs)


def _decided(body: Body, ranges: Ranges) -> Body:
    """The body without conditions that always hold."""
    out: list[Stmt] = []
    for stmt in body:
        if isinstance(stmt, Loop):
            stmt = stmt.with_body(_decided(stmt.body, {**ranges, stmt.var: loop_range(stmt, ranges)}))
        elif isinstance(stmt, If):
            inner = _decided(stmt.body, ranges)
            left = tuple(c for c in stmt.conds if (b := c.bounds(ranges)) is None or b[0] < 0)
            out.extend((If(left, inner),) if left else inner)
            continue
        out.append(stmt)
    return tuple(out)
