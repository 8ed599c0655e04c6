"""Batch tail: for the samples that do not fill a block, columns and samples together are the lanes.

    each n in 0..4 { each c { each oh { each ow {    each oh_o {
      acc = 0                                          x.pack[..] = x[n, ..]      (samples innermost, zeros at the edge)
      sum k { acc += x[n, ow + k] * w[c, k] }          each oh_i { each c_o {
      y[n, c, oh, ow] = f(acc)                   ->      each p_o { sum k { acc[c_i, p_i] += x.pack[..] * w[..] }
    } } } }                                                          kept[c_i, p] = acc[c_i, p_i] }
                                                         each c_i { each ow { each n vector { y[..] = f(kept[..]) } }
                                                     } }

Lane p = columns * samples + n reads the window at p + k * samples, so every index is affine in p, and lanes are idle
only in the last vector of a row. With a stride, the pack has the columns of each remainder side by side. The phases of
a strided gradient are computed one after another, from one pack. The sums may be followed by an epilogue, by a pooling
of whole windows, or by a nest that reads planes, which are then computed for all samples at once.
"""

from __future__ import annotations

from math import prod

from mochac.base.records import record
from mochac.codegen.analysis.batch_sum import BatchSum
from mochac.codegen.combinators.images import limit_rows, whole_windows, window_columns
from mochac.codegen.combinators.prefetching import prefetch_filters
from mochac.codegen.combinators.tiles import hold, lanes, lanes_together, register_tile
from mochac.ir.kernel import Load, Store, loops_named, walk
from mochac.ir.schedule_builder import ALL, Handle, ScheduleBuilder, because
from mochac.ir.steps.clip import Overrun
from mochac.ir.steps.merge import Distribute, Reorder
from mochac.ir.steps.run import Place, Unroll
from mochac.ir.steps.split import Peel
from mochac.ir.steps.storage import Flatten, Permute


@record
class BatchTail:
    """How a tail is computed.

    Attributes:
        samples: their number.
        lanes: lanes of a vector.
        channels, vectors: the tile in registers.
        rows: rows of an item; 0: items are tiles of channels, and compute all rows.
        pooled: windows in registers, if a pooling follows.
        natural: whether the tail is one sample that is stored naturally, so that vectors are loaded and stored along
            its rows.
        far: whether filters come from beyond L2.
        together: neighbouring columns whose samples fill a vector, if these lie side by side in memory; else 1.
        packed: whether the image is packed. Filters of one tap read vectors of a natural image as it is.
    """

    samples: int
    lanes: int
    channels: int
    vectors: int
    rows: int
    pooled: int
    natural: bool = False
    far: bool = False
    together: int = 1
    packed: bool = True


@because("the last samples of the batch, which fill no vector, are packed: fewer lanes idle than with padding")
def batch_tail(b: ScheduleBuilder, s: BatchSum, tail: BatchTail) -> tuple[str, ...]:
    """Schedule the nest of these samples.

    Returns:
        The loops that threads may share.
    """
    count = prod(b.extent(tap) for tap in (*s.row_taps, s.column_tap) if tap)
    taps: tuple[str, ...] = _named(s.column_tap)
    if s.stride > 1:
        taps = b.split(s.column_tap, s.stride, "guard")[::-1]
        b.add(Reorder(taps))
    items, tiles, channel = _items(b, s, tail)
    if s.cells:
        whole_windows(b, s.cells, s.end)
    nest = (*channel, s.batch) if s.plane else (*channel, s.column, *_samples(s, tail))
    part = b.detach(nest, 1 if s.cells or s.plane else s.end, "second")
    along = _line(b, s, tail, channel, _kept(b, nest[0], part(nest[0])))
    limit_rows(b, s)
    vectors, over = divmod(b.extent(along), tail.lanes)
    vector, _ = lanes(b, along, tail.lanes, "guard")
    hold(b, *channel)
    ((pieces, _),) = register_tile(b, (vector, tail.vectors))
    if tail.far and channel:
        prefetch_filters(b, s, s.depth[0], channel[0], tiles, tail.channels, count)
    if over and vectors >= tail.vectors:
        b.add(Peel(pieces, 0, 1))
    b.add(*map(Unroll, taps), *(Unroll(x.phase) for x in s.column_phases))
    alone = tail.samples == 1 and bool(s.cells or s.plane)
    if s.cells or s.plane:
        window_columns(b, part(s.reader[-1] if s.plane else s.column), tail.pooled, vector=alone)
    if alone:
        hold(b, part(s.batch))
    elif tail.natural:
        lanes(b, part(s.column), tail.lanes, "guard")
    else:
        b.reason = "one instruction works on a whole vector of neighbours"
        b.add(Distribute(part(s.batch), ALL))
        lanes_together(b, part(s.column), part(s.batch), 1 if s.cells or s.plane else tail.together)
    return items


