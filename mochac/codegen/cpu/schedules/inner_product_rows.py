"""Fully connected forward of a few samples: lanes are partial sums over the input features.

    for o-tile, n-tile: acc[r][c][lane] over f: x[n, f...] * w[o, f...];  then every accumulator's lanes are added up

Each weight is read once and used for a few samples only, so turning panels of it (inner_product_natural) would not pay.
"""

from __future__ import annotations

from mochac.codegen.cpu.schedules.nests import block_lanes, extents, float_dtype, loops
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Schedule
from mochac.ir.steps.partial import Partial
from mochac.ir.steps.peel import Peel
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.run import Threads, Unroll, Vector
from mochac.ir.steps.sink import Sink
from mochac.ir.steps.split import Split

MOST_ROWS = 24
"""Samples from which a turned panel is used often enough."""


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None when this is not a product of a few natural samples with at least a vector of features."""
    if kernel.root != "inner_product" or block_lanes(kernel) or list(loops(kernel)) != ["n", "o", "f"]:
        return None
    found, lanes = extents(kernel), target.lanes(float_dtype(kernel))
    if found["n"] > MOST_ROWS or found["f"] < lanes:
        return None
    rows, columns = tile(found["n"], found["o"], target.registers)
    steps = (
        Reorder(("o", "n")),
        Split("f", lanes, "ft", "lane", "guard"),
        Split("o", columns, "ot", "c", "cut"),
        Split("n", rows, "nt", "r", "cut"),
        Partial("acc", "lane"),
        Sink("lane", ("*",)),
        Sink("r", ("ft",)),
        Sink("c", ("nt", "ft")),
        *((Peel("ft", 0, 1),) if found["f"] % lanes else ()),
        Unroll("c"),
        Unroll("r"),
        Vector("lane"),
        Threads(("ot",)),
    )
    return Schedule("inner_product.rows", steps)


def tile(samples: int, outputs: int, registers: int) -> tuple[int, int]:
    """(samples, outputs) of a tile: as square as the samples allow, rows * columns + rows + 1 registers.

    >>> tile(1, 500, 32), tile(4, 500, 32), tile(10, 500, 32)
    ((1, 16), (4, 6), (5, 5))
    """
    most = max(1, int((registers - 1) ** 0.5))
    rows = -(-samples // -(-samples // most))
    return rows, max(1, min(outputs, 16, (registers - 1 - rows) // rows))
