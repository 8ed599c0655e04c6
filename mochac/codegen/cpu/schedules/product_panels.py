"""Products of factors that both lie along the results, with many terms: weight gradients of sequences.

    for block of rows x block of columns:                              an item
      for panel of terms:
        pack the rows' factor; for tile of columns: copy the columns' factor
          for tile of rows:  acc[r][v] += rows[n, r] * columns[n, v: lanes] over the terms of the panel
      epilogue

Rows of the factors are far apart in memory, so a sum over all of them at once would load each line from L2 for every
tile, or from farther away where rows clash in L1. A panel lies in L1 in the order in which tiles read it, and the next
one is prefetched meanwhile. Sums continue from panel to panel, in scratch memory, and those of the last one end in the
epilogue; so panels change neither the order of a sum nor its bits. Products of few terms, whose columns stay in L1, are
left to `contractions`, and so are products that use copies too seldom.

In percent of the peak, here and with the rule `contractions`: on Sapphire Rapids, one thread, in a training step with
the update, 768 x 512 -> 128 reaches 39 (31), 768 x 128 -> 512 42 (30), 768 x 128 -> 384 59 (32); on Zen 5, one thread,
alone, 1600 x 512 -> 2048 79 (67), 2048 x 256 -> 1024 78 (58), 2048 x 64 -> 1024 61 (41).
"""

from __future__ import annotations

from collections.abc import Iterator

from mochac.base.records import record
from mochac.codegen.analysis.nests import block_lanes, float_dtype
from mochac.codegen.combinators.caches import cache_block, keep_near, share_items
from mochac.codegen.combinators.prefetching import ResultTile, prefetch_results
from mochac.codegen.combinators.tiles import hold, lanes, register_tile
from mochac.codegen.cpu.schedules.blocking import clash
from mochac.codegen.cpu.schedules.product import product
from mochac.codegen.cpu.schedules.tiles import RegisterTile, best_tile
from mochac.codegen.cpu.target import LEAST_TEAM, CpuTarget
from mochac.codegen.machine import LINE
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.merge import Reorder
from mochac.ir.steps.prefetch_tile import PrefetchTile

PANEL_SHARE = 1 / 2
"""Share of L1 that a copied panel may fill. The rest holds what a tile of rows reads (a third: 1 % slower, Zen 5)."""
LEAST_TILES = 4
"""Minimum tiles of rows in an item. Each of them reads a copy once."""
SUMS_SHARE = 1 / 4
"""Share of L2 that the accumulators of an item may fill (an eighth: 1 to 5 % slower, Zen 5)."""


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless the kernel is such a product."""
    p, count = None if block_lanes(kernel) else product(kernel), target.lanes(float_dtype(kernel))
    if p is None or not p.weight_gradient:
        return None
    p = p.filling_lanes(count, target.machine)
    rows, columns, terms = p.sizes()
    if columns < count:
        return None
    tile = best_tile(rows, -(-columns // count), target.machine, max_columns=4)
    item = _item(rows, columns, terms, tile, target, count)
    if item is None:
        return None
    high, wide, tiles, size = item.rows, item.columns, item.rows // tile.rows, item.terms
    b = ScheduleBuilder(kernel)
    b.reason = "the last panel of terms ends in the epilogue, without leaving the registers"
    last = b.cut(p.term, (terms - 1) // size * size)(p.term)
    b.reason = "a block of rows and columns is an item, whose sums stay in L2"
    b.add(Reorder((p.row, p.column)))
    rows_of, row = b.split(p.row, high, "cut")
    b.add(Reorder((p.column, row)))
    columns_of, column = b.split(p.column, wide, "cut")
    b.reason = "a tile of rows and columns stays in registers while its sum runs"
    across, some = b.split(column, tile.columns * count, "cut")
    vector, lane = lanes(b, some, count, "cut")
    ((down, held),) = register_tile(b, (row, tile.rows))
    hold(b, vector)
    panel, first = cache_block(b, p.term, size, across, down)
    b.reason = "terms are taken a few at a time, between which the next panel is prefetched"
    parts = [(*b.split(term, tiles, "cut"), wraps) for term, wraps in ((first, panel), (last, columns_of))]
    b.reason = (
        "rows of both factors lie far apart: a panel of them is copied to L1, in the order in which tiles read it"
    )
    b.stage(p.right, across, "scratch")
    _, filled = b.pack(p.left, across, (0, 1))
    lanes(b, filled[-1], count, "cut")
    for part, within, wraps in parts:  # a tile of rows prefetches a term of each part
        b.add(PrefetchTile(p.right, part, within, down, across, wraps, 1, vector))
    prefetch_results(b, p.ends, parts[-1][0], ResultTile(held, vector, lane))
    keep_near(b, p.form.accumulator, down)
    share_items(b, *p.form.shared, rows_of, columns_of)
    return b.schedule("product.panels")


@record
class _Item:
    """Rows and columns of an item, and the terms of a panel."""

    rows: int
    columns: int
    terms: int


def _item(rows: int, columns: int, terms: int, tile: RegisterTile, target: CpuTarget, count: int) -> _Item | None:
    """The items for a team, or fewer if copies pay only then; None if copies do not pay even with the items of the
    smallest team. So the rule takes a product either for all teams or for none."""
    machine, line = target.machine, tile.columns * target.vector_bytes
    most = int(SUMS_SHARE * machine.l2.n_bytes) // (target.vector_bytes // count)
    if terms * line <= machine.l1.n_bytes:
        return None

    def cut(items: int) -> _Item | None:
        high, wide = _block(rows, columns, RegisterTile(tile.rows, tile.columns * count), most, items)
        tiles = high // tile.rows
        size = max(1, round(PANEL_SHARE * machine.l1.n_bytes / line / tiles)) * tiles
        return _Item(high, wide, size) if terms >= 2 * size and tiles >= LEAST_TILES else None

    few, pitch = cut(LEAST_TEAM), rows * (target.vector_bytes // count)
    if few is None or not (columns > tile.columns * count or clash(machine.l2, terms, LINE, pitch)):
        return None
    return next(filter(None, map(cut, range(target.team, LEAST_TEAM, -LEAST_TEAM))), few)


def _block(rows: int, columns: int, tile: RegisterTile, most: int, items: int) -> tuple[int, int]:
    """Rows and columns of an item, such that the fewest elements are copied: each block of rows copies the factor with
    the columns, and each block of columns the factor with the rows. There are at least `items` items, or as many as
    tiles, and an item has at most `most` accumulators. Unequal blocks of columns do not count as items.

    >>> _block(512, 128, RegisterTile(6, 64), 1 << 16, 4), _block(128, 512, RegisterTile(6, 64), 1 << 16, 4)
    ((132, 128), (132, 128))
    """
    down, across = -(-rows // tile.rows), -(-columns // tile.columns)

    def shares(tiles: int) -> Iterator[tuple[int, int]]:
        """Numbers of parts, each with the tiles of the largest one."""
        return ((-(-tiles // n), n) for n in dict.fromkeys(-(-tiles // k) for k in range(1, tiles + 1)))

    fits = [
        (r * columns + c * rows, (n * tile.rows, m * tile.columns))
        for n, r in shares(down)
        for m, c in shares(across)
        if (r if columns % (m * tile.columns) else r * c) >= min(items, down * across)
        and n * tile.rows * m * tile.columns <= most
    ]
    return min(fits, default=(0, (tile.rows, tile.columns)))[1]
