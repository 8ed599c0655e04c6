"""Any other contraction without conditions: a tile of results in registers, lanes where memory is contiguous.

    over the columns        acc[r][v] over terms: x[r, ..] * w[.., v: lanes]        neighbouring columns are neighbours
    over the last term      acc[r][c][lane], lanes added at the end                 neighbouring terms are
    over a blocked batch    acc[r][c][lane], lanes added at the end                 sums over samples

Users' contractions with several loops of rows or terms, or a product as a factor, are scheduled here: bilinear forms,
their gradients.
"""

from __future__ import annotations

from mochac.codegen.analysis.contraction import Contraction, contraction
from mochac.codegen.analysis.nests import block_lanes, float_dtype
from mochac.codegen.combinators.lanes import lanes
from mochac.codegen.combinators.partial_lanes import partial_lanes
from mochac.codegen.combinators.register_tile import hold
from mochac.codegen.cpu.schedules.tiles import best_tile
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import If, Kernel, walk
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.run import Parallel


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless something is contiguous for at least a vector."""
    form, count = contraction(kernel), target.lanes(float_dtype(kernel))
    if form is None or form.window or not form.rows or not form.columns:
        return None
    if any(isinstance(s, If) for s in walk(kernel.body)):
        return None
    term = _partial(form, kernel, count)
    row, column = form.rows[-1], form.columns[-1]
    if not term and (column not in form.factors[1].contiguous or form.extent[column] < count or block_lanes(kernel)):
        return None
    b = ScheduleBuilder(kernel)
    rest = [loop for loop in b.loops() if loop not in (row, column)]
    b.add(Reorder((*rest, row, column)))
    across = form.extent[column] if term else -(-form.extent[column] // count)
    tile = best_tile(form.extent[row], across, target.registers, max_columns=4)
    rows, held = b.split(row, tile.rows, "cut")
    if term:
        _, also = b.split(column, tile.columns, "cut")
        partial_lanes(b, form.accumulator, term, block_lanes(kernel) or count)
    else:
        _, some = b.split(column, tile.columns * count, "cut")
        also, _ = lanes(b, some, count, "guard")
    hold(b, held, also)
    b.add(Parallel((*rest, rows)))
    return b.schedule("contraction.partial-lanes" if term else "contraction.column-lanes")


def _partial(form: Contraction, kernel: Kernel, count: int) -> str:
    """The loop of the sum of which lanes are parts; "" if lanes are columns, or nothing is contiguous."""
    batches = {factor.batch for factor in form.factors}
    if block_lanes(kernel):
        batch = batches.pop()
        return batch if not batches and batch in form.terms else ""
    term, column = form.terms[-1], form.columns[-1]
    _, second = form.factors
    if column in second.contiguous and form.extent[column] >= count:
        return ""
    return term if term in second.contiguous and form.extent[term] >= count else ""
