"""PrefetchEpilogue: prefetch the elements that an epilogue reads or writes, a few rows with each term of the sum before
it."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.index import Index
from mochac.ir.kernel import Body, If, Kernel, Load, Loop, Prefetch, Stmt, Store, substitute, walk
from mochac.ir.nest import offset, require_loops
from mochac.ir.schedule import ScheduleError, Step, step


@step
@record
class PrefetchEpilogue(Step):
    """Every iteration of loop `inside` prefetches a row that statements after it load from `buffer`, or store to it.

    sum k in 0..9 { A }                         sum k in 0..9 { if -k + 5 >= 0 { each v { prefetch w[k, v] } }; A }
    each r in 0..6 { each v { each lane {   ->  each r in 0..6 { each v { each lane { w[r, v, lane] } } }
      w[r, v, lane]
    } } }

    There is one prefetch per vector, along which `lane` runs: its first element stands for all. Rows are those of the
    outermost loop around the access; each iteration takes several if the sum has fewer terms. The meaning does not
    change. If prefetched early, lines from a far cache arrive in time; if prefetched all at once, they would delay the
    sum's own loads. Prefetching results pays, too: a core must fetch a line before it stores to it, and has room for
    only a few waiting stores.
    """

    purpose = "what is read or stored after the sum is prefetched while the sum runs"

    buffer: str
    inside: str
    lane: str

    def apply(self, kernel: Kernel) -> Kernel:
        require_loops(kernel, self.inside, "prefetch_epilogue")
        if self.buffer not in {b.name for b in (*kernel.inputs, *kernel.outputs)}:
            raise ScheduleError(f"prefetch_epilogue: kernel {kernel.name!r} has no input or output {self.buffer!r}")
        body = self._body(kernel.body)
        if body == kernel.body:
            rule = f"prefetch_epilogue: no loop or condition behind loop {self.inside!r} accesses {self.buffer!r}"
            raise ScheduleError(rule)
        return kernel.with_(body=body)

    def _body(self, body: Body) -> Body:
        out: list[Stmt] = []
        for k, stmt in enumerate(body):
            if isinstance(stmt, Loop) and stmt.var == self.inside:
                hints = [hint for after in body[k + 1 :] if (hint := self._hints(after)) is not None]
                dealt = [part for hint in hints for part in _dealt(hint, stmt)]
                out.append(stmt.with_body((*dealt, *stmt.body)))
            elif isinstance(stmt, (Loop, If)):
                out.append(stmt.with_body(self._body(stmt.body)))
            else:
                out.append(stmt)
        return tuple(out)

    def _hints(self, stmt: Stmt) -> Stmt | None:
        """The loops and conditions of a statement around prefetches of what it accesses; None if it does not access the
        buffer."""
        if not isinstance(stmt, (Loop, If)):
            return None
        found = (s for s in walk((stmt,)) if isinstance(s, (Load, Store)) and s.buffer == self.buffer)
        accessed = next(found, None)
        if accessed is None:
            return None
        if isinstance(stmt, Loop) and stmt.var == self.lane:
            first = {self.lane: Index.of(stmt.lo.const or 0)}
            index = tuple(i.substitute(first) for i in accessed.index)
            return Prefetch(self.buffer, index, isinstance(accessed, Store))
        inner = tuple(h for s in stmt.body if (h := self._hints(s)) is not None)
        return replace(stmt, body=inner) if inner else None


def _dealt(hint: Stmt, loop: Loop) -> Body:
    """The part of a loop over prefetches that each iteration of another loop takes; the first takes a single one."""
    terms = loop.extent
    if not terms:
        raise ScheduleError(f"prefetch_epilogue: loop {loop.var!r} must have constant limits")
    if not isinstance(hint, Loop) or not hint.extent:
        return (If((-offset(loop),), (hint,)),)
    per = -(-hint.extent // terms)
    parts: list[Stmt] = []
    for k in range(per):
        row = offset(loop) * per + k
        body = substitute(hint.body, {hint.var: row + (hint.lo.const or 0)})
        parts += [If((hint.extent - 1 - row,), body)] if (terms - 1) * per + k >= hint.extent else body
    return tuple(parts)
