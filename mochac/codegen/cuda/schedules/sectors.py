"""Memory coalescing: how many 32-byte sectors a warp accesses under an order of the result loops.

The rules generic and reduce order loops by it, so that warps run along the fast axis of what is read most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mochac.codegen.cuda.indices import flat
from mochac.ir.kernel import Accum, If, Kernel, Load, Loop, Stmt, Store
from mochac.ir.types import DTYPES

WARP, SECTOR = 32, 32
Body = tuple[Stmt, ...]


@dataclass(frozen=True)
class Reach:
    """One load or store of memory: elements between neighbours along each loop, bytes per element, and how often an
    item of the outer loops executes it."""

    steps: dict[str, int]
    size: int
    times: int


def reaches(kernel: Kernel, outer: Sequence[Loop]) -> list[Reach]:
    """All loads and stores of the kernel's parameters."""
    buffers = {b.name: b for b in (*kernel.inputs, *kernel.outputs)}
    band = {loop.var for loop in outer}
    reached: list[Reach] = []

    def visit(body: Body, times: int) -> None:
        for stmt in body:
            if isinstance(stmt, Loop):
                visit(stmt.body, times if stmt.var in band else times * (stmt.extent or 1))
            elif isinstance(stmt, If):
                visit(stmt.body, times)
            elif isinstance(stmt, (Load, Store, Accum)) and stmt.buffer in buffers:
                buffer = buffers[stmt.buffer]
                reached.append(Reach(dict(flat(buffer, stmt.index).terms), DTYPES[buffer.type.dtype].itemsize, times))

    visit(kernel.body, 1)
    return reached


def sectors(reached: Sequence[Reach], order: Sequence[Loop]) -> int:
    """Sectors that the first warp accesses if the loops are nested in this order, the last fastest."""
    threads: list[dict[str, int]] = []
    total = 1
    for loop in order:
        total *= loop.extent or 1
    for item in range(min(WARP, total)):
        at: dict[str, int] = {}
        for loop in reversed(order):
            item, at[loop.var] = divmod(item, loop.extent or 1)
        threads.append(at)
    count = 0
    for r in reached:
        offsets = (sum(r.steps.get(v, 0) * k for v, k in at.items()) for at in threads)
        count += r.times * len({offset * r.size // SECTOR for offset in offsets})
    return count


def best_order(kernel: Kernel, outer: Sequence[Loop]) -> tuple[str, ...]:
    """The order of perfectly nested result loops with the fewest sectors; the given order if none has fewer."""
    reached = reaches(kernel, outer)
    orders = {tuple(loop.var for loop in outer): list(outer)}
    for r in reached:
        by_step = sorted(outer, key=lambda loop: -r.steps.get(loop.var, 1 << 62))
        orders.setdefault(tuple(loop.var for loop in by_step), by_step)
    return min(orders, key=lambda names: sectors(reached, orders[names]))
