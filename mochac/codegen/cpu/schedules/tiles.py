"""Register tiles: how many rows and columns of accumulators a contraction keeps in vector registers.

A tile fits if accumulators + vectors + 1 <= registers. Its cost counts what a core issues per iteration of the sum: its
multiply-adds and its loads, each over the units that the machine has for them; no iteration is shorter than the latency
of the multiply-adds that its accumulators wait for. A small cost per load favours larger tiles.
"""

from __future__ import annotations

from dataclasses import dataclass

from mochac.codegen.cpu.schedules.picking import pick
from mochac.codegen.machine import Machine

LOAD_COST = 0.15
"""Cycles that a load costs besides its share of the load units: a core that issues 4 to 6 instructions a cycle has room
for some loads beside 2 multiply-adds, but not for all."""
HIDDEN = 1.25
"""Latencies of a multiply-add that an iteration lasts at least: with just as many accumulators as hide one latency, any
load that comes late is waited for."""
WORTH_TRYING = 12
"""How many of the cheapest tiles a search tries."""


@dataclass(frozen=True, slots=True)
class RegisterTile:
    """rows x columns accumulators: `rows` broadcast operands times `columns` vectors."""

    rows: int
    columns: int


def step_cost(rows: int, columns: int, core: Machine) -> float:
    """Cycles of one reduction step of a tile; each load costs LOAD_COST besides its share of the load units.

    >>> from mochac.codegen.machine import machine
    >>> [step_cost(rows, columns, machine("haswell", 32)) for rows, columns in ((6, 2), (14, 1), (2, 1))]
    [7.45, 9.75, 6.7]
    """
    loads = rows + columns
    return max(rows * columns / core.multiply_adds, loads / core.loads, HIDDEN * core.latency) + LOAD_COST * loads


def axis_parts(extent: int, tile: int) -> list[tuple[int, int]]:
    """(tile size, count) of the parts of an axis that is cut into whole tiles and a remainder."""
    whole, rest = divmod(extent, tile)
    return [(size, count) for size, count in ((tile, whole), (rest, 1)) if size and count]


def total_cost(row_extent: int, column_extent: int, tile: RegisterTile, core: Machine, cells: int = 1) -> float:
    """Cycles of one reduction step over all tiles of an output."""
    return sum(
        n * m * step_cost(rows, columns * cells, core)
        for rows, n in axis_parts(row_extent, tile.rows)
        for columns, m in axis_parts(column_extent, tile.columns)
    )


def best_tile(
    row_extent: int,
    column_extent: int,
    core: Machine,
    max_columns: int = 6,
    max_rows: int = 14,
    cells: int = 1,
    least_rows: int = 1,
    two_vectors: bool = False,
    taken: int = 0,
) -> RegisterTile:
    """The cheapest tile that fits the registers; among equals, the one with fewer distinct sizes, then more columns.

    Args:
        cells: vectors per column (the window of a fused pooling).
        two_vectors: both operands are vectors, and those of the shorter side stay in registers; else rows are numbers
            that all lanes share.
        taken: registers that hold something else.

    >>> from mochac.codegen.machine import machine
    >>> best_tile(50, 24, machine("cascadelake", 64)), best_tile(500, 4, machine("haswell", 32))
    (RegisterTile(rows=5, columns=4), RegisterTile(rows=6, columns=2))
    >>> best_tile(1, 500, machine("cascadelake", 64), max_columns=14, two_vectors=True)
    RegisterTile(rows=1, columns=14)
    """
    registers = core.registers - taken
    fits = [
        RegisterTile(rows, columns)
        for columns in range(1, min(max(1, max_columns // cells), column_extent) + 1)
        for rows in range(min(least_rows, row_extent), min(max_rows, row_extent) + 1)
        if rows * columns * cells + (min(rows, columns) if two_vectors else columns * cells) + 1 <= registers
    ]

    def rank(tile: RegisterTile) -> tuple[float, int, int]:
        rests = (row_extent % tile.rows > 0) + (column_extent % tile.columns > 0)
        return round(total_cost(row_extent, column_extent, tile, core, cells) * (1 + 0.02 * rests), 6), rests, -tile.columns

    return pick(*(sorted(fits, key=rank)[:WORTH_TRYING] or [RegisterTile(1, 1)]))
