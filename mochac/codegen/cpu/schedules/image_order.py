"""image_order: the order of the tiles of a row of results, and how long they wait for memory.

    channels first     for c-tile, column-tile:  acc over depth and taps     the rows of the image are read per c-tile
    columns first      for column-tile, c-tile:  acc over depth and taps     the filters are read per column-tile

Channels first reads and writes whole rows of a few channels, which the CPU prefetches by itself. Columns first touches
short pieces of all channels, each in a page of its own. What is read again usually comes from L2 while the CPU
multiplies. So columns come first only where something would otherwise be read again from beyond L2, or where reading
from L2 takes a good part of the time of the arithmetic.

A data gradient of 16 channels on 32 x 32 with filters of 3 x 3, whose epilogue reads two arrays and writes two, takes
3.7 ms channels first and 5.9 ms columns first (Sapphire Rapids, two threads, batch 128). Summing a block of channels at
a time, whose rows stay in L1 while accumulators wait in memory, was 0 to 20 % slower in all layers of ResNet-20,
CIFAR-10 and LeNet.
"""

from __future__ import annotations

from math import ceil, gcd

from mochac.base.records import record
from mochac.codegen.cpu.schedules.blocking import clash
from mochac.codegen.cpu.schedules.tiles import RegisterTile
from mochac.codegen.machine import LINE, CacheLevel, Machine

FILLED = 0.75
"""Share of L1 for what is read again; tiles are read and written through the rest."""
HIDDEN = 0.25
"""Reads from L2 that take at most this share of the time of the multiply-adds are hidden behind them."""
STREAMS = 4
"""Filters from beyond L2 cost this many times as much as rows of an image: they are read in many short pieces."""


@record
class ImageRow:
    """The sizes of a row of results and of its terms.

    Attributes:
        channels, columns: results.
        depth, taps, width: the terms: channels of the image, rows of taps, taps in a row.
        stride: columns of the image between neighbouring results.
        wide: columns of the image, without padding.
        plane: bytes from one channel of the image to the next.
        vector, element: bytes of a vector of samples; of a weight.
        along: whether weights of neighbouring channels of the result, for one channel of the image, lie side by side;
            else all weights of a result's channel do.
    """

    channels: int
    columns: int
    depth: int
    taps: int
    width: int
    stride: int
    wide: int
    plane: int
    vector: int
    element: int
    along: bool

    def image(self, columns: int) -> int:
        """Bytes of the image that some columns read."""
        return self.depth * self.taps * min(self.wide, (columns - 1) * self.stride + self.width) * self.vector

    def shared(self, columns: int) -> int:
        """Bytes of all lines in a row of the image that two neighbouring tiles of some columns both read."""
        between = max(0, self.width - self.stride) * self.vector + LINE - self.vector
        return self.depth * self.taps * (ceil(self.columns / columns) - 1) * between

    def filters(self, channels: int) -> int:
        """Bytes of the lines that hold the filters of some neighbouring channels."""
        one = self.taps * self.width * self.element
        runs, run = (self.depth, channels * one) if self.along else (channels, self.depth * one)
        return runs * (run + LINE - gcd(run, LINE))

    @property
    def terms(self) -> int:
        """Number of terms of a result."""
        return self.depth * self.taps * self.width


def columns_first(row: ImageRow, tile: RegisterTile, machine: Machine) -> bool:
    """Whether the tiles of all channels are computed before those of the next columns.

    >>> from mochac.codegen.machine import machine
    >>> row = ImageRow(20, 12, 50, 5, 5, 1, 8, 4096, 64, 4, True)
    >>> columns_first(row, RegisterTile(5, 4), machine("sapphirerapids", 64))
    False
    """
    return _cycles(row, tile, True, machine) < _cycles(row, tile, False, machine)


def image_waits(row: ImageRow, tile: RegisterTile, machine: Machine, orders: tuple[bool, ...]) -> float:
    """Cycles per term that a core waits for memory, for a whole row of results, in the best of these orders (True:
    columns first)."""
    return machine.waits * min(_cycles(row, tile, first, machine) for first in orders) / row.terms


def _cycles(row: ImageRow, tile: RegisterTile, first: bool, machine: Machine) -> float:
    """Cycles that an order takes to move data, as far as arithmetic does not hide them."""
    far, image, filters = 0, row.image(row.columns), row.filters(row.channels)
    if first and machine.beyond_l2(filters):
        far = STREAMS * filters * (ceil(row.columns / tile.columns) - 1)
    elif not first and machine.beyond_l2(image):
        far = image * (ceil(row.channels / tile.rows) - 1)
    arithmetic = row.channels * row.columns * row.terms / machine.multiply_adds
    near = _moved(row, tile, first, machine.l1) / machine.l2.bytes_per_cycle
    return max(0.0, near - HIDDEN * arithmetic) + far / machine.caches[-1].bytes_per_cycle


def _moved(row: ImageRow, tile: RegisterTile, first: bool, l1: CacheLevel) -> float:
    """Bytes from L2 or beyond for a row of results."""
    c_tiles, column_tiles = ceil(row.channels / tile.rows), ceil(row.columns / tile.columns)
    few, image, turns = row.filters(tile.rows), row.image(row.columns), c_tiles
    if not (near := _stays(row, tile.columns, few, l1)):
        image += row.shared(tile.columns)
    elif first:
        turns = 1
    if _stays(row, row.columns, few, l1):
        image, turns = row.image(row.columns), 1
    filters = row.filters(row.channels) if near else few * c_tiles
    beside = row.filters(row.channels) if first else few
    return image * turns + filters * (1 if _stays(row, tile.columns, beside, l1) else column_tiles)


def _stays(row: ImageRow, columns: int, beside: int, l1: CacheLevel) -> bool:
    """Whether L1 holds what some columns read of the image, and the filters, until the next tile."""
    image = row.image(columns)
    return image + beside <= FILLED * l1.n_bytes and not clash(l1, row.depth, image // row.depth, row.plane)
