"""Products and convolutions: tiles of results in registers, panels of both factors in shared memory.

    for tile of rows x columns (block):  for panel of terms:  copy both panels;  acc[r][s] += X[r, k] * W[k, s]

codegen/analysis/contraction.py says what rows, columns and terms are. The taps of a convolution are gathered from the
image while its panel is copied.
"""

from __future__ import annotations

from mochac.codegen.analysis.contraction import Contraction, contraction
from mochac.codegen.cuda.schedules.block_tile import sizes
from mochac.codegen.cuda.schedules.multiprocessor import halves
from mochac.codegen.cuda.schedules.tiled import tiled
from mochac.codegen.cuda.schedules.tiles import best_tile
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import ScheduleBuilder

MIN_TERMS = 8
LONG = 128
"""Terms of a sum for which a block of its own pays, if there are too few tiles to fill the device."""
MAX_SKIPPED = 3.0
"""Maximum ratio of all iterations to those that conditions leave; beyond it, running all of them is a waste."""


def rule(kernel: Kernel, target: CudaTarget) -> Schedule | None:
    """The schedule, or None unless the kernel is a sum of products that is large enough for tiles."""
    form = contraction(kernel)
    if form is None or not worth_tiles(kernel, form, MIN_TERMS):
        return None
    _, tile = best_tile(sizes(kernel, form), target)
    if tile is None or (4 * tile.blocks < target.multiprocessors and form.size(form.terms) >= LONG):
        return None
    b = ScheduleBuilder(kernel, form.steps)
    tiled(b, form, tile, halves(tile, target) == 2)
    return b.schedule("contraction.pooled" if form.window else "contraction.tiled")


def worth_tiles(kernel: Kernel, form: Contraction, least: int) -> bool:
    """Whether both factors vary, sums have at least that many terms, and conditions skip padding and not much else."""
    if not form.rows or not form.columns or not form.padding_only:
        return False
    terms = form.size(form.terms)
    results = form.size((*form.rows, *form.columns, *form.shared, *form.window))
    return terms >= least and 2 * results * terms <= MAX_SKIPPED * max(kernel.flops, 1)
