"""Block sizes of a convolution weight gradient: tiles for the registers, blocks for the caches, the tail of a batch.

Both factors of a product are vectors, so a tile of f filters and c channels loads f + c vectors for f*c multiply-adds.
Lanes hold partial sums, so the accumulators of a vector of 16 lanes take 16 times the memory of the results. The cost
of a block of filters and channels is counted in cycles of `target.machine`:

    issue     multiply-adds, or loads where these take longer; accumulators that a band of rows loads and stores
    near      what moves between L1 and L2: images, gradients, accumulators; arithmetic hides a part of it
    far       what comes from beyond L2; prefetches hide more of it

Threads share blocks of filters and channels; the time is a mean over teams of several sizes. Functions return lists,
best first, so that a search can try the others.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from math import log2, prod

from mochac.base.records import record
from mochac.base.threads import cached_property
from mochac.codegen.analysis.nests import float_dtype, read_once
from mochac.codegen.analysis.weight_gradient import WeightGradient
from mochac.codegen.combinators.tiles import columns_together
from mochac.codegen.cpu.schedules.blocking import ways
from mochac.codegen.cpu.schedules.picking import rank_by_cycles
from mochac.codegen.cpu.schedules.tail_cost import PACK_CYCLES, WORTH
from mochac.codegen.cpu.schedules.tiles import LOAD_COST, axis_parts, equal_parts, spread, waiting
from mochac.codegen.cpu.target import LEAST_TEAM, CpuTarget
from mochac.codegen.machine import Machine
from mochac.ir.nest import extents

COLUMNS = (2, 1)
"""Output columns per iteration of the inner loop. Two neighbours share what they read of an image, but take more
registers; on CPUs that load pairs, so many more that one column is best."""
UNEVEN = 0.01
"""Cost of a second tile size, for its code and for starting its loops."""
PASS = 0.08
"""Cost of reading the gradients again for another part of a filter's row."""
WORTH_TRYING = 6
"""Number of the best tiles, and of the best blocks, that a search tries."""
ALONE = 0.75
"""Additional cycles of an iteration with a single column, which pays for the loop overhead alone."""
MOST_PAIRS = 24
"""Maximum pairs of filters and channels for which all bands of rows are considered."""
MOVE = 2.5
"""Cycles to load and store an accumulator around the inner loops, including the start and end of these loops. Sapphire
Rapids: a tile of 20 accumulators takes 50 cycles more than its multiply-adds, however many these are."""
L2_SHARE = 1 / 4
"""Share of L2 for accumulators; operands stream through the rest."""
STREAMED = 0.4
"""Share of the time of reads from L2 that arithmetic does not hide, for operands, which are read in order. Sapphire
Rapids: CIFAR-10's first and second convolution lose 10 to 15 % if gradients come from L2 for each row of taps."""
SCATTERED = 0.5
"""This share for accumulators, which are read and written. It makes up 12 % of the time of a 3 x 3 filter of 64
channels on maps of 8 x 8."""
NOT_PREFETCHED = 0.8
"""This share for reads from beyond L2 without prefetches, such as those of gradients. Blocks of all filters and few
channels, each of which reads all gradients again, took 1.02 times as long (CIFAR-10's second convolution, 256 channels
on 8 x 8; Zen 4, busy). With 0.7, as in predictions of other kernels, images of 16 channels on 32 x 32 would not be
prefetched, which takes 1.035 times as long (same CPU)."""
PREFETCHED = 0.15
"""This share for images that are prefetched. It makes up 4 to 7 % of CIFAR-10's second convolution if each line of
the image serves one tile of filters instead of four."""
CACHE_MARGIN = 1.25
"""Ways of L1 that data needs in order to stay until it is read again, for each way that it fills: accumulators pass
through L1, too. Predicted numbers of lines differ by 29 % from those of an exact simulation; with 1.15 by 35 %, with
1.35 by 29 (blocks of three convolutions, L1 of 32 and 48 kB). The same factor holds for the operands of a block in L2,
which the next block reads again."""


