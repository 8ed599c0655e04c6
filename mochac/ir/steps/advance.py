"""Advance: move a loop in front of the statements before it."""

from __future__ import annotations

from mochac.base.records import record
from mochac.ir.kernel import Body, If, Kernel, Let, Load, Loop, Stmt, accessed_buffers, used_names, written_buffers
from mochac.ir.nest import require_loops
from mochac.ir.schedule import ScheduleError, Step, step


@step
@record
class Advance(Step):
    """Move a loop up past the statements before it in its body.

    best[] = 0                        each i { x[i] = f(i) }
    each i { x[i] = f(i) }      ->    best[] = 0
    for j { best[] = max(x[j]) }      for j { best[] = max(x[j]) }        (loop=i)

    The loop may neither use values that these statements define, nor access what they write, nor write what they read.
    Fission can then cut right after the loop.
    """

    purpose = "a loop that does not depend on the statements before it runs first, in a nest of its own"

    loop: str

    def apply(self, kernel: Kernel) -> Kernel:
        require_loops(kernel, self.loop, "advance")
        return kernel.with_(body=self._body(kernel.body))

    def _body(self, body: Body) -> Body:
        out: list[Stmt] = []
        for stmt in body:
            if isinstance(stmt, Loop) and stmt.var == self.loop:
                self._check(tuple(out), stmt)
                out.insert(0, stmt)
            elif isinstance(stmt, (Loop, If)):
                out.append(stmt.with_body(self._body(stmt.body)))
            else:
                out.append(stmt)
        return tuple(out)

    def _check(self, before: Body, loop: Loop) -> None:
        defined = {s.name for s in before if isinstance(s, (Let, Load))}
        clash = defined & used_names(loop.body)
        clash |= written_buffers(before) & accessed_buffers((loop,))
        clash |= accessed_buffers(before) & written_buffers((loop,))
        if clash:
            raise ScheduleError(
                f"advance: loop {loop.var!r} shares {', '.join(sorted(clash))} with statements it would pass"
            )
