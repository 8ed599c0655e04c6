"""One side of a tile: how the rows or columns of a contraction are distributed over threads and their registers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

from mochac.codegen.analysis.contraction import Dims

WASTE = 1.1
"""A thread takes neighbours unless that pads their dimension by more than this factor."""


@dataclass(frozen=True)
class Side:
    """One side of a tile: (variable, threads, registers) for each dimension, and the number of results for each
    combination (the cells of a window that is reduced afterwards)."""

    parts: tuple[tuple[str, int, int], ...]
    cells: int = 1

    @cached_property
    def threads(self) -> int:
        return math.prod(threads for _, threads, _ in self.parts)

    @cached_property
    def registers(self) -> int:
        return math.prod(registers for _, _, registers in self.parts) * self.cells

    @cached_property
    def size(self) -> int:
        return self.threads * self.registers


@lru_cache(maxsize=4096)
def count(side: Side, dims: Dims) -> int:
    """Number of tiles along one side."""
    parts = zip(side.parts, dims, strict=True)
    return math.prod(-(-extent // (threads * registers)) for (_, threads, registers), (_, extent) in parts)


@lru_cache(maxsize=4096)
def side(dims: Dims, threads: int, registers: int, cells: int = 1, first: str = "") -> Side:
    """Distribute one side: registers along `first` unless they pad it too much, then threads along the fastest
    dimensions that they pad least, then the remaining registers in the same way.

    >>> side((("n", 64), ("oh", 24), ("ow", 24)), 32, 4).parts
    (('n', 1, 2), ('oh', 4, 2), ('ow', 8, 1))
    """
    sizes = {var: extent for var, extent in dims}
    given, held = dict.fromkeys(sizes, 1), dict.fromkeys(sizes, 1)

    def least(factor: int) -> str:
        """The fastest of the variables that a factor pads least."""
        tiles = {v: given[v] * held[v] for v in sizes}
        return min(reversed(sizes), key=lambda v: _padded(sizes[v], tiles[v] * factor) / _padded(sizes[v], tiles[v]))

    others = list[int]()
    for factor in _factors(registers):
        fits = first and _padded(sizes[first], held[first] * factor) <= WASTE * sizes[first]
        if fits or factor > 2:
            held[first if fits else least(factor)] *= factor
        else:
            others.append(factor)
    for _ in range(threads.bit_length() - 1):
        given[least(2)] *= 2
    for factor in others:
        held[least(factor)] *= factor
    return Side(tuple((var, given[var], held[var]) for var in sizes), cells)


def _padded(extent: int, tile: int) -> int:
    return -(-extent // tile) * tile


def _factors(n: int) -> list[int]:
    factors, p = [], 2
    while n > 1:
        while n % p == 0:
            factors.append(p)
            n //= p
        p += 1
    return factors
