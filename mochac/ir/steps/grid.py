"""Blocks, Threads: run loops as the blocks or threads of a GPU grid, without changing their meaning."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.grids import MAX_THREADS, change_grid, grid_of, threads_of, with_threads
from mochac.ir.kernel import Body, If, Kernel, Let, Load, Loop
from mochac.ir.nest import with_band_run
from mochac.ir.schedule import ScheduleError, Step, step


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
