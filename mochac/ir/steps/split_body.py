"""SplitBody: compute a part of the results at a time, and again what all parts need."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import (
    Accum,
    Buffer,
    Kernel,
    Load,
    Loop,
    Prefetch,
    Stmt,
    Store,
    access,
    accessed_buffers,
    rewrite,
    substitute,
    walk,
    written_buffers,
)
from mochac.ir.nest import constant_range, map_loops, require_loops
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.starts_fresh import starts_fresh


@step
@record
class SplitBody(Step):
    """Run the body of `around` in several parts, each with as many iterations of `loops`; the loop over them is `part`.

    local P[8] T[2]                                   local P[4] T[2]
    each n in 0..9 {                                  each n in 0..9 { each b in 0..2 {
      each i in 0..2 { T[i] = f(n, i) }                 each i in 0..2 { T[i] = f(n, i) }
      each r in 0..8 { P[r] = g(T[0], T[1], r) }  ->    each r in 0..4 { P[r] = g(T[0], T[1], r + 4*b) }
      each s in 0..8 { y[n, s] = P[s] }                 each s in 0..4 { y[n, s + 4*b] = P[s] }
    }                                                 } }        (loops=(r, s), around=n, parts=2, part=b)

    What is beside `loops` runs again in each part: it may only store to locals that start fresh there. Locals to which
    `loops` store, each along one axis, are theirs alone and shrink; those that start fresh in an iteration stay.
    """

    purpose = "threads share the results of an item, and each computes for itself what all of them need"

    loops: tuple[str, ...]
    around: str
    parts: int
    part: str

    def apply(self, kernel: Kernel) -> Kernel:
        named = [loop for name in self.loops for loop in require_loops(kernel, name, "split_body")]
        around = [loop for loop in require_loops(kernel, self.around, "split_body") if self._named(loop)]
        (first, extent), *others = {constant_range(loop, "split_body") for loop in named}
        if others or first or self.parts < 2 or extent % self.parts or any(loop.kind != "each" for loop in named):
            raise ScheduleError(f"split_body: {' '.join(self.loops)} must be 'each' loops of {self.parts} equal parts")
        own = {name for loop in named for name in written_buffers(loop.body)} & {b.name for b in kernel.locals}
        own -= {name for name in own if all(_private(name, loop) for loop in named)}
        self._check(kernel, around, named, own)
        axes = {name: self._axis(name, named) for name in own}
        size = extent // self.parts
        start = Index.var(self.part) * size

        def shorter(loop: Loop) -> Loop:
            var = Index.var(loop.var)

            def back(s: Stmt) -> Stmt | None:
                if not isinstance(s, (Load, Store, Accum, Prefetch)) or s.buffer not in own:
                    return None
                return replace(s, index=tuple(var if i == var + start else i for i in s.index))

            body = rewrite(substitute(loop.body, {loop.var: var + start}), back)
            return replace(loop, hi=Limit.of(size), body=body)

        def divided(loop: Loop) -> Loop:
            if not self._named(loop):
                return loop
            body = loop.body
            for name in self.loops:
                body = map_loops(body, name, shorter)
            return loop.with_body((Loop(self.part, Limit.of(0), Limit.of(self.parts), "each", "serial", body),))

        def smaller(b: Buffer) -> Buffer:
            if b.name not in own:
                return b
            shape = tuple(size if axis == axes[b.name] else n for axis, n in enumerate(b.type.shape))
            return replace(b, type=b.type.with_(shape=shape))

        body = map_loops(kernel.body, self.around, divided)
        return kernel.with_(body=body, locals=tuple(map(smaller, kernel.locals)))

    def _named(self, around: Loop) -> int:
        """How many of the loops are inside of a loop."""
        return sum(isinstance(s, Loop) and s.var in self.loops for s in walk(around.body))

    def _check(self, kernel: Kernel, around: list[Loop], named: list[Loop], own: set[str]) -> None:
        if sum(map(self._named, around)) != len(named):
            raise ScheduleError(
                f"split_body: {' '.join(self.loops)} must be inside of {self.around!r}, none in another"
            )
        outside = rewrite(kernel.body, lambda s: () if any(s is loop for loop in around) else None)
        for loop in around:
            beside = rewrite(loop.body, lambda s: () if isinstance(s, Loop) and s.var in self.loops else None)
            again = written_buffers(beside)
            wrong = sorted(again - {b.name for b in kernel.locals})
            if wrong:
                raise ScheduleError(f"split_body: {wrong[0]!r} would be stored in every part")
            wrong = sorted(accessed_buffers(beside) & own | accessed_buffers(outside) & (own | again))
            if wrong:
                raise ScheduleError(f"split_body: {wrong[0]!r} is also used where it is not divided")
            wrong = sorted(name for name in again if not starts_fresh(loop.body, name))
            if wrong:
                raise ScheduleError(f"split_body: {wrong[0]!r} does not start fresh in every part")

    def _axis(self, name: str, named: list[Loop]) -> int:
        """The axis along which the loops move a local."""
        found: set[tuple[int, ...]] = set()
        for loop in named:
            for s in walk(loop.body):
                if (at := access(s)) is not None and at[0] == name:
                    moved = tuple(axis for axis, i in enumerate(at[1]) if loop.var in i.vars)
                    found.add(moved if all(at[1][axis] == Index.var(loop.var) for axis in moved) else ())
        if len(found) != 1 or len(axes := found.pop()) != 1:
            raise ScheduleError(f"split_body: {' '.join(self.loops)} must move {name!r} along one axis")
        return axes[0]


def _private(name: str, loop: Loop) -> bool:
    """Whether each iteration of a loop, if it uses a local, has a whole one of its own."""
    moved = any(loop.var in i.vars for s in walk(loop.body) if (at := access(s)) and at[0] == name for i in at[1])
    return not moved and starts_fresh(loop.body, name)
