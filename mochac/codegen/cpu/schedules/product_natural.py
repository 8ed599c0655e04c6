"""Products of natural matrices, forward and both gradients: lanes along the results, none idle.

    forward          for n-block: for o-tile: pack w[o-tile, f] as [f][o];
                         for n-tile:  acc[r][v] over f: splat x[n, f] * packed[f][o...]
    data gradient    for n-block, f-block: for o-panel: (copy w); for f-tile: for n-tile:
                         acc[r][v] over o: splat dy[n, o] * w[o, f...]
    weight gradient  for o-block, f-block: for n-panel: pack dy; for f-tile: copy x; for o-tile:
                         acc[r][v] over n: splat packed dy[n, o] * copied x[n, f...]

The layout pass leaves activations natural where blocks of samples would leave lanes idle. Weights are stored naturally;
the forward pass transposes a panel of them in registers and stores it in the thread's scratch memory. The panel has all
terms if it then fills little of L2. Many samples are cut into blocks, so that there are enough items even where outputs
are few.

Gradients load each line of the columns' factor once from the far caches: a panel of its terms stays in L1 for all rows
of an item, while the next one is prefetched. Sums continue from panel to panel, in scratch memory, and those of the
last one end in the epilogue, without leaving the registers; so panels change neither the order of a sum nor its bits.
With few samples, panels do not pay, since each line is used only a few times. Instead, accumulators stay in L1 and rows
of the weight stream past them, a few rows at a time, so that the hardware prefetches them.

A weight gradient sums over many samples, positions or steps, whose rows are far apart in memory. Without copies, each
line would come from L2 for every tile, or from farther away where rows share sets. Where L1 holds what a tile reads of
all terms, `contractions` does without.

An item is some rows and some tiles of columns, which a thread computes at a time.

    cycles = (multiply-adds of all tiles + what each block of rows and each block of columns costs) * how evenly a team
             shares the items

Each block of rows reads, transposes or copies the columns' factor anew, and each block of columns the rows' factor.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from math import log2

from mochac.base.records import record
from mochac.codegen.analysis.nests import block_lanes, float_dtype
from mochac.codegen.combinators.caches import cache_block, keep_near, share_items
from mochac.codegen.combinators.prefetching import ResultTile, prefetch_results
from mochac.codegen.combinators.tiles import hold, lanes, register_tile
from mochac.codegen.cpu.schedules.blocking import clash, panel_terms
from mochac.codegen.cpu.schedules.picking import pick
from mochac.codegen.cpu.schedules.product import Product, product
from mochac.codegen.cpu.schedules.tiles import (
    WORTH_TRYING,
    RegisterTile,
    axis_parts,
    best_tile,
    equal_parts,
    ranked_tiles,
    rest_cost,
    spread,
    total_cost,
)
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.machine import LINE, CacheLevel
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import Handle, ScheduleBuilder
from mochac.ir.steps.merge import Distribute, Reorder
from mochac.ir.steps.prefetch_tile import PrefetchTile
from mochac.ir.steps.vectors import Transpose

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
    row_cost = rows * machine.vector_bytes / count / l3
    most = max(1, min(team, rows // FEW, rows * vectors * terms // LEAST_WORK))
    items = [
        ProductItem(samples, tile, tiles)
        for n in range(1, most + 1)
        for samples in (-(-rows // n),)
        for tile in ranked_tiles(samples, vectors, machine, max_columns=WIDTH)
        for tiles in range(min(TILES, -(-vectors // tile.columns)), 0, -1)
    ]
    worth = [x for x in items if rows * vectors * terms >= LEAST_WORK * x.count(rows, vectors)]
    return _quickest(worth or [x for x in items if x.samples == rows], rows, vectors, read, target, row_cost)


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
    items: Sequence[ProductItem], rows: int, vectors: int, again: float, target: CpuTarget, row_cost: float = 0.0
) -> ProductItem:
    """The item with which a team is done first. `again` and `row_cost` are the cycles per term that a block of samples
    and a block of columns cost."""

    def cycles(item: ProductItem) -> float:
        samples, columns = axis_parts(rows, item.samples), axis_parts(vectors, item.tile.columns * item.tiles)
        sizes = [high * wide for high, n in samples for wide, m in columns for _ in range(n * m)]
        adds = sum(n * total_cost(high, vectors, item.tile, target.machine) for high, n in samples)
        adds *= rest_cost(item.samples, vectors, item.tile)
        costs = again * sum(n for _, n in samples) + row_cost * sum(n for _, n in columns)
        return (adds + costs) * spread(sizes, target.team)

    return pick(*sorted(items, key=cycles)[:WORTH_TRYING])


def _share(vectors: int, tile: RegisterTile, items: int) -> int:
    """Tiles of columns in an item, so that items are even: of 256 and 44 columns, one of two threads would be idle."""
    return max(1, -(-vectors // tile.columns) // items)


PANELS = (256, 128, 512)
"""Weights of one output in a transposed panel, if all of them would not stay near; a search tries the others."""
PANEL_SHARE = 1 / 8
"""Share of L2 that a panel over all terms may fill."""
COPY_SHARE = 1 / 2
"""Share of L1 that a copied panel may fill. The rest holds what a tile of rows reads (a third: 1 % slower, Zen 5)."""
STREAMED = (32, 16, 8)
"""Terms of a panel of rows that stream: the first of these numbers whose rows do not share sets of L1 (Zen 4, 4 samples
of 4096 x 500: with 8 terms 0.45 of the time with 32)."""


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless the kernel is a product of natural activations with weights."""
    p = None if block_lanes(kernel) else product(kernel)
    if p is None:
        return None
    if p.forward:
        return _forward(p, target)
    if p.data_gradient:
        return _gradient(p, target)
    return _weight_gradient(p, target) if p.weight_gradient else None


