"""One side of a tile: how the rows or columns of a contraction are distributed over threads and their registers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

from mochac.base.records import record
from mochac.base.threads import cached_property
from mochac.codegen.cuda.schedules.operands import Operand

VECTOR = 4
"""Elements that one instruction reads from shared memory."""
WASTE = 1.1
"""A thread takes neighbours unless that pads their dimension by more than this factor."""


@record
class Side:
    """One side of a tile: (loop, threads, registers) for each loop of an operand."""

    of: Operand
    parts: tuple[tuple[str, int, int], ...]

    @cached_property
    def threads(self) -> int:
        return math.prod(threads for _, threads, _ in self.parts)

    @cached_property
    def registers(self) -> int:
        return math.prod(registers for _, _, registers in self.parts) * self.of.cells

    @cached_property
    def size(self) -> int:
        return self.threads * self.registers

    @cached_property
    def tiles(self) -> int:
        """Number of tiles along this side."""
        parts = zip(self.parts, self.of.dims, strict=True)
        return math.prod(-(-extent // (threads * registers)) for (_, threads, registers), (_, extent) in parts)

    @cached_property
    def neighbours(self) -> int:
        """Neighbours that a thread takes along the sliding loop, the cells of a window included."""
        return math.prod(self.run(loop, registers) for loop, _, registers in self.parts) * self.of.sliding

    @cached_property
    def aligned(self) -> bool:
        """Whether the neighbours of every thread begin at a vector."""
        return self.neighbours % VECTOR == 0 or any(v == self.of.slides and n == 1 for v, n, _ in self.parts)

    @cached_property
    def share(self) -> float:
        """Part of all products that are left if the panel holds all terms that may be skipped."""
        return math.prod(s.share for s in self.of.skips if self.place(s.result))

    def place(self, loop: str) -> str:
        """Where all places along a loop of results are: in the "registers" of a thread, in "blocks" of their own, or
        neither, ""."""
        ((_, threads, registers),) = (part for part in self.parts if part[0] == loop)
        if threads > 1:
            return ""
        return "blocks" if registers == 1 else "registers" if registers == dict(self.of.dims)[loop] else ""

    def run(self, loop: str, registers: int) -> int:
        """How many neighbours at a time a thread takes of the results that it holds along a loop."""
        if loop != self.of.slides:
            return 1
        return registers if self.of.tap else VECTOR if registers % VECTOR == 0 else 1


@lru_cache(maxsize=4096)
def side(of: Operand, threads: int, registers: int, in_blocks: frozenset[str] = frozenset(), whole: str = "") -> Side:
    """Distribute one side: registers along its sliding loop, unless the cells of a window slide already or they pad the
    loop too much; then threads along the fastest loops that they pad least, then the remaining registers likewise.

    Args:
        in_blocks: loops that get neither threads nor registers.
        whole: a loop that a thread holds all of.

    >>> side(Operand((("n", 64), ("oh", 24), ("ow", 24))), 32, 4).parts
    (('n', 1, 2), ('oh', 4, 2), ('ow', 8, 1))
    """
    sizes, first = dict(of.dims), "" if of.sliding > 1 or of.slides in (*in_blocks, whole) else of.slides
    threads_of, registers_of = dict.fromkeys(sizes, 1), {v: n if v == whole else 1 for v, n in sizes.items()}
    free = [v for v in sizes if v not in in_blocks and v != whole]

    def least(factor: int) -> str:
        """The fastest of the loops that a factor pads least."""
        tiles = {v: threads_of[v] * registers_of[v] for v in sizes}
        return min(reversed(free), key=lambda v: _padded(sizes[v], tiles[v] * factor) / _padded(sizes[v], tiles[v]))

    others = list[int]()
    for factor in _factors(registers):
        fits = first and _padded(sizes[first], registers_of[first] * factor) <= WASTE * sizes[first]
        if fits or factor > 2:
            registers_of[first if fits else least(factor)] *= factor
        else:
            others.append(factor)
    for _ in range(threads.bit_length() - 1):
        threads_of[least(2)] *= 2
    for factor in others:
        registers_of[least(factor)] *= factor
    return Side(of, tuple((v, threads_of[v], registers_of[v]) for v in sizes))


def sides(of: Operand, threads: int, registers: int, most: int) -> Iterator[Side]:
    """Ways to distribute one side: the usual one; if conditions skip terms, others that save these. A thread then holds
    all places along the sliding loop if they are `most` at most; other loops with such conditions are blocks.

    >>> from dataclasses import replace
    >>> from mochac.codegen.cuda.schedules.operands import Skip
    >>> skip = Skip("oh", "kh", 5, (1, 2, 3, 4, 5, 5, 4, 3, 2, 1))
    >>> of = Operand((("n", 64), ("oh", 10), ("ow", 10)), slides="ow", skips=(skip, replace(skip, result="ow")))
    >>> [s.parts[1:] for s in sides(of, 8, 1, 12)]
    [(('oh', 2, 1), ('ow', 2, 1)), (('oh', 1, 1), ('ow', 2, 1)), (('oh', 1, 1), ('ow', 1, 10))]
    """
    yield side(of, threads, registers)
    skipped = frozenset(s.result for s in of.skips)
    in_blocks = skipped - {of.slides}
    if in_blocks and in_blocks != {v for v, _ in of.dims}:
        yield side(of, threads, registers, in_blocks)
    if of.slides in skipped and dict(of.dims)[of.slides] * registers <= most and skipped != {v for v, _ in of.dims}:
        yield side(of, threads, registers, in_blocks, of.slides)


def _padded(extent: int, tile: int) -> int:
    return -(-extent // tile) * tile


def _factors(n: int) -> list[int]:
    """The prime factors of a number, ascending."""
    least = next((p for p in range(2, n + 1) if n % p == 0), 0)
    return [least, *_factors(n // least)] if least else []
