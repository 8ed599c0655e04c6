"""How many results a block of threads computes of a contraction, and how: tiles by a model of one multiprocessor.

The contraction rule asks. A result belongs to a row variable combination and a column combination; a thread holds
`registers` of each side, a group of threads `lanes`; groups take a share of each panel's terms. It knows no kernels.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from mochac.codegen.cuda.target import CudaTarget

Dims = tuple[tuple[str, int], ...]
"""(variable, extent), slowest first."""

THREADS = (32, 64, 128, 256)
"""Threads of a group."""
GROUPS = (1, 2, 4, 8)
MAX_THREADS = 512
HELD = ((1, 1), (1, 2), (2, 2), (1, 4), (2, 4), (4, 2), (4, 4), (5, 4), (4, 5), (5, 5), (4, 8), (8, 4), (8, 8))
"""Registers of rows and columns; cells of a window multiply the latter."""
MAX_ACCUMULATORS = 64
TOGETHER = 8
"""Neighbouring results that neighbouring threads store at least, 32 bytes."""
WASTE = 1.1
"""Lanes go to the next dimension rather than pad one beyond this."""

WARP = 32
SCHEDULERS = 4
"""Of a multiprocessor, an instruction of a warp each a cycle (CUDA programming guide, 16.7 and 16.8)."""
BANKS = 32
"""Words of 4 bytes that shared memory gives a cycle."""
L2_BYTES = 64
"""A cycle and multiprocessor, from L2: 5.5 to 7 TB/s over 132 of them at 1.7 GHz (Chips and Cheese, H100, 2023)."""
MEMORY, SHARED, BARRIER = 300, 30, 30
"""Cycles of a load that L2 has (Luo et al. 2024, table of latencies: about 260), of one from shared memory, and of a
barrier. What a step of training reads was written shortly before or is small: L2 has it."""
EDGE = 500
"""Cycles from a block's begin to its first load, and from its last product to its end, together."""
LAUNCH = 3400
"""Cycles between kernels that wait for each other, in a graph: 2 us (an estimate)."""
GHZ = 1.7


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
class Panel:
    """The part of the sum between two barriers: its terms and how many panels there are; `groups` that it divides
    into; elements of it for each row or column at most, rows padded. It is `part` iterations of sum loop number `loop`,
    counted from 1, and all of those inside."""

    terms: int
    count: int
    groups: tuple[int, ...]
    padded: int
    part: int = 1
    loop: int = 1


@dataclass(frozen=True)
class Tile:
    """What one block computes, panel by panel, its terms shared by groups of threads."""

    rows: Side
    columns: Side
    panel: Panel
    groups: int = 1

    @property
    def threads(self) -> int:
        return self.rows.lanes * self.columns.lanes * self.groups

    @property
    def results(self) -> int:
        return self.rows.size * self.columns.size


@dataclass(frozen=True)
class Work:
    """A contraction in numbers.

    Attributes:
        rows, columns: what a tile is cut from.
        others: blocks that each of the tiles stands for (variables that both factors depend on).
        cells: of the window of each column.
        panels: ways to cut the sum.
        vectors: whether rows, whether columns lie in panels with their terms innermost, read four at a time.
        shares: of a panel's elements for each row, for each column, that a block copies (less than all where
            neighbours under a moving window share them).
        size: bytes of an element.
    """

    rows: Dims
    columns: Dims
    others: int
    cells: int
    panels: tuple[Panel, ...]
    vectors: tuple[bool, bool] = (True, True)
    shares: tuple[float, float] = (1.0, 1.0)
    size: int = 4


@dataclass(frozen=True)
class Estimate:
    """What the model says of a tile: blocks of the grid, how many a multiprocessor runs side by side and one after
    the other, and cycles: of the work if nothing were waited for, and with waiting."""

    blocks: int
    resident: int
    waves: float
    busy: float
    cycles: float

    @property
    def microseconds(self) -> float:
        """With the launch."""
        return (self.cycles + LAUNCH) / GHZ / 1000


def best_tile(work: Work, target: CudaTarget) -> Tile | None:
    """The fastest tile by the model, None if none fits.

    >>> tile = best_tile(Work((("n", 4096),), (("o", 4096),), 1, 1, (Panel(16, 256, (1, 2), 20),)), CudaTarget(90))
    >>> tile is not None and tile.rows.registers * tile.columns.registers >= 16
    True
    """
    return min(_candidates(work, target), key=lambda t: estimate(t, work, target).cycles, default=None)


def shared_bytes(tile: Tile, work: Work) -> int:
    """Of the panels, and of parts that groups join."""
    panels = (tile.rows.size + tile.columns.size) * tile.panel.padded
    return (panels + (tile.results * tile.groups if tile.groups > 1 else 0)) * work.size


