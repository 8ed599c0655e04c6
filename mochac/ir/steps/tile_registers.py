"""The step that sums products of pairs in tile registers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mochac.base.records import record
from mochac.ir.index import Index
from mochac.ir.kernel import (
    Accum,
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
    rewrite,
    walk,
)
from mochac.ir.names import claimed, fresh, rename_loops, rename_values
from mochac.ir.nest import require_local
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.tile_nests import SPACE, tile_nest

ZERO = Const(0.0, "f32")


@step
@record
class TileRegisters(Step):
    """Keep sums of products of pairs in tile registers, whose axes are `row` and `column`; one instruction adds all
    iterations of `term`. What follows reads the sums from scratch.

    each r { each j { each c { acc[r, j, c] = 0 } } }    each j unroll { each r tile { each c tile {
    sum k_o { sum k { each r {                             acc[j, r, c] = 0 } } }
      a = x[..]                                          sum k_o { each j unroll {
      each j { each c {                                    each r tile { each c tile { sum k tile {
        b = w[..]                                   ->       a = x[..]; b = w[..]
        acc[r, j, c] = dot2(a, b, acc[r, j, c])              acc[j, r, c] = dot2(a, b, acc[j, r, c]) } } } } }
    } } } } }                                            each j unroll { each r tile { each c tile {
    each r { each j { each c {                             v = acc[j, r, c]; acc.sums[j, r, c] = v } } }
      t = acc[r, j, c]                                   each r.out { each j.out { each c.out {
      y[..] = t                                            t = acc.sums[..]; y[..] = t } } }
    } } }

    Other loops around a tile are unrolled. The order of the sum changes: see `sum k tile` in ir/bfloat16.py. A sum that
    begins with something else than 0, such as a bias, begins with 0, and that is added at its end.
    """

    purpose = "one instruction adds the products of whole tiles of pairs"

    sums: str
    row: str
    column: str
    term: str

    def apply(self, kernel: Kernel) -> Kernel:
        buffer = require_local(kernel, self.sums, "tile_registers")
        order = self._order(kernel, buffer)
        shape = tuple(buffer.type.shape[k] for k in order)
        register = replace(buffer, space=SPACE, type=buffer.type.with_(shape=shape))
        results = Buffer(fresh(f"{self.sums}.sums", kernel.buffers()), register.type, "scratch")
        turned = rewrite(kernel.body, lambda s: self._turned(s, order))
        body = _Tiling(self, results.name, kernel).body(turned)
        if not any(isinstance(s, Loop) and s.run == "tile" for s in walk(body)):
            raise ScheduleError(f"tile_registers: nothing adds products to {self.sums!r}")
        own = tuple(register if b.name == self.sums else b for b in kernel.locals)
        return kernel.with_(body=body, locals=(*own, results))

    def _order(self, kernel: Kernel, buffer: Buffer) -> tuple[int, ...]:
        """The axes of the local, those that row and column index last."""
        places = {a[1] for s in walk(kernel.body) if (a := access(s)) is not None and a[0] == buffer.name}
        last = [
            {tuple(k for k, i in enumerate(p) if i == Index.var(v)) for p in places} for v in (self.row, self.column)
        ]
        if any(len(found) != 1 for found in last) or len(axes := [k for (found,) in last for k in found]) != 2:
            text = f"{self.row!r} and {self.column!r} must each index one axis of {buffer.name!r}"
            raise ScheduleError(f"tile_registers: {text}")
        return (*(k for k in range(len(buffer.type.shape)) if k not in axes), *axes)

    def _turned(self, stmt: Stmt, order: tuple[int, ...]) -> Stmt | None:
        if isinstance(stmt, (Load, Store, Accum)) and stmt.buffer == self.sums:
            return replace(stmt, index=tuple(stmt.index[k] for k in order))
        return None


class _Tiling:
    """Rewrites nests that use the sums.

    Attributes:
        first: what computes the value that the sums begin with.
        value: that value.
    """

    def __init__(self, step: TileRegisters, results: str, kernel: Kernel) -> None:
        self.step, self.results = step, results
        self.inputs = {b.name for b in kernel.inputs}
        self.names = defined_names(kernel.body)
        self.moved = claimed("sums", self.names)
        self.first, self.value = tuple[Stmt, ...](), ZERO

    def body(self, body: Body) -> Body:
        out: list[Stmt] = []
        cleared: Loop | None = None
        for stmt in body:
            uses = {type(s) for s in walk((stmt,)) if (access(s) or ("",))[0] == self.step.sums}
            if len(uses) != 1 or not isinstance(stmt, Loop):
                out.append(stmt.with_body(self.body(stmt.body)) if isinstance(stmt, (If, Loop)) else stmt)
            elif uses == {Store}:
                cleared = self._cleared(stmt)
                out.append(cleared)
            elif cleared is None:
                raise ScheduleError(f"tile_registers: loop {stmt.var!r} uses sums that no nest before it begins")
            elif uses == {Accum}:
                out.append(self._products(stmt))
            else:
                out += [self._stored(cleared), self._end(stmt)]
        return tuple(out)

    def _cleared(self, loop: Loop) -> Loop:
        """The nest in which sums begin, with 0; what they begin with is kept for their end."""
        *first, last = (s for s in _straight(loop) if not isinstance(s, Loop))
        if not isinstance(last, Store) or any(isinstance(s, Store) or self._changes(s) for s in first):
            text = f"tile_registers: loop {loop.var!r} begins sums with more than values of the kernel's inputs"
            raise ScheduleError(text)
        self.first, self.value = tuple(first), last.value
        zero = rewrite((loop,), lambda s: () if s in first else replace(s, value=ZERO) if s is last else None)
        assert isinstance(zero[0], Loop)
        return self._nest(zero[0])

    def _changes(self, stmt: Stmt) -> bool:
        """Whether a load may find another value at the end of the sum."""
        return isinstance(stmt, Load) and stmt.buffer not in self.inputs

    def _products(self, loop: Loop) -> Loop:
        """The nest inside of the loop over terms, in tiles."""
        if loop.var == self.step.term:
            return self._nest(loop)
        return loop.with_body(tuple(self._products(s) if isinstance(s, Loop) else s for s in loop.body))

    def _nest(self, loop: Loop) -> Loop:
        """A nest of single statements, whose tile loops move innermost."""
        loops, stmts = dict[str, Loop](), list[Stmt]()
        for stmt in _straight(loop):
            if isinstance(stmt, Loop):
                loops[stmt.var] = stmt
            else:
                stmts.append(stmt)
        tile = [loops.pop(v) for v in (self.step.row, self.step.column, self.step.term) if v in loops]
        body: Body = tuple(stmts)
        for one in reversed(tile):
            body = (replace(one, run="tile", body=body),)
        if not isinstance(body[0], Loop) or tile_nest(body[0]) is None:
            raise ScheduleError(f"tile_registers: the nest of {loop.var!r} is none of a tile register")
        for one in reversed(loops.values()):
            body = (replace(one, run="unroll", body=body),)
        (nest,) = body
        assert isinstance(nest, Loop)
        return nest

    def _stored(self, cleared: Loop) -> Stmt:
        """The nest that stores what the nest `cleared` cleared."""

        def moved(stmt: Stmt) -> tuple[Stmt, ...] | None:
            if isinstance(stmt, Store):
                return Load(self.moved, stmt.buffer, stmt.index), Store(self.results, stmt.index, self.moved)
            return None

        return rewrite((cleared,), moved)[0]

    def _end(self, stmt: Loop) -> Stmt:
        """What follows, with the sums from scratch, and loops of its own names."""
        read = rewrite((stmt,), self._total)
        names = {s.var: f"{s.var}.out" for s in walk(read) if isinstance(s, Loop)}
        return rename_loops(read, names)[0]

    def _total(self, stmt: Stmt) -> tuple[Stmt, ...] | None:
        """The value of a sum, with what it begins with."""
        if not isinstance(stmt, Load) or stmt.buffer != self.step.sums:
            return None
        if self.value == ZERO:
            return (replace(stmt, buffer=self.results),)
        names = {name: claimed(name, self.names) for name in defined_names(self.first)}
        begin = names.get(self.value, self.value) if isinstance(self.value, str) else self.value
        added = claimed(stmt.name, self.names)
        total = Load(added, self.results, stmt.index), Let(stmt.name, "add", (begin, added))
        return (*rename_values(self.first, names), *total)


def _straight(loop: Loop) -> Iterator[Stmt]:
    """The loops and statements of a nest in which every body has one loop at most, its last statement."""
    yield loop
    for k, stmt in enumerate(loop.body):
        if isinstance(stmt, Loop) and k == len(loop.body) - 1:
            yield from _straight(stmt)
        elif isinstance(stmt, (Let, Load, Store, Accum)):
            yield stmt
        else:
            raise ScheduleError(f"tile_registers: loop {loop.var!r} has more than values beside its nest")
