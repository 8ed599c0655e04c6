"""Sliding sums: unrolled terms that read many of the same vectors, each for a single multiply-add.

    sum kw in 0..7 unroll { each v in 0..8 unroll { acc[v] += x[v + kw] * w[kw] } }

Of the eight vectors of x that a term reads, the next one reads seven again. LLVM keeps them in registers, beside eight
accumulators and a weight. If there are fewer registers, it stores some of them to the stack, although x could be read
again at no cost: multiply-adds of x86 take an operand from memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from mochac.ir.index import Index
from mochac.ir.kernel import Load, Loop, multiply_adds, walk


def registers_kept(loop: Loop) -> int:
    """Registers that a sliding sum takes if what the next term reads again is kept: accumulators, vectors and a weight;
    0 if the loop is no such sum."""
    if loop.kind != "sum" or loop.run != "unroll":
        return 0
    tile = {s.var: s.extent or 1 for s in walk(loop.body) if isinstance(s, Loop) and s.run == "unroll"}
    loads = {(s.buffer, s.index) for s in walk(loop.body) if isinstance(s, Load) and _slides(s.index, loop.var, tile)}
    sums = {(s.buffer, s.index) for s in multiply_adds(loop.body)}
    vectors, results = (sum(_elements(index, tile) for _, index in found) for found in (loads, sums))
    return results + vectors + 1 if results == vectors else 0


def _slides(index: Sequence[Index], term: str, tile: Mapping[str, int]) -> bool:
    """Whether a term moves an access along the same axis as a loop of the tile."""
    return any(term in i.vars and any(v in tile for v in i.vars) for i in index)


def _elements(index: Sequence[Index], tile: Mapping[str, int]) -> int:
    """Elements that the tile accesses."""
    return prod(n for v, n in tile.items() if any(v in i.vars for i in index))
