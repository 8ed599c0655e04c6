"""Jam: run two loops in sequence as one; what the first stores for the second is kept for one iteration only."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.index import Index
from mochac.ir.kernel import (
    Body,
    Buffer,
    If,
    Kernel,
    Load,
    Loop,
    Stmt,
    Store,
    access,
    accessed_buffers,
    loaded_buffers,
    rewrite,
    substitute,
    walk,
    written_buffers,
)
from mochac.ir.nest import Ranges, constant_range, loop_range, ranged_accesses, require_loops
from mochac.ir.schedule import ScheduleError, Step, step


@step
@record
class Jam(Step):
    """Run each iteration of `loop` right after the same iteration of `producer`, the loop before it.

    local P[8]                                          local P[2]
    each a in 0..4 { each i in 0..2 {                   sum b in 0..4 {
      P[i + 2*a] = f(a, i)                                each i in 0..2 { P[i] = f(b, i) }
    } }                                           ->      sum j in 0..2 { acc[] += P[j] }
    sum b in 0..4 { sum j in 0..2 {                     }
      acc[] += P[j + 2*b]
    } }                                                 (loop=b, producer=a)

    The first loop may store only to locals that nothing but the second one reads, each along one axis. An iteration may
    only read what the same iteration of the first loop has stored, so the locals shrink to that.
    """

    purpose = "it is read as soon as it is computed, from memory small enough for the nearest cache"

    loop: str
    producer: str

    def apply(self, kernel: Kernel) -> Kernel:
        for var in (self.loop, self.producer):
            require_loops(kernel, var, "jam")
        work = _Jamming(self, kernel)
        body = work.rewritten(kernel.body, {})
        if not work.steps:
            raise ScheduleError(f"jam: no loop {self.loop!r} comes right after a loop {self.producer!r}")
        for stmt in walk(body):
            at = access(stmt)
            if at is not None and at[0] in work.steps and id(stmt) not in work.own:
                raise ScheduleError(f"jam: {at[0]!r} is also used outside of both loops")
        return kernel.with_(body=body, locals=tuple(map(work.shrunk, kernel.locals)))


class _Jamming:
    """One application: the axis of each local, and by how much the loops move along it."""

    def __init__(self, jam: Jam, kernel: Kernel) -> None:
        self.jam, self.kernel = jam, kernel
        self.steps: dict[str, tuple[int, int]] = {}
        self.own: set[int] = set()

    def rewritten(self, body: Body, ranges: Ranges) -> Body:
        """Jam every such pair of loops; `ranges` are those of the loops around."""
        out: list[Stmt] = []
        for stmt in body:
            before = out[-1] if out else None
            if isinstance(before, Loop) and isinstance(stmt, Loop):
                if (before.var, stmt.var) == (self.jam.producer, self.jam.loop):
                    out[-1] = self._jammed(before, stmt, ranges)
                    continue
            if isinstance(stmt, Loop):
                stmt = stmt.with_body(self.rewritten(stmt.body, {**ranges, stmt.var: loop_range(stmt, ranges)}))
            elif isinstance(stmt, If):
                stmt = stmt.with_body(self.rewritten(stmt.body, ranges))
            out.append(stmt)
        return tuple(out)

    def shrunk(self, buffer: Buffer) -> Buffer:
        """A local with what one iteration stores."""
        if buffer.name not in self.steps:
            return buffer
        axis, size = self.steps[buffer.name]
        shape = buffer.type.shape
        return replace(buffer, type=replace(buffer.type, shape=(*shape[:axis], size, *shape[axis + 1 :])))

    def _jammed(self, producer: Loop, loop: Loop, ranges: Ranges) -> Loop:
        same = constant_range(producer, "jam") == constant_range(loop, "jam")
        if not same or producer.kind != "each" or loop.kind == "for" or {producer.run, loop.run} != {"serial"}:
            raise ScheduleError(f"jam: {producer.var!r} and {loop.var!r} must run over the same range, in any order")
        stored = written_buffers(producer.body)
        written = written_buffers(loop.body) & accessed_buffers(producer.body)
        if written or stored - {b.name for b in self.kernel.locals}:
            raise ScheduleError(f"jam: {producer.var!r} must store only to locals, which {loop.var!r} only reads")
        passed = stored & loaded_buffers(loop.body)
        first = substitute(producer.body, {producer.var: Index.var(loop.var)})
        inside = {**ranges, loop.var: loop_range(loop, ranges)}
        for body in (first, loop.body):
            for s, around in ranged_accesses(body, inside):
                if isinstance(s, (Load, Store)) and s.buffer in passed:
                    self._note(s, loop.var, around)
        body = rewrite((*first, *loop.body), lambda s: self._moved(s, loop.var))
        self.own |= set(map(id, walk(body)))
        return loop.with_body(body)

    def _note(self, s: Load | Store, var: str, ranges: Ranges) -> None:
        """Check that an access stays inside the part of its iteration."""
        axes = [k for k, i in enumerate(s.index) if i.coefficient(var)]
        size = s.index[axes[0]].coefficient(var) if len(axes) == 1 else 0
        found = (axes[0], size) if axes else (0, 0)
        within = (s.index[found[0]] - Index.var(var) * size).bounds(ranges) if size > 0 else None
        if within is None or within[0] < 0 or within[1] >= size or self.steps.setdefault(s.buffer, found) != found:
            raise ScheduleError(f"jam: an iteration of {var!r} uses {s.buffer!r} beyond what it stores itself")

    def _moved(self, s: Stmt, var: str) -> Stmt | None:
        if not isinstance(s, (Load, Store)) or s.buffer not in self.steps:
            return None
        axis, size = self.steps[s.buffer]
        moved = s.index[axis] - Index.var(var) * size
        return replace(s, index=(*s.index[:axis], moved, *s.index[axis + 1 :]))
