"""Steps that choose how a loop runs, where a local lies and what a loop is called."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.grids import MAX_THREADS, change_grid, grid_of, threads_of, with_threads
from mochac.ir.index import Index
from mochac.ir.kernel import SPACES, Body, If, Kernel, Let, Load, Loop, Stmt, substitute, walk
from mochac.ir.nest import is_register, map_loops, require_local, require_loops, with_band_run
from mochac.ir.schedule import ScheduleError, Step, step


def _with_run(kernel: Kernel, var: str, run: str) -> Kernel:
    return kernel.with_(body=map_loops(kernel.body, var, lambda loop: replace(loop, run=run)))


def _constant(kernel: Kernel, var: str, name: str) -> None:
    if any(loop.extent is None for loop in require_loops(kernel, var, name)):
        raise ScheduleError(f"{name}: loop {var!r} must have constant limits")


@step
@record
class Unroll(Step):
    """Expand a loop in the printed code.

    each i in 0..4 { ... }  ->  each i in 0..4 unroll { ... }
    """

    purpose = "a short loop runs without branches, and its values keep registers of their own"

    loop: str

    def apply(self, kernel: Kernel) -> Kernel:
        _constant(kernel, self.loop, "unroll")
        return _with_run(kernel, self.loop, "unroll")


@step
@record
class Vector(Step):
    """Run the iterations of an innermost loop as the lanes of a register; a `sum` loop becomes a horizontal sum.

    each lane in 0..16 { ... }  ->  each lane in 0..16 vector { ... }

    An `each` loop that contains only a vector loop may be a vector loop, too; their register has a lane for every pair.
    """

    purpose = "one instruction works on a whole vector of neighbours"

    loop: str

    def apply(self, kernel: Kernel) -> Kernel:
        _constant(kernel, self.loop, "vector")
        for loop in require_loops(kernel, self.loop, "vector"):
            inner = next((s.var for s in walk(loop.body) if isinstance(s, Loop)), None)
            if inner is not None and not is_register(loop):
                raise ScheduleError(
                    f"vector: loop {self.loop!r} must be innermost, {inner!r} is inside it; distribute it first"
                )
            if loop.kind == "for":
                raise ScheduleError(f"vector: loop {self.loop!r} runs strictly in order")
        return _with_run(kernel, self.loop, "vector")


@step
@record
class Parallel(Step):
    """Divide the iterations of the outermost loops, counted as one range of items, among the worker threads.

    each a in 0..4 { each b in 0..5 { ... } }  ->  each a in 0..4 parallel { each b in 0..5 parallel { ... } }

    If a cut has left several sibling nests, each gets its own parallel loops (those that exist in it), and their items
    are numbered consecutively.
    """

    purpose = "no iteration needs another one, so threads share them, in any order and number"

    loops: tuple[str, ...]

    def apply(self, kernel: Kernel) -> Kernel:
        if not self.loops:
            raise ScheduleError("parallel: name at least one loop")
        return change_grid(kernel, grid_of(kernel, self.loops[0]), lambda body: tuple(map(self._nest, body)))

    def _nest(self, top: Stmt) -> Stmt:
        names = [name for name in self.loops if any(isinstance(s, Loop) and s.var == name for s in walk((top,)))]
        if not names:
            raise ScheduleError(
                f"parallel: a statement outside the loops {', '.join(self.loops)} would run on every thread"
            )
        return with_band_run((top,), names, "parallel")[0]


@step
@record
class Blocks(Step):
    """Run every iteration of the outermost loops as one block of threads.

    each a in 0..4 { each b in 0..5 { ... } }  ->  each a in 0..4 blocks { each b in 0..5 blocks { ... } }

    The loops must be perfectly nested `each` loops, and their grid must contain nothing outside them.
    """

    purpose = "blocks of threads are independent, so the device runs as many at once as it has room for"

    loops: tuple[str, ...]

    def apply(self, kernel: Kernel) -> Kernel:
        number = grid_of(kernel, self.loops[0]) if self.loops else 0
        return change_grid(kernel, number, lambda body: with_band_run(body, self.loops, "blocks"))


@step
@record
class Threads(Step):
    """Divide the iterations of perfectly nested loops among the `count` threads of a block, round robin.

    sum k in 0..9 { acc[] = add(x[k], acc[]) }  ->  sum k in 0..9 threads { acc[] = add(x[k], acc[]) }

    Thread t runs iterations t, t + count, t + 2*count, ... of the nest, in row-major order. `each` iterations must be
    independent; partial sums of `sum` iterations are combined in a fixed order. All Threads steps of a grid must have
    the same count.
    """

    purpose = "the threads of a block share these iterations"

    loops: tuple[str, ...]
    count: int

    def apply(self, kernel: Kernel) -> Kernel:
        if not 0 < self.count <= MAX_THREADS:
            raise ScheduleError(f"threads: a block has 1 to {MAX_THREADS} threads, not {self.count}")
        if not self.loops:
            raise ScheduleError("threads: no loop is named")
        number = grid_of(kernel, self.loops[0])
        known = threads_of(kernel, number)
        if known not in (0, self.count):
            raise ScheduleError(f"threads: the kernel's blocks have {known} threads already, not {self.count}")
        body, found = self._find(kernel.body)
        if not found:
            raise ScheduleError(f"threads: kernel {kernel.name!r} has no loop {self.loops[0]!r}")
        return with_threads(kernel.with_(body=body), number, self.count)

    def _find(self, body: Body) -> tuple[Body, bool]:
        out, found = [], False
        for stmt in body:
            if isinstance(stmt, Loop) and stmt.var == self.loops[0]:
                stmt, found = self._mark((stmt,), self.loops, stmt.kind)[0], True
            elif hasattr(stmt, "body"):
                inner, inside = self._find(stmt.body)  # type: ignore[union-attr]
                stmt, found = stmt.with_body(inner), found or inside  # type: ignore[union-attr]
            out.append(stmt)
        return tuple(out), found

    def _mark(self, body: Body, names: tuple[str, ...], kind: str) -> Body:
        if not names:
            return body
        top = _only(body)
        if top is None or top.var != names[0] or top.kind != kind or top.extent is None:
            raise ScheduleError(
                f"threads: {names[0]!r} is not the next perfectly nested {kind!r} loop with constant limits"
            )
        if kind == "for":
            raise ScheduleError(f"threads: loop {top.var!r} runs strictly in order")
        return (replace(top, run="threads", body=self._mark(top.body, names[1:], kind)),)


def _only(body: Body) -> Loop | None:
    """The only loop of a body. Values and conditions before it move into it, so that every thread has its own.

    t = x[]; if c >= 0 { each k { A } }  ->  each k { t = x[]; if c >= 0 { A } }
    """
    *first, last = body
    if any(not isinstance(s, (Let, Load)) for s in first):
        return None
    if isinstance(last, Loop):
        return last.with_body((*first, *last.body))
    inner = _only(last.body) if isinstance(last, If) else None
    if inner is None:
        return None
    assert isinstance(last, If)
    return inner.with_body((*first, last.with_body(inner.body)))


@step
@record
class Place(Step):
    """Put a local into registers (its indices must be constants after unrolling) or into the thread's scratch memory.

    local acc: f32[4,16] register  ->  local acc: f32[4,16] scratch
    """

    purpose = "its size decides whether it lies in registers or in memory"

    local: str
    space: str

    def apply(self, kernel: Kernel) -> Kernel:
        if self.space not in SPACES:
            raise ScheduleError(f"place: space must be one of {', '.join(SPACES)}, not {self.space!r}")
        placed = require_local(kernel, self.local, "place")
        changed = tuple(replace(b, space=self.space) if b is placed else b for b in kernel.locals)
        return kernel.with_(locals=changed)


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
