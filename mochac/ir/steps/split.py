"""Steps that cut a loop in two: into blocks, its last iterations, its first ones, or statements of its body."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

from mochac.base.records import record
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import (
    Body,
    Buffer,
    If,
    Kernel,
    Loop,
    Stmt,
    access,
    accessed_buffers,
    defined_names,
    rewrite,
    substitute,
    walk,
    written_buffers,
)
from mochac.ir.names import rename_buffers, rename_loops, rename_values
from mochac.ir.nest import Ranges, constant_range, indices, map_loops, mentions, require_loops
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.segments import Cutter
from mochac.ir.starts_fresh import starts_fresh

TAILS = ("guard", "cut", "pad")


@step
@record
class Split(Step):
    """Replace loop v by two loops: v = lo + factor*outer + inner.

    each n in 0..100 { y[n] = x[n] }  ->  each q in 0..7 { each lane in 0..16 { if -lane - 16*q + 99 >= 0 { ... } } }

    tail: what to do if `factor` does not divide the extent:
        guard: put a condition around the body;
        cut: whole blocks first, then a second nest for the remainder, whose outer loop has one iteration;
        pad: round the extent up; only for `each` loops that access storage only as axis 0 of blocked buffers, which are
            stored as whole blocks.
    """

    loop: str
    factor: int
    outer: str
    inner: str
    tail: str = "guard"

    def apply(self, kernel: Kernel) -> Kernel:
        if self.factor < 1:
            raise ScheduleError(f"split: factor must be at least 1, not {self.factor}")
        if self.tail not in TAILS:
            raise ScheduleError(f"split: tail must be one of {', '.join(TAILS)}, not {self.tail!r}")
        require_loops(kernel, self.loop, "split")
        self._check_names(kernel)
        return kernel.with_(body=map_loops(kernel.body, self.loop, lambda loop: self._split(loop, kernel)))

    def _check_names(self, kernel: Kernel) -> None:
        taken = {s.var for s in walk(kernel.body) if isinstance(s, Loop)} - {self.loop}
        for name in (self.outer, self.inner):
            if name in taken:
                raise ScheduleError(f"split: the kernel already has a loop {name!r}")
        if self.outer == self.inner:
            raise ScheduleError(f"split: outer and inner loop are both called {self.outer!r}")

    def _split(self, loop: Loop, kernel: Kernel) -> Body:
        lo, hi = constant_range(loop, "split")
        whole, rest = divmod(hi - lo, self.factor)
        if not rest:
            return (self._nest(loop, lo, whole),)
        if self.tail == "cut":
            main = (self._nest(loop, lo, whole),) if whole else ()
            return (*main, self._nest(loop, lo, whole + 1, first=whole, extent=rest))
        if self.tail == "pad":
            self._check_pad(loop, kernel, (whole + 1) * self.factor)
            return (self._nest(loop, lo, whole + 1),)
        guarded = loop.with_body((If((Index.of(hi - 1) - Index.var(loop.var),), loop.body),))
        return (self._nest(guarded, lo, whole + 1),)

    def _inner(self, loop: Loop, base: Index, extent: int) -> Loop:
        body = substitute(loop.body, {loop.var: base + Index.var(self.inner)})
        return replace(loop, var=self.inner, lo=Limit.of(0), hi=Limit.of(extent), body=body)

    def _nest(self, loop: Loop, lo: int, blocks: int, first: int = 0, extent: int = 0) -> Loop:
        inner = self._inner(loop, Index.var(self.outer) * self.factor + lo, extent or self.factor)
        return replace(loop, var=self.outer, lo=Limit.of(first), hi=Limit.of(blocks), body=(inner,))

    def _check_pad(self, loop: Loop, kernel: Kernel, padded: int) -> None:
        if loop.kind != "each" or loop.lo.const != 0:
            raise ScheduleError(f"split: only an 'each' loop from 0 may be padded, {loop.var!r} is {loop.kind!r}")
        buffers = kernel.buffers()
        for stmt in walk(loop.body):
            accessed = access(stmt)
            if accessed is None:
                continue
            type, index = buffers[accessed[0]].type, accessed[1]
            if not any(mentions(i, loop.var) for i in index):
                continue
            room = -(-type.shape[0] // type.lanes) * type.lanes if type.lanes else 0
            if index[0] != Index.var(loop.var) or any(mentions(i, loop.var) for i in index[1:]) or padded > room:
                raise ScheduleError(
                    f"split: padding {loop.var!r} to {padded} needs {accessed[0]!r} blocked, with it on axis 0"
                )
        if any(mentions(i, loop.var) for s in walk(loop.body) if isinstance(s, (Loop, If)) for i in indices(s)):
            raise ScheduleError(f"split: padding {loop.var!r} would change a range or condition that depends on it")


@step
@record
class Cut(Step):
    """Iterations from `at` on get their own loop, counted from 0. Its loops, values and locals get `suffix`.

    each n in 0..9 {                     each n in 0..8 { each c in 0..3 { y[n, c] = 0 } }
      each c in 0..3 { y[n, c] = 0 }  ->
    }                                    each n.tail in 0..1 { each c.tail in 0..3 { y[n.tail + 8, c.tail] = 0 } }

    (at=8, suffix=.tail) Unlike after Peel, later steps can treat the two parts differently.
    """

    loop: str
    at: int
    suffix: str

    def apply(self, kernel: Kernel) -> Kernel:
        loops = require_loops(kernel, self.loop, "cut")
        if len(loops) > 1:
            raise ScheduleError(f"cut: kernel {kernel.name!r} has {len(loops)} loops {self.loop!r}")
        (loop,) = loops
        lo, hi = constant_range(loop, "cut")
        if not lo < self.at < hi:
            raise ScheduleError(f"cut: loop {self.loop!r} runs over {lo}..{hi}, cannot be cut at {self.at}")
        own = _own(kernel, loop)
        parts = (replace(loop, hi=Limit.of(self.at)), self._second(loop, hi, {b.name for b in own}))
        taken = {s.var for s in walk(kernel.body) if isinstance(s, Loop)} | set(kernel.buffers())
        clash = taken & {s.var for s in walk(parts[1:]) if isinstance(s, Loop)}
        clash |= taken & {f"{b.name}{self.suffix}" for b in own}
        if clash:
            raise ScheduleError(f"cut: the kernel already has {', '.join(sorted(clash))}")
        copies = tuple(replace(b, name=f"{b.name}{self.suffix}") for b in own)
        body = map_loops(kernel.body, self.loop, lambda _: parts)
        return kernel.with_(body=body, locals=(*kernel.locals, *copies))

    def _second(self, loop: Loop, hi: int, own: set[str]) -> Loop:
        """The second part with new names."""
        names = {s.var: f"{s.var}{self.suffix}" for s in walk((loop,)) if isinstance(s, Loop)}
        values = {name: f"{name}{self.suffix}" for name in defined_names(loop.body)}
        buffers = {name: f"{name}{self.suffix}" for name in own}
        moved = loop.with_body(substitute(loop.body, {loop.var: Index.var(loop.var) + self.at}))
        (part,) = rename_values(rename_buffers(rename_loops((moved,), names), buffers), values)
        assert isinstance(part, Loop)
        return replace(part, lo=Limit.of(0), hi=Limit.of(hi - self.at))


def _own(kernel: Kernel, loop: Loop) -> list[Buffer]:
    """Locals that are not accessed outside the loop."""
    outside = accessed_buffers(map_loops(kernel.body, loop.var, lambda _: ()))
    inside = accessed_buffers(loop.body)
    return [b for b in kernel.locals if b.name in inside - outside]


@step
@record
class Peel(Step):
    """Give the first `first` and last `last` iterations loops of one iteration each, so that their conditions fold.

    each i in 0..9 { A }  ->  each i in 0..1 { A } each i in 1..8 { A } each i in 8..9 { A }    (first=1, last=1)

    All of them keep the name, so later steps apply to each; `apply` replaces loops of one iteration by their body.
    Limits of loops inside that a part decides become constants:

    each p in 0..3 { sum n in 0..min(16, -16*p + 40) { A } }  ->  each p in 0..2 { sum n in 0..16 { A } }
                                                                  each p in 2..3 { sum n in 0..8 { A } }    (last=1)
    """

    purpose = "only the first or last iterations have conditions, or lanes without work; the others run without"

    loop: str
    first: int = 0
    last: int = 0

    def apply(self, kernel: Kernel) -> Kernel:
        if self.first < 0 or self.last < 0:
            raise ScheduleError("peel: first and last must not be negative")
        require_loops(kernel, self.loop, "peel")
        return kernel.with_(body=map_loops(kernel.body, self.loop, self._peel))

    def _peel(self, loop: Loop) -> Body:
        lo, hi = constant_range(loop, "peel")
        first = min(hi, lo + self.first)
        last = max(first, hi - self.last)
        cuts = [*range(lo, first), *((first,) if first < last else ()), *range(last, hi), hi]
        return tuple(_decided(replace(loop, lo=Limit.of(a), hi=Limit.of(b))) for a, b in itertools.pairwise(cuts))


def _decided(loop: Loop) -> Loop:
    """The loop, with limits inside of it that depend on its variable only as constants where they are."""
    lo, hi = constant_range(loop, "peel")
    ranges = {loop.var: (lo, hi - 1)}

    def decide(stmt: Stmt) -> Stmt | None:
        if not isinstance(stmt, Loop) or loop.var not in (*stmt.lo.vars, *stmt.hi.vars):
            return None
        return replace(stmt, lo=_constant(stmt.lo, ranges, max), hi=_constant(stmt.hi, ranges, min))

    return loop.with_body(rewrite(loop.body, decide))


def _constant(limit: Limit, ranges: Ranges, best: Callable[[list[int]], int]) -> Limit:
    """The limit as a constant, if it is one for all these values of variables."""
    bounds = [i.bounds(ranges) for i, _ in limit.candidates]
    if any(b is None for b in bounds):
        return limit
    ends = [best([-(-b[k] // d) for b, (_, d) in zip(bounds, limit.candidates, strict=True) if b]) for k in (0, 1)]
    return Limit.of(ends[0]) if ends[0] == ends[1] else limit


@step
@record
class Fission(Step):
    """Cut a loop's body after statement `after` (counted from 1, inside the condition if one guards the whole body).

    for i in 0..2 {                 each i in 0..2 { acc[i] = f(i) }
      acc[] = f(i)            ->    for i in 0..2 { best[] = max(acc[i], best[]) }
      best[] = max(acc[], best[])
    }

    Locals that are written before and used after the cut gain a dimension, as in Distribute. The first part of a `for`
    or `sum` loop must neither read nor write what the second part writes; if it writes only locals that are private to
    an iteration, its loop becomes `each`. `second` renames the second loop.
    """

    purpose = "what follows the sums may run in another order than they do"

    loop: str
    after: int
    second: str = ""

    def apply(self, kernel: Kernel) -> Kernel:
        require_loops(kernel, self.loop, "fission")
        cutter = Cutter(kernel, self.loop, "fission")
        body = map_loops(kernel.body, self.loop, lambda loop: self._cut(loop, kernel, cutter))
        return self._named(cutter.finish(body))

    def _named(self, kernel: Kernel) -> Kernel:
        """The kernel with every second loop renamed."""
        if not self.second:
            return kernel
        if any(isinstance(s, Loop) and s.var == self.second for s in walk(kernel.body)):
            raise ScheduleError(f"fission: the kernel already has a loop {self.second!r}")
        turn = itertools.cycle((self.loop, self.second))

        def name(loop: Loop) -> Body:
            return rename_loops((loop,), {self.loop: next(turn)})

        return kernel.with_(body=map_loops(kernel.body, self.loop, name))

    def _cut(self, loop: Loop, kernel: Kernel, cutter: Cutter) -> Body:
        body, guards = loop.body, ()
        while len(body) == 1 and isinstance(body[0], If):
            guards, body = (*guards, *body[0].conds), body[0].body
        if not 0 < self.after < len(body):
            raise ScheduleError(f"fission: loop {loop.var!r} has {len(body)} statements, cannot cut after {self.after}")
        parts = [body[: self.after], body[self.after :]]
        if loop.kind != "each":
            _check_independent(loop, *parts)
        first, second = cutter.link(loop, [(If(guards, p),) if guards else p for p in parts])
        own = {b.name for b in (*kernel.locals, *cutter.spilled.values())}
        kind = "each" if loop.kind != "each" and _private(first, own) else loop.kind
        return (replace(loop, kind=kind, body=first), loop.with_body(second))


def _check_independent(loop: Loop, first: Body, second: Body) -> None:
    shared = written_buffers(second) & accessed_buffers(first)
    if shared:
        raise ScheduleError(
            f"fission: the second part of {loop.kind!r} loop {loop.var!r} writes {', '.join(sorted(shared))}, "
            f"which the first part of a later iteration uses"
        )
    for name in sorted(written_buffers(first) & accessed_buffers(second)):
        if not starts_fresh((*first, *second), name):
            raise ScheduleError(f"fission: {name!r} carries a value from one iteration of {loop.var!r} to the next")


def _private(body: Body, own: set[str]) -> bool:
    """Whether a body writes only locals in `own`, and every iteration sets them before it reads them."""
    return all(n in own and starts_fresh(body, n) for n in written_buffers(body))
