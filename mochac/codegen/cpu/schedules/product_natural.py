"""Fully connected forward and data gradient of natural activations: lanes over the output's features, none idle.

    forward:   for n-block: for o-tile: pack w[o-tile, f] as [f][o];
                   for n-tile: acc[r][v] over f: splat x[n, f] * packed[f][o...]
    gradient:  for f-block: for o-panel: for f-tile: for n-tile: acc[r][v] over o: splat dy[n, o] * w[o, f...]

The layout pass leaves activations natural where blocks of samples would leave lanes idle. Weights are stored naturally;
the forward pass transposes a panel of them in registers and stores it in the thread's scratch memory. The panel has all
terms if it then fills little of L2. Many samples are cut into blocks, so that there are enough items even where outputs
are few. The data gradient loads each line of the weight once from the far caches: a panel of the weight stays in L1 for
all samples, while the next one is prefetched. With few samples, this does not pay, since each line is used only a few
times. Instead, accumulators stay in L1 and rows of the weight stream past them, a few rows at a time, so that the
hardware prefetches them. The sums of the last panel end in the epilogue, without leaving the registers.
"""

from __future__ import annotations

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
from mochac.codegen.cpu.schedules.teams import spread
from mochac.codegen.cpu.schedules.tiles import (
    WORTH_TRYING,
    RegisterTile,
    axis_parts,
    best_tile,
    ranked_tiles,
    rest_cost,
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

PANELS = (256, 128, 512)
"""Weights of one output in a transposed panel, if all of them would not stay near; a search tries the others."""
PANEL_SHARE = 1 / 8
"""Share of L2 that a panel over all terms may fill."""
SAMPLE_TILES, LEAST_TILES = 32, 4
"""Maximum and minimum tiles of samples in a block."""
TURN = 3
"""Cycles to load and store a vector of the weight that a block transposes, in addition to the shuffles (Sapphire
Rapids, 768 x 128 x 512 with GELU: 1.84 ms in one block, 2.01 in blocks of 16 tiles)."""
WAITED = 0.5
"""Share of the time of a read from L2 that a data gradient waits for, since weights are prefetched."""
FORWARD_WIDTH, WIDTH = 4, 5
"""Maximum vectors of a tile of a forward product, and of a data gradient."""
TILES = 4
"""Maximum tiles of columns in an item of the data gradient, which reads whole lines of each row of the weight."""
LEAST_WORK = 6 << 10
"""Minimum vectors of multiply-adds of a data gradient's items (Zen 4, a GRU of 64 units, batch 16: with two items, a
training step on two threads takes 0.81 of its time with one item, and as long on one thread; with four items 0.9)."""
FEW = 8
"""Maximum samples of a data gradient through which rows of the weight stream, in as many items as a team has threads
(Sapphire Rapids, 1000 x 1000: 4 samples took 0.38 ms, now 0.31; 8 took 0.53, now 0.45; 300 x 300, 4 samples: 39 % of
the peak, now 48; 12 samples of 768 x 512 would fall from 76 to 66 %)."""
STREAMED = (32, 16, 8)
"""Terms of a panel of such rows: the first of these numbers whose rows do not share sets of L1 (Zen 4, 4 samples of
4096 x 500: with 8 terms 0.45 of the time with 32)."""


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless the kernel is a product of natural activations with weights."""
    p = None if block_lanes(kernel) else product(kernel)
    if p is None:
        return None
    if p.forward:
        return _forward(p, target)
    return _gradient(p, target) if p.data_gradient else None


def _forward(p: Product, target: CpuTarget) -> Schedule:
    """Panels of the weight are packed: they are transposed in registers."""
    b, (rows, columns, terms) = ScheduleBuilder(p.form.kernel), p.sizes()
    count = target.lanes(float_dtype(b.kernel))
    item = _forward_item(rows, -(-columns // count), count, target)
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
    are packed."""
    b, (rows, columns, terms) = ScheduleBuilder(p.form.kernel), p.sizes()
    count = target.lanes(float_dtype(b.kernel))
    few, l1 = rows <= FEW, target.machine.l1
    vectors = -(-columns // count)
    item = _gradient_item(rows, vectors, terms, count, target)
    rows, tile = item.samples, item.tile
    size, across = target.vector_bytes // count, tile.columns * target.vector_bytes
    groups = -(-rows // (tile.rows * tile.columns))
    most = _streamed(l1, columns * size) if few else panel_terms(l1, tile, across, terms, size, groups)
    panel_size = min(terms, most)
    b.reason = "the last panel of terms ends in the epilogue, without leaving the registers"
    last = b.cut(p.term, (terms - 1) // panel_size * panel_size)(p.term) if panel_size < terms else p.term
    block, p = _blocks_of_samples(b, p, rows)
    samples, held, features, vector, lane = _tiled(b, p, tile, count)
    b.reason = "an item has a few tiles of columns, so that it reads whole lines of each row of the weight"
    columns_block, features = b.split(features, item.tiles, "cut")
    group, samples = b.split(samples, tile.columns, "cut")
    sums = [(last, columns_block)]
    if panel_size < terms:
        panel, first = cache_block(b, p.term, panel_size, features, group, samples)
        sums = [(first, panel), (last, columns_block)]
    b.reason = "terms are taken a few at a time, between which the next panel is prefetched"
    far = not few and terms * columns * size > l1.n_bytes // 2  # otherwise the whole weight stays near
    parts = [(*b.split(term, groups, "cut"), wraps) for term, wraps in sums] if far else []
    if groups > 1 and clash(l1, panel_size, across, columns * size):
        b.reason = "rows of the weight share sets of L1: the panel is copied"
        b.stage(p.right, features, "scratch")
    per = -(-tile.columns // -(-rows // tile.rows))
    for part, within, wraps in parts:  # a tile of samples fetches a vector of columns, a group of tiles a term of each
        b.add(PrefetchTile(p.right, part, vector, samples, features, wraps, per, also=within, by=group))
    if far:
        prefetch_results(b, p.ends, parts[-1][0], ResultTile(held, vector, lane))
    if panel_size < terms:
        keep_near(b, p.form.accumulator, samples)
    share_items(b, *p.form.shared, *block, columns_block, least=target.team)
    return b.schedule("product.data-gradient")


@record
class _Item:
    """What a thread computes at a time: some samples, and tiles of columns of these samples."""

    samples: int
    tile: RegisterTile
    tiles: int = 1

    def count(self, rows: int, vectors: int) -> int:
        """How many there are."""
        return -(-rows // self.samples) * -(-vectors // (self.tile.columns * self.tiles))


def _forward_item(rows: int, vectors: int, count: int, target: CpuTarget) -> _Item:
    """The items of a forward product: each block of samples transposes the weight anew."""
    turned = vectors * (log2(count) / target.machine.shuffles + TURN)
    least = ranked_tiles(rows, vectors, target.machine, max_columns=FORWARD_WIDTH)[0].rows
    blocks = max(1, rows // (SAMPLE_TILES * least))
    most = max(blocks, min(blocks * target.team, rows // (LEAST_TILES * least)))
    items = [
        _Item(samples, tile)
        for n in range(blocks, most + 1)
        for samples in (-(-rows // n),)
        for tile in ranked_tiles(samples, vectors, target.machine, max_columns=FORWARD_WIDTH)
    ]
    return _quickest(items, rows, vectors, turned, target)


def _gradient_item(rows: int, vectors: int, terms: int, count: int, target: CpuTarget) -> _Item:
    """The items of a data gradient. Each block of samples reads the whole weight; each block of columns reads all
    samples, which other threads may have computed (Zen 4, a GRU of 64 units, batch 16, two threads: blocks of columns
    take 1.12 of the time of blocks of samples)."""
    machine, team = target.machine, target.team
    if rows <= FEW or rows * vectors * terms < 2 * LEAST_WORK:
        tile = best_tile(rows, vectors, machine, max_columns=6 if rows <= FEW else WIDTH)
        return _Item(rows, tile, _share(vectors, tile, team))
    near, l3 = terms * vectors * machine.vector_bytes <= machine.l2.n_bytes, machine.caches[2].bytes_per_cycle
    read = vectors * machine.vector_bytes * (WAITED / machine.l2.bytes_per_cycle if near else 1 / l3)
    left = rows * machine.vector_bytes / count / l3
    most = max(1, min(team, rows // FEW, rows * vectors * terms // LEAST_WORK))
    items = [
        _Item(samples, tile, tiles)
        for n in range(1, most + 1)
        for samples in (-(-rows // n),)
        for tile in ranked_tiles(samples, vectors, machine, max_columns=WIDTH)
        for tiles in range(min(TILES, -(-vectors // tile.columns)), 0, -1)
    ]
    worth = [x for x in items if rows * vectors * terms >= LEAST_WORK * x.count(rows, vectors)]
    return _quickest(worth or [x for x in items if x.samples == rows], rows, vectors, read, target, left)


def _quickest(
    items: Sequence[_Item], rows: int, vectors: int, again: float, target: CpuTarget, left: float = 0.0
) -> _Item:
    """The item with which a team is done first. `again` and `left` are the cycles per term that a block of samples and
    a block of columns cost."""

    def cycles(item: _Item) -> float:
        samples, columns = axis_parts(rows, item.samples), axis_parts(vectors, item.tile.columns * item.tiles)
        sizes = [high * wide for high, n in samples for wide, m in columns for _ in range(n * m)]
        adds = sum(n * total_cost(high, vectors, item.tile, target.machine) for high, n in samples)
        adds *= rest_cost(item.samples, vectors, item.tile)
        costs = again * sum(n for _, n in samples) + left * sum(n for _, n in columns)
        return (adds + costs) * spread(sizes, target.team)

    return pick(*sorted(items, key=cycles)[:WORTH_TRYING])


def _streamed(l1: CacheLevel, pitch: int) -> int:
    """How many rows of the weight stream at once, so that L1 also holds the next line of each.

    >>> from mochac.codegen.machine import machine
    >>> [_streamed(machine("znver4", 64).l1, inputs * 4) for inputs in (1000, 512, 1024, 4096)]
    [32, 16, 8, 8]
    """
    return next((n for n in STREAMED if not clash(l1, n, 2 * LINE, pitch)), STREAMED[-1])


def _share(vectors: int, tile: RegisterTile, items: int) -> int:
    """Tiles of columns in an item, so that items are even: of 256 and 44 columns, one of two threads would be idle."""
    return max(1, -(-vectors // tile.columns) // items)


def _tiled(b: ScheduleBuilder, p: Product, tile: RegisterTile, count: int) -> tuple[Handle, ...]:
    """Make tiles; return the loops over tiles of rows, rows, tiles of columns, and vectors and lanes of columns."""
    b.reason = (
        "all tiles of rows use a tile of columns before the next one, so that what it reads of the weight stays near"
    )
    b.add(Reorder((p.column, p.row)))
    columns, some = b.split(p.column, tile.columns * count, "cut")
    vector, lane = lanes(b, some, count, "cut")
    ((rows, held),) = register_tile(b, (p.row, tile.rows))
    hold(b, vector)
    return rows, held, columns, vector, lane