def _items(b: ScheduleBuilder, s: BatchSum, tail: BatchTail) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
    """Order and cut the loops, and pack what an item reads.

    Rows are inside of the tiles of channels, so that they share filters.

    Returns:
        The loops over items; those over tiles of channels and over the channels of a tile, if there are any.
    """
    phases = tuple(x.phase for x in (*s.row_phases, *s.column_phases))
    outer = s.outer if tail.packed else (s.batch, *s.outer)
    inner = (s.batch,) if s.plane else (s.column, *_samples(s, tail))
    if not tail.rows:
        rows = () if s.plane else (*s.rows, *phases)
        b.add(Reorder((*outer, *_named(s.channel), *rows, *inner)))
        if not s.channel:
            _pack(b, s, tail, (*rows, *inner)[0])
            return outer, "", ()
        tiles, channel = b.split(s.channel, tail.channels, "cut")
        _pack(b, s, tail, channel)
        if rows:
            b.add(Reorder((*rows, channel)))
        return (*outer, tiles), tiles, (channel,)
    b.add(Reorder((*outer, *s.rows, *phases, *_named(s.channel), *inner)))
    block, row = b.split(s.rows[-1], tail.rows, "guard")
    items = (*outer, *s.rows[:-1], block)
    if not s.channel:
        _pack(b, s, tail, row)
        return items, "", ()
    b.add(Reorder((s.channel, row, *phases)))
    _pack(b, s, tail, s.channel)
    tiles, channel = b.split(s.channel, tail.channels, "cut")
    b.add(Reorder((row, *phases, channel)))
    return items, tiles, (channel,)


def _samples(s: BatchSum, tail: BatchTail) -> tuple[str, ...]:
    """The loop over samples, if it is inside of the others."""
    return (s.batch,) if tail.packed else ()


def _named(loop: str) -> tuple[str, ...]:
    return (loop,) if loop else ()


def _pack(b: ScheduleBuilder, s: BatchSum, tail: BatchTail, loop: str) -> None:
    """Pack what a loop reads of the image, with columns and samples as one axis, the innermost."""
    if not tail.packed:
        return
    axes = len(b.kernel.buffers()[s.image].type.shape)
    order = (*(axis for axis in range(1, axes) if axis != s.axis), s.axis, 0)
    local, fill = b.pack(s.image, loop, order, (s.axis,), stride=s.stride)
    b.add(Flatten(local, axes - 2 + (s.stride > 1)))
    if not tail.natural:
        lanes_together(b, fill[s.axis], fill[0], tail.together if s.stride == 1 else 1)
    elif s.stride == 1:
        lanes(b, fill[s.axis], tail.lanes, "cut")


def _kept(b: ScheduleBuilder, producer: str, reader: str) -> str:
    """The local through which one nest passes its results to another."""
    stored = {s.buffer for nest in loops_named(b.kernel.body, producer) for s in walk((nest,)) if isinstance(s, Store)}
    loads = (s.buffer for nest in loops_named(b.kernel.body, reader) for s in walk((nest,)) if isinstance(s, Load))
    return next(name for name in loads if name in stored)


def _line(b: ScheduleBuilder, s: BatchSum, tail: BatchTail, channel: tuple[str, ...], kept: str) -> Handle:
    """Make columns and samples one loop, the innermost, and one dimension of what is kept."""
    rest, cell = (s.rows, ()) if s.plane else (s.cells[:-1], s.cells[-1:])
    merged = (*cell, *_samples(s, tail))
    order = (*rest, s.column, *merged)
    b.add(Reorder(order), Place(kept, "scratch"))
    index = next(x.index for x in walk(b.kernel.body) if isinstance(x, Store) and x.buffer == kept)
    axes = [next(a for a, i in enumerate(index) if v in i.vars) for v in (*channel, *order)]
    b.add(Permute(kept, tuple(axes)), *[Flatten(kept, len(channel) + len(rest))] * len(merged))
    if s.column_phases:
        b.fits(Overrun(s.column))
    along = Handle(s.column)
    for loop in merged:
        along = b.merge(along, loop)
    return along
