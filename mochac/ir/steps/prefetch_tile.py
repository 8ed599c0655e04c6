"""Steps that prefetch what the next tile or iteration reads, spread over the loops that run before."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from mochac.base.records import record
from mochac.base.threads import cached_property
from mochac.ir.index import Index
from mochac.ir.kernel import Body, If, Kernel, Load, Loop, Prefetch, Stmt, Store, walk
from mochac.ir.nest import Ranges, loop_range, require_loops, surely
from mochac.ir.schedule import ScheduleError, Step, step


@step
@record
class PrefetchTile(Step):
    """Every iteration of `sum` loop `inside` prefetches `per` elements that the next iteration of `next` loads or
    stores.

    each t in 0..9 {                    each t in 0..9 {
      each g in 0..4 {                    each g in 0..4 {
        sum k { each r in 0..4 {     ->     sum k { prefetch w[4*t + g + 4, k]; each r in 0..4 {
          .. = w[4*t + r, k]                  .. = w[4*t + r, k]
        } }                                 } }
      }                                   }
    }                                   }                              (inside=k, next=t, line=r, turns=g)

    Every iteration of loop `turns` prefetches the next `per` iterations of loop `line` (fewer if that loop is shorter
    and `wraps` is not given), and for each of them all of loop `whole`, if given. If `late`, only the last iterations
    of `turns` prefetch, as many as loop `line` needs: what comes too early would be evicted, or evict what is read
    before. Loop `also`, if given, is taken at `pace` times loop `by`. Without `next`, the current iteration's part is
    prefetched. At the end of `next`, the prefetch continues with the first iteration of `next` in the next iteration of
    `wraps`, if given. Other loops around the access are fixed at their first iteration, terms where they reach furthest
    along the axis of `next`. The meaning does not change. Spread out like this, prefetches from a far cache do not
    delay loads from a near one.
    """

    purpose = "what the next tile reads is prefetched while this one is computed"

    buffer: str
    inside: str
    line: str
    turns: str = ""
    next: str = ""
    wraps: str = ""
    per: int = 1
    whole: str = ""
    write: bool = False
    also: str = ""
    by: str = ""
    pace: int = 1
    late: bool = False

    def apply(self, kernel: Kernel) -> Kernel:
        require_loops(kernel, self.inside, "prefetch_tile")
        if self.buffer not in {b.name for b in (*kernel.inputs, *kernel.outputs)}:
            raise ScheduleError(f"prefetch_tile: kernel {kernel.name!r} has no input or output {self.buffer!r}")
        if self.per < 1:
            raise ScheduleError(f"prefetch_tile: per must be at least 1, not {self.per}")
        work = _Hints(kernel, self)
        body = work.rewrite(kernel.body, ())
        if not work.found_any:
            raise ScheduleError(
                f"prefetch_tile: nothing around a 'sum' loop {self.inside!r} loads {self.buffer!r}, or stores to it"
            )
        return kernel.with_(body=body)


class _Hints:
    def __init__(self, kernel: Kernel, step: PrefetchTile) -> None:
        self.step = step
        self.found_any = False
        self.loops = [s for s in walk(kernel.body) if isinstance(s, Loop)]
        self.end = max((s.hi.const or 0 for s in self.loops if s.var == step.next), default=0)

    def rewrite(self, body: Body, around: tuple[Loop, ...]) -> Body:
        """The body with prefetches in every loop `inside` that has an access in it or in a loop around it."""
        out: list[Stmt] = []
        for stmt in body:
            if isinstance(stmt, Loop):
                inner = self.rewrite(stmt.body, (*around, stmt))
                hints = self._hints((*around, stmt)) if stmt.var == self.step.inside and stmt.kind == "sum" else ()
                stmt = stmt.with_body((*hints, *inner))
            elif hasattr(stmt, "body"):
                stmt = stmt.with_body(self.rewrite(stmt.body, around))  # type: ignore[union-attr]
            out.append(stmt)
        return tuple(out)

    def _hints(self, around: tuple[Loop, ...]) -> Body:
        found = self._access(around)
        if found is None:
            return ()
        self.found_any = True
        known = {loop.var for loop in around}
        here = {v: self._reached(v, i) for i in found.index for v in i.vars if v not in known}
        if self.step.also and self.step.by in known:
            here[self.step.also] = Index.var(self.step.by) * self.step.pace
        turn = Index.var(self.step.turns) - self._skipped if self.step.turns in known else Index.of(0)
        first = turn * self.step.per
        lines = [{**here, self.step.line: first + k, **w} for k in range(self._per(around)) for w in self._whole()]
        hints = tuple(hint for env in lines for hint in self._prefetches(found, around, env))
        return (If((turn,), hints),) if self._skipped and self.step.turns in known else hints

    @cached_property
    def _skipped(self) -> int:
        """Iterations of `turns` that do not prefetch, before those that do."""
        needed = -(-self._end(self.step.line) // self.step.per)
        return max(0, self._end(self.step.turns) - needed) if self.step.late else 0

    def _reached(self, var: str, axis: Index) -> Index:
        """Where a term reaches furthest along an axis in the direction of `next`; else a loop's first iteration."""
        forward = axis.coefficient(self.step.next) * axis.coefficient(var) > 0
        term = any(x.var == var and x.kind == "sum" for x in self.loops)
        return Index.of(max(0, self._end(var) - 1) if forward and term else 0)

    def _end(self, var: str) -> int:
        """The largest constant upper limit of loops over `var`; 0 if there is none."""
        limits = [i.const for x in self.loops if x.var == var for i, d in x.hi.candidates if i.is_const and d == 1]
        return max(limits, default=0)

    def _prefetches(self, access: Load | Store, around: tuple[Loop, ...], env: dict[str, Index]) -> Body:
        """Prefetches of one element in the next iteration of `next`, or in its first one at the end of that loop."""

        def of(moved: dict[str, Index]) -> Prefetch:
            at = {**env, **moved}
            return Prefetch(self.step.buffer, tuple(i.substitute(at) for i in access.index), self.step.write)

        loop = next((x for x in around if x.var == self.step.next), None)
        if loop is None:
            return (of({}),)
        var, ahead = Index.var(loop.var), of({loop.var: Index.var(loop.var) + 1})
        if loop.hi.const != self.end or all(x.var != self.step.wraps for x in around):
            return (ahead,)
        around_again = of({loop.var: Index.of(0), self.step.wraps: Index.var(self.step.wraps) + 1})
        last = {loop.var: Index.of(self.end - 1)}
        if loop.extent == 1 or tuple(i.substitute(last) for i in ahead.index) == around_again.index:
            return (around_again,) if loop.extent == 1 else (ahead,)
        return If((self.end - 2 - var,), (ahead,)), If((var - (self.end - 1),), (around_again,))

    def _per(self, around: tuple[Loop, ...]) -> int:
        """Prefetches per iteration: at most the extent of `line` (short in a tail), unless the prefetch wraps."""
        if self.step.wraps:
            return self.step.per
        near = (*around, *(s for s in walk(around[-1].body) if isinstance(s, Loop)))
        return min(self.step.per, next((x.extent or 1 for x in near if x.var == self.step.line), self.step.per))

    def _whole(self) -> list[dict[str, Index]]:
        return [{self.step.whole: Index.of(k)} for k in range(self._end(self.step.whole))] or [{}]

    def _access(self, around: tuple[Loop, ...]) -> Load | Store | None:
        """The load or store in the innermost enclosing loop that contains one."""
        for loop in reversed(around):
            for s in walk(loop.body):
                if isinstance(s, (Load, Store)) and s.buffer == self.step.buffer:
                    return s
        return None


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
        work = _HintsPrefetchSpread(kernel, self)
        body = work.rewrite(kernel.body, (), {})
        if not work.found_any:
            rule = f"prefetch_spread: no loop {self.inside!r} is beside an access to {self.buffer!r} in {self.next!r}"
            raise ScheduleError(rule)
        return kernel.with_(body=body)


class _HintsPrefetchSpread:
    """One application of the step."""

    def __init__(self, kernel: Kernel, step: PrefetchSpread) -> None:
        self.step, self.shape = step, kernel.buffers()[step.buffer].type.shape
        self.ends: dict[str, int] = {}
        for s in walk(kernel.body):
            if isinstance(s, Loop):
                limits = [i.const for i, d in s.hi.candidates if i.is_const and d == 1]
                self.ends[s.var] = max(self.ends.get(s.var, 0), *limits, 0)
        self.found_any = False

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
        self.found_any = True
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
