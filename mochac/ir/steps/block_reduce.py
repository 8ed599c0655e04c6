"""BlockReduce: combine the partial sums of threads in shared memory, so that every thread can read the total."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.kernel import Body, Const, If, Kernel, Loop, Stmt, Store, accessed_buffers, walk
from mochac.ir.schedule import ScheduleError, Step, step


@step
@record
class BlockReduce(Step):
    """Keep an accumulator that threads sum into in shared memory, and divide the loops of its other uses among the
    threads.

    each v { acc[v] = 0 }                                     each v threads { acc[v] = 0 }
    sum k threads { each v { acc[v] = add(x, acc[v]) } }  ->  sum k threads { each v { acc[v] = add(x, acc[v]) } }
    each v { y[v] = f(acc[v]) }                               each v threads { y[v] = f(acc[v]) }

    Each thread then finishes some of the results; without this step, one thread finishes all. The loops must be `each`
    and perfectly nested, and no other local may be set in one of them and used in another. The store of a constant
    start value loses its conditions, because partial sums are added to all elements, even to those that are never read.
    """

    purpose = "the partial sums of a block's threads are added up where all of them can read the result"

    local: str

    def apply(self, kernel: Kernel) -> Kernel:
        if all(b.name != self.local or b.space != "register" for b in kernel.locals):
            raise ScheduleError(f"block_reduce: kernel {kernel.name!r} has no local {self.local!r} in registers")
        if not any(map(_joins, kernel.body)):
            raise ScheduleError(f"block_reduce: no sum runs as threads in kernel {kernel.name!r}")
        local = tuple(replace(b, space="shared") if b.name == self.local else b for b in kernel.locals)
        return kernel.with_(body=self._rewrite(kernel.body), locals=local)

    def _rewrite(self, body: Body) -> Body:
        out: list[Stmt] = []
        for s in body:
            if not isinstance(s, (Loop, If)) or not self._uses(s) or (isinstance(s, Loop) and s.run == "threads"):
                if self._uses(s) and not isinstance(s, (Loop, If)):
                    raise ScheduleError(f"block_reduce: {self.local!r} is used outside of loops")
                out.append(s)
            elif isinstance(s, Loop) and s.kind == "each" and not _joins(s):
                out.append(self._marked(_unconditional(s) if self._starts(s) else s))
            else:
                out.append(s.with_body(self._rewrite(s.body)))
        return tuple(out)

    def _marked(self, loop: Loop) -> Loop:
        """The loop and the loops perfectly nested in it, run as threads."""
        if loop.extent is None:
            raise ScheduleError(f"block_reduce: loop {loop.var!r} must have constant limits")
        inner = loop.body[0] if len(loop.body) == 1 else None
        if isinstance(inner, Loop) and inner.kind == "each" and inner.extent is not None:
            return replace(loop, run="threads", body=(self._marked(inner),))
        return replace(loop, run="threads")

    def _starts(self, loop: Loop) -> bool:
        """Whether a nest only sets the accumulator to a constant."""
        inside = [s for s in walk((loop,)) if not isinstance(s, (Loop, If))]
        return all(isinstance(s, Store) and s.buffer == self.local and isinstance(s.value, Const) for s in inside)

    def _uses(self, stmt: Stmt) -> bool:
        return self.local in accessed_buffers((stmt,))


def _unconditional(loop: Loop) -> Loop:
    """A nest without its conditions; the statements that they guard stay."""
    body: list[Stmt] = []
    for s in loop.body:
        while isinstance(s, If) and len(s.body) == 1:
            s = s.body[0]
        body.append(_unconditional(s) if isinstance(s, Loop) else s)
    return replace(loop, body=tuple(body))


def _joins(stmt: Stmt) -> bool:
    """Whether a statement is or contains a sum that runs as threads."""
    return any(isinstance(s, Loop) and s.run == "threads" and s.kind == "sum" for s in walk((stmt,)))
