"""Pipeline: fetch the next panels into registers while the products of the current ones are computed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mochac.ir.index import Index
from mochac.ir.kernel import Buffer, If, Kernel, Load, Loop, Stmt, Store, access, substitute, walk, written_buffers
from mochac.ir.nest import Body, fresh, map_loops, require_loops
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.types import TensorType


@step
@dataclass(frozen=True)
class Pipeline(Step):
    """The copies into shared memory that `loop` begins with are fetched an iteration ahead, by the same threads.

    sum kb in 0..9 {                      each t lanes { each r { X.next[t, r] = x[r, t] } }
      each t lanes { each r {             for kb in 0..9 {
        X[r, t] = x[r, 16*kb + t]     ->    each t lanes { each r { X[r, t] = X.next[t, r] } }
      } }                                   if -kb + 7 >= 0 {
      products of X                           each t lanes { each r { X.next[t, r] = x[r, 16*kb + t + 16] } }
    }                                       }
                                            products of X
                                          }

    A device takes hundreds of cycles to bring a value from its memory; threads wait for it only where they first use
    it, which now is after the products. `loop` becomes `for`: what its iterations hand on is no sum.
    """

    loop: str

    def apply(self, kernel: Kernel) -> Kernel:
        for loop in require_loops(kernel, self.loop, "pipeline"):
            if loop.extent is None or loop.extent < 2:
                raise ScheduleError(
                    f"pipeline: loop {self.loop!r} must have two iterations at least, and constant limits"
                )
        work = _Ahead(kernel, self.loop)
        body = map_loops(kernel.body, self.loop, work.rewrite)
        kept = tuple(b for b in kernel.locals if b.name not in work.replaced)
        return kernel.with_(body=body, locals=(*kept, *work.added))


@dataclass(frozen=True)
class _Fetched:
    """A copy by way of registers: `fetch` reads what `put` stores in the panel."""

    fetch: Stmt
    put: Stmt


class _Ahead:
    def __init__(self, kernel: Kernel, var: str) -> None:
        self.var = var
        self.buffers = kernel.buffers()
        self.inputs = {b.name for b in kernel.inputs}
        self.added: list[Buffer] = []
        self.replaced: set[str] = set()

    def rewrite(self, loop: Loop) -> Body:
        """The first fetch, and the loop with the next one in it."""
        copies = 0
        while copies < len(loop.body) and self._is_copy(loop.body[copies]):
            copies += 1
        if not copies:
            raise ScheduleError(f"pipeline: loop {self.var!r} does not begin with copies into shared memory")
        if any(isinstance(s, Store) for s in walk(loop.body[copies:])):
            raise ScheduleError(f"pipeline: only sums may follow the copies in loop {self.var!r}")
        found = [self._fetched(s) for s in loop.body[:copies] if isinstance(s, Loop)]
        fetch = tuple(f.fetch for f in found)
        lo, hi = loop.lo.const or 0, loop.hi.const or 0
        first = substitute(fetch, {self.var: Index.of(lo)})
        later = substitute(fetch, {self.var: Index.var(self.var) + 1})
        more = If((Index.of(hi - 2) - Index.var(self.var),), later)
        puts = tuple(f.put for f in found)
        return (*first, replace(loop, kind="for", body=(*puts, more, *loop.body[copies:])))

    def _is_copy(self, stmt: Stmt) -> bool:
        """Whether a nest over threads fills one panel from inputs."""
        if not isinstance(stmt, Loop) or stmt.run != "lanes" or stmt.kind != "each":
            return False
        shared = [s for s in walk((stmt,)) if isinstance(s, Store) and self.buffers[s.buffer].space == "shared"]
        read = {s.buffer for s in walk((stmt,)) if isinstance(s, Load)}
        others = written_buffers((stmt,)) - {s.buffer for s in shared}
        local = all(self.buffers[name].space == "register" for name in others)
        return len(shared) == 1 and local and read <= self.inputs | others

    def _fetched(self, copy: Loop) -> _Fetched:
        put = next(s for s in walk((copy,)) if isinstance(s, Store) and self.buffers[s.buffer].space == "shared")
        name = fresh(f"{put.buffer}.next", (*self.buffers, *(b.name for b in self.added)))
        around = _around((copy,), put)
        held = next((s for s in walk((copy,)) if isinstance(s, Load) and s.name == put.value), None)
        assert held is not None
        steps = tuple(Index.var(x.var) - (x.lo.const or 0) for x in around)
        shape = tuple(x.extent or 0 for x in around)
        self.added.append(Buffer(name, TensorType(self.buffers[put.buffer].type.dtype, shape), "register"))
        if held.buffer in self.inputs:
            fetch = _stored_in((copy,), put, Store(name, steps, put.value))
        else:
            self.replaced.add(held.buffer)
            outer = steps[: len(steps) - len(held.index)]
            fetch = _kept_in(_without((copy,), put), held.buffer, name, outer)
        again = (Load(str(put.value), name, steps), put)
        return _Fetched(fetch[0], _only((copy,), put, again)[0])


def _around(body: Body, inner: Stmt) -> tuple[Loop, ...]:
    """The loops around a statement, outer first."""
    for s in body:
        if isinstance(s, (Loop, If)) and any(x is inner for x in walk(s.body)):
            return (*((s,) if isinstance(s, Loop) else ()), *_around(s.body, inner))
    return ()


def _stored_in(body: Body, old: Stmt, new: Stmt) -> Body:
    """A body with one statement in place of another."""
    return tuple(
        new if s is old else s.with_body(_stored_in(s.body, old, new)) if isinstance(s, (Loop, If)) else s for s in body
    )


def _without(body: Body, store: Store) -> Body:
    """A body without a store and the load of what it stores."""
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


def _only(body: Body, inner: Stmt, new: Body) -> Body:
    """The loops and conditions around a statement, `new` in its place and nothing else."""
    for s in body:
        if s is inner:
            return new
        if isinstance(s, (Loop, If)) and any(x is inner for x in walk(s.body)):
            return (s.with_body(_only(s.body, inner, new)),)
    return ()


def _kept_in(body: Body, old: str, new: str, outer: tuple[Index, ...]) -> Body:
    """A body with another local in place of `old`, which has dimensions for the loops around too."""
    out: list[Stmt] = []
    for s in body:
        found = access(s)
        if isinstance(s, (Loop, If)):
            s = s.with_body(_kept_in(s.body, old, new, outer))
        elif isinstance(s, (Load, Store)) and found is not None and found[0] == old:
            s = replace(s, buffer=new, index=(*outer, *s.index))
        out.append(s)
    return tuple(out)
