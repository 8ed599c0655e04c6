"""Peel: split the first or last iterations off a loop."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

from mochac.ir.index import Limit
from mochac.ir.kernel import Body, Kernel, Loop
from mochac.ir.nest import constant_range, map_loops, require_loops
from mochac.ir.schedule import ScheduleError, Step, step


@step
@dataclass(frozen=True)
class Peel(Step):
    """Give the first `first` and last `last` iterations loops of one iteration each, so that their conditions fold.

    each i in 0..9 { A }  ->  each i in 0..1 { A } each i in 1..8 { A } each i in 8..9 { A }    (first=1, last=1)

    All of them keep the name, so later steps apply to each; `apply` replaces loops of one iteration by their body.
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
        return tuple(replace(loop, lo=Limit.of(a), hi=Limit.of(b)) for a, b in itertools.pairwise(cuts))