def estimate(tile: Tile, work: Work, target: CudaTarget) -> Estimate:
    """Cycles of the multiprocessor that has most to do."""
    blocks = work.others * count(tile.rows, work.rows) * count(tile.columns, work.columns)
    each = -(-blocks // target.multiprocessors)
    resident = min(each, _resident(tile, work, target))
    busy, alone = _round(tile, work, target)
    panels = tile.panel.count
    ahead = MEMORY if panels > 1 else 0
    one = max(ahead, alone + 2 * BARRIER + 2 * SHARED, resident * busy)
    end = _join(tile) if tile.groups > 1 else 0
    stored = resident * tile.results / tile_cells(tile) * work.size / L2_BYTES
    wave = EDGE + MEMORY + panels * one + end + stored
    waves = each / resident
    total = waves * wave if waves <= 1 else EDGE + MEMORY + waves * (wave - EDGE - MEMORY)
    return Estimate(blocks, resident, waves, each * panels * busy, total)


def tile_cells(tile: Tile) -> int:
    """Results that a window makes one."""
    return tile.rows.cells * tile.columns.cells


def _round(tile: Tile, work: Work, target: CudaTarget) -> tuple[float, float]:
    """Cycles of a panel's products and copies: of all units of a multiprocessor, and of one warp if it were alone."""
    a, b, warps = tile.rows.registers, tile.columns.registers, tile.threads / WARP
    terms = tile.panel.terms / tile.groups
    across = min(WARP, tile.columns.lanes)
    reads = [_read(a, max(1, WARP // across), work.vectors[0]), _read(b, across, work.vectors[1])]
    copied = sum(
        side.size * share * tile.panel.terms
        for side, share in zip((tile.rows, tile.columns), work.shares, strict=True)
    )
    words = work.size // 4
    products = a * b * WARP / target.products(work.size)
    issued = a * b + sum(n for n, _ in reads)
    rounds = warps * terms * sum(r for _, r in reads) * words + 2 * copied * words / BANKS
    busy = max(warps * terms * products, warps * terms * issued / SCHEDULERS, rounds, copied * work.size / L2_BYTES)
    share = min(warps, SCHEDULERS) / SCHEDULERS
    alone = terms * max(issued, products * SCHEDULERS * share) + 4 * copied / tile.threads
    return busy, alone


def _read(registers: int, distinct: int, vector: bool) -> tuple[float, float]:
    """Loads from shared memory for one term of a warp: instructions, and rounds of the banks; `distinct` rows."""
    if vector:
        return registers / 4, registers * max(1, distinct / 8) / 4
    return registers, registers


def _join(tile: Tile) -> float:
    """Cycles of adding up the groups' results: written, read and waited for."""
    return 2 * tile.results * tile.groups / BANKS + 2 * BARRIER + 4 * SHARED


def _resident(tile: Tile, work: Work, target: CudaTarget) -> int:
    """Blocks that fit a multiprocessor side by side."""
    copied = (tile.rows.size * work.shares[0] + tile.columns.size * work.shares[1]) * tile.panel.terms
    held = (tile.rows.registers * tile.columns.registers + copied / tile.threads) * work.size / 4
    registers = 40 + held + 2 * (tile.rows.registers + tile.columns.registers)
    return max(1, min(
        target.resident_threads // tile.threads,
        target.resident_shared // (shared_bytes(tile, work) + 1024),
        int(65536 // (registers * tile.threads)),
    ))  # fmt: skip


@lru_cache(maxsize=4096)
def count(side: Side, dims: Dims) -> int:
    """Tiles along one side."""
    parts = zip(side.parts, dims, strict=True)
    return math.prod(-(-extent // (lanes * registers)) for (_, lanes, registers), (_, extent) in parts)


def _candidates(work: Work, target: CudaTarget) -> Iterator[Tile]:
    for rows, columns in _shapes(work.rows, work.columns, work.cells):
        for panel in work.panels:
            for groups in panel.groups:
                tile = Tile(rows, columns, panel, groups)
                fits = tile.threads <= min(MAX_THREADS, target.max_threads) and tile.threads >= 2 * WARP
                if fits and shared_bytes(tile, work) <= target.shared_bytes:
                    yield tile


@lru_cache(maxsize=256)
def _shapes(rows: Dims, columns: Dims, cells: int) -> tuple[tuple[Side, Side], ...]:
    """Ways to give rows and columns to the threads of a group."""
    found: dict[tuple[Side, Side], None] = {}
    narrowest = min(TOGETHER, math.prod(extent for _, extent in columns))
    for threads in THREADS:
        for shift in range(threads.bit_length()):
            across = 1 << shift
            for a, b in HELD if across >= narrowest else ():
                if a * b * cells <= MAX_ACCUMULATORS:
                    found[side(rows, threads // across, a), side(columns, across, b, cells)] = None
    return tuple(found)


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
