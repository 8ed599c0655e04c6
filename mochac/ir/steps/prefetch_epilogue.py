"""PrefetchEpilogue: prefetch the operands of an epilogue before the reduction that precedes it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mochac.ir.index import Index
from mochac.ir.kernel import Kernel, Load, Loop, Prefetch, Stmt, walk
from mochac.ir.nest import Body, require_loops
from mochac.ir.schedule import ScheduleError, Step, step


@step
@dataclass(frozen=True)
class PrefetchEpilogue(Step):
    """Before every loop over `before`, prefetch what later statements load from `buffer`, one prefetch per vector.

    sum k { A }                                 each r { prefetch w[r] }
    each r { each lane { w[r, lane] } }    ->   sum k { A }
                                                each r { each lane { w[r, lane] } }

    `lane` is the loop along a vector; its first element stands for all. The meaning does not change. Update rules read
    weights and solver slots that the reduction does not access; prefetched early, they arrive in time.
    """

    buffer: str
    before: str
    lane: str

    def apply(self, kernel: Kernel) -> Kernel:
        require_loops(kernel, self.before, "prefetch_epilogue")
        if self.buffer not in {b.name for b in kernel.inputs}:
            raise ScheduleError(f"prefetch_epilogue: kernel {kernel.name!r} has no input {self.buffer!r}")
        return kernel.with_(body=self._body(kernel.body))

    def _body(self, body: Body) -> Body:
        out: list[Stmt] = []
        for k, stmt in enumerate(body):
            if isinstance(stmt, Loop) and stmt.var == self.before:
                out += [hint for after in body[k + 1 :] if (hint := self._hints(after)) is not None]
                out.append(stmt)
            elif hasattr(stmt, "body"):
                out.append(replace(stmt, body=self._body(stmt.body)))  # type: ignore[union-attr, arg-type]
            else:
                out.append(stmt)
        return tuple(out)

    def _hints(self, stmt: Stmt) -> Stmt | None:
        """The loops of a statement around prefetches of its loads; None if there are no loads."""
        if not isinstance(stmt, Loop) or not any(
            isinstance(s, Load) and s.buffer == self.buffer for s in walk((stmt,))
        ):
            return None
        if stmt.var == self.lane:
            load = next(s for s in walk((stmt,)) if isinstance(s, Load) and s.buffer == self.buffer)
            first = {self.lane: Index.of(stmt.lo.const or 0)}
            return Prefetch(self.buffer, tuple(i.substitute(first) for i in load.index), True)
        inner = tuple(h for s in stmt.body if (h := self._hints(s)) is not None)
        return replace(stmt, body=inner) if inner else None
