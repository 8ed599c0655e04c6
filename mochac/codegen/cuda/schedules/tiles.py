"""Chooses the tile of a contraction that a block of threads computes: the fastest by the model of a multiprocessor.

Products and convolutions get their tiles in the same way. operands.py says how the two factors are read, sides.py
distributes rows and columns over threads and registers, block_tile.py adds panels and groups and counts what the tile
copies and loads. contraction.py makes the schedule.

The model says how many cycles a multiprocessor takes for its blocks.

For each panel it counts the largest of products, issued instructions, shared memory and bytes from L2, plus what is not
hidden: waits for memory, for shared memory and at barriers. None of the constants has been compared with a device yet.
Products and convolutions take 0.8 to 1.25 times as long by the issue model of their machine code
(tests/codegen/cuda/issue_model.py).
"""

from __future__ import annotations

import itertools
import math
from bisect import insort
from collections.abc import Iterator
from functools import lru_cache

from mochac.codegen.cuda.schedules.block_tile import GROUPS, BlockTile, ContractionSizes, Panel
from mochac.codegen.cuda.schedules.operands import Operand
from mochac.codegen.cuda.schedules.sides import VECTOR, Side, sides
from mochac.codegen.cuda.target import CudaTarget
from mochac.codegen.machine import Multiprocessor
from mochac.ir.grids import WARP

TOGETHER = 8
"""Contiguous results of one memory access, 32 bytes."""
BROADCAST = 2
"""Least rounds of the banks of a load of 16 bytes, even if all lanes read the same ones."""
ROUND, COPY = 40, 3
"""Instructions of a thread for each panel besides products, loads and copies; and for each copy, with its address."""
STALLS, WAITED = 1.1, 1.3
"""Cycles of a scheduler for each product or load; and of waiting for each round of the banks."""
EDGE = 500
"""Cycles from the start of a block to its first load, plus those from its last product to its end."""


