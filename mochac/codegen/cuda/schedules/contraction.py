"""Products and convolutions: tiles of results in registers, panels of both factors in shared memory.

    for tile of rows x columns (block):  for panel of terms:  copy both panels;  acc[r][s] += X[r, k] * W[k, s]

A row is what only one factor depends on, a column what only the other does: samples and outputs of a product; for a
convolution (an implicit GEMM) pixels and filters, its taps taken from the image as the panel is copied.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from mochac.codegen.cuda.schedules.nests import band
from mochac.codegen.cuda.schedules.tiled import steps
from mochac.codegen.cuda.schedules.tiles import GROUPS, Dims, Estimate, Panel, Tile, Work, best_tile, count, estimate
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.index import Index
from mochac.ir.kernel import Accum, Buffer, If, Kernel, Let, Load, Loop, Stmt, walk
from mochac.ir.schedule import Schedule
from mochac.ir.types import DTYPES

MIN_TERMS = 8
LONG = 128
"""Terms of a sum that a block of its own may share, where tiles are too few to fill the device."""
MAX_SKIPPED = 3.0
"""How much of the nest may be skipped by conditions before walking it all is a waste."""
PANELS = (16, 32, 64, 128)
"""Terms of a panel, about."""
WHOLE = 40
"""Terms of the innermost loops that a panel always has all of, at most."""


@dataclass(frozen=True)
class Contraction:
    """The loops of a sum of products: rows, columns, those both factors depend on, and the sum, slowest first; the
    window over columns that a pooling reduces. `sum` is the accumulator; its loop is statement number `after` of the
    innermost. `vectors`, `shares`: of the rows' and the columns' factor, as in Work."""

    rows: Dims
    columns: Dims
    both: Dims
    terms: Dims
    window: Dims = ()
    after: int = 0
    sum: str = ""
    vectors: tuple[bool, bool] = (True, True)
    shares: tuple[float, float] = (1.0, 1.0)


def rule(kernel: Kernel, target: CudaTarget) -> Schedule | None:
    """The schedule, or None when the kernel is no sum of products or too small for tiles to pay."""
    found = contraction(kernel)
    if found is None or not found.rows or not found.columns:
        return None
    terms, others = math.prod(n for _, n in found.terms), math.prod(n for _, n in found.both)
    results = math.prod(n for _, n in (*found.rows, *found.columns, *found.window)) * others
    if terms < MIN_TERMS or 2 * results * terms > MAX_SKIPPED * max(kernel.flops, 1):
        return None
    tile = best(kernel, found, target)
    if tile is None:
        return None
    blocks = others * count(tile.rows, found.rows) * count(tile.columns, found.columns)
    if 4 * blocks < target.multiprocessors and terms >= LONG:
        return None
    name = "contraction.pooled" if found.window else "contraction.tiled"
    return Schedule(name, steps(found, tile))


def best(kernel: Kernel, found: Contraction, target: CudaTarget) -> Tile | None:
    """The tile of a contraction, None if none fits."""
    return best_tile(work(kernel, found), target)


def cycles(kernel: Kernel, found: Contraction, target: CudaTarget) -> Estimate | None:
    """What the model says of the best tile."""
    tile = best(kernel, found, target)
    return None if tile is None else estimate(tile, work(kernel, found), target)


def work(kernel: Kernel, found: Contraction) -> Work:
    """A contraction in the numbers that the model knows."""
    size = DTYPES[kernel.outputs[0].type.dtype].itemsize
    others = math.prod(n for _, n in found.both)
    cells = math.prod(n for _, n in found.window)
    return Work(found.rows, found.columns, others, cells, panels(found.terms), found.vectors, found.shares, size)


def panels(terms: Dims) -> tuple[Panel, ...]:
    """Ways to cut a sum: whole inner loops and a part of the next, about as long as PANELS.

    >>> [(p.terms, p.count, p.part) for p in panels((("ci", 20), ("kh", 5), ("kw", 5)))]
    [(25, 20, 1), (50, 10, 2), (100, 5, 4)]
    """
    whole, k = 1, len(terms)
    while k > 1 and whole * terms[k - 1][1] <= WHOLE:
        whole, k = whole * terms[k - 1][1], k - 1
    extent = terms[k - 1][1]
    parts = {min(extent, _part(extent, max(1, about // whole))) for about in PANELS}
    return tuple(_panel(part, whole, terms, k) for part in sorted(parts) if part == 1 or part * whole <= PANELS[-1])


def _part(extent: int, about: int) -> int:
    """A length near `about` that divides an extent, if there is one, else `about`."""
    near = [n for n in range(-(-3 * about // 4), about * 5 // 4 + 1) if extent % n == 0]
    return min(near, key=lambda n: (n % 4 != 0, abs(n - about)), default=about)


def _panel(part: int, whole: int, terms: Dims, k: int) -> Panel:
    outer = math.prod(n for _, n in terms[: k - 1])
    groups = tuple(g for g in GROUPS if part % g == 0)
    row = whole * part
    return Panel(row, outer * -(-terms[k - 1][1] // part), groups, row + 4 if row >= 8 else row + 1, part, k)


def contraction(kernel: Kernel) -> Contraction | None:
    """The kernel as a sum of products, or None."""
    outer = band(kernel.body, "each")
    body = outer[-1].body if outer else ()
    accums = [s for s in walk(body) if isinstance(s, Accum)]
    if len(accums) != 1 or accums[0].fn != "fma":
        return None
    window, after, inner = _window(body)
    terms = [s for s in walk(inner) if isinstance(s, Loop)]
    if not inner or any(loop.kind != "sum" or loop.extent is None for loop in terms):
        return None
    left, right = (_depends(a, body) for a in accums[0].args)
    variables = {loop.var for loop in outer}
    if not variables <= left | right or not _padding_only(kernel, terms):
        return None
    factors = accums[0].args
    if outer[-1].var in left:
        left, right, factors = right, left, (factors[1], factors[0])
    if any(loop.var in left for loop in window):
        return None
    return Contraction(
        rows=_dims(outer, left - right),
        columns=_dims(outer, right - left),
        both=_dims(outer, left & right),
        terms=_dims(terms, {loop.var for loop in terms}),
        window=_dims(window, {loop.var for loop in window}),
        after=after,
        sum=accums[0].buffer,
        vectors=(_vector(factors[0], body, terms), _vector(factors[1], body, terms)),
        shares=(_share(factors[0], body, terms), _share(factors[1], body, terms)),
    )


def _vector(name: object, body: tuple[Stmt, ...], terms: list[Loop]) -> bool:
    """Whether neighbours of a factor in memory are terms alone, so that a panel's rows are read in vectors."""
    load = next((s for s in walk(body) if isinstance(s, Load) and s.name == name), None)
    return load is not None and bool(load.index) and set(load.index[-1].vars) <= {loop.var for loop in terms}


