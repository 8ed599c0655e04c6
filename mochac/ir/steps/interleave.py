"""Interleave: run a loop together with the loop before it, which stores what it reads (compute_at in Halide)."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import Body, If, Kernel, Load, Loop, Stmt, Store, accessed_buffers, substitute, written_buffers
from mochac.ir.nest import Ranges, constant_range, ranged_accesses, require_loops
from mochac.ir.schedule import ScheduleError, Step, step


@step
@record
class Interleave(Step):
    """Run iteration b of `loop` right after the iterations below stride*b + reach of `producer`, the loop before it.

    each a in 0..9 { P[a] = f(a) }                  for b in 0..5 {
    each b in 0..4 { y[b] = g(P[2*b], P[2*b + 2]) }   each a in max(0, 2*b - 1)..min(9, 2*b + 1) { P[a] = f(a) }
                                              ->      if b - 1 >= 0 { y[b - 1] = g(P[2*b - 2], P[2*b]) }
                                                    }                          (loop=b, producer=a, stride=2, reach=3)

    Elements that were just stored are then still in the L1 or L2 cache. Both loops must have constant limits from 0.
    The second may only read what is stored by then, must not write what the first accesses, and must need all
    iterations of the first.
    """

    purpose = "it is read as soon as it is computed, while it is in the nearest cache"

    loop: str
    producer: str
    stride: int
    reach: int

    def apply(self, kernel: Kernel) -> Kernel:
        for var in (self.loop, self.producer):
            require_loops(kernel, var, "interleave")
        if self.stride < 1 or self.reach < 1:
            raise ScheduleError("interleave: stride and reach must be at least 1")
        body, found = self._rewrite(kernel.body)
        if not found:
            raise ScheduleError(f"interleave: no loop {self.loop!r} comes right after a loop {self.producer!r}")
        return kernel.with_(body=body)

    def _rewrite(self, body: Body) -> tuple[Body, bool]:
        out: list[Stmt] = []
        found = False
        for stmt in body:
            before = out[-1] if out else None
            if isinstance(before, Loop) and isinstance(stmt, Loop):
                if (before.var, stmt.var) == (self.producer, self.loop):
                    out[-1], found = self._interleave(before, stmt), True
                    continue
            if isinstance(stmt, (Loop, If)):
                inner, here = self._rewrite(stmt.body)
                stmt, found = stmt.with_body(inner), found or here
            out.append(stmt)
        return tuple(out), found

    def _interleave(self, producer: Loop, loop: Loop) -> Loop:
        (low, end), (first, count) = constant_range(producer, "interleave"), constant_range(loop, "interleave")
        if (low, first) != (0, 0) or producer.kind != "each" or loop.kind == "for":
            raise ScheduleError(f"interleave: {self.producer!r} and {self.loop!r} must run from 0, in any order")
        if self.stride * (count - 1) + self.reach < end:
            raise ScheduleError(f"interleave: the last iterations of {self.producer!r} would be left over")
        self._check(producer, loop)
        lead = -(-self.reach // self.stride) - 1
        now = Index.var(self.loop) - lead
        until = now * self.stride + self.reach
        lo, hi = Limit(((Index.of(0), 1), (until - self.stride, 1))), Limit(((Index.of(end), 1), (until, 1)))
        late: Body = substitute(loop.body, {self.loop: now}) if lead else loop.body
        body = (replace(producer, lo=lo, hi=hi), *((If((now,), late),) if lead else late))
        return Loop(self.loop, Limit.of(0), Limit.of(count + lead), "for", "serial", body)

    def _check(self, producer: Loop, loop: Loop) -> None:
        stored, touched = written_buffers(producer.body), accessed_buffers(producer.body)
        clash = sorted(written_buffers(loop.body) & touched)
        if clash:
            raise ScheduleError(f"interleave: {self.loop!r} writes {', '.join(clash)}, which {self.producer!r} uses")
        fronts = {
            s.buffer: self._front(s, ranges) for s, ranges in ranged_accesses((producer,), {}) if isinstance(s, Store)
        }
        for s, ranges in ranged_accesses((loop,), {}):
            if isinstance(s, Load) and s.buffer in stored and not self._stored(s, fronts[s.buffer], ranges):
                raise ScheduleError(f"interleave: {self.loop!r} reads {s.buffer!r} before it is stored")

    def _front(self, store: Store, ranges: Ranges) -> tuple[int, int, int] | None:
        """(axis, step, start) if iteration a stores elements start + step*a + (0 .. step-1) of one axis, or None."""
        axes = [k for k, i in enumerate(store.index) if i.coefficient(self.producer)]
        if len(axes) != 1:
            return None
        index = store.index[axes[0]]
        step = index.coefficient(self.producer)
        within = (index - Index.var(self.producer) * step - index.const).bounds(ranges)
        if step < 1 or within is None or within[0] < 0 or within[1] >= step:
            return None
        return axes[0], step, index.const

    def _stored(self, load: Load, front: tuple[int, int, int] | None, ranges: Ranges) -> bool:
        """Whether the element is stored before iteration stride*b + reach of `producer`."""
        if front is None:
            return False
        axis, step, start = front
        spare = (Index.var(self.loop) * self.stride + self.reach) * step + start - 1 - load.index[axis]
        bounds = spare.bounds(ranges)
        return bounds is not None and bounds[0] >= 0
