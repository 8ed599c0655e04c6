"""Pipeline: fetch the next panels while the products of the current ones are computed."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import (
    Body,
    Buffer,
    If,
    Kernel,
    Let,
    Load,
    Loop,
    Stmt,
    Store,
    access,
    loaded_buffers,
    rewrite,
    substitute,
    walk,
    written_buffers,
)
from mochac.ir.names import fresh
from mochac.ir.nest import map_loops, path_to, require_loops
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.shared_copies import AsyncCopy
from mochac.ir.types import TensorType


@step
@record
class Pipeline(Step):
    """Fetch the data of the copies into shared memory that start `loop` one iteration early, with the same threads.

    sum kb in 0..9 {                      each t threads { each r { X.next[t, r] = x[r, t] } }
      each t threads { each r {           for kb in 0..9 {
        X[r, t] = x[r, 16*kb + t]     ->    each t threads { each r { X[r, t] = X.next[t, r] } }
      } }                                   if -kb + 7 >= 0 {
      products of X                           each t threads { each r { X.next[t, r] = x[r, 16*kb + t + 16] } }
    }                                       }
                                            products of X
                                          }

    A GPU takes hundreds of cycles to load a value from its memory. Threads wait for a value only where they first use
    it, which is now after the products. `loop` becomes `for`, because its iterations pass values on.

    With `double`, every panel has two buffers and the loop is split by two: the next panel is stored in the buffer that
    the products of this iteration do not read, so that threads synchronize once per iteration and not twice.

    each t threads { X[0, t] = first }
    for kb.q in 0..5 { for kb.h in 0..2 { if -kb.h - 2*kb.q + 8 >= 0 {
      if more { X.next = x[.., 2*kb.q + kb.h + 1] }  products of X[kb.h]  if more { X[-kb.h + 1, t] = X.next[t] }
    } } }

    With `direct`, too, a thread does not wait for what it copies into the other buffer (ir/shared_copies.py), and
    copies take no registers. Values that are computed of what is loaded go through registers all the same.

    for kb.q in 0..5 { for kb.h in 0..2 { if -kb.h - 2*kb.q + 8 >= 0 {
      if more { each t threads { each v async { X[-kb.h + 1, t] = x[.., 2*kb.q + kb.h + 1] } } }  products of X[kb.h]
    } } }
    """

    purpose = "the next panel is fetched while this one is multiplied"

    loop: str
    double: bool = False
    direct: bool = False

    def apply(self, kernel: Kernel) -> Kernel:
        for loop in require_loops(kernel, self.loop, "pipeline"):
            if loop.extent is None or loop.extent < 2:
                raise ScheduleError(
                    f"pipeline: loop {self.loop!r} must have at least two iterations and constant limits"
                )
        if self.direct and not self.double:
            raise ScheduleError("pipeline: direct copies need double buffers")
        work = _PanelPrefetch(kernel, self.loop, self.double, self.direct)
        body = map_loops(kernel.body, self.loop, work.rewrite)
        others = (b for b in kernel.locals if b.name not in work.replaced)
        twice = (_doubled(b) if b.name in work.doubled else b for b in others)
        return kernel.with_(body=body, locals=(*twice, *work.added))


@record
class _Fetched:
    """A copy through registers: `fetch` reads what `put` stores in the panel; or one that needs no `put`."""

    fetch: Stmt
    put: Stmt | None = None


class _PanelPrefetch:
    def __init__(self, kernel: Kernel, var: str, double: bool, direct: bool) -> None:
        self.var, self.double, self.direct = var, double, direct
        self.doubled: set[str] = set()
        self.buffers = kernel.buffers()
        self.inputs = {b.name for b in kernel.inputs}
        self.panels = {b.name for b in kernel.locals if b.space == "shared"}
        self.added: list[Buffer] = []
        self.replaced: set[str] = set()

    def rewrite(self, loop: Loop) -> Body:
        """The first fetch, followed by the loop with the next fetch in it."""
        copies = 0
        while copies < len(loop.body) and self._is_copy(loop.body[copies]):
            copies += 1
        if not copies:
            raise ScheduleError(f"pipeline: loop {self.var!r} does not begin with copies into shared memory")
        if any(isinstance(s, Store) for s in walk(loop.body[copies:])):
            raise ScheduleError(f"pipeline: only sums may follow the copies in loop {self.var!r}")
        fetched = [self._direct(s) or self._fetched(s) for s in loop.body[:copies] if isinstance(s, Loop)]
        fetch = tuple(f.fetch for f in fetched)
        lo, hi = loop.lo.const or 0, loop.hi.const or 0
        first = substitute(fetch, {self.var: Index.of(lo)})
        later = substitute(fetch, {self.var: Index.var(self.var) + 1})
        more = Index.of(hi - 2) - Index.var(self.var)
        puts = tuple(f.put for f in fetched if f.put is not None)
        if not self.double:
            return (*first, replace(loop, kind="for", body=(*puts, If((more,), later), *loop.body[copies:])))
        self.doubled |= {s.buffer for s in walk((*fetch, *puts)) if isinstance(s, Store)} & self.panels
        half = Index.var(f"{self.var}.h")
        here = _in_half(loop.body[copies:], self.doubled, half)
        later, there = (_in_half(part, self.doubled, 1 - half) for part in (later, puts))
        body: Body = (If((more,), later), *here, *((If((more,), there),) if there else ()))
        return (*_in_half((*first, *puts), self.doubled, Index.of(0)), self._split_by_two(loop, body))

    def _split_by_two(self, loop: Loop, body: Body) -> Loop:
        lo, extent = loop.lo.const or 0, loop.extent or 0
        half, pair = f"{self.var}.h", f"{self.var}.q"
        place = Index.var(pair) * 2 + Index.var(half)
        body = substitute(body, {self.var: place + lo})
        if extent % 2:
            body = (If((Index.of(extent - 1) - place,), body),)
        inner = Loop(half, Limit.of(0), Limit.of(2), "for", "serial", body)
        return Loop(pair, Limit.of(0), Limit.of(-(-extent // 2)), "for", "serial", (inner,))

    def _is_copy(self, stmt: Stmt) -> bool:
        """Whether a nest over threads fills one panel from inputs."""
        if not isinstance(stmt, Loop) or stmt.run != "threads" or stmt.kind != "each":
            return False
        shared = [s for s in walk((stmt,)) if isinstance(s, Store) and self.buffers[s.buffer].space == "shared"]
        read = loaded_buffers((stmt,))
        others = written_buffers((stmt,)) - {s.buffer for s in shared}
        local = all(self.buffers[name].space == "register" for name in others)
        return len(shared) == 1 and local and read <= self.inputs | others

    def _put(self, copy: Loop) -> Store:
        return next(s for s in walk((copy,)) if isinstance(s, Store) and s.buffer in self.panels)

    def _direct(self, copy: Loop) -> _Fetched | None:
        """The copy without registers, if the schedule wants it, and nothing is computed on the way."""
        put, read = self._put(copy), [s for s in walk((copy,)) if isinstance(s, Load) and s.buffer in self.inputs]
        if not self.direct or len(read) != 1 or any(isinstance(s, Let) for s in walk((copy,))):
            return None
        if not (read[0].index and put.index):
            return None
        source = next(s for s in walk((copy,)) if isinstance(s, Load) and s.name == put.value)
        if source is not read[0]:
            self.replaced.add(source.buffer)
        dtype = self.buffers[put.buffer].type.dtype
        return _Fetched(_made_direct((copy,), read[0], put, dtype)[0])

    def _fetched(self, copy: Loop) -> _Fetched:
        put = self._put(copy)
        name = fresh(f"{put.buffer}.next", (*self.buffers, *(b.name for b in self.added)))
        around = _around((copy,), put)
        source = next((s for s in walk((copy,)) if isinstance(s, Load) and s.name == put.value), None)
        steps = tuple(Index.var(x.var) - (x.lo.const or 0) for x in around)
        shape = tuple(x.extent or 0 for x in around)
        self.added.append(Buffer(name, TensorType(self.buffers[put.buffer].type.dtype, shape), "register"))
        if source is None or source.buffer in self.inputs:
            fetch = _stored_in((copy,), put, Store(name, steps, put.value))
        else:
            self.replaced.add(source.buffer)
            outer = steps[: len(steps) - len(source.index)]
            fetch = _predicated(_with_local(_without((copy,), put), source.buffer, name, outer))
        again = (Load(str(put.value), name, steps), put)
        return _Fetched(fetch[0], path_to((copy,), put, again)[0])


def _made_direct(body: Body, read: Load, put: Store, dtype: str) -> Body:
    """A copy with an async loop in place of what each thread does for some neighbours, which all moves them."""
    only = body[0] if len(body) == 1 else None
    if isinstance(only, If) or (isinstance(only, Loop) and only.run != "vector"):
        return (only.with_body(_made_direct(only.body, read, put, dtype)),)
    conds = tuple(c for s in body if isinstance(s, If) for c in s.conds)
    lanes = [s for s in body if isinstance(s, Loop)]
    var, put = lanes[-1].var if lanes else f"{put.buffer}.v", replace(put, value=read.name)
    if not lanes:
        read = replace(read, index=_along(read.index, var))
        put = replace(put, index=_along(put.index, var))
    return (AsyncCopy(read, put, (lanes[-1].extent or 0) if lanes else 1, conds).loop(var, dtype),)


def _along(index: tuple[Index, ...], var: str) -> tuple[Index, ...]:
    return (*index[:-1], index[-1] + Index.var(var))


def _doubled(panel: Buffer) -> Buffer:
    return replace(panel, type=panel.type.with_(shape=(2, *panel.type.shape)))


def _in_half(body: Body, panels: set[str], half: Index) -> Body:
    """A body that reads and writes one of the two buffers of each panel."""

    def one(s: Stmt) -> Stmt | None:
        return replace(s, index=(half, *s.index)) if isinstance(s, (Load, Store)) and s.buffer in panels else None

    return rewrite(body, one)


def _around(body: Body, inner: Stmt) -> tuple[Loop, ...]:
    """The loops around a statement, outer first."""
    for s in body:
        if isinstance(s, (Loop, If)) and any(x is inner for x in walk(s.body)):
            return (*((s,) if isinstance(s, Loop) else ()), *_around(s.body, inner))
    return ()


def _stored_in(body: Body, old: Stmt, new: Stmt) -> Body:
    """A body with `new` in place of `old`."""
    return tuple(
        new if s is old else s.with_body(_stored_in(s.body, old, new)) if isinstance(s, (Loop, If)) else s for s in body
    )


def _without(body: Body, store: Store) -> Body:
    """A body without a store and the load of the stored value."""
    out: list[Stmt] = []
    for s in body:
        if isinstance(s, (Loop, If)):
            s = s.with_body(_without(s.body, store))
            if not s.body:
                continue
        elif s is store or (isinstance(s, Load) and s.name == store.value):
            continue
        out.append(s)
    return tuple(out)


def _predicated(body: Body) -> Body:
    """A fetch whose conditions enclose loads only. Compilers turn these into predicated loads. They turn larger blocks
    into branches, and a thread waits at each branch for the loads of the one before.

    if a { x = 0; if b { x = y[i] } }  ->  x = 0; if a, b { x = y[i] }
    """
    out: list[Stmt] = []
    for s in body:
        if not isinstance(s, (Loop, If)):
            out.append(s)
            continue
        inner = _predicated(s.body)
        last = inner[-1]
        if isinstance(s, If) and isinstance(last, If) and not any(isinstance(x, Load) for x in walk(inner[:-1])):
            out += [*inner[:-1], If((*s.conds, *last.conds), last.body)]
        else:
            out.append(s.with_body(inner))
    return tuple(out)


def _with_local(body: Body, old: str, new: str, outer: tuple[Index, ...]) -> Body:
    """A body with local `new` in place of `old`; it has additional dimensions for the enclosing loops."""
    out: list[Stmt] = []
    for s in body:
        accessed = access(s)
        if isinstance(s, (Loop, If)):
            s = s.with_body(_with_local(s.body, old, new, outer))
        elif isinstance(s, (Load, Store)) and accessed is not None and accessed[0] == old:
            s = replace(s, buffer=new, index=(*outer, *s.index))
        out.append(s)
    return tuple(out)
