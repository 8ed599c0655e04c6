"""OwnRows: give each iteration of a new outermost loop some rows of the tables that a kernel adds to."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import Accum, Body, Kernel, Load, Loop, Store, rewrite, walk
from mochac.ir.nest import constant_range
from mochac.ir.schedule import ScheduleError, Step, step


@step
@record
class OwnRows(Step):
    """Divide the rows of tables, which data name, among the iterations of a new loop.

    each v in 0..V { w[v] = 0 }               each own in 0..ceil(V / rows) {
    for n {                                     each v in rows*own..min(rows*own + rows, V) { w[v] = 0 }
      %id = ids[n]                              for n {
      each u in 0..V at %id { w[u] += x[n] } ->   %id = ids[n]
    }                                             each u in rows*own..min(rows*own + rows, V) at %id { w[u] += x[n] }
                                                }
                                              }

    Every iteration goes through all numbers, and adds in their order. Whatever the kernel writes must be an element
    whose index along one axis, the same for each buffer, is the variable of one of `loops`, and so must what it reads
    of these buffers.
    """

    purpose = "iterations with rows of their own are independent, whatever rows the data name"

    loops: tuple[str, ...]
    rows: int
    own: str

    def apply(self, kernel: Kernel) -> Kernel:
        found = [s for s in walk(kernel.body) if isinstance(s, Loop) and s.var in self.loops]
        if self.rows < 1 or {loop.var for loop in found} != set(self.loops):
            raise ScheduleError(f"own_rows: there must be loops {', '.join(self.loops)}, and at least one row each")
        if any(isinstance(s, Loop) and s.var == self.own for s in walk(kernel.body)):
            raise ScheduleError(f"own_rows: the kernel already has a loop {self.own!r}")
        ranges = {(loop.lo.const, loop.hi.const) for loop in found}
        if len(ranges) != 1 or any(loop.kind != "each" for loop in found):
            raise ScheduleError("own_rows: the loops must be 'each' loops over one constant range")
        self._check_writes(kernel)
        lo, hi = constant_range(replace(found[0], at=""), "own_rows")
        if lo:
            raise ScheduleError("own_rows: the loops must begin at 0")
        return kernel.with_(body=self._owned(kernel.body, hi))

    def _owned(self, body: Body, extent: int) -> Body:
        first = Index.var(self.own) * self.rows
        end = Limit.of(first + self.rows)
        if extent % self.rows:
            end = Limit((*end.candidates, (Index.of(extent), 1)))

        def limited(stmt: object) -> Loop | None:
            if not isinstance(stmt, Loop) or stmt.var not in self.loops:
                return None
            return replace(stmt, lo=Limit.of(first), hi=end)

        count = Limit.of(-(-extent // self.rows))
        return (Loop(self.own, Limit.of(0), count, "each", "serial", rewrite(body, limited)),)

    def _check_writes(self, kernel: Kernel) -> None:
        """Check that iterations share no element of what is written."""
        every = [s for s in walk(kernel.body) if isinstance(s, (Load, Store, Accum))]
        written = {s.buffer for s in every if not isinstance(s, Load)}
        own = {Index.var(loop) for loop in self.loops}
        for name in written:
            axes = [{a for a, i in enumerate(s.index) if i in own} for s in every if s.buffer == name]
            if not set.intersection(*axes):
                raise ScheduleError(f"own_rows: %{name} is not accessed by rows of {', '.join(self.loops)} alone")
