"""Exchange: let the threads of a block read each other's parts of a local, through shared memory."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.fresh import fresh
from mochac.ir.index import Index
from mochac.ir.kernel import Accum, Body, Buffer, If, Kernel, Load, Loop, Stmt, Store, rewrite, walk, written_buffers
from mochac.ir.nest import path_to
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.types import TensorType

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
        held = {s.var for s in walk((first,)) if isinstance(s, Loop) and s.run == "unroll"}
        padded = last % FEW_BANKS == 0 and set(store.index[self.order[-1]].vars) <= held
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
