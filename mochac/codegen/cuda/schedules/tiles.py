"""Chooses the tile of a contraction that a block of threads computes: the fastest by the model of a multiprocessor."""

from __future__ import annotations

import itertools
import math
from bisect import insort
from collections.abc import Iterator
from functools import lru_cache

from mochac.codegen.cuda.schedules.block_tile import GROUPS, BlockTile, ContractionSizes, Panel
from mochac.codegen.cuda.schedules.multiprocessor import cycles
from mochac.codegen.cuda.schedules.operands import Operand
from mochac.codegen.cuda.schedules.sides import VECTOR, Side, sides
from mochac.codegen.cuda.target import CudaTarget

THREADS = (32, 64, 128, 256)
"""Numbers of threads of a group."""
MAX_THREADS = 512
KEPT = 12
"""How many distributions of the results are tried with all panels; the others only with the longest."""
ENOUGH = 512
"""Threads per multiprocessor that keep it busy without more groups."""
HELD = tuple((a, b) for a in (1, 2, 4, 5, 8) for b in (1, 2, 4, 5, 8))
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
    terms = min(panel.terms * panel.count for panel in sizes.panels)
    products = sizes.others * terms / (target.machine.products(sizes.size) * target.multiprocessors)
    best: list[tuple[float, int, Side, Side]] = []
    for k, (results, rows, columns) in enumerate(_shapes(sizes.rows, sizes.columns)):
        if len(best) >= KEPT and results * products > best[KEPT - 1][0]:
            break
        tiles = _candidates(sizes, rows, columns, sizes.panels[-2:], target)
        insort(best, (min((cycles(tile, target) for tile in tiles), default=math.inf), k, rows, columns))
    tiles = (t for _, _, rows, columns in best[:KEPT] for t in _candidates(sizes, rows, columns, sizes.panels, target))
    timed = [(cycles(tile, target), tile) for tile in tiles]
    least = min((time for time, _ in timed), default=0.0)
    equal = (found for found in timed if found[0] <= EQUAL * least)
    return min(equal, key=lambda found: (found[1].products, found[0]), default=(math.inf, None))


@lru_cache(maxsize=256)
def whole_tile(sizes: ContractionSizes, threads: int, target: CudaTarget) -> tuple[float, BlockTile | None]:
    """Like `best_tile`, for blocks of so many threads that compute all rows and columns."""
    tiles = (
        tile
        for _, rows, columns in _shapes(sizes.rows, sizes.columns)
        if rows.tiles * columns.tiles == 1 and threads % (rows.threads * columns.threads) == 0
        for tile in _candidates(sizes, rows, columns, sizes.panels, target)
        if tile.threads == threads
    )
    return min(((cycles(tile, target), tile) for tile in tiles), key=lambda x: x[0], default=(math.inf, None))


def _candidates(
    sizes: ContractionSizes, rows: Side, columns: Side, panels: tuple[Panel, ...], target: CudaTarget
) -> Iterator[BlockTile]:
    """Ways to process the sum for a distribution of results; more groups only if there are few threads."""
    for panel in panels:
        for groups in (g for g in GROUPS if panel.shared % g == 0):
            tile = BlockTile(sizes, rows, columns, panel, groups)
            fits = 2 * target.machine.warp <= tile.threads <= min(MAX_THREADS, target.max_threads)
            few = tile.blocks * tile.threads <= 2 * ENOUGH * target.multiprocessors
            useful = groups == 1 or (panel.terms >= VECTOR * groups and few)
            if fits and useful and tile.shared_bytes() <= target.shared_bytes:
                yield tile


@lru_cache(maxsize=256)
def _shapes(rows: Operand, columns: Operand) -> tuple[tuple[float, Side, Side], ...]:
    """Ways to distribute rows and columns over the threads of a group, with the number of results including padding,
    less those whose terms may be skipped, the fewest first."""
    shapes: dict[tuple[Side, Side], float] = {}
    for threads, shift, (a, b) in itertools.product(THREADS, (2, 3, 4, 5), HELD):
        across = sides(rows, threads >> shift, a, WHOLE), sides(columns, 1 << shift, b, WHOLE)
        for pair in itertools.product(*across):
            held = [s.registers for s in pair]
            if math.prod(held) <= MAX_ACCUMULATORS and max(held) <= LOPSIDED * min(held):
                shapes[pair] = math.prod(s.tiles * s.size * s.share for s in pair)
    return tuple((results, *pair) for pair, results in sorted(shapes.items(), key=lambda x: x[1]))
