"""Items of products whose lanes are columns: some rows and some tiles of columns, which a thread computes at a time.

    cycles = (multiply-adds of all tiles + what each block of rows and each block of columns costs) * how evenly a team
             shares the items

Each block of rows reads, transposes or copies the columns' factor anew, and each block of columns the rows' factor.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from math import log2

from mochac.base.records import record
from mochac.codegen.cpu.schedules.picking import pick
from mochac.codegen.cpu.schedules.teams import spread
from mochac.codegen.cpu.schedules.tiles import (
    WORTH_TRYING,
    RegisterTile,
    axis_parts,
    best_tile,
    equal_parts,
    ranked_tiles,
    rest_cost,
    total_cost,
)
from mochac.codegen.cpu.target import CpuTarget

SAMPLE_TILES, LEAST_TILES = 32, 4
"""Maximum and minimum tiles of samples in a block."""
FORWARD_WIDTH, WIDTH = 4, 5
"""Maximum vectors of a tile of a forward product, and of a data gradient."""
TILES = 4
"""Maximum tiles of columns in an item of the data gradient, which reads whole lines of each row of the weight."""
TURN = 3
"""Cycles to load and store a vector of the weight that a block transposes, in addition to the shuffles (Sapphire
Rapids, 768 x 128 x 512 with GELU: 1.84 ms in one block, 2.01 in blocks of 16 tiles)."""
WAITED = 0.5
"""Share of the time of a read from L2 that a data gradient waits for, since weights are prefetched."""
FEW = 8
"""Maximum samples of a data gradient through which rows of the weight stream, in as many items as a team has threads
(Sapphire Rapids, 1000 x 1000: 4 samples took 0.38 ms, now 0.31; 8 took 0.53, now 0.45; 300 x 300, 4 samples: 39 % of
the peak, now 48; 12 samples of 768 x 512 would fall from 76 to 66 %)."""
LEAST_WORK = 6 << 10
"""Minimum vectors of multiply-adds of a data gradient's items (Zen 4, a GRU of 64 units, batch 16: with two items, a
training step on two threads takes 0.81 of its time with one item, and as long on one thread; with four items 0.9)."""
SUMS_SHARE = 1 / 4
"""Share of L2 that the accumulators of a weight gradient's item may fill (an eighth: 1 to 5 % slower, Zen 5)."""
LEAST_TURN, MOST_TURN = 8, 64
"""Terms of a sum between two prefetches of a tile."""


