"""Split: split a loop into an outer and an inner loop."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import Body, If, Kernel, Loop, access, substitute, walk
from mochac.ir.nest import constant_range, indices, map_loops, mentions, require_loops
from mochac.ir.schedule import ScheduleError, Step, step

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