@record
class GradientTile:
    """filters x channels x taps accumulators, for `columns` columns of the output at once."""

    filters: int
    channels: int
    taps: int
    columns: int

    @property
    def images(self) -> int:
        """Vectors of the image by which a column of the gradient is multiplied."""
        return self.channels * self.taps

    def registers(self) -> int:
        """Registers for the accumulators, for vectors that are used again and for vectors in flight.

        With a single column, the gradients or the image's vectors, whichever are fewer, are used again, and one vector
        of the others is in flight. With two columns, the gradients are used again, and more of the image is in flight.
        """
        sums = self.filters * self.images
        if self.columns == 1:
            return sums + min(self.filters, self.images) + 1
        return sums + self.filters + min(self.columns, self.taps) + 2

    def cycles(self, machine: Machine) -> float:
        """Cycles of one column: the longest of its multiply-adds, its loads and the latency of an accumulator, and what
        loads, waiting accumulators and a single column cost in addition."""
        adds, loads = self.filters * self.channels * self.taps, self.loads
        busy = adds / machine.multiply_adds
        longest = max(busy, loads / machine.loads, machine.latency)
        return longest + LOAD_COST * loads + waiting(busy, machine) + ALONE * (self.columns == 1)

    @property
    def loads(self) -> float:
        """Vectors loaded for one column; neighbouring columns share those of the image."""
        return self.filters + self.channels * (self.taps + self.columns - 1) / self.columns


@record
class CacheBlocks:
    """Filters, channels and output rows of a block.

    Attributes:
        batch_inner: whether each tile runs over the whole batch.
        packed: whether the samples that do not fill a vector are packed.
        prefetched: whether images of the next channels are prefetched from beyond L2; for filters of one tap, gradients
            of the next band, too.
    """

    filters: int
    channels: int
    rows: int
    batch_inner: bool
    packed: bool = False
    prefetched: bool = False


