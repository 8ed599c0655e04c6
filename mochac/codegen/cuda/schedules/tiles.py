"""Chooses the tile of a contraction that a block of threads computes, by a model of one multiprocessor.

A result belongs to one combination of row variables and one of column variables. On each side of a tile, the `threads`
threads of a group hold `registers` rows or columns each; every group takes a share of each panel's terms.
"""

from __future__ import annotations

import math
from bisect import insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from mochac.codegen.analysis.contraction import Dims
from mochac.codegen.cuda.schedules.sides import Side, count, side
from mochac.codegen.cuda.target import CudaTarget

THREADS = (32, 64, 128, 256)
"""Numbers of threads of a group."""
GROUPS = (1, 2, 4, 5, 8, 16)
MAX_THREADS = 512
KEPT = 12
"""How many distributions of the results are tried with all panels; the others only with the longest."""
ENOUGH = 512
"""Threads per multiprocessor that keep it busy without more groups."""
HELD = tuple((a, b) for a in (1, 2, 4, 5, 8) for b in (1, 2, 4, 5, 8))
"""Registers for rows and columns; the cells of a window multiply the latter."""
LOPSIDED = 5
"""Maximum ratio of the registers of the two sides."""
MAX_ACCUMULATORS = 64
TOGETHER = 8
"""Contiguous results of one memory access, 32 bytes."""

VECTOR = 4
"""Elements that one instruction reads from shared memory."""
WARP = 32
SCHEDULERS = 4
"""Warp schedulers of a multiprocessor; each issues an instruction per cycle (CUDA programming guide, 16.7 and 16.8)."""
BANKS = 32
"""Banks of shared memory: 4-byte words that it delivers per cycle."""
L2_BYTES = 64
"""Bytes per cycle and multiprocessor from L2: 5.5 to 7 TB/s over 132 of them at 1.7 GHz (Chips and Cheese, H100,
2023)."""
MEMORY, SHARED, BARRIER = 300, 30, 30
"""Cycles of a load from L2 (Luo et al. 2024, table of latencies: about 260), of a load from shared memory, and of a
barrier. What a training step reads was written shortly before or is small, so L2 has it."""
EDGE = 500
"""Cycles from the start of a block to its first load, plus those from its last product to its end."""
LAUNCH = 3400
"""Cycles between dependent kernels in a graph: 2 us (an estimate)."""
GHZ = 1.7


