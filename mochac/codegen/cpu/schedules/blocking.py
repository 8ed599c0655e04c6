"""Blocking: sizes of the blocks in which a product reads its weight, from the sizes of the caches.

    for group of channels:                            a thread's item: tiles that use whole lines of the weight
      for block of terms:                             the vectors of a tile of columns stay in L1
        for tile of columns, tile of channels:        the block of the weight stays in L2, if not in L1
          acc[channels][columns] over the terms of the block; the next block is prefetched

After T. M. Low, F. D. Igual, T. M. Smith and E. S. Quintana-Orti, "Analytical modeling is enough for high-performance
BLIS", ACM Transactions on Mathematical Software 43 (2016). Each block continues with the accumulators of the one
before, so blocks change neither the order of a sum nor its bits.
"""

from __future__ import annotations

from math import ceil, gcd, lcm

from mochac.base.records import record
from mochac.codegen.cpu.schedules.tiles import RegisterTile
from mochac.codegen.machine import LINE, CacheLevel, Machine

COLUMNS_SHARE = 0.4
"""Approximate share of L1 that the vectors of a tile of columns fill; two blocks of the weight and the accumulators of
a group fill the rest (Sapphire Rapids, LeNet's ip1: 0.35 to 0.5 are equally fast, 0.7 takes 1.1 times as long, 1.2
takes 1.25 times as long)."""
STREAMED_SHARE = 0.6
"""There are no blocks if the vectors of the only tile of columns fill at most this share of L1: the weight is then read
only once."""
FULL_SHARE = 0.85
"""Share of L1 that these vectors and a block of the weight may fill together where several tiles of columns read it."""
GROUP = 4
"""Minimum tiles of channels that share the vectors that a block has brought to L1; the first of these tiles waits for
L2 (measured as above: 3 to 5 are equally fast, 8 and 16 take 1.04 times as long)."""

OTHER_WAYS = 3
"""Ways of L1, but at most half of them, for rows that are read once, accumulators in memory between panels and
prefetched lines (Sapphire Rapids, 12 ways, 1000 x 1000: panels of 100 to 128 terms are equally fast, 167 take 1.05
times as long)."""


@record
class Blocking:
    """Terms of a block; channels of a group."""

    terms: int
    channels: int


def blocking(
    machine: Machine, tile: RegisterTile, channels: int, terms: int, size: int, along: bool, again: bool = True
) -> Blocking | None:
    """The blocks of a product; None if the vectors that it reads stay in L1 anyway, or if few tiles share them.

    If channels lie along lines of the weight, groups end where lines end. Among sizes that are about equally good, the
    one with the smallest remainder is taken.

    Args:
        size: bytes of an element.
        along: whether neighbouring channels are neighbours in the weight; else neighbouring terms are.
        again: whether several tiles of columns read the same block.

    >>> from mochac.codegen.machine import machine
    >>> blocking(machine("cascadelake", 64), RegisterTile(5, 4), 500, 800, 4, along=False)
    Blocking(terms=48, channels=20)
    >>> blocking(machine("znver5", 64), RegisterTile(5, 4), 800, 500, 4, along=True)
    Blocking(terms=64, channels=80)
    >>> blocking(machine("znver5", 64), RegisterTile(5, 4), 10, 500, 4, along=True)
    """
    line, column = LINE // size, tile.columns * machine.vector_bytes
    step = lcm(tile.rows, line) // tile.rows if along else 1
    groups = range(max(step, -(-GROUP // step) * step), 2 * GROUP + step, step)
    tiles = ceil(channels / tile.rows)
    group = min(groups, key=lambda n: (ceil(tiles / n) * n, n))
    if terms * column <= (COLUMNS_SHARE if again else STREAMED_SHARE) * machine.l1.n_bytes or tiles < GROUP:
        return None
    most = int(COLUMNS_SHARE * machine.l1.n_bytes) // column
    if again:
        most = min(most, int(FULL_SHARE * machine.l1.n_bytes) // (column + group * tile.rows * size))
    sizes = range(max(line, round(0.8 * most / line) * line), max(line, int(1.2 * most)) + 1, line)
    return Blocking(min(sizes, key=lambda n: (ceil(terms / n) * n, -n)), group * tile.rows)


def panel_terms(level: CacheLevel, tile: RegisterTile, column_bytes: int, terms: int, size: int, step: int = 1) -> int:
    """Terms of a panel of the weight that stays in a cache while all tiles of rows are multiplied by it.

    The panel and the rows of one tile share the ways of each set, except OTHER_WAYS, in proportion to their sizes.
    Terms are divided into panels of about the same size, which is a multiple of `step`.

    Args:
        column_bytes: bytes of a row of the panel, the columns of a tile.
        size: bytes of an element.

    >>> from mochac.codegen.machine import machine
    >>> [panel_terms(machine(name, 64).l1, RegisterTile(5, 4), 256, 1000, 4) for name in ("cascadelake", "znver5")]
    [63, 125]
    >>> panel_terms(machine("haswell", 32).l1, RegisterTile(6, 2), 64, 1000, 4)
    167
    >>> panel_terms(machine("neoverse-v2", 16).l1, RegisterTile(8, 3), 48, 1000, 4)
    334
    """
    ways = int((level.ways - min(OTHER_WAYS, level.ways // 2)) / (1 + tile.rows * size / column_bytes))
    most = max(step, ways * (level.n_bytes // level.ways) // column_bytes)
    panels = -(-terms // most)
    return min(terms, -(-terms // (panels * step)) * step)


def ways(level: CacheLevel, rows: float, row_bytes: float, pitch: int) -> float:
    """How many lines of each set of a cache the rows of a matrix take, in the sets that they use, if they lie `pitch`
    bytes apart.

    >>> from mochac.codegen.machine import machine
    >>> [ways(machine("cascadelake", 64).l1, 4, 3072, pitch) for pitch in (3072, 16384)]
    [3.0, 4.0]
    """
    way = level.n_bytes // level.ways
    spacing = gcd(pitch, way)
    lines = ceil(row_bytes / LINE)
    return rows * lines / (way // spacing * min(lines, max(1, spacing // LINE)))


def clash(level: CacheLevel, rows: int, row_bytes: int, pitch: int) -> bool:
    """Whether rows of a matrix that lie `pitch` bytes apart use so few sets of a cache that they evict each other.

    >>> from mochac.codegen.machine import machine
    >>> [clash(machine("cascadelake", 64).l1, 64, 320, pitch) for pitch in (3200, 4000, 4096, 2048)]
    [False, False, True, True]
    """
    return ways(level, rows, row_bytes, pitch) > level.ways
