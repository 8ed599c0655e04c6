"""Collect: load or store the elements of the iterations of an unrolled loop as one vector."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.fresh import fresh
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import Body, Buffer, Kernel, Load, Loop, Stmt, Store, access, defined_names, walk
from mochac.ir.nest import map_loops, require_loops
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.types import TensorType


@step
@record
class Collect(Step):
    """Pass neighbours that an `each` loop reads or writes in `buffer` through registers, copied as one vector.

    each v unroll {                      each v vector { t = x[4*i + v]; x.row[v] = t }
      a = x[4*i + v]               ->    each v unroll { a = x.row[v]; y[4*i + v] = f(a) }
      y[4*i + v] = f(a)
    }

    The loop must run from 0 over a few iterations. Its body must load the buffer, or store to it once, outside of inner
    loops and conditions. Backends print the copies as whole vectors if the elements are contiguous in memory.
    """

    purpose = "neighbours are loaded and stored by one instruction"

    buffer: str
    loop: str

    def apply(self, kernel: Kernel) -> Kernel:
        require_loops(kernel, self.loop, "collect")
        if self.buffer not in {b.name for b in (*kernel.inputs, *kernel.outputs)}:
            raise ScheduleError(f"collect: kernel {kernel.name!r} has no parameter {self.buffer!r}")
        dtype, rows = kernel.buffers()[self.buffer].type.dtype, list[Buffer]()

        def collected(loop: Loop) -> Body:
            if loop.run == "vector" or all((access(s) or ("",))[0] != self.buffer for s in walk(loop.body)):
                return (loop,)
            name = fresh(f"{self.buffer}.row", (*kernel.buffers(), *(b.name for b in rows)))
            rows.append(Buffer(name, TensorType(dtype, (loop.extent or 0,)), "register"))
            return self._collected(loop, name, fresh("moved", defined_names(kernel.body)))

        body = map_loops(kernel.body, self.loop, collected)
        if not rows:
            raise ScheduleError(f"collect: no loop {self.loop!r} uses {self.buffer!r}")
        return kernel.with_(body=body, locals=(*kernel.locals, *rows))

    def _collected(self, loop: Loop, row: str, value: str) -> Body:
        if loop.kind != "each" or loop.lo.const != 0 or not loop.extent:
            raise ScheduleError(f"collect: loop {loop.var!r} must be 'each' with constant limits from 0")
        uses = [s for s in loop.body if isinstance(s, (Load, Store)) and s.buffer == self.buffer]
        inside = [s for s in walk(loop.body) if (accessed := access(s)) is not None and accessed[0] == self.buffer]
        stores = [s for s in uses if isinstance(s, Store)]
        if len(uses) != len(inside) or any(u.index != uses[0].index for u in uses):
            text = "must be used at one index, outside of inner loops and conditions"
            raise ScheduleError(f"collect: {self.buffer!r} {text}")
        if stores and len(uses) > 1:
            raise ScheduleError(f"collect: {self.buffer!r} must be loaded only, or stored once")
        here, index = (Index.var(loop.var),), uses[0].index
        kept = replace(loop, run="unroll", body=tuple(self._redirected(s, row, here) for s in loop.body))
        if stores:
            copy: Body = (Load(value, row, here), Store(self.buffer, index, value))
            return (kept, self._vector(loop, copy))
        return (self._vector(loop, (Load(value, self.buffer, index), Store(row, here, value))), kept)

    def _redirected(self, stmt: Stmt, row: str, here: tuple[Index, ...]) -> Stmt:
        if isinstance(stmt, (Load, Store)) and stmt.buffer == self.buffer:
            return replace(stmt, buffer=row, index=here)
        return stmt

    def _vector(self, loop: Loop, body: Body) -> Loop:
        return Loop(loop.var, Limit.of(0), loop.hi, "each", "vector", body)
