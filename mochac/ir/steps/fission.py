"""Fission: split the body of a loop into two loops."""

from __future__ import annotations

import itertools
from dataclasses import replace

from mochac.base.records import record
from mochac.ir.kernel import Body, If, Kernel, Loop, accessed_buffers, walk, written_buffers
from mochac.ir.names import rename_loops
from mochac.ir.nest import map_loops, require_loops
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.segments import Cutter
from mochac.ir.starts_fresh import starts_fresh


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
