"""image_order: the order of the tiles of a row of results.

    channels first     for c-tile, column-tile:  acc over depth and taps     the rows of the image are read per c-tile
    columns first      for column-tile, c-tile:  acc over depth and taps     the filters are read per column-tile

Channels first reads and writes whole rows of a few channels, which the CPU prefetches by itself; columns first touches
short pieces of all channels, each in a page of its own. What is read again comes from L2 meanwhile, behind the
multiply-adds. Another order is taken only where something would come again from beyond L2, or L2 takes much of the time
of the arithmetic.

A data gradient of 16 channels on 32 x 32, three by three, whose epilogue reads two arrays and writes two, takes 3.7 ms
channels first and 5.9 ms columns first (Sapphire Rapids, two threads, batch 128). Sums of a block of channels at a
time, whose rows stay in L1 while accumulators wait, were 0 to 20 % slower in all layers of ResNet-20, CIFAR-10, LeNet.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from mochac.codegen.machine import Machine

FILLED = 0.75
"""Share of L1 that what is kept there may fill: tiles pass through the rest."""
HIDDEN = 0.25
"""What comes from L2 in this share of the time of the multiply-adds is hidden behind them."""
STREAMS = 4
"""Filters from beyond L2 cost this many times as much as rows of an image: they come in many short pieces."""


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

    def image(self, columns: int) -> int:
        """Bytes of the image that some columns read."""
        return self.depth * self.taps * min(self.wide, (columns - 1) * self.stride + self.width) * self.vector

    def filters(self, channels: int) -> int:
        """Bytes of the filters of some channels."""
        return channels * self.depth * self.taps * self.width * self.element


def columns_first(row: ImageRow, machine: Machine) -> bool:
    """Whether the tiles of all channels follow each other before those of the next columns.

    >>> from mochac.codegen.machine import machine
    >>> columns_first(ImageRow(20, 12, 50, 5, 5, 1, 8, (5, 4), 64, 4), machine("sapphirerapids", 64))
    False
    """
    return _cycles(row, True, machine) < _cycles(row, False, machine)


def _cycles(row: ImageRow, first: bool, machine: Machine) -> float:
    """Time of what an order moves, columns first or not, and the arithmetic does not hide."""
    (rows, columns), half, far = row.tile, machine.l2.n_bytes // 2, 0
    image, filters = row.image(row.columns), row.filters(row.channels)
    if first and filters > half:
        far = STREAMS * filters * (ceil(row.columns / columns) - 1)
    elif not first and image > half:
        far = image * (ceil(row.channels / rows) - 1)
    arithmetic = row.channels * row.columns * row.depth * row.taps * row.width / machine.multiply_adds
    near = _moved(row, first, int(FILLED * machine.l1.n_bytes)) / machine.l2.bytes_per_cycle
    return max(0.0, near - HIDDEN * arithmetic) + far / machine.caches[-1].bytes_per_cycle


def _moved(row: ImageRow, first: bool, l1: int) -> float:
    """Bytes from L2 or beyond for a row of results."""
    rows, columns = row.tile
    c_tiles, column_tiles = ceil(row.channels / rows), ceil(row.columns / columns)
    image, one = row.image(row.columns), row.image(columns)
    filters, few = row.filters(row.channels), row.filters(rows)
    if first:
        image = one * column_tiles * (1 if one + few <= l1 else c_tiles)
        return image + filters * (1 if one + filters <= l1 else column_tiles)
    return image * (1 if image + few <= l1 else c_tiles) + filters * (1 if one + few <= l1 else column_tiles)
