"""Transpose: read a buffer along one loop and use it along another, transposing tiles in registers."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.fresh import fresh
from mochac.ir.index import Index
from mochac.ir.kernel import (
    Body,
    Buffer,
    Const,
    If,
    Kernel,
    Load,
    Loop,
    Stmt,
    Store,
    loops_named,
    rewrite,
    substitute,
    walk,
)
from mochac.ir.nest import map_loops, offset, require_loops
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.types import TensorType


@step
@record
class Transpose(Step):
    """Load whole tiles row by row before the nest, each row as one vector; the nest then works column by column.

    each r in 0..4 { each c in 0..4 {     each r.in unroll { each c.in vector { T[r.in, c.in] = x[r.in, c.in] } }
      y[c, r] = x[r, c]               ->  each c unroll { each r vector { y[c, r] = T[r, c] } }
    } }

    Both loops must be perfectly nested `each` loops of constant extent; conditions inside are kept around both parts.
    If a reduction over the columns already encloses the rows, only the copy is added. Nests of these loops that only
    set elements to a constant, such as zeros around an image, go column by column, too. Other loops of the same name
    that do not load the buffer are left alone. The printer transposes the tile with log2(extent) rounds of shuffles.
    """

    purpose = "memory is read in whole vectors, and turned in registers"

    buffer: str
    rows: str
    columns: str

    def apply(self, kernel: Kernel) -> Kernel:
        if self.buffer not in kernel.buffers():
            raise ScheduleError(f"transpose: kernel {kernel.name!r} has no buffer {self.buffer!r}")
        row_loops = [loop for loop in require_loops(kernel, self.rows, "transpose") if self._loads(loop.body)]
        if any(loops_named(loop.body, self.columns) for loop in row_loops):  # others copy one column
            row_loops = [loop for loop in row_loops if loops_named(loop.body, self.columns)]
        if not row_loops:
            nest = f"{self.rows!r} and {self.columns!r}"
            raise ScheduleError(f"transpose: the nest of {nest} does not load {self.buffer!r}")
        dtype, taken, tiles = kernel.buffers()[self.buffer].type.dtype, list(kernel.buffers()), []

        def turn(rows: Loop, columns: Loop | None = None) -> Body:
            name = fresh(f"{self.buffer}.tile", taken)
            columns = columns.with_body(rows.body) if columns else self._inner(rows)
            shape = (self._extent(rows), self._extent(columns))
            taken.append(name)
            tiles.append(Buffer(name, TensorType(dtype, shape), "register"))
            return self._turn(rows, columns, name)

        def turn_sum(loop: Loop) -> Body:
            rows = loop.body[0] if len(loop.body) == 1 else None
            if loop.kind != "sum" or rows not in row_loops:
                return (loop,)
            assert isinstance(rows, Loop)
            row_loops.remove(rows)
            return turn(rows, loop)

        body = map_loops(kernel.body, self.columns, turn_sum)
        body = map_loops(body, self.rows, lambda loop: turn(loop) if loop in row_loops else self._filled(loop))
        return kernel.with_(body=body, locals=(*kernel.locals, *tiles))

    def _filled(self, rows: Loop) -> Body:
        """A nest that only sets elements to a constant, column by column; other loops as they are."""
        columns = rows.body[0] if len(rows.body) == 1 else None
        if not isinstance(columns, Loop) or columns.var != self.columns or columns.kind != "each":
            return (rows,)
        fills = all(isinstance(s, Store) and isinstance(s.value, Const) for s in columns.body)
        if not fills or rows.kind != "each" or rows.lo.const != 0 or not rows.extent:
            return (rows,)
        return (columns.with_body((replace(rows, run="vector", body=columns.body),)),)

    def _loads(self, body: Body) -> list[Load]:
        return [s for s in walk(body) if isinstance(s, Load) and s.buffer == self.buffer]

    def _inner(self, loop: Loop) -> Loop:
        """The columns loop, with all conditions of the nest inside it."""
        body, conds = _unguarded(loop.body)
        inner = body[0] if len(body) == 1 else None
        if not isinstance(inner, Loop) or inner.var != self.columns or (loop.kind, inner.kind) != ("each", "each"):
            raise ScheduleError(f"transpose: {self.columns!r} must be the only thing inside 'each' loop {self.rows!r}")
        return replace(inner, body=(If(conds, inner.body),)) if conds else inner

    def _extent(self, loop: Loop) -> int:
        if loop.extent is None:
            raise ScheduleError(f"transpose: {self.rows!r} and {self.columns!r} must have constant extents")
        return loop.extent

    def _turn(self, rows: Loop, columns: Loop, tile: str) -> Body:
        body, conds = _unguarded(columns.body)
        load = self._loads(body)[0]
        place = (offset(rows), offset(columns))
        turned = Load(load.name, tile, place)
        used = rewrite(columns.body, lambda s: turned if s == load else None)
        copy: tuple[Stmt, ...] = (replace(load, name=f"{load.name}.in"), Store(tile, place, f"{load.name}.in"))
        return (
            self._renamed(rows, columns, (If(conds, copy),) if conds else copy),
            replace(columns, run="unroll", body=(replace(rows, run="vector", body=used),)),
        )

    def _renamed(self, rows: Loop, columns: Loop, body: Body) -> Loop:
        """The copy nest, with new loop names."""
        names = {v: Index.var(f"{v}.in") for v in (self.rows, self.columns)}
        inner = replace(columns, var=f"{self.columns}.in", kind="each", run="vector", body=substitute(body, names))
        return replace(rows, var=f"{self.rows}.in", run="unroll", body=(inner,))


def _unguarded(body: Body) -> tuple[Body, tuple[Index, ...]]:
    """The statements inside the conditions that guard all of a body, and those conditions."""
    conds: tuple[Index, ...] = ()
    while len(body) == 1 and isinstance(body[0], If):
        body, conds = body[0].body, (*conds, *body[0].conds)
    return body, conds
