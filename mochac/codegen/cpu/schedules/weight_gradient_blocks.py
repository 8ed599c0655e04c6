"""Block sizes of a convolution weight gradient: tiles for the registers, blocks for the caches.

Both functions return lists, best first, so that a search can try what else fits.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, prod

from mochac.codegen.analysis.nests import block_lanes
from mochac.codegen.analysis.weight_gradient import WeightGradient
from mochac.codegen.cpu.schedules.tiles import axis_parts, step_cost
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.machine import Machine
from mochac.ir.nest import extents

COLUMNS = 2
"""Output columns per iteration of the inner loop."""
UNEVEN = 0.01
"""Cost of a second tile size, in code and in calls of its loops."""
PASS = 0.08
"""Cost of reading the gradients once more for another part of a filter's row."""
WORTH_TRYING = 6
FETCH_CYCLES = 30
"""Cycles of arithmetic that hide the fetch of one vector from beyond L2."""
MOST_STREAMED = 0.55
"""Vectors per cycle that L2 delivers without slowing down a tile."""
ITEMS = 4
"""Blocks of filters for threads to share where every one of them packs the images."""
L1_SHARE = 24
"""`near_bytes` is this many times the size of L1."""


@dataclass(frozen=True)
class GradientTile:
    """filters x channels x taps accumulators, for `columns` columns of the output at once."""

    filters: int
    channels: int
    taps: int
    columns: int

    def registers(self) -> int:
        """Registers for the accumulators, one gradient per filter and the input vectors in flight, plus one."""
        return self.taps * self.filters * self.channels + self.filters + min(self.columns, self.taps) + 1


@dataclass(frozen=True)
class CacheBlocks:
    """Filters, channels and output rows of a block; `batch_inner`: every tile runs over the whole batch."""

    filters: int
    channels: int
    rows: int
    batch_inner: bool


def gradient_tiles(filters: int, channels: int, taps: int, width: int, core: Machine) -> list[GradientTile]:
    """Tiles that fit the registers, the cheapest first; empty if not even a single tap fits.

    >>> from mochac.codegen.machine import machine
    >>> gradient_tiles(256, 384, 3, 13, machine("cascadelake", 64))[0]
    GradientTile(filters=4, channels=2, taps=3, columns=2)
    """
    parts = sorted({-(-taps // n) for n in range(1, taps + 1)}, reverse=True)
    fits = [
        tile
        for k in parts
        for f in range(1, min(filters, 10) + 1)
        for c in range(1, min(channels, 10) + 1)
        if (tile := GradientTile(f, c, k, min(COLUMNS, width))).registers() < core.registers
    ]

    def cost(tile: GradientTile) -> float:
        uneven = (filters % tile.filters > 0) + (channels % tile.channels > 0)
        passes = -(-taps // tile.taps)
        steps = sum(
            n * m * o * step_cost(f, c * k, core)  # cycles per output column
            for f, n in axis_parts(filters, tile.filters)
            for c, m in axis_parts(channels, tile.channels)
            for k, o in axis_parts(taps, tile.taps)
        )
        return round(steps * (1 + UNEVEN * uneven + PASS * (passes - 1)), 6)

    return sorted(fits, key=cost)[:WORTH_TRYING]


def blocks_of(form: WeightGradient, tile: GradientTile, target: CpuTarget, packed: bool) -> list[CacheBlocks]:
    """Blocks that fit the caches: for everything a tile reads, or for the accumulators and some rows of what it reads.

    A tile runs over the whole batch if that is one block of samples, or if its part of all samples stays in L1.
    Otherwise the gradients come from L2 again for every row of taps: LeNet's second convolution with batch 64 then
    reaches 84 % of the peak, and 96 % with a loop over blocks of samples outermost.
    Planes are computed for one tile of filters, and read for all channels.
    """
    extent = extents(form.kernel)
    depth, height = extent[form.channel], extent[form.rows[0]] if form.rows else 1
    image, vector = form.kernel.buffers()[form.image].type, target.vector_bytes
    image_bytes = vector * prod(image.shape[2:])
    row_bytes = vector * prod(extent[loop] for loop in (*form.rows[1:], form.column))
    taps = prod(extent[loop] for loop in form.taps)
    reuse = taps * height * row_bytes / image_bytes  # of a vector of the input, by every filter
    enough = max(ceil(2 * FETCH_CYCLES / reuse), least_filters(form) if packed else 1)
    filters = _multiple(extent[form.filter], tile.filters, enough, even=bool(form.groups))
    most = target.near_bytes // 4 // (filters * taps * vector)
    channels = max(d for d in range(1, depth + 1) if depth % d == 0 and (d <= most or d == 1))
    inner = CacheBlocks(filters, depth, height, True)
    if form.plane:
        filters, channels = min(tile.filters, extent[form.filter]), depth
    read = tile.filters + tile.channels * form.stride
    streams = bool(form.plane) or read / (tile.filters * tile.channels * tile.taps / 2) > MOST_STREAMED
    row = row_bytes * tile.filters + tile.channels * image_bytes // height if streams else row_bytes * filters
    rows = max(1, min(height, (target.near_bytes // (L1_SHARE if streams else 2)) // row))
    outer = CacheBlocks(filters, channels, -(-height // -(-height // rows)), False)
    if form.plane:
        return [outer]
    batch = max(1, extent[form.batch] // image.lanes if packed else -(-extent[form.batch] // image.lanes))
    images = tile.channels * image_bytes
    block = filters * row_bytes * height + images  # of samples; a tile comes back to it for every tap
    again = batch * (tile.filters * row_bytes * height + images)
    fits = block <= target.near_bytes // 2 if batch == 1 else again <= target.near_bytes // L1_SHARE
    return [inner, outer] if fits and not streams else [outer, inner]


def least_filters(form: WeightGradient) -> int:
    """Minimum filters of a block if the tail is packed: more than one tile only if all samples are the tail."""
    extent = extents(form.kernel)
    return -(-extent[form.filter] // ITEMS) if extent[form.batch] < block_lanes(form.kernel) else 1


def _multiple(extent: int, tile: int, enough: int, even: bool) -> int:
    """Filters of a block: whole tiles, about `enough` filters; blocks as equal as possible, or equal if `even`."""
    if even:
        return next(d for d in range(min(extent, max(tile, enough)), extent + 1) if extent % d == 0)
    blocks = max(1, extent // max(tile, enough))
    return min(extent, -(-extent // blocks // tile) * tile)
