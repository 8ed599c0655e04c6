"""Unguard: run a nest that fills locals for padding samples, too."""

from __future__ import annotations

from mochac.base.records import record
from mochac.ir.index import Index
from mochac.ir.kernel import Body, If, Kernel, Loop, Stmt, access, walk, written_buffers
from mochac.ir.nest import Ranges, loop_range, require_loops
from mochac.ir.schedule import ScheduleError, Step, step


@step
@record
class Unguard(Step):
    """Move the nest over `loop` out of the condition around it, if the condition only excludes padding lanes.

    if -lane - 16*q + 99 >= 0 { each i { P[i] = x[lane + 16*q, i] } A }
    ->
    each i { P[i] = x[lane + 16*q, i] } if -lane - 16*q + 99 >= 0 { A }

    The nest must come first, store only to locals, and use variables of the condition only to index samples of blocked
    storage. Masked stores cost much more than the skipped lanes save.
    """

    purpose = "computing lanes that are never read costs nothing, but a condition would cost time"

    loop: str

    def apply(self, kernel: Kernel) -> Kernel:
        require_loops(kernel, self.loop, "unguard")
        body = self._rewrite(kernel.body, kernel, {})
        if body == kernel.body:
            raise ScheduleError(f"unguard: no condition guards a nest over {self.loop!r} and what follows it")
        return kernel.with_(body=body)

    def _rewrite(self, body: Body, kernel: Kernel, ranges: Ranges) -> Body:
        out: list[Stmt] = []
        for stmt in body:
            if isinstance(stmt, Loop):
                stmt = stmt.with_body(self._rewrite(stmt.body, kernel, {**ranges, stmt.var: loop_range(stmt, ranges)}))
            elif isinstance(stmt, If):
                first = stmt.body[0]
                if isinstance(first, Loop) and first.var == self.loop:
                    self._check(first, stmt.conds, kernel, ranges)
                    out.append(first)
                    stmt = stmt.with_body(stmt.body[1:])
                else:
                    stmt = stmt.with_body(self._rewrite(stmt.body, kernel, ranges))
            if not isinstance(stmt, If) or stmt.body:
                out.append(stmt)
        return tuple(out)

    def _check(self, nest: Loop, conds: tuple[Index, ...], kernel: Kernel, ranges: Ranges) -> None:
        local = {b.name for b in kernel.locals}
        if written_buffers((nest,)) - local:
            raise ScheduleError(f"unguard: the nest over {self.loop!r} must store only to locals")
        free = {v for c in conds for v in c.vars}
        buffers = kernel.buffers()
        for s in walk((nest,)):
            at = access(s)
            if at is None or at[0] in local or not free & {v for i in at[1] for v in i.vars}:
                continue
            type, sample = buffers[at[0]].type, at[1][0].bounds(ranges)
            room = -(-type.shape[0] // type.lanes) * type.lanes if type.lanes else 0
            inside = sample is not None and 0 <= sample[0] and sample[1] < room
            if not inside or free & {v for i in at[1][1:] for v in i.vars}:
                raise ScheduleError(f"unguard: {at[0]!r} would be read outside its padding lanes")
