"""image_order: the order of the tiles of a row of results, and how many channels of the image they sum at a time.

    channels first     for c-tile, column-tile:  acc over depth and taps     the rows of the image are read per c-tile
    columns first      for column-tile, c-tile:  acc over depth and taps     the filters are read per column-tile
    in blocks          for block of depth:  for c-tile, column-tile:  acc over the block and taps

Whatever stays in L1 for the next tile is read once. A block has so few channels of the image that its rows do, and
accumulators wait in scratch memory between blocks. The order with the least time for what does not stay near is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from mochac.codegen.machine import Machine

FILLED = 0.75
"""Share of L1 that what is kept there may fill: tiles pass through the rest."""
LEAST_TERMS = 64
"""Terms of a block: a tile loads and stores its accumulators once in that many multiply-adds each."""
STREAMS = 4
"""Filters from beyond L2 cost this many times as much as rows of an image: they come in many short pieces."""
WORTH = 0.02
"""Share of the arithmetic that blocks must save: what is less is hidden behind it anyway."""


@dataclass(frozen=True)
class ImageOrder:
    """Whether columns come first, and channels of the image in a block (all of them: there are no blocks)."""

    columns_first: bool
    block: int


@dataclass(frozen=True)
class ImageRow:
    """The sizes of a row of results, its terms, and its tile.

    Attributes:
        channels, columns: results.
        depth, taps, width: terms: channels of the image, rows of taps, taps in a row.
        stride, wide: columns of the image between neighbouring results; all of them, without padding.
        tile: channels and columns in registers.
        vector, element: bytes of a vector of samples; of a weight.
    """

    channels: int
    columns: int
    depth: int
    taps: int
    width: int
    stride: int
    wide: int
    tile: tuple[int, int]
    vector: int
    element: int

    def image(self, columns: int, depth: int) -> int:
        """Bytes of the image that some columns read."""
        return depth * self.taps * min(self.wide, (columns - 1) * self.stride + self.width) * self.vector

    def filters(self, channels: int, depth: int) -> int:
        """Bytes of the filters of some channels."""
        return channels * depth * self.taps * self.width * self.element


def image_order(row: ImageRow, machine: Machine, may_block: bool) -> ImageOrder:
    """The best order.

    >>> from mochac.codegen.machine import machine
    >>> image_order(ImageRow(20, 12, 50, 5, 5, 1, 8, (5, 4), 64, 4), machine("sapphirerapids", 64), True)
    ImageOrder(columns_first=False, block=5)
    """
    whole = [ImageOrder(first, row.depth) for first in (False, True)]
    plain = min(whole, key=lambda order: _cycles(row, order, machine))
    arithmetic = row.channels * row.columns * row.depth * row.taps * row.width / machine.multiply_adds
    found = min(_blocked(row) if may_block else (), key=lambda order: _cycles(row, order, machine), default=plain)
    gain = _cycles(row, plain, machine) - _cycles(row, found, machine)
    return found if gain > WORTH * arithmetic else plain


def _blocked(row: ImageRow) -> Iterator[ImageOrder]:
    """Orders with blocks of one size: a smaller last block would be another copy of the code."""
    sizes = (size for size in range(1, row.depth) if row.depth % size == 0)
    yield from (ImageOrder(False, size) for size in sizes if size * row.taps * row.width >= LEAST_TERMS)


def _cycles(row: ImageRow, order: ImageOrder, machine: Machine) -> float:
    """Time of all that a row of results moves into L1, without what any order moves."""
    near, far = _moved(row, order, int(FILLED * machine.l1.n_bytes)), 0
    blocks, half = ceil(row.depth / order.block), machine.l2.n_bytes // 2
    image, filters = row.image(row.columns, row.depth), row.filters(row.channels, row.depth)
    if order.columns_first and filters > half:
        far = STREAMS * filters * (ceil(row.columns / row.tile[1]) - 1)
    elif not order.columns_first and blocks == 1 and image > half:
        far = image * (ceil(row.channels / row.tile[0]) - 1)
    moves = 2 * (blocks - 1) * row.channels * row.columns
    return near / machine.l2.bytes_per_cycle + far / machine.caches[-1].bytes_per_cycle + moves


def _moved(row: ImageRow, order: ImageOrder, l1: int) -> float:
    """Bytes from L2 or beyond for a row of results."""
    (rows, columns), block = row.tile, order.block
    blocks = row.depth / block
    c_tiles, column_tiles = ceil(row.channels / rows), ceil(row.columns / columns)
    image, one = row.image(row.columns, block), row.image(columns, block)
    filters, few = row.filters(row.channels, block), row.filters(rows, block)
    waiting = 2 * row.channels * row.columns * row.vector if block < row.depth else 0
    if order.columns_first:
        image = one * column_tiles * (1 if one + few <= l1 else c_tiles)
        filters *= 1 if one + filters <= l1 else column_tiles
    else:
        waiting *= image + few + waiting // 2 > l1
        image *= 1 if image + few <= l1 else c_tiles
        filters *= 1 if one + few <= l1 else column_tiles
    return blocks * (image + filters + waiting)
