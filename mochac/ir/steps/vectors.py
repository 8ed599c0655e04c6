"""Steps on vectors: elements of iterations as one vector, partial sums joined, tiles transposed in registers."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import (
    Body,
    Buffer,
    Const,
    If,
    Kernel,
    Let,
    Load,
    Loop,
    Stmt,
    Store,
    access,
    defined_names,
    loops_named,
    rewrite,
    substitute,
    walk,
)
from mochac.ir.names import fresh
from mochac.ir.nest import map_loops, offset, require_loops
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
        unrolled = replace(loop, run="unroll", body=tuple(self._redirected(s, row, here) for s in loop.body))
        if stores:
            copy: Body = (Load(value, row, here), Store(self.buffer, index, value))
            return (unrolled, self._vector(loop, copy))
        return (self._vector(loop, (Load(value, self.buffer, index), Store(row, here, value))), unrolled)

    def _redirected(self, stmt: Stmt, row: str, here: tuple[Index, ...]) -> Stmt:
        if isinstance(stmt, (Load, Store)) and stmt.buffer == self.buffer:
            return replace(stmt, buffer=row, index=here)
        return stmt

    def _vector(self, loop: Loop, body: Body) -> Loop:
        return Loop(loop.var, Limit.of(0), loop.hi, "each", "vector", body)


@step
@record
class Join(Step):
    """Unroll the `sum` loop `parts`; in `each` nests without it, move the loops `lanes` innermost and vectorize them.

    sum k in 0..4 {                                 sum k.out in 0..4 unroll {
      each r in 0..4 { each g { each b in 0..4 {      each g { each b.out in 0..4 vector { each r.out in 0..4 vector {
        s[r, g, b] = add(acc[k, r, g, b], s[..])  ->    s[r.out, g, b.out] = add(acc[k.out, r.out, g, b.out], s[..])
    } } } }                                         } } } }
    each r in 0..4 { t = bias[r]                    each g { each b.out in 0..4 vector { each r.out in 0..4 vector {
      each g { each b in 0..4 {                       t = bias[r.out]
        y[b, r] = add(s[r, g, b], t)                  y[b.out, r.out] = add(s[r.out, g, b.out], t)
    } } }                                           } } }

    Partial leaves such sums, in which lanes hold parts (k, and b after Vector(k), Vector(b)). After this step every
    lane holds a result: the parts of r results are transposed in registers and added vector by vector, and the code
    that follows works on whole vectors. Computations between the loops of a nest move inside.
    """

    purpose = "the parts of many sums are added up together, a vector at a time"

    parts: str
    lanes: tuple[str, ...]

    def apply(self, kernel: Kernel) -> Kernel:
        if all(loop.kind != "sum" for loop in require_loops(kernel, self.parts, "join")):
            raise ScheduleError(f"join: loop {self.parts!r} is not a 'sum' loop")
        for var in self.lanes:
            if any(loop.kind != "each" or loop.extent is None for loop in require_loops(kernel, var, "join")):
                raise ScheduleError(f"join: loop {var!r} must be an 'each' loop with constant limits")
        return kernel.with_(body=tuple(self._rewrite(s) for s in kernel.body))

    def _rewrite(self, stmt: Stmt) -> Stmt:
        if not isinstance(stmt, Loop):
            return stmt.with_body(tuple(map(self._rewrite, stmt.body))) if hasattr(stmt, "body") else stmt  # type: ignore
        if stmt.var == self.parts and stmt.kind == "sum":
            new = f"{stmt.var}.out"
            body = substitute(stmt.body, {stmt.var: Index.var(new)})
            return replace(stmt, var=new, run="unroll", body=tuple(map(self._rewrite, body)))
        band, body = _band(stmt)
        names = {loop.var for loop in band}
        if set(self.lanes) <= names and self.parts not in names:
            return self._with_lanes(band, body)
        return stmt.with_body(tuple(map(self._rewrite, stmt.body)))

    def _with_lanes(self, band: list[Loop], body: Body) -> Stmt:
        body = substitute(body, {var: Index.var(f"{var}.out") for var in self.lanes})
        for var in reversed(self.lanes):
            loop = next(loop for loop in band if loop.var == var)
            body = (replace(loop, var=f"{var}.out", run="vector", body=body),)
        for loop in reversed(band):
            if loop.var not in self.lanes:
                body = (loop.with_body(body),)
        return body[0]


def _band(top: Loop) -> tuple[list[Loop], Body]:
    """The nested `each` loops and the innermost body, into which computations between the loops are moved."""
    band, first, body = [top], (), top.body
    while top.kind == "each" and body and isinstance(inner := body[-1], Loop) and inner.kind == "each":
        if not all(isinstance(s, (Let, Load)) for s in body[:-1]):
            break
        band.append(inner)
        first, body = (*first, *body[:-1]), inner.body
    return band, (*first, *body)


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
