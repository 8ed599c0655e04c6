"""Register tiles: how many rows and columns of accumulators a contraction keeps in vector registers.

A tile fits if accumulators + vectors + 1 <= registers. Its cost counts what a core issues per inner iteration: two
multiply-adds and two loads per cycle, at least eight cycles (fewer than 16 accumulators do not hide the latency of the
multiply-add), and a small cost per load, which favours larger tiles.
"""

from __future__ import annotations

from dataclasses import dataclass

from mochac.codegen.cpu.schedules.picking import pick

MIN_CYCLES = 8.0
ISSUE_COST = 0.1
FMA_PER_CYCLE = 2.0
LOADS_PER_CYCLE = 2.0
WORTH_TRYING = 12
"""How many of the cheapest tiles a search tries."""


@dataclass(frozen=True, slots=True)
class RegisterTile:
    """rows x columns accumulators: `rows` broadcast operands times `columns` vectors."""

    rows: int
    columns: int


def step_cost(rows: int, columns: int, load_cost: float = ISSUE_COST) -> float:
    """Cycles of one reduction step of a tile; each load costs `load_cost` besides its share of the load ports."""
    busy = max(rows * columns / FMA_PER_CYCLE, (rows + columns) / LOADS_PER_CYCLE, MIN_CYCLES)
    return busy + load_cost * (rows + columns)


def axis_parts(extent: int, tile: int) -> list[tuple[int, int]]:
    """(tile size, count) of the parts of an axis that is cut into whole tiles and a remainder."""
    whole, rest = divmod(extent, tile)
    return [(size, count) for size, count in ((tile, whole), (rest, 1)) if size and count]


def total_cost(row_extent: int, column_extent: int, tile: RegisterTile, cells: int = 1) -> float:
    """Cycles of one reduction step over all tiles of an output."""
    return sum(
        n * m * step_cost(rows, columns * cells)
        for rows, n in axis_parts(row_extent, tile.rows)
        for columns, m in axis_parts(column_extent, tile.columns)
    )


def best_tile(
    row_extent: int,
    column_extent: int,
    registers: int,
    max_columns: int = 6,
    max_rows: int = 14,
    cells: int = 1,
    least_rows: int = 1,
    two_vectors: bool = False,
) -> RegisterTile:
    """The cheapest tile that fits the registers; among equals, the one with fewer distinct sizes, then more columns.

    Args:
        cells: vectors per column (the window of a fused pooling).
        two_vectors: both operands are vectors, and those of the shorter side stay in registers; else rows are numbers
            that all lanes share.

    >>> best_tile(50, 24, 32)
    RegisterTile(rows=5, columns=4)
    >>> best_tile(500, 4, 32)
    RegisterTile(rows=5, columns=4)
    >>> best_tile(1, 500, 32, max_columns=14, two_vectors=True)
    RegisterTile(rows=1, columns=14)
    """
    fits = [
        RegisterTile(rows, columns)
        for columns in range(1, min(max(1, max_columns // cells), column_extent) + 1)
        for rows in range(min(least_rows, row_extent), min(max_rows, row_extent) + 1)
        if rows * columns * cells + (min(rows, columns) if two_vectors else columns * cells) + 1 <= registers
    ]

    def rank(tile: RegisterTile) -> tuple[float, int, int]:
        rests = (row_extent % tile.rows > 0) + (column_extent % tile.columns > 0)
        return round(total_cost(row_extent, column_extent, tile, cells) * (1 + 0.02 * rests), 6), rests, -tile.columns

    return pick(*(sorted(fits, key=rank)[:WORTH_TRYING] or [RegisterTile(1, 1)]))
