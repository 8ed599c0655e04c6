"""Whether a convolution is faster by tiles (ops/_winograd.py), and with how many results: by the model of the core.

Cycles are counted for a block of samples. Directly, a convolution takes its products that do not touch padding. By
tiles, it takes the products of a tile, in the register tiles that suit a row of them, and both transforms: each the
longest of its arithmetic, its loads and its stores, with those of values that registers have no room for. Tiles and
their products cross between L1 and L2. Rates are those of the kind of CPU, so that a CPU of a kind computes the same
bits everywhere.

Lines of tiles between the passes of a transform (ops/_winograd.py): in registers, or in scratch memory if too many.

    each line unroll { .. tile[0, line] = .. }      ->      each line { .. tile[0, line] = .. }
    each column unroll { .. = tile[column, 0] .. }          each column { .. = tile[column, 0] .. }

Of 8 x 8 values, 32 registers would spill half. Loops take as long as unrolled code that spills them, 0.93 to 1.01 of
the time on Zen 5 for LeNet and CIFAR-10 and 0.96 to 1.02 with AVX2, and LLVM compiles a weight gradient in half the
time. With 6 x 6 values, they take up to 1.09 times as long.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from math import log2, prod

from mochac.base.records import record
from mochac.codegen.cpu.schedules.tiles import least_cost, least_tile, spread
from mochac.codegen.cpu.target import LEAST_TEAM, CpuTarget
from mochac.codegen.machine import Machine, with_rates_of
from mochac.ir.kernel import Accum, Load, Store, walk
from mochac.ir.ops._window import Correlation, Sizes, Tiles
from mochac.ir.ops._winograd import MAX_CELLS, Tiling, operations
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.run import Place, Unroll
from mochac.ir.types import DTYPES

RESULTS = (2, 4)
"""Results of a tile along an axis that keep rounding errors within the bound (docs/guide/performance.md). So do 6 for 3
taps, whose transforms take longer than what products save: 64 channels of 112 x 112 take 1.11 of the time forward and
0.92 in the weight gradient (Zen 4, one thread, batch 16)."""
WORTH = 0.7
"""Share of the cycles of the direct convolution that tiles may take at most: it may share its kernel with a pooling,
and rounds less."""
ROUND = 5
"""Cycles to round a vector of pairs and to store it: 4.3 to 5.4 from L1 and L2 (Zen 4)."""
SHORT = 4
"""Cycles to begin a register tile: its addresses, and sums that are 0."""
ABOUT = 1.1
"""Blocks that take at most this many times the cycles of the quickest count as equally quick."""
LEAST = 2
"""Tiles of a block: with fewer, a register tile has a single column."""
ROOM = 0.25
"""Share of L2 for the transformed values of a block; the rest is for the filters, and for what is prefetched. With
blocks of 2 tiles instead of 8, a data gradient of 16 channels on 32 x 32 whose epilogue reads another image takes 0.88
of the time (Zen 5, one thread, batch 128)."""
TRANSPOSE = 1
"""Shuffles of a vector for each time that a square of lanes is halved, to transpose it."""
OVERLAP = 1.1
"""Times as long as counted that tiles which overlap take, beside others: 0.96 to 1.13 times, for five layers of 3 x 3
and 5 x 5 taps (Zen 5, one thread)."""
BESIDE = 4
"""Registers for what is computed while those of a pass over a tile hold its lines."""


@lru_cache(maxsize=1024)
def tiles_of(c: Correlation, target: CpuTarget, paired: bool = False) -> Tiles | None:
    """The tiles that are computed fastest, for any number of threads; None if the direct convolution is faster.

    Args:
        paired: whether the factors of the direct convolution are pairs of bfloat16; those of tiles are not.

    >>> layer = Correlation(128, 32, 32, (16, 16), (16, 16), (3, 3), (1, 1), 16)
    >>> tiles_of(layer, CpuTarget.of("znver4", 64))
    Tiles(sizes=(4, 4), adjoint=False)
    >>> gradient = Correlation(64, 50, 20, (8, 8), (12, 12), (5, 5), (4, 4), 16, "data")
    >>> tiles_of(gradient, CpuTarget.of("znver4", 64))
    Tiles(sizes=(4, 4), adjoint=True)
    """
    of_weights = c.made == "weights"
    if c.lanes > target.lanes("f32") or (of_weights and 1 in (c.channels, c.batch)):
        return None
    target = replace(target, team=LEAST_TEAM)
    options = [Tiling(tuple(m if r > 1 else 1 for r in c.kernel), c.kernel) for m in RESULTS]
    fitting = [t for t in options if max(t.cells) <= MAX_CELLS and prod(t.tile) > 1]
    cycles = {Tiles(t.tile): (gradient_cycles if of_weights else tiled_cycles)(c, t, target) for t in fitting}
    if c.made == "data":
        cycles |= {Tiles(t.tile, adjoint=True): OVERLAP * adjoint_cycles(c, t, target) for t in fitting}
    best = min(cycles, key=lambda tiles: cycles[tiles], default=None)
    most = WORTH * direct_cycles(c, target.machine)
    if paired and target.machine.pair_products:
        most = min(most, paired_cycles(c, target.machine))
    return best if best and cycles[best] < most else None


def direct_cycles(c: Correlation, core: Machine) -> float:
    """Cycles of the direct convolution of a batch. Where samples fill a part of a vector, columns fill the rest."""
    rows = prod(c.terms(axis) for axis in range(len(c.out) - 1))
    along = c.terms(len(c.out) - 1) / c.out[-1]
    return c.batch / _lanes(core) * c.channels * rows * along * least_cost(c.filters, c.out[-1], core)


def _lanes(core: Machine) -> int:
    """Lanes of a vector."""
    return core.vector_bytes // DTYPES["f32"].itemsize


def _part(lanes: int, core: Machine) -> Machine:
    """The rates of vectors of the samples of a block, which may be a part of a vector."""
    return core if lanes == _lanes(core) else with_rates_of(core, core.vector_bytes // 2)


def paired_cycles(c: Correlation, core: Machine) -> float:
    """Cycles of the direct convolution of a batch with pairs of bfloat16, and of rounding the image."""
    products = direct_cycles(c, core) * core.multiply_adds / core.pair_products / 2
    return products + c.batch / c.lanes * c.channels * prod(c.image) / 2 * ROUND


def tiled_cycles(c: Correlation, t: Tiling, target: CpuTarget) -> float:
    """Cycles of the convolution of a batch by tiles, with the transform of its filters."""
    core, counts = target.machine, t.counts(c.out)
    work = TiledProducts(c.lanes, t.products, c.channels, c.filters, counts, -(-c.batch // c.lanes))
    tiles, part = prod(blocks(work, target)[0]), _part(c.lanes, core)
    transforms = c.channels * transform_cycles(t, "B'", part) + c.filters * transform_cycles(t, "A'", part)
    return work.samples * prod(counts) * (work.cycles(tiles, core) + transforms) + _filter_cycles(c, t, core)


def adjoint_cycles(c: Correlation, t: Tiling, target: CpuTarget) -> float:
    """Cycles of the data gradient of a batch by tiles of the gradient that it reads: all tiles of an image are a block,
    and images are set to 0, added to and read again."""
    core, counts = target.machine, t.counts(c.image)
    work = TiledProducts(c.lanes, t.products, c.channels, c.filters, counts, -(-c.batch // c.lanes))
    part = _part(c.lanes, core)
    transforms = c.channels * transform_cycles(t, "A", part) + c.filters * transform_cycles(t, "B", part)
    images = c.filters * prod(c.out) * (1 / core.loads + 2 / core.stores)
    block = prod(counts) * (work.cycles(prod(counts), core) + transforms) + images
    return work.samples * block * spread([1.0] * work.samples, target.team) + _filter_cycles(c, t, core)


def _filter_cycles(c: Correlation, t: Tiling, core: Machine) -> float:
    """Cycles to transform all filters."""
    vectors = c.channels * c.filters / _lanes(core)
    return vectors * (transform_cycles(t, "G", core) + _lanes(core) * prod(c.kernel) / core.loads)


def gradient_cycles(c: Correlation, t: Tiling, target: CpuTarget) -> float:
    """Cycles of the weight gradient of a batch by tiles. The image is transposed, so that lanes are channels."""
    core, counts = target.machine, t.counts(c.out)
    vectors = -(-c.channels // _lanes(core))
    channels = vectors * _lanes(core)
    work = TiledSums(c.lanes, t.products, channels, c.filters, counts)
    transposed = channels * prod(c.image) * TRANSPOSE * log2(c.lanes) / core.shuffles
    transforms = c.lanes * vectors * transform_cycles(t, "B'", core)
    transforms += c.filters * transform_cycles(t, "A", _part(c.lanes, core))
    products = t.products * c.lanes * least_cost(c.filters, vectors, core)
    moved = work.cycles(prod(sum_blocks(work, core)[0]), core)
    return -(-c.batch // c.lanes) * (transposed + prod(counts) * (transforms + products + moved))


@record
class TiledWork:
    """What products between transforms of tiles read and add up.

    Attributes:
        lanes: samples of a block.
        products: of a tile, for each channel and filter.
        channels: of a weight gradient, whole vectors of them.
        counts: tiles along each axis.
    """

    lanes: int
    products: int
    channels: int
    filters: int
    counts: Sizes

    @property
    def tile_bytes(self) -> int:
        """Transformed values of a tile of both sides, for all samples of a block."""
        return (self.channels + self.filters) * self.products * self.lanes * DTYPES["f32"].itemsize

    @property
    def filter_bytes(self) -> int:
        """All transformed filters, or the sums of a weight gradient."""
        return self.products * self.channels * self.filters * DTYPES["f32"].itemsize


@record
class TiledProducts(TiledWork):
    """The products of a convolution by tiles; `samples`: blocks of samples."""

    samples: int

    def cycles(self, tiles: int, core: Machine) -> float:
        """Cycles of the products of a tile, in blocks of so many: transformed values of a block go to the nearest cache
        with room for them and come back; all filters are read once for each block, from the nearest cache that holds
        them. That counts though they are prefetched, since other threads read them, too."""
        read = self.filter_bytes / _nearest(self.filter_bytes, core)
        moved = 2 * self.tile_bytes * _cycles_per_byte(tiles * self.tile_bytes, ROOM, core)
        return (self.products * self._product_cycles(tiles, core) + read) / tiles + moved

    def _product_cycles(self, tiles: int, core: Machine) -> float:
        """Cycles of one product of each tile of a block: the sums over channels, and for each register tile the stores
        of its results and the end of its loop. Vectors hold the samples of several tiles if those of a tile are few."""
        together = _lanes(core) // self.lanes
        vectors = -(-tiles // together) if tiles >= together else tiles
        tile = least_tile(self.filters, vectors, core)
        count = -(-self.filters // tile.rows) * -(-vectors // tile.columns)
        ends = count * (core.restart + SHORT) + self.filters * vectors / core.stores
        return self.channels * least_cost(self.filters, vectors, core) + ends


@record
class TiledSums(TiledWork):
    """The sums of a weight gradient by tiles."""

    def cycles(self, tiles: int, core: Machine) -> float:
        """Cycles of a tile in blocks of so many, beside those of its transforms and products: its transformed values go
        to the nearest cache with room for those of a block and come back; all sums are loaded and stored once for each
        block, in the nearest cache that holds them."""
        size = self.filter_bytes
        vectors = size / core.vector_bytes
        cycles = max(vectors * (1 / core.stores + 1 / core.loads), 2 * size / _nearest(size, core))
        return cycles / tiles + 2 * self.tile_bytes * _cycles_per_byte(tiles * self.tile_bytes, 1.0, core)


@lru_cache(maxsize=1024)
def sum_blocks(work: TiledSums, core: Machine) -> list[tuple[int, int]]:
    """Rows and columns of tiles that are transformed before they are multiplied, the best first; of those that are
    about equally quick, the smallest.

    >>> core = CpuTarget.of("znver4", 64).machine
    >>> [sum_blocks(TiledSums(16, 36, n, n, (size, size)), core)[0] for n, size in ((64, 28), (64, 2), (512, 4))]
    [(1, 7), (2, 2), (4, 4)]
    """

    def cost(block: tuple[int, int]) -> float:
        return work.cycles(prod(block), core)

    return _ranked(work.counts, LEAST, cost)


def _nearest(size: int, core: Machine) -> float:
    """Bytes per cycle of the nearest cache that holds so many, or of memory."""
    rates = (level.bytes_per_cycle for level in core.caches if level.n_bytes >= size)
    return next(rates, core.memory_bytes_per_cycle)


@lru_cache(maxsize=1024)
def blocks(work: TiledProducts, target: CpuTarget) -> list[tuple[int, int]]:
    """Rows and columns of tiles of a block, the best first: a part of a row of tiles, or several rows. Larger blocks
    read filters less often, but caches may not hold their tiles, and threads may not share them evenly; of those that
    are about equally quick, the smallest is the best.

    >>> blocks(TiledProducts(16, 36, 32, 32, (4, 4), 8), CpuTarget.of("znver5", 64))[0]
    (1, 2)
    >>> blocks(TiledProducts(16, 36, 512, 512, (2, 2), 4), CpuTarget.of("znver5", 64))[0]
    (2, 2)
    """

    def cost(block: tuple[int, int]) -> float:
        size = prod(block)
        items = work.samples * prod(work.counts) // size
        return work.cycles(size, target.machine) * spread([1.0] * items, target.team)

    return _ranked(work.counts, LEAST * _lanes(target.machine) // work.lanes, cost)


def _ranked(counts: Sizes, least_tiles: int, cost: Callable[[tuple[int, int]], float]) -> list[tuple[int, int]]:
    """Blocks of parts of a row of tiles, or of several rows, the best first; of those about as good, the smallest."""
    *_, rows, columns = (1, *counts)
    options = [(1, n) for n in _divisors(columns) if n >= min(least_tiles, columns)]
    options += [(n, columns) for n in _divisors(rows) if n > 1]
    least = min(map(cost, options))
    return sorted(options, key=lambda block: (max(ABOUT * least, cost(block)), prod(block)))


def _cycles_per_byte(size: int, share: float, core: Machine) -> float:
    """Cycles to move a byte of so many, which are stored and read one after another: as many as a share of L2 has room
    for stay there, the next ones in L3."""
    near, far = core.caches[1:3]
    beyond, memory = (max(0.0, 1 - room / size) for room in (share * near.n_bytes, far.n_bytes))
    rates = (near.bytes_per_cycle, far.bytes_per_cycle, core.memory_bytes_per_cycle)
    return sum(share / rate for share, rate in zip((1 - beyond, beyond - memory, memory), rates, strict=True))


def _divisors(n: int) -> list[int]:
    return [k for k in range(1, n + 1) if n % k == 0]


@lru_cache(maxsize=256)
def transform_cycles(t: Tiling, name: str, core: Machine) -> float:
    """Cycles of a transform of one tile of vectors.

    A pass along an axis holds its results until the next one reads them; those beyond the registers are stored and
    loaded again.
    """
    matrices = t.matrices(name)
    read, results = prod(len(m[0]) for m in matrices), prod(len(m) for m in matrices)
    computed = spilled = 0
    sizes = [len(m[0]) for m in matrices]
    for axis, m in enumerate(matrices):
        computed += operations(m) * prod(sizes) // sizes[axis]
        sizes[axis] = len(m)
        live = prod(sizes)
        if max(len(m), len(m[0])) > 1 and axis < len(matrices) - 1:
            spilled += live if in_memory(live, core.registers) else max(0, live + BESIDE - core.registers)
    copied = read if name == "B'" else 0  # into rows with zeros around them
    added = results if name == "B" else 0  # to an image
    loads, stores = read + copied + added + spilled, results + copied + spilled
    return max(computed / core.multiply_adds, loads / core.loads, stores / core.stores)


MOST = 2
"""Tiles of so many values per register, or more, lie in memory."""


def in_memory(values: int, registers: int) -> bool:
    """Whether a tile with so many values, each a vector, lies in scratch memory.

    >>> in_memory(8 * 8, 32), in_memory(6 * 6, 32)
    (True, False)
    """
    return values >= MOST * registers


def tile_lines(b: ScheduleBuilder, lines: tuple[str, ...], tiles: tuple[str, ...], registers: int) -> None:
    """Keep tiles in registers and unroll the loops over their lines, but for tiles with too many values. Loops that add
    to an image are unrolled in any case: as loops, an adjoint takes 1.15 times as long.

    Args:
        lines: the loops over lines of tiles.
        tiles: locals with the lines of a tile. Their last axis is that of the lanes.
    """
    buffers = b.kernel.buffers()
    large = {name for name in tiles if in_memory(prod(buffers[name].type.shape[:-1]), registers)}
    accesses = [s for s in walk(b.kernel.body) if isinstance(s, (Load, Store, Accum))]
    small = {*tiles} - large
    fixed = {v for s in accesses if isinstance(s, Accum) or s.buffer in small for i in s.index for v in i.vars}
    b.reason = "a line of a tile stays in registers"
    b.add(*(Unroll(line) for line in lines if line in fixed))
    b.add(*(Place(name, "register") for name in tiles if name not in large))
