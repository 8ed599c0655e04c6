"""Peel: split the first or last iterations off a loop."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

from mochac.base.records import record
from mochac.ir.index import Limit
from mochac.ir.kernel import Body, Kernel, Loop, Stmt, rewrite
from mochac.ir.nest import Ranges, constant_range, map_loops, require_loops
from mochac.ir.schedule import ScheduleError, Step, step


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
