"""Unroll, Vector, Parallel: choose how a loop runs, without changing its meaning."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.grids import change_grid, grid_of
from mochac.ir.kernel import Kernel, Loop, Stmt, walk
from mochac.ir.nest import is_register, map_loops, require_loops, with_band_run
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
