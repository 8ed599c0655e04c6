"""Memory coalescing: how many 32-byte sectors a warp accesses under an order of the result loops.

The rules generic and reduce order loops by it, so that warps run along the fast axis of what is read most.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from mochac.base.records import record
from mochac.codegen.cuda.indices import flat
from mochac.ir.grids import WARP
from mochac.ir.index import Index
from mochac.ir.kernel import Accum, If, Kernel, Load, Loop, Stmt, Store
from mochac.ir.types import DTYPES

SECTOR = 32


@record
class MemoryAccess:
    """An access of a parameter.

    Attributes:
        stmt, dtype: what it is, and of what type.
        elems: elements of the parameter.
        index: its place in memory, in elements.
        times: how often an item of the outer loops executes it.
        outside: whether it is outside of inner loops and conditions.
    """

    stmt: Load | Store | Accum
    dtype: str
    elems: int
    index: Index
    times: int
    outside: bool

    @property
    def size(self) -> int:
        """Bytes of an element."""
        return DTYPES[self.dtype].itemsize

    def step(self, loop: str) -> int:
        """Elements between neighbours along a loop."""
        return self.index.coefficient(loop)

    def order(self, loops: Iterable[str]) -> tuple[str, ...]:
        """The loops by these steps, the shortest last; loops that it does not depend on come first."""
        return tuple(sorted(loops, key=lambda v: -(self.step(v) or 1 << 62)))


def accesses(kernel: Kernel, outer: Collection[str]) -> list[MemoryAccess]:
    """All loads and stores of the kernel's parameters."""
    buffers = {b.name: b for b in (*kernel.inputs, *kernel.outputs)}

    def visit(body: tuple[Stmt, ...], times: int, outside: bool) -> Iterator[MemoryAccess]:
        for s in body:
            if isinstance(s, If):
                yield from visit(s.body, times, False)
            elif isinstance(s, Loop):
                inner = s.var not in outer
                yield from visit(s.body, times * (s.extent or 1) if inner else times, outside and not inner)
            elif isinstance(s, (Load, Store, Accum)) and s.buffer in buffers:
                buffer = buffers[s.buffer]
                yield MemoryAccess(s, buffer.type.dtype, buffer.type.elems, flat(buffer, s.index), times, outside)

    return list(visit(kernel.body, 1, True))


def sectors(reached: Sequence[MemoryAccess], order: Sequence[str], extents: Mapping[str, int]) -> int:
    """Sectors that the first warp accesses if the loops are nested in this order, the last fastest."""
    threads: list[dict[str, int]] = [{}]
    for loop in reversed(order):
        threads = [{**at, loop: k} for k in range(min(WARP, extents[loop] or 1)) for at in threads][:WARP]
    count = 0
    for r in reached:
        steps = dict(r.index.terms)
        offsets = (sum(steps.get(v, 0) * k for v, k in at.items()) for at in threads)
        count += r.times * len({offset * r.size // SECTOR for offset in offsets})
    return count


def best_order(kernel: Kernel, extents: Mapping[str, int]) -> tuple[str, ...]:
    """The order of perfectly nested result loops with the fewest sectors; the given order if none has fewer."""
    reached = accesses(kernel, extents)
    orders = dict.fromkeys((tuple(extents), *(r.order(extents) for r in reached)))
    return min(orders, key=lambda order: sectors(reached, order, extents))