@dataclass(frozen=True)
class Panel:
    """The part of the sum between two barriers.

    Attributes:
        terms, count: terms of a panel, and the number of panels.
        starts: how often a sequence of panels starts anew.
        groups: numbers of groups that divide its terms.
        padded: maximum elements of it for each row or column, rows padded.
        part, loop: a panel is `part` iterations of sum loop number `loop`, counted from 1, with all loops inside.
        row: terms of one iteration that groups share: of that loop or, if it has one iteration, of the next.
    """

    terms: int
    count: int
    starts: int
    groups: tuple[int, ...]
    padded: int
    part: int = 1
    loop: int = 1
    row: int = 1

    @property
    def total(self) -> int:
        """Terms of the sum, padding included."""
        return self.terms * self.count

    def aligned(self, groups: int) -> bool:
        """Whether every group's share begins at a vector: the rows of all inner terms do once they are long."""
        inner = self.terms // self.part if self.part > 1 else self.row
        return inner >= 2 * VECTOR or (self.terms // groups) % VECTOR == 0


@dataclass(frozen=True)
class BlockTile:
    """What one block computes, panel by panel, with the terms shared by groups of threads."""

    rows: Side
    columns: Side
    panel: Panel
    groups: int = 1

    @cached_property
    def threads(self) -> int:
        return self.rows.threads * self.columns.threads * self.groups

    @cached_property
    def results(self) -> int:
        return self.rows.size * self.columns.size

    @cached_property
    def cells(self) -> int:
        """Results that a window reduces to one."""
        return self.rows.cells * self.columns.cells

    def vector(self, side: int, sizes: ContractionSizes) -> bool:
        """Whether threads read vectors of neighbouring rows (side 0) or columns (side 1)."""
        parts = (self.rows, self.columns)[side].parts
        return any(var == sizes.reads[side].adjacent and held % VECTOR == 0 for var, _, held in parts)

    def exchanged(self, sizes: ContractionSizes) -> bool:
        """Whether results pass through shared memory: to be joined, or to be stored contiguously."""
        scattered = self.vector(1, sizes) or self.neighbours(1, sizes) > 1
        return self.groups > 1 or (scattered and sizes.cells == 1)

    def neighbours(self, side: int, sizes: ContractionSizes) -> int:
        """Registers along the sliding variable, the cells of a window included."""
        slides, parts = sizes.reads[side].slides, (self.rows, self.columns)[side].parts
        held = next((registers for var, _, registers in parts if var == slides), 1)
        return held * sizes.window if side else held


@dataclass(frozen=True)
class Read:
    """How products read a factor's panel.

    Attributes:
        vector: its terms are innermost, so one instruction reads several.
        adjacent: otherwise, the variable along which its elements are contiguous; a thread takes VECTOR neighbours.
        slides: the variable of positions under a window of `taps`; neighbouring positions read the same elements.
        share: the fraction of a panel's elements that a block copies.
    """

    vector: bool = True
    adjacent: str = ""
    slides: str = ""
    taps: int = 1
    share: float = 1.0


@dataclass(frozen=True)
class ContractionSizes:
    """Sizes of a contraction.

    Attributes:
        rows, columns: the dimensions that tiles are cut from.
        others: number of blocks for each tile (extent of the variables that both factors depend on).
        cells: cells of the window of each column.
        panels: ways to cut the sum.
        reads: how the rows' and the columns' factors are read.
        window: cells along the columns' `slides`.
        size: bytes of an element.
    """

    rows: Dims
    columns: Dims
    others: int
    cells: int
    panels: tuple[Panel, ...]
    reads: tuple[Read, Read] = (Read(), Read())
    window: int = 1
    size: int = 4


@dataclass(frozen=True)
class Estimate:
    """The model's estimate for a tile: blocks of the grid, how many of them a multiprocessor runs concurrently and in
    sequence, and cycles: of the work without latencies, and in total."""

    blocks: int
    resident: int
    waves: float
    busy: float
    cycles: float

    @property
    def microseconds(self) -> float:
        """Estimated time, with the launch."""
        return (self.cycles + LAUNCH) / GHZ / 1000


@lru_cache(maxsize=256)
def best_tile(sizes: ContractionSizes, target: CudaTarget) -> BlockTile | None:
    """The tile that is fastest by the model, None if none fits.

    >>> sizes = ContractionSizes((("n", 4096),), (("o", 4096),), 1, 1, (Panel(16, 256, 1, (1, 2), 20),))
    >>> tile = best_tile(sizes, CudaTarget(90))
    >>> tile is not None and tile.rows.registers * tile.columns.registers >= 16
    True
    """
    slides = (sizes.reads[0].slides, "" if sizes.window > 1 else sizes.reads[1].slides)
    terms = min(panel.total for panel in sizes.panels)
    products = sizes.others * terms / (target.products(sizes.size) * target.multiprocessors)
    best: list[tuple[float, int, Side, Side]] = []
    for k, (results, rows, columns) in enumerate(_shapes(sizes.rows, sizes.columns, sizes.cells, slides)):
        if len(best) >= KEPT and results * products > best[KEPT - 1][0]:
            break
        cycles = _least(_candidates(rows, columns, sizes.panels[-2:], sizes, target), sizes, target)[0]
        insort(best, (cycles, k, rows, columns))
    tiles = (t for _, _, rows, columns in best[:KEPT] for t in _candidates(rows, columns, sizes.panels, sizes, target))
    return _least(tiles, sizes, target)[1]


def _least(tiles: Iterable[BlockTile], sizes: ContractionSizes, target: CudaTarget) -> tuple[float, BlockTile | None]:
    """The fastest of some tiles, and its cycles."""
    best, least = None, math.inf
    for tile in tiles:
        cycles = estimate(tile, sizes, target).cycles
        if cycles < least:
            best, least = tile, cycles
    return least, best


def shared_bytes(tile: BlockTile, sizes: ContractionSizes, halves: int = 1) -> int:
    """Shared memory of the panels, and of the parts that groups join."""
    panels = (tile.rows.size + tile.columns.size) * tile.panel.padded * halves
    return (panels + (tile.results * tile.groups if tile.exchanged(sizes) else 0)) * sizes.size


def halves(tile: BlockTile, sizes: ContractionSizes, target: CudaTarget) -> int:
    """2 for double buffering, so that one panel is filled while the other is read; 1 if there is no room for it, or if
    fewer blocks would run concurrently."""
    if tile.panel.count <= tile.panel.starts or shared_bytes(tile, sizes, 2) > target.shared_bytes:
        return 1
    return 2 if _side_by_side(tile, sizes, target, 2) == _side_by_side(tile, sizes, target, 1) else 1


def estimate(tile: BlockTile, sizes: ContractionSizes, target: CudaTarget) -> Estimate:
    """Estimated cycles of the multiprocessor with the most work."""
    blocks = _blocks(tile, sizes)
    each = -(-blocks // target.multiprocessors)
    twice = halves(tile, sizes, target)
    resident = _side_by_side(tile, sizes, target, twice)
    busy, alone = _round(tile, sizes, target)
    panels = tile.panel.count
    fetch = MEMORY if panels > tile.panel.starts else 0
    waits = (3 - twice) * BARRIER
    one = max(fetch, alone + waits + 2 * SHARED, resident * busy)
    end = _join(tile) if tile.exchanged(sizes) else 0
    apart = 1 if tile.exchanged(sizes) else max(1, TOGETHER / tile.columns.threads)
    stored = resident * tile.results / tile.cells * apart * sizes.size / L2_BYTES
    wave = EDGE + MEMORY + panels * one + end + stored
    waves = each / resident
    wave += MEMORY * (tile.panel.starts - 1)
    total = waves * wave if waves <= 1 else EDGE + MEMORY + waves * (wave - EDGE - MEMORY)
    return Estimate(blocks, resident, waves, each * panels * busy, total)


def _round(tile: BlockTile, sizes: ContractionSizes, target: CudaTarget) -> tuple[float, float]:
    """Cycles of a panel's products and copies: with all warps of a multiprocessor, and of a single warp alone."""
    a, b, warps = tile.rows.registers, tile.columns.registers, tile.threads / WARP
    terms = tile.panel.terms / tile.groups
    across = min(WARP, tile.columns.threads)
    reads = [_read(tile, 0, sizes, max(1, WARP // across)), _read(tile, 1, sizes, across)]
    copied = sum(
        side.size * read.share * tile.panel.terms
        for side, read in zip((tile.rows, tile.columns), sizes.reads, strict=True)
    )
    words = sizes.size // 4
    products = a * b * WARP / target.products(sizes.size)
    issued = a * b + sum(n for n, _ in reads)
    rounds = warps * terms * sum(r for _, r in reads) * words + 2 * copied * words / BANKS
    busy = max(warps * terms * products, warps * terms * issued / SCHEDULERS, rounds, copied * sizes.size / L2_BYTES)
    busy_share = min(warps, SCHEDULERS) / SCHEDULERS
    alone = terms * max(issued, products * SCHEDULERS * busy_share) + 4 * copied / tile.threads
    return busy, alone


def _read(tile: BlockTile, side: int, sizes: ContractionSizes, distinct: int) -> tuple[float, float]:
    """Loads from shared memory per term of a warp: instructions, and bank accesses; `distinct` rows."""
    how, part = sizes.reads[side], (tile.rows, tile.columns)[side]
    if (how.vector and tile.panel.aligned(tile.groups)) or tile.vector(side, sizes):
        return part.registers / VECTOR, part.registers * max(1, distinct / 8) / VECTOR
    held = tile.neighbours(side, sizes)
    loads = part.registers * (held + how.taps - 1) / (held * how.taps)
    return loads, loads


def _join(tile: BlockTile) -> float:
    """Cycles to add up the groups' results: stores, loads and waiting."""
    return 2 * tile.results * tile.groups / BANKS + 2 * BARRIER + 4 * SHARED


def _blocks(tile: BlockTile, sizes: ContractionSizes) -> int:
    return sizes.others * count(tile.rows, sizes.rows) * count(tile.columns, sizes.columns)


def _side_by_side(tile: BlockTile, sizes: ContractionSizes, target: CudaTarget, twice: int) -> int:
    """Blocks that a multiprocessor runs concurrently: as many as there are and as fit; `twice`: as in `halves`."""
    copied = (tile.rows.size * sizes.reads[0].share + tile.columns.size * sizes.reads[1].share) * tile.panel.terms
    held = (tile.rows.registers * tile.columns.registers + copied / tile.threads) * sizes.size / 4
    registers = 40 + held + 2 * (tile.rows.registers + tile.columns.registers)
    return max(1, min(
        -(-_blocks(tile, sizes) // target.multiprocessors),
        target.resident_threads // tile.threads,
        target.resident_shared // (shared_bytes(tile, sizes, twice) + 1024),
        int(65536 // (registers * tile.threads)),
    ))  # fmt: skip


def _candidates(
    rows: Side, columns: Side, panels: tuple[Panel, ...], sizes: ContractionSizes, target: CudaTarget
) -> Iterator[BlockTile]:
    """Ways to process the sum for a distribution of results; more groups only if there are few threads."""
    blocks = sizes.others * count(rows, sizes.rows) * count(columns, sizes.columns)
    for panel in panels:
        for groups in panel.groups:
            tile = BlockTile(rows, columns, panel, groups)
            fits = 2 * WARP <= tile.threads <= min(MAX_THREADS, target.max_threads)
            useful = panel.terms >= VECTOR * groups and blocks * tile.threads <= 2 * ENOUGH * target.multiprocessors
            if fits and (groups == 1 or useful) and shared_bytes(tile, sizes) <= target.shared_bytes:
                yield tile


@lru_cache(maxsize=256)
def _shapes(rows: Dims, columns: Dims, cells: int, slides: tuple[str, str]) -> tuple[tuple[int, Side, Side], ...]:
    """Ways to distribute rows and columns over the threads of a group, with the number of results including padding,
    the fewest first."""
    shapes: dict[tuple[Side, Side], int] = {}
    for threads in THREADS:
        for shift in (2, 3, 4, 5):
            for a, b in HELD:
                if a * b * cells <= MAX_ACCUMULATORS and max(a, b * cells) <= LOPSIDED * min(a, b * cells):
                    pair = (
                        side(rows, threads >> shift, a, 1, slides[0]),
                        side(columns, 1 << shift, b, cells, slides[1]),
                    )
                    tiles = count(pair[0], rows) * count(pair[1], columns)
                    shapes[pair] = tiles * pair[0].size * pair[1].size
    return tuple((results, *pair) for pair, results in sorted(shapes.items(), key=lambda x: x[1]))