@record
class ProductItem:
    """What a thread computes at a time: some samples, and tiles of columns of these samples."""

    samples: int
    tile: RegisterTile
    tiles: int = 1

    @property
    def down(self) -> int:
        """Tiles of rows."""
        return -(-self.samples // self.tile.rows)

    @property
    def turn(self) -> int:
        """Terms that all tiles of rows prefetch together, each as many as the others; one if tiles are few."""
        if self.down <= self.tile.columns:
            return 1
        return min(MOST_TURN, -(-LEAST_TURN // self.down) * self.down)

    def count(self, rows: int, vectors: int) -> int:
        """How many there are."""
        return -(-rows // self.samples) * -(-vectors // (self.tile.columns * self.tiles))


def forward_item(rows: int, vectors: int, count: int, target: CpuTarget) -> ProductItem:
    """The items of a forward product: each block of samples transposes the weight anew."""
    turned = vectors * (log2(count) / target.machine.shuffles + TURN)
    least = ranked_tiles(rows, vectors, target.machine, max_columns=FORWARD_WIDTH)[0].rows
    blocks = max(1, rows // (SAMPLE_TILES * least))
    most = max(blocks, min(blocks * target.team, rows // (LEAST_TILES * least)))
    items = [
        ProductItem(samples, tile)
        for n in range(blocks, most + 1)
        for samples in (-(-rows // n),)
        for tile in ranked_tiles(samples, vectors, target.machine, max_columns=FORWARD_WIDTH)
    ]
    return _quickest(items, rows, vectors, turned, target)


def gradient_item(rows: int, vectors: int, terms: int, count: int, target: CpuTarget) -> ProductItem:
    """The items of a data gradient. Each block of samples reads the whole weight; each block of columns reads all
    samples, which other threads may have computed (Zen 4, a GRU of 64 units, batch 16, two threads: blocks of columns
    take 1.12 of the time of blocks of samples)."""
    machine, team = target.machine, target.team
    if rows <= FEW or rows * vectors * terms < 2 * LEAST_WORK:
        tile = best_tile(rows, vectors, machine, max_columns=6 if rows <= FEW else WIDTH)
        return ProductItem(rows, tile, _share(vectors, tile, team))
    near, l3 = terms * vectors * machine.vector_bytes <= machine.l2.n_bytes, machine.caches[2].bytes_per_cycle
    read = vectors * machine.vector_bytes * (WAITED / machine.l2.bytes_per_cycle if near else 1 / l3)
    left = rows * machine.vector_bytes / count / l3
    most = max(1, min(team, rows // FEW, rows * vectors * terms // LEAST_WORK))
    items = [
        ProductItem(samples, tile, tiles)
        for n in range(1, most + 1)
        for samples in (-(-rows // n),)
        for tile in ranked_tiles(samples, vectors, machine, max_columns=WIDTH)
        for tiles in range(min(TILES, -(-vectors // tile.columns)), 0, -1)
    ]
    worth = [x for x in items if rows * vectors * terms >= LEAST_WORK * x.count(rows, vectors)]
    return _quickest(worth or [x for x in items if x.samples == rows], rows, vectors, read, target, left)


def weight_item(rows: int, columns: int, panel: int, tile: RegisterTile, count: int, target: CpuTarget) -> ProductItem:
    """The items of a weight gradient: each block of rows copies the columns' factor, and each block of columns the
    rows' factor. The sums of an item and its panel of the rows' factor, which has so many terms, stay in L2."""
    machine, vectors = target.machine, -(-columns // count)
    most = int(SUMS_SHARE * machine.l2.n_bytes) // machine.vector_bytes
    down, across = -(-rows // tile.rows), -(-vectors // tile.columns)
    sizes = itertools.product((n for n in equal_parts(down) if n >= LEAST_TILES), equal_parts(across))
    items = [ProductItem(min(rows, n * tile.rows), tile, tiles) for n, tiles in sizes]
    near = [x for x in items if x.samples * max(x.tiles * tile.columns, panel // count // 2) <= most]
    moved = 1 / machine.stores + WAITED * machine.vector_bytes / machine.caches[2].bytes_per_cycle
    return _quickest(near or items[-1:], rows, vectors, vectors * moved, target, rows / count * moved)


def _quickest(
    items: Sequence[ProductItem], rows: int, vectors: int, again: float, target: CpuTarget, left: float = 0.0
) -> ProductItem:
    """The item with which a team is done first. `again` and `left` are the cycles per term that a block of samples and
    a block of columns cost."""

    def cycles(item: ProductItem) -> float:
        samples, columns = axis_parts(rows, item.samples), axis_parts(vectors, item.tile.columns * item.tiles)
        sizes = [high * wide for high, n in samples for wide, m in columns for _ in range(n * m)]
        adds = sum(n * total_cost(high, vectors, item.tile, target.machine) for high, n in samples)
        adds *= rest_cost(item.samples, vectors, item.tile)
        costs = again * sum(n for _, n in samples) + left * sum(n for _, n in columns)
        return (adds + costs) * spread(sizes, target.team)

    return pick(*sorted(items, key=cycles)[:WORTH_TRYING])


def _share(vectors: int, tile: RegisterTile, items: int) -> int:
    """Tiles of columns in an item, so that items are even: of 256 and 44 columns, one of two threads would be idle."""
    return max(1, -(-vectors // tile.columns) // items)
