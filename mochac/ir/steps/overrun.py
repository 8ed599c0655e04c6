"""Overrun: compute locals even where a condition leaves them out, since they are not read there."""

from __future__ import annotations

from mochac.base.records import record
from mochac.ir.index import Index
from mochac.ir.kernel import (
    Accum,
    Body,
    If,
    Kernel,
    Load,
    Loop,
    Stmt,
    Store,
    access,
    loops_named,
    walk,
    written_buffers,
)
from mochac.ir.nest import Ranges, loop_range, map_loops, require_loops
from mochac.ir.schedule import ScheduleError, Step, step


@step
@record
class Overrun(Step):
    """Drop the conditions on `loop` in a nest that fills locals.

    each w in 0..8 { each n in 0..4 {              each w in 0..8 { each n in 0..4 {
      if 2*w - 1 >= 0 {                              acc[] = 0
        acc[] = 0                             ->     sum k in 0..2 { acc[] += x[w + k] }
        sum k in 0..2 { acc[] += x[w + k] }          kept[w, n] = acc[]
        kept[w, n] = acc[]                         } }
      }
    } }

    The guarded statements must store only to locals, and to each of them before they read it; if other statements read
    a local, other than such nests, every iteration must store an element of its own. What they read must exist in all
    iterations.
    """

    purpose = "computing results that are never read costs nothing, but a condition would cost time"

    loop: str

    def apply(self, kernel: Kernel) -> Kernel:
        require_loops(kernel, self.loop, "overrun")
        ranges: dict[str, tuple[int, int]] = {}
        for s in walk(kernel.body):
            if isinstance(s, Loop) and s.extent is not None:
                low, high = loop_range(s, {})
                least, most = ranges.get(s.var, (low, high))
                ranges[s.var] = (min(least, low), max(most, high))
        body = map_loops(kernel.body, self.loop, lambda loop: loop.with_body(self._dropped(loop.body, kernel, ranges)))
        if body == kernel.body:
            raise ScheduleError(f"overrun: no condition on {self.loop!r} guards a nest that fills locals")
        return kernel.with_(body=body)

    def _dropped(self, body: Body, kernel: Kernel, ranges: Ranges) -> Body:
        """The body of perfectly nested loops without the conditions."""
        only = body[0] if len(body) == 1 else None
        if isinstance(only, Loop):
            return (only.with_body(self._dropped(only.body, kernel, ranges)),)
        if not isinstance(only, If):
            return body
        kept = tuple(c for c in only.conds if not c.coefficient(self.loop))
        inner = self._dropped(only.body, kernel, ranges)
        if kept != only.conds and not self._refused(only.body, kernel, ranges):
            return (If(kept, inner),) if kept else inner
        return (only.with_body(inner),)

    def _refused(self, body: Body, kernel: Kernel, ranges: Ranges) -> bool:
        """Whether the body does more than fill locals, or reads elements that do not exist."""
        written, shapes = written_buffers(body), {name: b.type.shape for name, b in kernel.buffers().items()}
        if written - {b.name for b in kernel.locals}:
            return True
        inside = list(walk(body))
        alike = [list(walk(_guarded(loop.body))) for loop in loops_named(kernel.body, self.loop)]
        for name in written:
            first = _first(inside, name)
            apart = isinstance(first, Store) and any(i.coefficient(self.loop) for i in first.index)
            own = {id(s) for part in (inside, *alike) if isinstance(_first(part, name), Store) for s in part}
            reads = (s for s in walk(kernel.body) if isinstance(s, (Load, Accum)) and s.buffer == name)
            if not isinstance(first, Store) or (not apart and any(id(s) not in own for s in reads)):
                return True
        uses = [a for s in inside if (a := access(s)) is not None]
        return not all(self._exists(index, shapes[name], ranges) for name, index in uses)

    def _exists(self, index: tuple[Index, ...], shape: tuple[int, ...], ranges: Ranges) -> bool:
        """Whether the element exists in every iteration, along the axes along which the loop moves it."""
        for i, extent in zip(index, shape, strict=True):
            bounds = i.bounds(ranges) if i.coefficient(self.loop) else (0, 0)
            if bounds is None or bounds[0] < 0 or bounds[1] >= extent:
                return False
        return True


def _guarded(body: Body) -> Body:
    """What perfectly nested loops and conditions guard."""
    while len(body) == 1 and isinstance(only := body[0], (Loop, If)):
        body = only.body
    return body


def _first(statements: list[Stmt], name: str) -> Stmt | None:
    """The first of these statements that accesses a buffer."""
    return next((s for s in statements if (a := access(s)) is not None and a[0] == name), None)
