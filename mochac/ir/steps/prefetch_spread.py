"""PrefetchSpread: prefetch what the next iteration of a loop accesses, spread over the loops of another nest in it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from mochac.base.records import record
from mochac.ir.index import Index
from mochac.ir.kernel import Body, If, Kernel, Load, Loop, Prefetch, Stmt, Store, walk
from mochac.ir.nest import Ranges, loop_range, require_loops, surely
from mochac.ir.schedule import ScheduleError, Step, step

EVERY = "*"
"""In `by`: every iteration, whatever its number."""


@step
@record
class PrefetchSpread(Step):
    """Every iteration of loop `inside` prefetches some elements that the next iteration of loop `next` loads from
    `buffer`, or stores to it.

    each t in 0..8 {                           each t in 0..8 {
      each c in 0..4 { each h in 0..5 {          each c in 0..4 { each h in 0..5 {
        v[c, h] = x[c, 5*t + h]                    v[c, h] = x[c, 5*t + h]
      } }                                        } }
      each q in 0..6 {                     ->    each q in 0..6 {
        each f in 0..5 { .. v .. }                 each f in 0..5 {
      }                                              if -q + 3 >= 0, -t + 6 >= 0 { prefetch l2 x[q, 5*t + f + 5] }
    }                                                .. v ..
                                                   }
                                                 }
                                               }          (inside=f, next=t, loops=(c, h), by=(q, f), per=(1, 1))

    Iteration i of a loop in `by` prefetches iterations per*i .. per*i + per - 1 of the loop at its place in `loops`, if
    they exist; for "*", all iterations prefetch the first `per`. Other loops around the access are taken at their first
    iteration. If given, `first` has the iterations of `loops` to begin with, and `start` those of `by`. After the last
    iteration of `next` comes the first one in the next iteration of `wraps`, if given. The meaning does not change.
    Prefetches that are spread over arithmetic leave room for other loads. Lines go to L2: L1 would not keep them until
    the next iteration, and lines on their way to L1 delay those that L2 sends there meanwhile.
    """

    purpose = "what is read or stored next is prefetched while products are computed"

    buffer: str
    inside: str
    next: str
    loops: tuple[str, ...]
    by: tuple[str, ...]
    per: tuple[int, ...]
    first: tuple[int, ...] = ()
    start: tuple[int, ...] = ()
    wraps: str = ""

    def apply(self, kernel: Kernel) -> Kernel:
        for loop in (self.inside, self.next, *(by for by in self.by if by != EVERY)):
            require_loops(kernel, loop, "prefetch_spread")
        if self.buffer not in {b.name for b in (*kernel.inputs, *kernel.outputs)}:
            raise ScheduleError(f"prefetch_spread: kernel {kernel.name!r} has no input or output {self.buffer!r}")
        if any(len(x) != len(self.loops) for x in (self.by, self.per, self.first or self.per, self.start or self.per)):
            raise ScheduleError(
                f"prefetch_spread: {len(self.loops)} loops need as many of `by`, `per`, `first`, `start`"
            )
        work = _Hints(kernel, self)
        body = work.rewrite(kernel.body, (), {})
        if not work.made:
            rule = f"prefetch_spread: no loop {self.inside!r} is beside an access to {self.buffer!r} in {self.next!r}"
            raise ScheduleError(rule)
        return kernel.with_(body=body)


class _Hints:
    """One application of the step."""

    def __init__(self, kernel: Kernel, step: PrefetchSpread) -> None:
        self.step, self.shape = step, kernel.buffers()[step.buffer].type.shape
        self.ends: dict[str, int] = {}
        for s in walk(kernel.body):
            if isinstance(s, Loop):
                limits = [i.const for i, d in s.hi.candidates if i.is_const and d == 1]
                self.ends[s.var] = max(self.ends.get(s.var, 0), *limits, 0)
        self.made = False

    def rewrite(self, body: Body, around: tuple[Loop, ...], ranges: Ranges) -> Body:
        """The body with hints in all loops `inside`."""
        out: list[Stmt] = []
        for stmt in body:
            if isinstance(stmt, Loop):
                inside = {**ranges, stmt.var: loop_range(stmt, ranges)}
                inner = self.rewrite(stmt.body, (*around, stmt), inside)
                hints = tuple(self._hints(around, inside)) if stmt.var == self.step.inside else ()
                stmt = stmt.with_body((*hints, *inner))
            elif isinstance(stmt, If):
                stmt = stmt.with_body(self.rewrite(stmt.body, around, ranges))
            out.append(stmt)
        return tuple(out)

    def _hints(self, around: tuple[Loop, ...], ranges: Ranges) -> Iterator[Stmt]:
        next_one = next((loop for loop in around if loop.var == self.step.next), None)
        accesses = self._accesses(next_one)
        if next_one is None or not accesses:
            return
        self.made = True
        here = {v: Index.of(0) for x in accesses for i in x.index for v in i.vars if v not in ranges}
        for moved, there in self._next(next_one, around):
            hints: dict[tuple[Index, ...], list[Stmt]] = {}
            for ks in product(*map(range, self.step.per)):
                at, conds = self._spread(ks)
                needed = dict.fromkeys(c for c in (*there, *conds) if not surely(c, ranges))
                for x in accesses:
                    index = tuple(i.substitute({**here, **at}).substitute(moved) for i in x.index)
                    hints.setdefault(tuple(needed), []).append(Prefetch(self.step.buffer, index, l2=True))
            for needed, together in hints.items():
                yield from (If(needed, tuple(together)),) if needed else together

    def _accesses(self, loop: Loop | None) -> list[Load | Store]:
        """The accesses in a loop, one for each index: the lines of a tile may be read one by one."""
        body = loop.body if loop else ()
        found = [s for s in walk(body) if isinstance(s, (Load, Store)) and s.buffer == self.step.buffer]
        return list({s.index: s for s in found if type(s) is type(found[0])}.values())

    def _spread(self, ks: tuple[int, ...]) -> tuple[dict[str, Index], list[Index]]:
        """Which iterations of the loops around the access are prefetched, and the conditions that they exist."""
        at: dict[str, Index] = {}
        conds: list[Index] = []
        none = (0,) * len(ks)
        step = self.step
        rows = zip(step.loops, step.by, step.per, step.first or none, step.start or none, ks, strict=True)
        for loop, by, per, first, start, k in rows:
            turn = Index.var(by) - start if by != EVERY else Index.of(0)
            at[loop] = turn * per + k + first
            conds += [turn, self.ends.get(loop, 0) - 1 - at[loop]]
        return at, conds

    def _next(self, loop: Loop, around: tuple[Loop, ...]) -> Iterator[tuple[dict[str, Index], tuple[Index, ...]]]:
        """Where the next iteration is, with the conditions under which it is there."""
        var, last = Index.var(loop.var), self.ends[loop.var] - 1
        yield {loop.var: var + 1}, (last - 1 - var,)
        outer = next((x for x in around if x.var == self.step.wraps), None)
        if outer is not None:
            first = {loop.var: Index.of(0), outer.var: Index.var(outer.var) + 1}
            yield first, (var - last, self.ends[outer.var] - 2 - Index.var(outer.var))
