"""Rename: rename a loop in one part of a nest, so that later steps can distinguish the parts."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.index import Index
from mochac.ir.kernel import Body, If, Kernel, Loop, Stmt, substitute, walk
from mochac.ir.nest import map_loops, require_loops
from mochac.ir.schedule import ScheduleError, Step, step


@step
@record
class Rename(Step):
    """Inside every loop `inside`, rename loops over `loop` to `name`.

    each i { each r { A } } each j { each r { B } }  ->  each i { each r { A } } each j { each s { B } }
                                                                               (loop=r, name=s, inside=j)

    A distributed loop has a copy in every part of its body; after renaming, one of the copies can be unrolled alone.
    """

    purpose = "copies of a loop get names of their own, so that they can run in different ways"

    loop: str
    name: str
    inside: str

    def apply(self, kernel: Kernel) -> Kernel:
        require_loops(kernel, self.inside, "rename")
        if any(_nested(s, self.name, self.inside) for s in kernel.body):
            raise ScheduleError(f"rename: the kernel already has a loop {self.name!r} inside or around {self.inside!r}")
        body = map_loops(kernel.body, self.inside, lambda outer: outer.with_body(self._renamed(outer.body)))
        if body == kernel.body:
            raise ScheduleError(f"rename: no loop {self.loop!r} is inside {self.inside!r}")
        return kernel.with_(body=body)

    def _renamed(self, body: Body) -> Body:
        new = {self.loop: Index.var(self.name)}
        return map_loops(body, self.loop, lambda x: replace(x, var=self.name, body=substitute(x.body, new)))


def _nested(stmt: Stmt, name: str, inside: str) -> bool:
    """Whether loops of the two names are nested in either order."""
    if not isinstance(stmt, (Loop, If)):
        return False
    if isinstance(stmt, Loop) and stmt.var in (name, inside):
        other = {name, inside} - {stmt.var}
        return any(isinstance(s, Loop) and s.var in other for s in walk(stmt.body))
    return any(_nested(s, name, inside) for s in stmt.body)
