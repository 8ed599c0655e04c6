"""The tail of a batch in weight gradients: lanes = columns and samples together.

    pack dy;  for channels:  pack x;  for kh:  acc[kw][r] from scratch;  for oh, vectors over ow * samples + n:
        acc += x * dy;  back

With a stride, the pack has a row of columns for each tap. Lanes hold partial sums, so those of the full blocks and of
the tail use the same accumulators.
"""

from __future__ import annotations

from mochac.codegen.analysis.weight_gradient import WeightGradient
from mochac.codegen.combinators.tiles import columns_together, lanes_together
from mochac.ir.nest import extents
from mochac.ir.schedule_builder import Handle, ScheduleBuilder, Suffix
from mochac.ir.steps.clip import Clip
from mochac.ir.steps.merge import Reorder
from mochac.ir.steps.storage import Flatten


def cut_tail(b: ScheduleBuilder, form: WeightGradient, count: int) -> Suffix:
    """Give the tail loops of its own, unless it is the whole batch."""
    b.reason = "samples that fill whole vectors run apart from the others"
    whole = b.extent(form.batch) // count * count
    return b.cut(form.batch, whole) if whole else Suffix("")


def pack_tail(
    b: ScheduleBuilder, form: WeightGradient, tail: Suffix, filter: Handle, high: int, count: int
) -> tuple[Handle, Handle, Handle | None]:
    """Pack what the tail reads, and run its columns and samples together.

    Args:
        high: rows of a band; 0 for all rows at once.
        count: lanes of a vector.

    Returns:
        The loop over lanes; the loop over vectors, of which only the last may be partly filled; the loop over bands.
    """
    b.reason = "what the last samples read is packed: lanes are columns and samples together, so that few are idle"
    rows, column, batch = tuple(map(tail, form.rows)), tail(form.column), tail(form.batch)
    b.add(Reorder((*rows, column, batch)))
    together = columns_together(form.kernel, extents(form.kernel)[form.batch], count)
    band = None
    if rows and high:
        band, row = b.split(rows[0], high)
        rows = (row, *rows[1:])
    for buffer, zeros, over, stride in ((form.gradient, 0, (filter,), 1), (form.image, 1, form.taps, form.stride)):
        axes = len(b.kernel.buffers()[buffer].type.shape)
        copy, along = b.pack(buffer, (*rows, column)[0], (*range(1, axes), 0), (axes - 1,) * zeros, over, stride)
        b.add(Flatten(copy, axes - 2 + (stride > 1)))
        lanes_together(b, along[axes - 1], along[0], together if stride == 1 else 1)
    for row in rows:
        b.fits(Clip(row))
    vector, lane = b.split(b.merge(column, batch), count)
    return lane, vector, band
