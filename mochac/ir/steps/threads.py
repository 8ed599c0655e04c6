"""Steps for the threads of a block: sums among rows of threads, in shared memory, and locals exchanged."""

from __future__ import annotations

import math
from dataclasses import replace

from mochac.base.records import record
from mochac.ir.grids import grid_of, with_threads
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import (
    Accum,
    Body,
    Buffer,
    If,
    Kernel,
    Let,
    Load,
    Loop,
    Stmt,
    Store,
    defined_names,
    identity,
    rewrite,
    substitute,
    walk,
    written_buffers,
)
from mochac.ir.names import fresh
from mochac.ir.nest import added_to, path_to, require_loops
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.types import TensorType


@step
@record
class RowReduce(Step):
    """Divide the `sum` over a loop among `rows` threads, for each of the results of the loops `columns`.

    each c {                          each k_r in 0..rows threads { each c threads {
      acc[] = b                         part[] = 0
      sum k {                           sum k_b { part[] = add(x[rows*k_b + k_r, c], part[]) }
        acc[] = add(x[k, c], acc[])     acc.parts[k_r, c] = part[]
      }                         ->    } }
      y[c] = acc[]                    each c threads {
    }                                   acc[] = b
                                        sum k_r in 0..rows { acc[] = add(acc.parts[k_r, c], acc[]) }
                                        y[c] = acc[]
                                      }

    The threads of a row are neighbours along the columns, so their loads are contiguous; one thread per column adds up
    the results of the rows, in ascending order. The columns must be perfectly nested `each` loops with constant limits,
    the last fastest, around one sum of `add` or `fma` and its epilogue; the loop must be the outermost of the sum.
    """

    purpose = "there are fewer results than threads, so rows of threads share each sum"

    loop: str
    columns: tuple[str, ...]
    rows: int

    def apply(self, kernel: Kernel) -> Kernel:
        if not self.columns:
            raise ScheduleError("row_reduce: no column is named")
        for name in (self.loop, *self.columns):
            require_loops(kernel, name, "row_reduce")
        columns = math.prod(require_loops(kernel, name, "row_reduce")[0].extent or 0 for name in self.columns)
        threads = -(-columns * self.rows // 32) * 32
        if not 0 < columns * self.rows <= 1024 or self.rows < 2:
            raise ScheduleError(f"row_reduce: {self.rows} rows of {columns} threads do not form a block")
        work = _RowReduce(kernel, self)
        body = work.rewrite(kernel.body)
        if not work.locals:
            raise ScheduleError(f"row_reduce: {self.columns[0]!r} is not around one sum over {self.loop!r}")
        changed = kernel.with_(body=body, locals=(*kernel.locals, *work.locals))
        return with_threads(changed, grid_of(kernel, self.columns[0]), threads)


class _RowReduce:
    def __init__(self, kernel: Kernel, step: RowReduce) -> None:
        self.kernel, self.step = kernel, step
        self.locals: list[Buffer] = []

    def rewrite(self, body: Body) -> Body:
        out: list[Stmt] = []
        for stmt in body:
            if isinstance(stmt, Loop) and stmt.var == self.step.columns[0]:
                out += self._share(stmt)
            elif isinstance(stmt, (Loop, If)):
                out.append(stmt.with_body(self.rewrite(stmt.body)))
            else:
                out.append(stmt)
        return tuple(out)

    def _share(self, top: Loop) -> Body:
        columns, conds, body = self._columns(top)
        positions = [k for k, s in enumerate(body) if isinstance(s, Loop)]
        if len(positions) != 1 or any(isinstance(s, If) for s in body):
            raise ScheduleError("row_reduce: the columns must be around one sum and its epilogue")
        k = positions[0]
        loop, before, after = body[k], body[:k], body[k + 1 :]
        assert isinstance(loop, Loop)
        if loop.var != self.step.loop or loop.kind != "sum" or not loop.extent or loop.lo.const != 0:
            raise ScheduleError(f"row_reduce: {self.step.loop!r} is not the outermost loop of the sum, from 0")
        acc = self._accumulator(loop)
        part = self._local(f"{acc.name}.part", acc.type, "register")
        extents = (self.step.rows, *(x.extent or 0 for x in columns))
        parts = self._local(f"{acc.name}.parts", TensorType(acc.type.dtype, extents), "shared")
        row = Index.var(f"{loop.var}_r")
        there = (row, *(Index.var(x.var) for x in columns))
        first = self._nest(columns, conds, self._part(loop, before, acc, part, Store(parts.name, there, "")))
        second = self._nest(columns, conds, (*before, self._total(loop, acc, parts, there), *after))
        return (Loop(f"{loop.var}_r", Limit.of(0), Limit.of(self.step.rows), "each", "threads", (first,)), second)

    def _columns(self, top: Loop) -> tuple[list[Loop], tuple[Index, ...], Body]:
        columns: list[Loop] = []
        conds: tuple[Index, ...] = ()
        body: Body = (top,)
        while len(columns) < len(self.step.columns):
            inner = body[0] if len(body) == 1 else None
            if isinstance(inner, If):
                conds, body = (*conds, *inner.conds), inner.body
            elif isinstance(inner, Loop) and inner.var == self.step.columns[len(columns)] and inner.kind == "each":
                columns.append(inner)
                body = inner.body
            else:
                raise ScheduleError(f"row_reduce: {' '.join(self.step.columns)} are not perfectly nested 'each' loops")
        if len(body) == 1 and isinstance(body[0], If):
            conds, body = (*conds, *body[0].conds), body[0].body
        if any(x.extent is None or x.lo.const != 0 for x in columns):
            raise ScheduleError("row_reduce: columns must have constant limits from 0")
        return columns, conds, body

    def _accumulator(self, loop: Loop) -> Buffer:
        inside = [s for s in walk(loop.body) if isinstance(s, (Accum, Store))]
        buffers = {b.name: b for b in self.kernel.locals}
        acc = buffers.get(inside[0].buffer) if len(inside) == 1 else None
        if acc is None or acc.type.shape or not isinstance(inside[0], Accum) or inside[0].fn == "max":
            raise ScheduleError(f"row_reduce: the sum over {loop.var!r} must add to one local without dimensions")
        return acc

    def _part(self, loop: Loop, before: Body, acc: Buffer, part: Buffer, store: Store) -> Body:
        """The partial sum of one thread, and the store of it."""
        rows, extent = self.step.rows, loop.extent or 0
        row, block = Index.var(f"{loop.var}_r"), Index.var(f"{loop.var}_b")
        at = block * rows + row
        body = substitute(added_to(loop.body, acc.name, part.name), {loop.var: at})
        if extent % rows:
            body = (If((extent - 1 - at,), body),)
        count = Limit.of(-(-extent // rows))
        value = fresh(f"{acc.name}.moved", defined_names(self.kernel.body))
        used = tuple(s for s in before if isinstance(s, (Let, Load)))
        return (
            *used,
            Store(part.name, (), identity("add", acc.type.dtype)),
            replace(loop, var=f"{loop.var}_b", hi=count, body=body),
            Load(value, part.name, ()),
            replace(store, value=value),
        )

    def _total(self, loop: Loop, acc: Buffer, parts: Buffer, there: tuple[Index, ...]) -> Loop:
        value = fresh(f"{acc.name}.row", defined_names(self.kernel.body))
        body = (Load(value, parts.name, there), Accum(acc.name, (), "add", (value,)))
        return Loop(f"{loop.var}_r", Limit.of(0), Limit.of(self.step.rows), "sum", "unroll", body)

    def _nest(self, columns: list[Loop], conds: tuple[Index, ...], body: Body) -> Loop:
        if conds:
            body = (If(conds, body),)
        for x in reversed(columns):
            body = (replace(x, run="threads", body=body),)
        assert isinstance(body[0], Loop)
        return body[0]

    def _local(self, stem: str, type: TensorType, space: str) -> Buffer:
        self.locals.append(Buffer(fresh(stem, self.kernel.buffers()), type, space))
        return self.locals[-1]


FEW_BANKS = 8
"""If each thread stores a row of its own, and the length of rows is a multiple of this many elements, threads use few
banks; such rows are padded."""


@step
@record
class Exchange(Step):
    """Copy the values that threads hold in register local `local` into shared memory before a nest reads them.

    each g, t threads { each r { acc[g, t, r] = 0 } }     each g, t threads { each r { acc[g, t, r] = 0 } }
    each g, t threads { .. acc[g, t, r] .. }              each g, t threads { .. acc[g, t, r] .. }
    each t threads { each r {                         ->  each g, t threads { each r { S[r, g, t] = acc[g, t, r] } }
      sum s { y = add(acc[s, t, r], y) }                  each t threads { each r { sum s { y = add(S[r, s, t], y) } } }
    } }

    The nest that first sets the local determines the elements. Their order in shared memory is the order in which the
    reading threads are counted, so that neighbouring threads read different banks.
    """

    purpose = "threads read what others have computed, through shared memory"

    local: str

    def apply(self, kernel: Kernel) -> Kernel:
        local = next((b for b in kernel.locals if b.name == self.local), None)
        if local is None or local.space != "register":
            raise ScheduleError(f"exchange: kernel {kernel.name!r} has no local {self.local!r} in registers")
        work = _Shared(kernel, local)
        body = work.place(kernel.body)
        if work.shared is None:
            raise ScheduleError(f"exchange: no nest reads {self.local!r} after nests over threads that set it")
        return kernel.with_(body=body, locals=(*kernel.locals, work.shared))


class _Shared:
    def __init__(self, kernel: Kernel, local: Buffer) -> None:
        self.local = local
        self.name = fresh(f"{local.name}.parts", kernel.buffers())
        self.value = fresh(f"{local.name}.part", [s.name for s in walk(kernel.body) if isinstance(s, Load)])
        self.shared: Buffer | None = None
        self.order: list[int] = []

    def place(self, body: Body) -> Body:
        """The body, in which a nest sets the local and a later one only reads it, with the exchange in between."""
        writers = [k for k, s in enumerate(body) if self.local.name in written_buffers((s,))]
        readers = [k for k, s in enumerate(body) if self._reads(s)]
        guard = body[writers[0]] if len(writers) == 1 and readers else None
        if isinstance(guard, If) and writers[0] < readers[0]:
            return self._place_guarded(body, writers[0], guard, readers)
        if len(writers) < 2 or not readers:
            return tuple(s.with_body(self.place(s.body)) if isinstance(s, (Loop, If)) else s for s in body)
        if min(readers) < max(writers):
            raise ScheduleError(f"exchange: {self.local.name!r} is still written after it is read")
        self.order = self._order(body[readers[0]])
        put = self._put(body[writers[0]])
        read = tuple(self._redirected(s) if k in readers else s for k, s in enumerate(body))
        return (*read[: readers[0]], put, *read[readers[0] :])

    def _place_guarded(self, body: Body, at: int, guard: If, readers: list[int]) -> Body:
        """Like `place`, if a condition on whole blocks guards the nests that set the local."""
        setters = [s for s in guard.body if self.local.name in written_buffers((s,))]
        self.order = self._order(body[readers[0]])
        put = guard.with_body((*guard.body, self._put(setters[0])))
        read = tuple(self._redirected(s) if k in readers else s for k, s in enumerate(body))
        return (*read[:at], put, *read[at + 1 :])

    def _order(self, reader: Stmt) -> list[int]:
        """The dimensions, slowest first: those that a thread iterates over when it reads, then those of the threads."""
        load = next(s for s in walk((reader,)) if isinstance(s, Load) and s.buffer == self.local.name)
        threads = [s.var for s in walk((reader,)) if isinstance(s, Loop) and s.run == "threads"]
        place = {
            a: max((threads.index(v) for v in i.vars if v in threads), default=-1) for a, i in enumerate(load.index)
        }
        return sorted(place, key=place.__getitem__)

    def _reads(self, stmt: Stmt) -> bool:
        inside = tuple(walk((stmt,)))
        read = any(isinstance(s, Load) and s.buffer == self.local.name for s in inside)
        return read and not any(isinstance(s, (Store, Accum)) and s.buffer == self.local.name for s in inside)

    def _put(self, first: Stmt) -> Stmt:
        """The nest that sets the local, changed to store the local's value in shared memory."""
        store = next((s for s in walk((first,)) if isinstance(s, Store) and s.buffer == self.local.name), None)
        if store is None or not any(isinstance(s, Loop) and s.run == "threads" for s in walk((first,))):
            raise ScheduleError(f"exchange: no nest over threads sets {self.local.name!r} first")
        *outer, last = (self.local.type.shape[a] for a in self.order)
        unrolled = {s.var for s in walk((first,)) if isinstance(s, Loop) and s.run == "unroll"}
        padded = last % FEW_BANKS == 0 and set(store.index[self.order[-1]].vars) <= unrolled
        shape = (*outer, last + padded)
        self.shared = Buffer(self.name, TensorType(self.local.type.dtype, shape), "shared")
        new = (Load(self.value, self.local.name, store.index), Store(self.name, self._at(store.index), self.value))
        return path_to((first,), store, new)[0]

    def _at(self, index: tuple[Index, ...]) -> tuple[Index, ...]:
        return tuple(index[a] for a in self.order)

    def _redirected(self, stmt: Stmt) -> Stmt:
        def one(s: Stmt) -> Stmt | None:
            if isinstance(s, Load) and s.buffer == self.local.name:
                return replace(s, buffer=self.name, index=self._at(s.index))
            return None

        return rewrite((stmt,), one)[0]