def _share(name: object, body: tuple[Stmt, ...], terms: list[Loop]) -> float:
    """Of a panel's elements, how many differ: products under a moving window read the same ones."""
    load = next((s for s in walk(body) if isinstance(s, Load) and s.name == name), None)
    sums = {loop.var: loop.extent or 1 for loop in terms}
    share = 1.0
    for index in load.index if load is not None else ():
        along = math.prod(sums[v] for v in index.vars if v in sums)
        if along > 1 and set(index.vars) - set(sums):
            share *= 2 / along  # as for as many places as taps
    return share


def _window(body: tuple[Stmt, ...]) -> tuple[list[Loop], int, tuple[Stmt, ...]]:
    """The perfectly nested `for` loops of a pooling around a sum (none of it for a bare sum), what comes before the end
    of the sum inside them, counted, and the sum alone; no sum if there is more than one loop."""
    window: list[Loop] = []
    while True:
        inner = [k for k, s in enumerate(body) if isinstance(s, (Loop, If))]
        loop = body[inner[0]] if len(inner) == 1 else None
        if not isinstance(loop, Loop) or (window and loop.kind == "for" and len(body) != 1):
            return window, 0, ()
        if loop.kind != "for":
            return window, inner[0] + 1, (loop,)
        window.append(loop)
        body = loop.body


def _padding_only(kernel: Kernel, terms: list[Loop]) -> bool:
    """Whether terms are only skipped where an operand would be read outside itself, as padding does (groups do not)."""
    buffers = kernel.buffers()
    reads = [(i, d) for s in walk(kernel.body) if isinstance(s, Load) for i, d in _axes(s, buffers[s.buffer])]
    ranges = {c for i, d in reads for c in (i, d - 1 - i)}
    sums = {loop.var for loop in terms}
    conds = [c for s in walk(kernel.body) if isinstance(s, If) for c in s.conds]
    return all(c in ranges for c in conds if sums & set(c.vars))


def _axes(load: Load, buffer: Buffer) -> zip[tuple[Index, int]]:
    return zip(load.index, buffer.type.shape, strict=True)


def _dims(loops: list[Loop], variables: set[str]) -> Dims:
    return tuple((loop.var, loop.extent or 0) for loop in loops if loop.var in variables)


def _depends(name: object, body: tuple[Stmt, ...]) -> set[str]:
    """Variables a value is computed from."""
    made = {s.name: s for s in walk(body) if isinstance(s, (Let, Load))}
    found: set[str] = set()
    pending = [name]
    while pending:
        value = pending.pop()
        if isinstance(value, Index):
            found.update(value.vars)
        elif isinstance(value, str) and value in made:
            stmt = made[value]
            pending += stmt.args if isinstance(stmt, Let) else stmt.index
    return found
