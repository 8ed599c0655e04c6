"""Several contiguous results per thread, loaded and stored as vectors of up to 16 bytes; common operands load once.

    each item (thread):  each of its rows (unrolled):  vectors in;  each of 2 or 4 neighbours (unrolled);  vectors out

The generic rule uses it for elementwise kernels and gradients of windows with enough results for all threads. Index
arithmetic and memory instructions then go down to a quarter.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mochac.codegen.cuda.indices import flat
from mochac.codegen.cuda.target import CudaTarget
from mochac.codegen.cuda.vectors import BYTES, TYPES
from mochac.ir.kernel import Accum, If, Kernel, Load, Loop, Stmt, Store
from mochac.ir.schedule import Step
from mochac.ir.steps.collect import Collect
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.run import Parallel, Unroll
from mochac.ir.steps.split import Split
from mochac.ir.types import DTYPES

ENOUGH = 256
"""Minimum threads per multiprocessor for several results each."""
HELD = 4
"""Maximum rows per thread."""


@dataclass(frozen=True)
class _Access:
    """An access of a parameter: elements between neighbours along each loop, and whether it is outside of inner loops
    and conditions."""

    stmt: Load | Store | Accum
    steps: dict[str, int]
    const: int
    size: int
    outside: bool


def wide(kernel: Kernel, outer: Sequence[Loop], target: CudaTarget) -> tuple[Step, ...] | None:
    """The steps, or None if results are few or not contiguous."""
    uses = list(_uses(kernel, outer))
    if len(outer) < 1 or not uses or any(loop.lo.const != 0 for loop in outer):
        return None
    last, extents = outer[-1], {loop.var: loop.extent or 0 for loop in outer}
    for count in (4, 2):
        if extents[last.var] % count or (extents[last.var] > count and count != BYTES // max(u.size for u in uses)):
            continue
        split = None if extents[last.var] == count else Split(last.var, count, f"{last.var}_b", f"{last.var}_v")
        rest = [*extents][:-1] if split is None else [*extents]
        if not all(_fits(u, last.var, count) for u in uses) or not _side_by_side(uses, extents, last.var, count):
            continue
        for held in (_held(uses, extents, last.var), ()):
            items = math.prod(extents.values()) // count // math.prod(extents[v] for v in held)
            if items >= ENOUGH * target.multiprocessors:
                return _steps(uses, [v for v in rest if v not in held], held, last.var, split)
    return None


def _uses(kernel: Kernel, outer: Sequence[Loop]) -> Iterator[_Access]:
    buffers = {b.name: b for b in (*kernel.inputs, *kernel.outputs)}
    band = {loop.var for loop in outer}

    def visit(body: tuple[Stmt, ...], outside: bool) -> Iterator[_Access]:
        for s in body:
            if isinstance(s, (Loop, If)):
                yield from visit(s.body, outside and isinstance(s, Loop) and s.var in band)
            elif isinstance(s, (Load, Store, Accum)) and s.buffer in buffers:
                index = flat(buffers[s.buffer], s.index)
                size = DTYPES[buffers[s.buffer].type.dtype].itemsize
                known = buffers[s.buffer].type.dtype in TYPES
                yield _Access(s, dict(index.terms), index.const, size, outside and known)

    return visit(kernel.body, True)


def _fits(use: _Access, var: str, count: int) -> bool:
    """Whether an access does not depend on the vector's loop, or accesses a whole vector."""
    if not use.steps.get(var):
        return not isinstance(use.stmt, Store)
    others = (c for v, c in use.steps.items() if v != var)
    whole = use.steps[var] == 1 and not any(c % count for c in (use.const, *others))
    return whole and use.outside and not isinstance(use.stmt, Accum) and use.size * count in (BYTES // 2, BYTES)


def _side_by_side(uses: list[_Access], extents: dict[str, int], var: str, count: int) -> bool:
    """Whether the vectors of neighbouring threads are contiguous."""
    if extents[var] > count:
        return True
    before = [*extents][-2] if len(extents) > 1 else ""
    return all(u.steps.get(before) == count for u in uses if isinstance(u.stmt, Store))


def _held(uses: list[_Access], extents: dict[str, int], last: str) -> tuple[str, ...]:
    """A short loop on which the loads of windows do not depend, so that all its iterations share these loads."""
    loads = [u for u in uses if not u.outside and isinstance(u.stmt, Load)]
    free = [v for v, n in extents.items() if v != last and n <= HELD and not any(u.steps.get(v) for u in loads)]
    return tuple(free[-1:]) if loads else ()


def _steps(
    uses: list[_Access], rest: list[str], held: tuple[str, ...], last: str, split: Split | None
) -> tuple[Step, ...]:
    vector = split.inner if split else last
    parallel = tuple(split.outer if split and v == split.loop else v for v in rest)
    wanted = dict.fromkeys(u.stmt.buffer for u in uses if u.steps.get(last))
    return (
        *((split,) if split else ()),
        Reorder((*parallel, *held, vector)),
        Unroll(vector),
        *(Collect(buffer, vector) for buffer in wanted),
        *(Unroll(v) for v in held),
        Parallel(parallel),
    )