def cycles(tile: BlockTile, target: CudaTarget) -> float:
    """Estimated cycles of the multiprocessor with the most work."""
    m = target.machine
    panel, (twice, resident) = tile.panel, _buffered(tile, target, m)
    waves = -(-tile.blocks // target.multiprocessors) / resident
    fetch = m.l2_latency if panel.count > panel.starts else 0
    one = max(fetch, panel_cycles(tile, target, twice, resident))
    join = 2 * tile.results * tile.groups / m.banks + 2 * m.barrier + 4 * m.shared_latency if tile.exchanged else 0
    scattered = 1 if tile.exchanged else max(1, TOGETHER / tile.columns.threads)
    stored = resident * tile.results / tile.of.columns.cells * scattered * tile.of.size / m.l2_bytes_per_cycle
    wave = panel.count * one + join + stored + m.l2_latency * (panel.starts - 1)
    return EDGE + m.l2_latency + waves * wave


def halves(tile: BlockTile, target: CudaTarget) -> int:
    """2 for double buffering, so that one panel is filled while the other is read; 1 if there is no room for it, or if
    fewer blocks would run concurrently."""
    return _buffered(tile, target, target.machine)[0]


def _buffered(tile: BlockTile, target: CudaTarget, m: Multiprocessor) -> tuple[int, int]:
    """What `halves` says, and how many blocks a multiprocessor then runs concurrently."""
    single = _resident(tile, target, m, 1)
    if tile.panel.count > tile.panel.starts and tile.shared_bytes(2) <= target.room:
        double = _resident(tile, target, m, 2)
        if double >= single:
            return 2, double
    return 1, single


def _resident(tile: BlockTile, target: CudaTarget, m: Multiprocessor, twice: int) -> int:
    """Blocks that a multiprocessor runs concurrently: as many as there are and as fit; `twice`: as in `halves`."""
    a, b = tile.rows.registers, tile.columns.registers
    copied = 0 if twice == 2 and target.copies_async else tile.copied / tile.threads
    registers = 40 + (a * b + copied) * tile.of.size / 4 + 2 * (a + b)
    return max(1, min(
        -(-tile.blocks // target.multiprocessors),
        m.threads // tile.threads,
        m.shared_bytes // (tile.shared_bytes(twice) + 1024),
        int(m.registers // (registers * tile.threads)),
    ))  # fmt: skip


def panel_cycles(tile: BlockTile, target: CudaTarget, twice: int, resident: int) -> float:
    """Cycles of a panel of the resident blocks. While a warp waits for its loads, only others of its scheduler
    multiply; and nothing hides what a single block waits for."""
    m, words = target.machine, tile.of.size // 4
    results, warps = tile.rows.registers * tile.columns.registers, resident * tile.threads / m.warp
    together = math.ceil(warps / m.schedulers)  # warps of the scheduler with the most: a warp stays with it
    terms = tile.share(target.multiprocessors) * tile.panel.terms / tile.groups
    across = min(m.warp, tile.columns.threads)
    (rows, wide), (columns, wide_too) = map(tile.loads, tile.sides)
    banks = rows * _banks(wide, max(1, m.warp // across)) + columns * _banks(wide_too, across)
    loads, copies = warps * terms * banks * words, resident * (3 - twice) * tile.copied * words / m.banks
    products = m.schedulers * together * terms * results * m.warp / m.products(tile.of.size)
    others = together * (ROUND + COPY * tile.copies)
    issued = together * terms * STALLS * (results + rows + columns)
    from_l2 = resident * tile.copied * tile.of.size / m.l2_bytes_per_cycle
    shared = loads + copies + others / 2
    busy = max(products + WAITED * loads / together + others, issued + others, shared, from_l2)
    stored = copies / 2 if twice == 1 else 0  # between barriers, while no warp of the block multiplies
    return busy + stored + ((3 - twice) * m.barrier + 2 * m.shared_latency) / resident


def _banks(width: int, distinct: int) -> float:
    """Rounds of the banks of a load of so many elements, by a warp that reads so many different rows."""
    return max(BROADCAST, distinct / 8) if width == VECTOR else 1


THREADS = (16, 32, 64, 128, 256)
"""Numbers of threads of a group."""
MAX_THREADS = 512
KEPT = 20
"""How many distributions of the results are tried with all panels; the others only with the longest."""
ENOUGH = 512
"""Threads per multiprocessor that keep it busy without more groups."""
REGISTERS = tuple((a, b) for a in (1, 2, 4, 5, 8) for b in (1, 2, 4, 5, 8))
"""Registers for rows and columns; the cells of a window multiply the latter."""
LOPSIDED = 6
"""Maximum ratio of the registers of the two sides."""
WHOLE = 16
"""Maximum registers along a sliding loop of which a thread holds all places."""
MAX_ACCUMULATORS = 64
EQUAL = 1.03
"""Up to this ratio of cycles, the tile with the fewest products is taken: the model is not more exact."""


@lru_cache(maxsize=256)
def best_tile(sizes: ContractionSizes, target: CudaTarget) -> tuple[float, BlockTile | None]:
    """The tile that is fastest by the model, or hardly slower with fewer products, after its cycles; infinity and
    None if none fits.

    >>> sizes = ContractionSizes(Operand((("n", 4096),)), Operand((("o", 4096),)), 1, (("f", 4096),))
    >>> _, tile = best_tile(sizes, CudaTarget(90))
    >>> tile is not None and tile.rows.registers * tile.columns.registers >= 16
    True
    """
    timed = fastest_tiles(sizes, target)
    equal = (found for found in timed if found[0] <= EQUAL * timed[0][0])
    return min(equal, key=lambda found: (found[1].products, _moved(found[1]), found[0]), default=(math.inf, None))


def _moved(tile: BlockTile) -> float:
    """Elements that all blocks copy."""
    return tile.blocks * tile.panel.count * tile.copied


def fastest_tiles(sizes: ContractionSizes, target: CudaTarget) -> list[tuple[float, BlockTile]]:
    """Tiles after the cycles that they take by the model, the fastest first."""
    terms = min(panel.terms * panel.count for panel in sizes.panels)
    products = sizes.others * terms / (target.machine.products(sizes.size) * target.multiprocessors)
    best: list[tuple[float, int, Side, Side]] = []
    for k, (results, rows, columns) in enumerate(_shapes(sizes.rows, sizes.columns)):
        if len(best) >= KEPT and results * products > best[KEPT - 1][0]:
            break
        tiles = _candidates(sizes, rows, columns, sizes.panels[-1:], target)
        insort(best, (min((cycles(tile, target) for tile in tiles), default=math.inf), k, rows, columns))
    tiles = (t for _, _, rows, columns in best[:KEPT] for t in _candidates(sizes, rows, columns, sizes.panels, target))
    return sorted(((cycles(tile, target), tile) for tile in tiles), key=lambda found: found[0])


@lru_cache(maxsize=256)
def whole_tile(sizes: ContractionSizes, threads: int, target: CudaTarget) -> tuple[float, BlockTile | None]:
    """Like `best_tile`, for blocks of so many threads that compute all rows and columns."""
    tiles = (
        tile
        for _, rows, columns in _shapes(sizes.rows, sizes.columns)
        if rows.tiles * columns.tiles == 1 and WARP <= rows.threads * columns.threads
        for tile in _candidates(sizes, rows, columns, sizes.panels, target)
        if tile.threads == threads
    )
    return min(((cycles(tile, target), tile) for tile in tiles), key=lambda x: x[0], default=(math.inf, None))


def _candidates(
    sizes: ContractionSizes, rows: Side, columns: Side, panels: tuple[Panel, ...], target: CudaTarget
) -> Iterator[BlockTile]:
    """Ways to process the sum for a distribution of results; more groups only if there are few threads."""
    least, most, room = 2 * target.machine.warp, min(MAX_THREADS, target.max_threads), target.room
    for panel in panels:
        for groups in (g for g in GROUPS if panel.shared % g == 0):
            tile = BlockTile(sizes, rows, columns, panel, groups)
            fits = least <= tile.threads <= most
            few = tile.blocks * tile.threads <= 2 * ENOUGH * target.multiprocessors
            useful = groups == 1 or (panel.terms >= VECTOR * groups and few)
            if fits and useful and tile.shared_bytes() <= room:
                yield tile


@lru_cache(maxsize=256)
def _shapes(rows: Operand, columns: Operand) -> tuple[tuple[float, Side, Side], ...]:
    """Ways to distribute rows and columns over the threads of a group, with the number of results including padding,
    less those whose terms may be skipped, the fewest first."""
    shapes: dict[tuple[Side, Side], float] = {}
    for threads, columns_of, (a, b) in itertools.product(THREADS, (4, 8, 16, 32), REGISTERS):
        if threads < columns_of:
            continue
        across = sides(rows, threads // columns_of, a, WHOLE), sides(columns, columns_of, b, WHOLE)
        for pair in itertools.product(*across):
            registers = [s.registers for s in pair]
            if math.prod(registers) <= MAX_ACCUMULATORS and max(registers) <= LOPSIDED * min(registers):
                shapes[pair] = math.prod(s.tiles * s.size * s.share for s in pair)
    return tuple((results, *pair) for pair, results in sorted(shapes.items(), key=lambda x: x[1]))
