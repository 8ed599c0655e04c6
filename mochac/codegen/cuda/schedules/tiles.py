"""How many results a block of threads computes of a contraction: tiles by a small model of one multiprocessor.

The contraction rule asks. A result belongs to a row variable combination and a column combination; a thread holds
`registers` of each side, a block `lanes`. It knows no kernels.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

Dims = tuple[tuple[str, int], ...]
"""(variable, extent), slowest first."""

THREADS = (64, 128, 256)
REGISTERS = (1, 2, 4, 5, 8)
MAX_ACCUMULATORS = 40
TOGETHER = 8
"""Neighbouring results that neighbouring threads store at least, 32 bytes."""
WASTE = 1.1
"""Lanes go to the next dimension rather than pad one beyond this."""
LATENCY = 10
"""Cycles one step of the sum takes at least, however few threads there are."""


@dataclass(frozen=True)
class Side:
    """One side of a tile: (variable, lanes, registers) for each dimension, and how many results there are of each (the
    cells of a window that is reduced afterwards)."""

    parts: tuple[tuple[str, int, int], ...]
    cells: int = 1

    @property
    def lanes(self) -> int:
        return math.prod(lanes for _, lanes, _ in self.parts)

    @property
    def registers(self) -> int:
        return math.prod(registers for _, _, registers in self.parts) * self.cells

    @property
    def size(self) -> int:
        return self.lanes * self.registers


@dataclass(frozen=True)
class Tile:
    """What one block computes."""

    rows: Side
    columns: Side

    @property
    def threads(self) -> int:
        return self.rows.lanes * self.columns.lanes


def best_tile(
    rows: Dims, columns: Dims, others: int, terms: int, limit: int, multiprocessors: int, cells: int = 1
) -> Tile | None:
    """The fastest tile by the model, None if none fits.

    Args:
        others: blocks that each of the tiles stands for (variables that both factors depend on).
        terms: length of the sum.
        limit: rows + columns of a tile at most (shared memory).
        cells: of the window of each column.

    >>> tile = best_tile((("n", 4096),), (("o", 4096),), 1, 4096, 512, 132)
    >>> tile is not None and tile.rows.registers * tile.columns.registers >= 16
    True
    """
    tiles = [t for t in _candidates(rows, columns, cells) if t.rows.size + t.columns.size <= limit]
    return min(tiles, key=lambda t: cost(t, rows, columns, others, terms, multiprocessors), default=None)


def cost(tile: Tile, rows: Dims, columns: Dims, others: int, terms: int, multiprocessors: int) -> float:
    """Cycles: products, loads from and copies to shared memory of the blocks that one multiprocessor runs."""
    blocks = others * count(tile.rows, rows) * count(tile.columns, columns)
    a, b = tile.rows.registers, tile.columns.registers
    products = tile.threads * a * b / 128
    loads = tile.threads / 32 * (a + b)
    copies = (tile.rows.size + tile.columns.size) / 16
    work = terms * (max(products, loads) + copies)
    return max(math.ceil(blocks / multiprocessors) * work, terms * (LATENCY + a * b))


@lru_cache(maxsize=4096)
def count(side: Side, dims: Dims) -> int:
    """Tiles along one side."""
    parts = zip(side.parts, dims, strict=True)
    return math.prod(-(-extent // (lanes * registers)) for (_, lanes, registers), (_, extent) in parts)


def _candidates(rows: Dims, columns: Dims, cells: int) -> Iterator[Tile]:
    for threads in THREADS:
        for shift in range(threads.bit_length()):
            across = 1 << shift
            if across < min(TOGETHER, math.prod(extent for _, extent in columns)):
                continue
            for a in REGISTERS:
                for b in REGISTERS:
                    if a * b * cells <= MAX_ACCUMULATORS:
                        yield Tile(side(rows, threads // across, a), side(columns, across, b, cells))


@lru_cache(maxsize=4096)
def side(dims: Dims, lanes: int, registers: int, cells: int = 1) -> Side:
    """Lanes along the fastest dimensions that they do not pad much, registers where they pad least.

    >>> side((("n", 64), ("oh", 24), ("ow", 24)), 32, 4).parts
    (('n', 1, 2), ('oh', 4, 2), ('ow', 8, 1))
    """
    given: dict[str, int] = {}
    for k, (var, extent) in reversed(list(enumerate(dims))):
        own = lanes if k == 0 else 1
        while k and own < lanes and own < extent and _padded(extent, own * 2) <= WASTE * extent:
            own *= 2
        given[var] = own
        lanes //= own
    held = {var: 1 for var, _ in dims}
    for factor in _factors(registers):
        var = min(reversed(dims), key=lambda d: _padded(d[1], given[d[0]] * held[d[0]] * factor) / d[1])[0]
        held[var] *= factor
    return Side(tuple((var, given[var], held[var]) for var, _ in dims), cells)


def _padded(extent: int, tile: int) -> int:
    return -(-extent // tile) * tile


def _factors(n: int) -> list[int]:
    found, p = [], 2
    while n > 1:
        while n % p == 0:
            found.append(p)
            n //= p
        p += 1
    return found
