"""Products and convolutions: tiles of results in registers, panels of both factors in shared memory.

    for tile of rows x columns (block):  for panel of terms:  copy both panels;  acc[r][s] += X[r, k] * W[k, s]

A row is what only one factor depends on, a column what only the other does: samples and outputs of a product; for a
convolution (an implicit GEMM) pixels and filters, its taps taken from the image as the panel is copied.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from mochac.codegen.cuda.schedules.nests import band
from mochac.codegen.cuda.schedules.tiles import Dims, Side, Tile, best_tile, count
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.index import Index
from mochac.ir.kernel import Accum, Buffer, If, Kernel, Let, Load, Loop, Stmt, walk
from mochac.ir.schedule import Schedule, Step
from mochac.ir.steps.fission import Fission
from mochac.ir.steps.grid import Blocks, Lanes
from mochac.ir.steps.panels import Panels
from mochac.ir.steps.pipeline import Pipeline
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.run import Unroll
from mochac.ir.steps.sink import Sink
from mochac.ir.steps.split import Split
from mochac.ir.types import DTYPES

PANEL = 32
"""Terms of a panel, about."""
MIN_TERMS = 8
LONG = 128
"""Terms of a sum that a block of its own may share, where tiles are too few to fill the device."""
MAX_SKIPPED = 3.0
"""How much of the nest may be skipped by conditions before walking it all is a waste."""


@dataclass(frozen=True)
class Contraction:
    """The loops of a sum of products: rows, columns, those both factors depend on, and the sum, slowest first; the
    window over columns that a pooling reduces (its sum is statement number `after` of the innermost)."""

    rows: Dims
    columns: Dims
    both: Dims
    terms: Dims
    window: Dims = ()
    after: int = 0

    @property
    def cells(self) -> int:
        return math.prod(n for _, n in self.window)


def rule(kernel: Kernel, target: CudaTarget) -> Schedule | None:
    """The schedule, or None when the kernel is no sum of products or too small for tiles to pay."""
    found = contraction(kernel)
    if found is None or not found.rows or not found.columns:
        return None
    terms, others = math.prod(n for _, n in found.terms), math.prod(n for _, n in found.both)
    results = math.prod(n for _, n in (*found.rows, *found.columns, *found.window)) * others
    if terms < MIN_TERMS or 2 * results * terms > MAX_SKIPPED * max(kernel.flops, 1):
        return None
    chunk = _chunk(found.terms)
    tile = best(kernel, found, target)
    if tile is None:
        return None
    blocks = others * count(tile.rows, found.rows) * count(tile.columns, found.columns)
    if 4 * blocks < target.multiprocessors and terms >= LONG:
        return None
    name = "contraction.pooled" if found.window else "contraction.tiled"
    return Schedule(name, _steps(found, tile.rows, tile.columns, chunk))


def best(kernel: Kernel, found: Contraction, target: CudaTarget) -> Tile | None:
    """The tile of a contraction, None if none fits."""
    terms, others = math.prod(n for _, n in found.terms), math.prod(n for _, n in found.both)
    size = DTYPES[kernel.outputs[0].type.dtype].itemsize
    limit = target.shared_bytes // size // _chunk(found.terms).padded
    return best_tile(found.rows, found.columns, others, terms, limit, target.multiprocessors, found.cells)


@dataclass(frozen=True)
class _Chunk:
    """How the sum is cut: loops outside of a panel (the last counts panels), loops inside; the terms of a panel, and
    those along the innermost loop."""

    splits: tuple[Step, ...]
    outside: tuple[str, ...]
    inside: tuple[str, ...]
    size: int
    row: int
    panels: int

    @property
    def padded(self) -> int:
        """Elements of a panel for each row or column of a tile, at most: rows of terms are padded by one."""
        return self.size // self.row * (self.row + 1)


def _chunk(terms: Dims) -> _Chunk:
    size, k = 1, len(terms)
    while k and size * terms[k - 1][1] <= PANEL:
        size *= terms[k - 1][1]
        k -= 1
    inside = tuple(var for var, _ in terms[k:])
    if not k:
        var, extent = terms[0]
        split = Split(var, extent, f"{var}_b", f"{var}_i")
        return _Chunk((split,), (f"{var}_b",), (f"{var}_i", *inside[1:]), size, terms[-1][1], 1)
    var, extent = terms[k - 1]
    factor = min(extent, max(1, PANEL // 2 // size)) if inside else PANEL // 2
    outside = tuple(var for var, _ in terms[: k - 1])
    if factor == 1:
        return _Chunk((), (*outside, var), inside, size, terms[-1][1], extent)
    split = Split(var, factor, f"{var}_b", f"{var}_i")
    return _Chunk(
        (split,),
        (*outside, f"{var}_b"),
        (f"{var}_i", *inside),
        size * factor,
        terms[-1][1] if inside else factor,
        -(-extent // factor),
    )


def _steps(found: Contraction, rows: Side, columns: Side, chunk: _Chunk) -> tuple[Step, ...]:
    splits: list[Step] = []
    blocks, lanes, registers = [var for var, _ in found.both], list[str](), list[str]()
    for side in (rows, columns):
        for var, across, held in side.parts:
            outer, inner = f"{var}_b", f"{var}_i"
            if across * held == 1:
                blocks.append(var)
                continue
            splits.append(Split(var, across * held, outer, inner))
            blocks.append(outer)
            if across > 1 and held > 1:
                splits.append(Split(inner, across, f"{var}_r", f"{var}_t"))
                lanes.append(f"{var}_t")
                registers.append(f"{var}_r")
            else:
                (lanes if across > 1 else registers).append(inner)
    sums = (*chunk.outside, *chunk.inside)
    threads = rows.lanes * columns.lanes
    return (
        *splits,
        *chunk.splits,
        Reorder((*blocks, *lanes, *registers)),
        *(Fission(var, found.after if k == 0 else 1) for k, (var, _) in enumerate(reversed(found.window))),
        *(Sink(var, sums) for var, _ in reversed(found.window)),
        *(Sink(var, sums) for var in reversed(registers)),
        *(Sink(var, chunk.outside) for var in reversed(lanes)),
        Panels(chunk.outside[-1], threads),
        *((Pipeline(chunk.outside[-1]),) if chunk.panels > 1 else ()),
        *(Unroll(var) for var in (*registers, *(var for var, _ in found.window))),
        Unroll(chunk.inside[-1]),
        Lanes(tuple(lanes), threads),
        Blocks(tuple(blocks)),
    )


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
    if outer[-1].var in left:
        left, right = right, left
    if any(loop.var in left for loop in window):
        return None
    return Contraction(
        rows=_dims(outer, left - right),
        columns=_dims(outer, right - left),
        both=_dims(outer, left & right),
        terms=_dims(terms, {loop.var for loop in terms}),
        window=_dims(window, {loop.var for loop in window}),
        after=after,
    )


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