def _forward(p: Product, target: CpuTarget) -> Schedule:
    """Panels of the weight are packed: they are transposed in registers."""
    b, (rows, columns, terms) = ScheduleBuilder(p.form.kernel), p.sizes()
    count = target.lanes(float_dtype(b.kernel))
    item = forward_item(rows, -(-columns // count), count, target)
    block, p = _blocks_of_samples(b, p, item.samples)
    tile = item.tile
    samples, _, outputs, vector, lane = _tiled(b, p, tile, count)
    near = terms * tile.columns * target.vector_bytes <= PANEL_SHARE * target.machine.l2.n_bytes
    size = pick(*(n if terms > 1.5 * n and not near else terms for n in PANELS))
    panel, term = (outputs, p.term) if size == terms else cache_block(b, p.term, size, samples)
    b.reason = (
        "a panel of weights is transposed into near memory, so that lanes are outputs, for all samples of a block"
    )
    b.stage(p.right, panel, "scratch")
    _, run = b.split(term, count, "cut")
    b.add(Distribute(run, (vector, lane)), Transpose(p.right, lane, run))
    if size < terms:
        keep_near(b, p.form.accumulator, samples)
    share_items(b, *p.form.shared, *block, outputs, least=target.team)
    return b.schedule("product.natural")


def _blocks_of_samples(b: ScheduleBuilder, p: Product, size: int) -> tuple[tuple[str, ...], Product]:
    """Cut the samples into blocks if there are several; return the loop over them, and the product of one."""
    if p.sizes()[0] <= size:
        return (), p
    b.reason = "blocks of samples give threads enough items"
    block, row = b.split(p.row, size, "cut")
    return (block,), replace(p, row=row)


def _gradient(p: Product, target: CpuTarget) -> Schedule:
    """A panel of the weight stays in L1 while every line of the next one is prefetched once. Panels whose rows clash
    are copied."""
    rows, columns, terms = p.sizes()
    count, l1 = target.lanes(float_dtype(p.form.kernel)), target.machine.l1
    item = gradient_item(rows, -(-columns // count), terms, count, target)
    size, across = target.vector_bytes // count, item.tile.columns * target.vector_bytes
    if rows <= FEW:
        return _in_panels(p, item, _streamed(l1, columns * size), target, far=False, copied=False)
    panel = panel_terms(l1, item.tile, across, terms, size, item.turn)
    far = terms * columns * size > l1.n_bytes // 2  # otherwise the whole weight stays near
    copied = item.samples > item.tile.rows * item.tile.columns and clash(l1, panel, across, columns * size)
    return _in_panels(p, item, panel, target, far, copied)


def _weight_gradient(p: Product, target: CpuTarget) -> Schedule | None:
    """Panels of both factors are copied, in the order in which tiles read them. None if too few tiles read a copy, or
    if L1 holds what a tile reads of all terms."""
    count, l1 = target.lanes(float_dtype(p.form.kernel)), target.machine.l1
    p = p.filling_lanes(count, target.machine)
    rows, columns, terms = p.sizes()
    tile = ranked_tiles(rows, -(-columns // count), target.machine, max_columns=FORWARD_WIDTH)[0]
    most = int(COPY_SHARE * l1.n_bytes) // (tile.columns * target.vector_bytes)
    again = columns > tile.columns * count or clash(target.machine.l2, terms, LINE, rows * target.vector_bytes // count)
    if columns < count or terms <= 2 * most or rows < LEAST_TILES * tile.rows or not again:
        return None
    item = weight_item(rows, columns, most, tile, count, target)
    size = max(1, round(most / item.turn)) * item.turn
    return _in_panels(p, item, size, target, far=True, copied=True)


def _in_panels(p: Product, item: ProductItem, size: int, target: CpuTarget, far: bool, copied: bool) -> Schedule:
    """All tiles of an item read a panel of the columns' factor before the next one.

    Args:
        size: terms of a panel.
        far: whether the next panel is prefetched, and what the epilogue reads and stores.
        copied: whether panels are copied; of a weight gradient, those of both factors are.
    """
    b, (*_, terms), tile = ScheduleBuilder(p.form.kernel), p.sizes(), item.tile
    count, both = target.lanes(float_dtype(b.kernel)), p.weight_gradient
    b.reason = "the last panel of terms ends in the epilogue, without leaving the registers"
    last = b.cut(p.term, (terms - 1) // size * size)(p.term) if size < terms else p.term
    block, p = _blocks_of_samples(b, p, item.samples)
    down, tile_row, across, vector, lane = _tiled(b, p, tile, count)
    b.reason = "an item has a few tiles of columns, so that it reads whole lines of each row of the columns' factor"
    columns, across = b.split(across, item.tiles, "cut")
    sums = [(last, columns)]
    if size < terms:
        panel, first = cache_block(b, p.term, size, across, down)
        sums = [(first, panel), (last, columns)]
    b.reason = "terms are taken a few at a time, between which the next panel is prefetched"
    parts = [(*b.split(term, item.turn, "cut"), wraps) for term, wraps in sums] if far else []
    if copied:
        b.reason = "rows lie far apart, or share sets of L1: a panel is copied, in the order in which tiles read it"
        b.stage(p.right, across, "scratch")
        if both:
            _, filled = b.pack(p.left, across, (0, 1))
            lanes(b, filled[-1], count, "cut")
    per = -(-(tile.columns if item.turn == 1 else item.turn) // item.down)
    for part, within, wraps in parts:  # each tile of rows fetches its share of the vectors of a term, or of the terms
        line, whole = (vector, "") if item.turn == 1 else (within, vector)
        b.add(PrefetchTile(p.right, part, line, down, across, wraps, per, whole))
    if far:
        prefetch_results(b, p.ends, parts[-1][0], ResultTile(tile_row, vector, lane))
    if size < terms:
        keep_near(b, p.form.accumulator, down)
    share_items(b, *p.form.shared, *block, columns, least=target.team)
    return b.schedule("product.panels" if both else "product.data-gradient")


def _streamed(l1: CacheLevel, pitch: int) -> int:
    """How many rows of the weight stream at once, so that L1 also holds the next line of each.

    >>> from mochac.codegen.machine import machine
    >>> [_streamed(machine("znver4", 64).l1, inputs * 4) for inputs in (1000, 512, 1024, 4096)]
    [32, 16, 8, 8]
    """
    return next((n for n in STREAMED if not clash(l1, n, 2 * LINE, pitch)), STREAMED[-1])


def _tiled(b: ScheduleBuilder, p: Product, tile: RegisterTile, count: int) -> tuple[Handle, ...]:
    """Make tiles; return the loops over tiles of rows, rows, tiles of columns, and vectors and lanes of columns."""
    b.reason = (
        "all tiles of rows use a tile of columns before the next one, so that what it reads of the weight stays near"
    )
    b.add(Reorder((p.column, p.row)))
    columns, some = b.split(p.column, tile.columns * count, "cut")
    vector, lane = lanes(b, some, count, "cut")
    ((rows, tile_row),) = register_tile(b, (p.row, tile.rows))
    hold(b, vector)
    return rows, tile_row, columns, vector, lane
