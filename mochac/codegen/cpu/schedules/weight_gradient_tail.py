"""The tail of a batch in weight gradients: lanes = columns and samples together.

    pack dy;  for channels:  pack x;  for kh:  acc[kw][r] from scratch;  for oh, vectors over ow * samples + n:
        acc += x * dy;  back

Lanes hold partial sums, so those of the full blocks and of the tail use the same accumulators.
"""

from __future__ import annotations

from mochac.codegen.analysis.nests import block_lanes, read_once
from mochac.codegen.analysis.weight_gradient import WeightGradient
from mochac.codegen.cpu.schedules.tail_cost import PACK_CYCLES, WORTH
from mochac.codegen.cpu.schedules.weight_gradient_blocks import GradientTile, least_filters
from mochac.ir.nest import extents
from mochac.ir.schedule_builder import Handle, ScheduleBuilder, Suffix
from mochac.ir.steps.clip import Clip
from mochac.ir.steps.flatten import Flatten
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.run import Vector


def packing_pays(form: WeightGradient, tile: GradientTile) -> bool:
    """Whether there is a tail, and packing it is cheaper than padding it to a whole block."""
    extent, lanes = extents(form.kernel), block_lanes(form.kernel)
    samples, columns, taps = extent[form.batch] % lanes, extent[form.column], extent[form.taps[-1]]
    operands = (form.image, form.gradient)
    if not samples or form.plane or form.stride != 1 or not all(read_once(form.kernel, name) for name in operands):
        return False
    per_step = tile.filters * tile.channels * taps / 2
    pieces = 1 if samples & (samples - 1) == 0 else 2
    share = max(1, least_filters(form) // tile.filters)  # tiles that read the same packed image
    moved = tile.channels * ((columns + taps - 1) / share + columns * tile.filters / extent[form.channel])
    packing = PACK_CYCLES * pieces * moved / extent[form.taps[0]]
    return -(-columns * samples // lanes) * per_step + packing < WORTH * columns * per_step


def cut_tail(b: ScheduleBuilder, form: WeightGradient) -> Suffix:
    """Give the tail loops of its own, unless it is the whole batch."""
    whole = b.extent(form.batch) // block_lanes(form.kernel) * block_lanes(form.kernel)
    return b.cut(form.batch, whole) if whole else Suffix("")


def pack_tail(b: ScheduleBuilder, form: WeightGradient, tail: Suffix, filter: Handle) -> tuple[Handle, Handle]:
    """Pack what the tail reads, and run its columns and samples together.

    Returns:
        The loop over lanes, and the loop over vectors, of which only the last may not be full.
    """
    rows, column, batch = tuple(map(tail, form.rows)), tail(form.column), tail(form.batch)
    b.add(Reorder((*rows, column, batch)))
    for buffer, zeros, over in ((form.gradient, 0, (filter,)), (form.image, 1, form.taps)):
        axes = len(b.kernel.buffers()[buffer].type.shape)
        copy, along = b.pack(buffer, (*rows, column)[0], (*range(1, axes), 0), (axes - 1,) * zeros, over)
        b.add(Flatten(copy, axes - 2), Vector(along[0]))
    for row in rows:
        b.fits(Clip(row))
    vector, lane = b.split(b.merge(column, batch), block_lanes(form.kernel))
    return lane, vector
