"""Register tiles: how many rows and columns of accumulators a contraction keeps in vector registers.

A tile fits if accumulators + vectors + 1 <= registers. An iteration of the sum costs the longest of three times: its
multiply-adds divided by the units for them, its loads divided by the units for loads, and the latency of a
multiply-add, for which an accumulator waits. Small costs of loads and of short iterations favour larger tiles.

A schedule has enough items for the `team` of its target, and for fewer threads. Teams differ in how results are divided
among threads, never in the order of a sum, so bits are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import ParamSpec

from mochac.base.records import record
from mochac.codegen.cpu.schedules.picking import pick
from mochac.codegen.machine import Machine
from mochac.codegen.prediction.prediction import makespan

TRANSFORMED = 8
"""The transform of a tile of an image (ops/_winograd.py) takes as long as its products for so many filters: 6 vector
instructions for each cell of a tile, and what packs the image."""
LEAST_RESULTS = 4
"""Minimum results of a part of an item: with fewer, register tiles are too small."""


def spread(items: Sequence[float], team: int) -> float:
    """How many times as long items take as if threads shared them evenly; the mean for a team, half of it and a quarter
    of it.

    >>> spread([64, 64, 64, 64], 4), round(spread([64, 64, 64, 64, 44], 4), 2), round(spread([80, 80, 80, 60], 4), 2)
    (1.0, 1.2, 1.04)
    """
    teams = (team // 4, team // 2, team)
    return sum(makespan(items, threads) * threads for threads in teams) / (len(teams) * sum(items))


def result_parts(items: Sequence[float], results: int, again: float, team: int) -> int:
    """Into how many parts items, the longest first, divide their results, so that the threads of a team end soonest.

    Args:
        results: of each item.
        again: what every part of an item computes again takes as long as so many results.

    >>> [result_parts([1.0] * 6 + [0.25], 32, 8, team) for team in (4, 16, 64)], result_parts([1.0] * 64, 32, 8, 64)
    ([1, 2, 4], 1)
    """
    options = [n for n in range(1, results // LEAST_RESULTS + 1) if results % n == 0]

    def cost(n: int) -> float:
        divided = [item for item in items for _ in range(n)]
        return spread(divided, team) * n * (again + results / n)

    return min(options, key=cost, default=1)


P = ParamSpec("P")

LOAD_COST = 0.2
"""Cycles that a load costs in addition to its share of the load units: a core that issues 4 to 6 instructions a cycle
has room for some loads beside 2 multiply-adds, but not for all."""
SPARE = 1.25
"""How many latencies the multiply-adds of an iteration should last. Accumulators that only just hide one latency wait
for every load that is late, and for each other where a padded row has fewer taps (CIFAR's third convolution on Zen 3:
4 x 2 accumulators reach 85 % of the bound, 5 x 2 all of it)."""
WAIT_COST = 0.5
"""Cost of each cycle by which they are shorter, in cycles."""
COLUMNS = 6
"""Maximum columns of a tile, if that is enough for the units."""
FAR_COST = 0.2
"""Cost of each cycle in which vectors come from L2 again, since it is partly hidden, in cycles. So high tiles, which
read columns less often, are better there (weight gradient of LeNet's ip1, Sapphire Rapids: 8 x 3 accumulators take 0.93
of the time of 5 x 4)."""
UNEVEN = 0.02
"""Cost of a second tile size along an axis, for its code and for starting its loops, as a share of all cycles."""
PARTS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
"""Numbers of parts that an axis, such as rows, may be divided into."""
WORTH_TRYING = 12
"""How many of the cheapest tiles a search tries."""


@record(slots=True)
class RegisterTile:
    """rows x columns accumulators: `rows` broadcast operands times `columns` vectors."""

    rows: int
    columns: int


def step_cost(rows: int, columns: int, core: Machine) -> float:
    """Cycles of one reduction step of a tile.

    >>> from mochac.codegen.machine import machine
    >>> [round(step_cost(rows, columns, machine("haswell", 32)), 2) for rows, columns in ((6, 2), (14, 1), (2, 1))]
    [7.72, 10.5, 8.22]
    """
    loads, busy = rows + columns, rows * columns / core.multiply_adds
    return max(busy, loads / core.loads, core.latency) + LOAD_COST * loads + waiting(busy, core)


def waiting(busy: float, core: Machine) -> float:
    """The cost of waiting for accumulators, beyond their latency, of a step with this many cycles of multiply-adds."""
    return WAIT_COST * max(0.0, SPARE * core.latency - busy)


def most_columns(row_extent: int, core: Machine) -> int:
    """Maximum columns of tiles of an output that has this many rows: of a single row, as a depthwise convolution has,
    COLUMNS may be too few accumulators.

    >>> from mochac.codegen.machine import machine
    >>> [most_columns(rows, machine(*cpu)) for cpu in (("cascadelake", 64), ("znver4", 64)) for rows in (1, 8)]
    [16, 6, 6, 6]
    """
    enough = row_extent > 1 or SPARE * core.accumulators <= COLUMNS
    return COLUMNS if enough else 2 * core.accumulators


def axis_parts(extent: int, tile: int) -> list[tuple[int, int]]:
    """(tile size, count) of the parts of an axis that is cut into whole tiles and a remainder."""
    whole, rest = divmod(extent, tile)
    return [(size, count) for size, count in ((tile, whole), (rest, 1)) if size and count]


def equal_parts(extent: int) -> list[int]:
    """Sizes of the parts if an axis is divided into equal parts, largest first.

    >>> equal_parts(7)
    [7, 4, 3, 2, 1]
    """
    return sorted({-(-extent // n) for n in (*PARTS, extent) if n <= extent}, reverse=True)


def total_cost(row_extent: int, column_extent: int, tile: RegisterTile, core: Machine, cells: int = 1) -> float:
    """Cycles of one reduction step over all tiles of an output."""
    return sum(
        n * m * step_cost(rows, columns * cells, core)
        for rows, n in axis_parts(row_extent, tile.rows)
        for columns, m in axis_parts(column_extent, tile.columns)
    )


def rest_cost(row_extent: int, column_extent: int, tile: RegisterTile) -> float:
    """How many times as long tiles take because some of them are smaller.

    >>> rest_cost(50, 24, RegisterTile(5, 4)), rest_cost(50, 24, RegisterTile(6, 4))
    (1.0, 1.02)
    """
    return 1 + UNEVEN * _rests(row_extent, column_extent, tile)


def _rests(row_extent: int, column_extent: int, tile: RegisterTile) -> int:
    return (row_extent % tile.rows > 0) + (column_extent % tile.columns > 0)


def nothing(tile: RegisterTile) -> int:
    """No registers: they hold nothing but a tile and what it reads."""
    return 0


def no_waits(tile: RegisterTile) -> float:
    """No cycles: everything comes from L1."""
    return 0.0


def ranked_tiles(
    row_extent: int,
    column_extent: int,
    core: Machine,
    max_columns: int = COLUMNS,
    max_rows: int = 14,
    cells: int = 1,
    least_rows: int = 1,
    shorter_side: bool = False,
    most: int = 0,
    taken: Callable[[RegisterTile], int] = nothing,
    waits: Callable[[RegisterTile], float] = no_waits,
) -> list[RegisterTile]:
    """The cheapest tiles that fit the registers; among equals, those with fewer distinct sizes, then more columns.

    Args:
        cells: vectors per column (the window of a fused pooling).
        shorter_side: whether registers hold the operands of the shorter side of a tile; else those of its columns.
        most: maximum number of accumulators, if not 0.
        taken: how many registers hold something other than a tile and its operands.
        waits: cycles per step, over all tiles, that the core waits for data from beyond L1.

    >>> from mochac.codegen.machine import machine
    >>> ranked_tiles(50, 24, machine("cascadelake", 64))[0], ranked_tiles(500, 4, machine("haswell", 32))[0]
    (RegisterTile(rows=5, columns=4), RegisterTile(rows=6, columns=2))
    >>> ranked_tiles(1, 500, machine("cascadelake", 64), max_columns=14, shorter_side=True)[0]
    RegisterTile(rows=1, columns=14)
    """

    def needed_registers(tile: RegisterTile) -> int:
        vectors = tile.columns * cells
        return vectors * tile.rows + (min(tile.rows, vectors) if shorter_side else vectors) + 1 + taken(tile)

    fits = [
        tile
        for columns in range(1, min(max(1, max_columns // cells), column_extent) + 1)
        for rows in range(min(least_rows, row_extent), min(max_rows, row_extent) + 1)
        if needed_registers(tile := RegisterTile(rows, columns)) <= core.registers
        and (not most or rows * columns * cells <= most)
    ]

    def rank(tile: RegisterTile) -> tuple[float, int, int]:
        cycles = total_cost(row_extent, column_extent, tile, core, cells) * rest_cost(row_extent, column_extent, tile)
        return round(cycles + waits(tile), 6), _rests(row_extent, column_extent, tile), -tile.columns

    return sorted(fits, key=rank)[:WORTH_TRYING] or [RegisterTile(1, 1)]


def _best(ranked: Callable[P, list[RegisterTile]]) -> Callable[P, RegisterTile]:
    def best(*args: P.args, **named: P.kwargs) -> RegisterTile:
        return pick(*ranked(*args, **named))

    return best


best_tile = _best(ranked_tiles)
"""The first of `ranked_tiles`; a search tries the others."""


@lru_cache(maxsize=1024)
def least_tile(row_extent: int, column_extent: int, core: Machine) -> RegisterTile:
    """The tile that suits an output best, with at most 4 columns."""
    return ranked_tiles(row_extent, column_extent, core, max_columns=4)[0]


@lru_cache(maxsize=1024)
def least_cost(row_extent: int, column_extent: int, core: Machine) -> float:
    """Cycles of one reduction step over an output, in the tiles that suit it best.

    >>> from mochac.codegen.machine import machine
    >>> [round(least_cost(rows, columns, machine("haswell", 32))) for rows, columns in ((192, 1), (8, 24))]
    [148, 120]
    """
    return total_cost(row_extent, column_extent, least_tile(row_extent, column_extent, core), core)
