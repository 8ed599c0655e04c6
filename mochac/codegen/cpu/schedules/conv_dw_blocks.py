"""How a weight gradient is cut: tiles for the registers, blocks for the near cache.

The rule conv_dw asks. Both are lists, best first, so that a search may try what else fits. It writes no steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, prod

from mochac.codegen.cpu.schedules.conv_form import ConvForm, column_stride
from mochac.codegen.cpu.schedules.nests import accesses, block_lanes
from mochac.codegen.cpu.schedules.tiles import MIN_CYCLES, axis_parts
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.nest import extents
from mochac.ir.types import DTYPES

COLUMNS = 2
"""Output columns a turn of the inner loop takes."""
UNEVEN = 0.01
"""What a second size of tiles costs, in code and in calls of its loops."""
PASS = 0.08
"""What reading the gradients once more for another part of a filter's row costs."""
WORTH_TRYING = 6
LOAD_COST = 0.15
"""Cycles that a load costs beside what it does to the bound of its port."""
FETCH_CYCLES = 30
"""Arithmetic that hides the fetch of one vector from a far cache."""
MOST_STREAMED = 0.55
"""Vectors a cycle that the near cache delivers without holding up a tile."""
FIRST = 24
"""Part of the near cache that the first cache is."""


@dataclass(frozen=True)
class GradientTile:
    """filters x channels x taps accumulators, over `columns` of the output at once."""

    filters: int
    channels: int
    taps: int
    columns: int

    def registers(self) -> int:
        """Accumulators, a gradient of every filter, the input's vectors on their way, and one more."""
        return self.taps * self.filters * self.channels + self.filters + min(self.columns, self.taps) + 1


@dataclass(frozen=True)
class CacheBlocks:
    """Filters, channels and rows of the output that a block takes; `near`: tiles go over the batch themselves."""

    filters: int
    channels: int
    rows: int
    near: bool


def gradient_tiles(filters: int, channels: int, taps: int, width: int, registers: int) -> list[GradientTile]:
    """Tiles that fit the registers, the cheapest first; none if not even one tap fits.

    >>> gradient_tiles(256, 384, 3, 13, 32)[0], gradient_tiles(64, 256, 1, 14, 32)[0]
    (GradientTile(filters=4, channels=2, taps=3, columns=2), GradientTile(filters=4, channels=6, taps=1, columns=2))
    """
    parts = sorted({-(-taps // n) for n in range(1, taps + 1)}, reverse=True)
    fits = [
        tile
        for k in parts
        for f in range(1, min(filters, 10) + 1)
        for c in range(1, min(channels, 10) + 1)
        if (tile := GradientTile(f, c, k, min(COLUMNS, width))).registers() < registers
    ]

    def cost(tile: GradientTile) -> float:
        uneven = (filters % tile.filters > 0) + (channels % tile.channels > 0)
        passes = -(-taps // tile.taps)
        steps = sum(
            n * m * o * _cycles(f, c, k)
            for f, n in axis_parts(filters, tile.filters)
            for c, m in axis_parts(channels, tile.channels)
            for k, o in axis_parts(taps, tile.taps)
        )
        return round(steps * (1 + UNEVEN * uneven + PASS * (passes - 1)), 6)

    return sorted(fits, key=cost)[:WORTH_TRYING]


def _cycles(filters: int, channels: int, taps: int) -> float:
    """Cycles for one column of the output: two multiply-adds, or two loads, each."""
    loads = filters + channels * taps
    return max(filters * channels * taps / 2, loads / 2, MIN_CYCLES) + LOAD_COST * loads


def blocks_of(form: ConvForm, tile: GradientTile, target: CpuTarget) -> list[CacheBlocks]:
    """Blocks that the near caches hold: everything a tile reads, else accumulators and what it reads of some rows.

    Tiles go over the batch themselves where that is one block of samples, or where all samples' part of a tile stays in
    the first cache: else gradients come from the second again for every row of taps (LeNet's second convolution, batch
    64, reaches 84 % of the peak then, and 96 % with a block of samples outermost).
    """
    extent, sizes = extents(form.kernel), _sizes(form)
    taps = extent["kh"] * extent["kw"]
    reuse = taps * extent["oh"] * sizes.row / sizes.image  # of a vector of the input, by every filter
    filters = _multiple(extent[form.channel], tile.filters, ceil(2 * FETCH_CYCLES / reuse), even=bool(form.groups))
    near = CacheBlocks(filters, extent["ci"], extent["oh"], True)
    most = target.near_bytes // 4 // (filters * taps * sizes.vector)
    channels = max(d for d in range(1, extent["ci"] + 1) if extent["ci"] % d == 0 and (d <= most or d == 1))
    read = tile.filters + tile.channels * column_stride(form)
    streams = read / (tile.filters * tile.channels * tile.taps / 2) > MOST_STREAMED
    row = sizes.row * tile.filters + tile.channels * sizes.image // extent["oh"] if streams else sizes.row * filters
    rows = max(1, min(extent["oh"], (target.near_bytes // (FIRST if streams else 2)) // row))
    far = CacheBlocks(filters, channels, -(-extent["oh"] // -(-extent["oh"] // rows)), False)
    batch = -(-extent["n"] // block_lanes(form.kernel))
    images = tile.channels * sizes.image
    block = filters * sizes.row * extent["oh"] + images  # of samples; a tile comes back to it for every tap
    again = batch * (tile.filters * sizes.row * extent["oh"] + images)
    fits = block <= target.near_bytes // 2 if batch == 1 else again <= target.near_bytes // FIRST
    return [near, far] if fits and not streams else [far, near]


@dataclass(frozen=True)
class _Sizes:
    """Bytes of a vector, of a channel of the input, and of a row of a channel of the gradient."""

    vector: int
    image: int
    row: int


def _sizes(form: ConvForm) -> _Sizes:
    x = next(b for b, index, _ in accesses(form.kernel) if b.type.lanes and any(i.coefficient("kw") for i in index))
    vector = x.type.lanes * DTYPES[x.type.dtype].itemsize
    return _Sizes(vector, vector * prod(x.type.shape[2:]), vector * extents(form.kernel)["ow"])


def _multiple(extent: int, tile: int, enough: int, even: bool) -> int:
    """Filters of a block: about `enough`, whole tiles; blocks are as equal as that allows, or exactly if `even`."""
    if even:
        return next(d for d in range(min(extent, max(tile, enough)), extent + 1) if extent % d == 0)
    blocks = max(1, extent // max(tile, enough))
    return min(extent, -(-extent // blocks // tile) * tile)