def gradient_tiles(filters: int, channels: int, taps: int, width: int, machine: Machine) -> list[GradientTile]:
    """Tiles that fit the registers, the cheapest first; empty if not even a single tap fits.

    >>> from mochac.codegen.machine import machine
    >>> m = machine("cascadelake", 64)
    >>> gradient_tiles(256, 384, 3, 13, m)[0], gradient_tiles(64, 256, 1, 14, m)[0]
    (GradientTile(filters=4, channels=2, taps=3, columns=2), GradientTile(filters=4, channels=6, taps=1, columns=2))
    """
    parts = sorted({-(-taps // n) for n in range(1, taps + 1)}, reverse=True)
    fits = [
        tile
        for k in parts
        for f in range(1, min(filters, 10) + 1)
        for c in range(1, min(channels, 10) + 1)
        for n in COLUMNS[machine.pairs :]
        if n <= width and (tile := GradientTile(f, c, k, n)).registers() <= machine.registers
    ]

    def cost(tile: GradientTile) -> float:
        uneven = (filters % tile.filters > 0) + (channels % tile.channels > 0)
        passes = -(-taps // tile.taps)
        steps = sum(
            n * m * o * GradientTile(f, c, k, tile.columns).cycles(machine)
            for f, n in axis_parts(filters, tile.filters)
            for c, m in axis_parts(channels, tile.channels)
            for k, o in axis_parts(taps, tile.taps)
        )
        return round(steps * (1 + UNEVEN * uneven + PASS * (passes - 1)), 6)

    return sorted(fits, key=cost)[:WORTH_TRYING]


def blocks_of(form: WeightGradient, tile: GradientTile, target: CpuTarget) -> list[CacheBlocks]:
    """Blocks, the cheapest first, with the tail of the batch padded or packed.

    Planes are computed for one tile of filters, and read for all channels.
    """
    cost = _Cost(form, tile, target)
    ranked = cost.ranked(LEAST_TEAM)
    if target.team > LEAST_TEAM:  # packing changes the order of sums, and so must not depend on the team
        packed = ranked[0].packed
        ranked = [blocks for blocks in cost.ranked(target.team) if blocks.packed == packed]
    return ranked[:WORTH_TRYING]


class _Cost:
    """The cost of blocks; sizes are counted in vectors."""

    def __init__(self, form: WeightGradient, tile: GradientTile, target: CpuTarget) -> None:
        extent, machine = extents(form.kernel), target.machine
        self.form, self.tile, self.machine = form, tile, machine
        self.lanes = target.lanes(float_dtype(form.kernel))
        self.filters, self.depth, self.batch = (extent[loop] for loop in (form.filter, form.channel, form.batch))
        self.groups = prod(extent[loop] for loop in form.groups)
        self.height = extent[form.rows[0]] if form.rows else 1
        self.columns = extent[form.column]
        self.row = self.columns * prod(extent[loop] for loop in form.rows[1:])
        self.width = extent[form.taps[-1]]
        self.taps = prod(extent[loop] for loop in form.taps)
        self.one_tap = form.one_tap
        self.overlap = extent[form.taps[0]] - 1 if form.rows else 0
        self.image = prod(form.kernel.buffers()[form.image].type.shape[2:])
        self.samples = self.batch % self.lanes
        self.together = columns_together(form.kernel, self.batch, self.lanes)
        self.l2 = machine.l2.n_bytes // machine.vector_bytes
        self.delays = [machine.vector_bytes / level.bytes_per_cycle for level in machine.caches[1:3]]
        operands = self.depth * self.image + self.filters * self.height * self.row
        self.far = self._beyond_l2(self.groups * -(-self.batch // self.lanes) * operands)

    # -- candidates

    def ranked(self, team: int) -> list[CacheBlocks]:
        """All blocks, the best first for a team of so many threads."""
        spreads = {pair: self.spread(*pair, team) for pair in self._pairs()}
        return rank_by_cycles(
            (spread * cycles, spread * moved, blocks)
            for cycles, moved, blocks in self._options
            for spread in (spreads[blocks.filters, blocks.channels],)
        )

    @cached_property
    def _options(self) -> list[tuple[float, float, CacheBlocks]]:
        """All blocks, with the cycles of one thread, and the cycles of what it moves."""
        return [
            (cycles + self.join(f, c) + (self.tail(f, c) if packed else 0), moved, blocks)
            for f, c in self._pairs()
            for packed in ((False, True) if self._may_pack() else (False,))
            for cycles, moved, blocks in self._full(f, c, packed)
        ]

    def _pairs(self) -> list[tuple[int, int]]:
        """Filters and channels: the largest blocks whose accumulators stay in L2."""
        if self.form.plane:
            return [(min(self.tile.filters, self.filters), self.depth)]
        pairs = sorted(itertools.product(self._filter_blocks(), self._channel_blocks()), key=prod, reverse=True)
        fit = [pair for pair in pairs if prod(pair) * self.taps <= L2_SHARE * self.l2]
        return fit[:MOST_PAIRS] or pairs[-1:]

    def _full(self, f: int, c: int, packed: bool) -> Iterator[tuple[float, float, CacheBlocks]]:
        """Ways to go over the full blocks of samples, with their cycles, and the cycles of what they move."""
        count = self.batch // self.lanes + (self.samples > 0 and not packed)
        if not count:
            yield 0.0, 0.0, CacheBlocks(f, c, self.height, False, packed)
            return
        steps = self.steps(f, c)
        at_once = form.plane_rows if (form := self.form).plane else 1
        bands = [rows for rows in equal_parts(self.height) if rows % at_once == 0]
        for prefetched in (True, False) if self._may_prefetch(c) else (False,):
            for rows in bands or equal_parts(self.height):
                blocks = CacheBlocks(f, c, rows, False, packed, prefetched)
                yield *self.outer(blocks, steps, count), blocks
            if not self.form.plane and not (prefetched and self.one_tap):
                blocks = CacheBlocks(f, c, self.height, True, packed, prefetched)
                yield *self.inner(blocks, steps, count), blocks

    def _filter_blocks(self) -> list[int]:
        """Numbers of filters in a block: whole tiles; in groups, all blocks are equal."""
        if self.form.groups:
            least = min(self.filters, self.tile.filters)
            return [d for d in range(least, self.filters + 1) if self.filters % d == 0]
        tiles = -(-self.filters // self.tile.filters)
        return [min(self.filters, n * self.tile.filters) for n in equal_parts(tiles)]

    def _channel_blocks(self) -> list[int]:
        """Numbers of channels in a block: blocks are equal, and consist of whole tiles if possible."""
        equal = [n for n in equal_parts(self.depth) if self.depth % n == 0]
        return [d for d in equal if d % self.tile.channels == 0] or [d for d in equal if d >= self.tile.channels]

    def _may_prefetch(self, c: int) -> bool:
        """Whether blocks of c channels may prefetch: what several taps read of the image, or of filters of one tap, the
        gradients of the next band, too."""
        several = self.tile.taps > 1 or (self.one_tap and bool(self.form.rows) and not self.form.plane)
        return self.far and several and self.tile.channels < c

    def _may_pack(self) -> bool:
        form = self.form
        once = all(read_once(form.kernel, name) for name in (form.image, form.gradient))
        return bool(self.samples) and not form.plane and once

    # -- cycles

    def spread(self, f: int, c: int, team: int) -> float:
        """Time of all blocks on several threads, in times of one block; a mean over teams."""
        count = self.groups * (self.depth // c)
        items = [1.0] * (self.filters // f * count) + [self.filters % f / f] * count
        return spread(items, team) * sum(items)

    def steps(self, f: int, c: int) -> float:
        """Cycles of one column of all tiles of a block."""
        return (self.taps // self.width) * sum(
            n * m * o * GradientTile(rows, columns, k, self.tile.columns).cycles(self.machine)
            for rows, n in axis_parts(f, self.tile.filters)
            for columns, m in axis_parts(c, self.tile.channels)
            for k, o in axis_parts(self.width, self.tile.taps)
        )

    def outer(self, of: CacheBlocks, steps: float, count: int) -> tuple[float, float]:
        """Cycles, and cycles of what is moved, with the loop over the batch outside of tiles: accumulators wait in
        scratch memory between bands of rows."""
        bands = count * self.height / of.rows
        gradient = of.rows * self.row
        image = self.image * (of.rows + self.overlap) / (self.height + self.overlap)
        near = bands * self._near(of, 1, gradient, image)
        stored = count * -(-self.height // of.rows) * of.filters * of.channels * self.taps
        far = (bands * vectors for vectors in self._far(of, count, gradient, image))
        return self._cycles(of, bands * steps * gradient + MOVE * stored, near, stored, *far)

    def inner(self, of: CacheBlocks, steps: float, count: int) -> tuple[float, float]:
        """Like `outer`, with the loop over the batch inside of tiles: accumulators stay in registers."""
        gradient, image = count * self.height * self.row, count * self.image
        near = self._near(of, count, self.height * self.row, self.image)
        return self._cycles(of, steps * gradient, near, 0, *self._far(of, count, gradient, image))

    def _cycles(
        self, of: CacheBlocks, busy: float, near: float, stored: float, gradients: float, images: float
    ) -> tuple[float, float]:
        """Cycles of arithmetic and waiting; cycles of moving if nothing were hidden.

        Args:
            near, stored: vectors from L2; accumulators that leave L1 and return.
            gradients, images: vectors from beyond L2.
        """
        l2, l3 = self.delays
        moved = l3 * (gradients + images)
        images *= PREFETCHED if of.prefetched else NOT_PREFETCHED
        gradients *= PREFETCHED if of.prefetched and self.one_tap else NOT_PREFETCHED
        far = gradients + images
        waits = min(1.0, self.machine.multiply_adds / 2) * l2 * (STREAMED * near + 2 * SCATTERED * stored) + l3 * far
        return busy + waits, l2 * (near + 2 * stored) + moved

    def _far(self, of: CacheBlocks, count: int, gradient: float, image: float) -> tuple[float, float]:
        """Vectors of gradients and of images that come from beyond L2: all for the first block that reads them, and for
        the others what L2 has lost since. The next tile of channels and the next block read the same gradients; images
        are read again after all channels.

        Args:
            count: number of blocks of samples.
            gradient, image: vectors that are read of a filter and of a channel.
        """
        if not self.far:
            return 0.0, 0.0
        f, c = of.filters, of.channels

        def share(blocks: float, channels: int) -> float:
            """The share that is read, on average, by this many blocks, which read images of this many channels between
            two reads."""
            between = count * (f * self.height * self.row + channels * self.image) + f * c * self.taps
            lost = min(1.0, max(0.0, CACHE_MARGIN * between / self.l2 - 1))
            return (1 + lost * (blocks - 1)) / blocks

        gradients = f * gradient * share(self.depth / c, c)
        if self._beyond_l2(f * gradient + self.tile.channels * image):
            gradients += (-(-c // self.tile.channels) - 1) * f * gradient
        return gradients, c * image * share(self.filters / f, self.depth)

    def _near(self, of: CacheBlocks, blocks: int, gradient: float, image: float) -> float:
        """Vectors that come from L2: filters' gradients and channels' images, for each tile that misses them in L1.

        Args:
            blocks: number of blocks of samples.
            gradient, image: vectors of a filter and of a channel in each block of samples.
        """
        tile, turns = self.tile, self.taps // self.tile.taps
        f, c, fetches = of.filters, of.channels, of.prefetched
        tiles, again = -(-f // tile.filters), -(-c // tile.channels)
        a_filter = self._ways(blocks, gradient, self.height * self.row)
        a_tile = tile.channels * self._ways(blocks, image, self.image)
        ahead = a_tile * fetches / 2  # on average, of what one row of taps after the other fetches
        own = tile.filters * a_filter + a_tile
        last = self._missed(own + ahead)
        lost = ((tiles - 1) * self._missed(own) + last) / tiles
        lost_block = self._missed(f * a_filter + a_tile + ahead)
        gradients = f * gradient * (1 + lost_block * (again - 1) + lost * again * (turns - 1))
        images = c * image * (1 + lost * (tiles * turns - 1) + fetches * last * (turns - 1))
        return blocks * (gradients + images)

    def _beyond_l2(self, vectors: float) -> bool:
        return self.machine.beyond_l2(vectors * self.machine.vector_bytes)

    def _ways(self, planes: float, part: float, whole: float) -> float:
        """Ways of L1 that parts of some planes take; the parts lie as far apart as whole planes."""
        size = self.machine.vector_bytes
        return ways(self.machine.l1, planes, part * size, round(whole) * size)

    def _missed(self, used: float) -> float:
        """The share of data in this many ways that L1 no longer holds when it is read again."""
        return min(1.0, max(0.0, CACHE_MARGIN * used / self.machine.l1.ways - 1))

    def join(self, f: int, c: int) -> float:
        """Cycles of adding up the lanes: of as many sums of a filter at once as a vector has lanes."""
        return f * -(-c * self.taps // self.lanes) * self.lanes * log2(self.lanes) / self.machine.shuffles

    def tail(self, f: int, c: int) -> float:
        """Cycles of packing the samples that do not fill a vector, and of their products."""
        pieces = (1 if self.samples & (self.samples - 1) == 0 else 2) / self.together
        image = self.image * max(1.0, self.width / self.form.stride) if self.form.stride > 1 else self.image
        packing = PACK_CYCLES * pieces * (f * self.height * self.row + c * image)
        vectors = self.height * self.row // self.columns * -(-self.columns * self.samples // self.lanes)
        return (packing + self.steps(f, c) * vectors) / WORTH
