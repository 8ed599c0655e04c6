"""Fully connected forward of few samples or to few outputs: lanes are partial sums over the input features.

    for o-tile, n-tile: acc[r][c][lane] over f: x[n, f...] * w[o, f...];  then every accumulator's lanes are added up

With few samples, each weight is used only a few times, so transposing panels of weights (product_natural) would not
pay; with few outputs, that rule would leave lanes idle.
"""

from __future__ import annotations

from mochac.codegen.analysis.nests import block_lanes, float_dtype
from mochac.codegen.combinators.caches import share_items
from mochac.codegen.combinators.tiles import partial_lanes, register_tile
from mochac.codegen.cpu.schedules.product import product
from mochac.codegen.cpu.schedules.tiles import best_tile
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.merge import Reorder

MOST_SIDE = 14
"""Maximum rows or columns of a tile."""
STREAMS = 4
"""Rows of a weight that are read from memory at once: CPUs prefetch a few streams better than many (one sample, Zen 5,
one thread: AlexNet's fc6 38 GB/s with 14 rows, 43 with 4; fc7 45 and 52)."""


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule; None unless this is a forward product of natural samples with enough terms for a vector."""
    p, count = None if block_lanes(kernel) else product(kernel), target.lanes(float_dtype(kernel))
    if p is None or not p.forward:
        return None
    samples, outputs, features = p.sizes()
    if features < count:
        return None
    far = outputs * features * (target.vector_bytes // count) > target.machine.caches[-1].n_bytes
    rows = STREAMS if far else MOST_SIDE
    tile = best_tile(outputs, samples, target.machine, MOST_SIDE, rows)  # registers hold the samples that a tile reads
    b = ScheduleBuilder(kernel)
    b.reason = "all tiles of samples use a tile of outputs before the next one, so that each weight is read once"
    b.add(Reorder((p.column, p.row)))
    vector = partial_lanes(b, p.form.accumulator, p.term, count, peeled=True)
    ((rows, _),) = register_tile(b, (p.row, tile.columns), past=(vector,))
    ((columns, _),) = register_tile(b, (p.column, tile.rows), past=(rows, vector))
    share_items(b, *p.form.shared, columns)
    return b.schedule("product.rows")
