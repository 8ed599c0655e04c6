"""Convolution weight gradient: lanes are partial sums over the batch, a tile of filters x channels x taps in registers.

    for a block of filters and channels:
      batch inner:  for channels, filters, kh:  acc[kw][c][r] = 0;  for q, oh, ow: acc += x * dy
      batch outer:  for q, band of rows, channels, filters, kh:  acc from scratch;  for oh, ow: acc += x * dy;  back
      tail:         for band of rows:  pack dy;  for channels:  pack x;  for filters, kh:  the same for oh, vectors of
                    columns and samples
      sum the lanes of as many weights at once as there are lanes, epilogue

The batch is the inner loop if L1 holds most of what a tile reads of all images; else L1 holds the rows of a band and L2
the accumulators of a block (weight_gradient_blocks.py). Images from beyond L2 are prefetched where this saves more than
it costs; if filters have one tap, gradients as well. Samples that do not fill a block are packed where this is cheaper
than padding: lanes are then columns and samples together. A gradient that the kernel computes itself,
such as that of a pooling, is computed plane by plane for the filters of a block. Requires blocked operands.

Planes: the kernel computes the gradient of the results itself, one image per sample and filter.

    for q, band:  th { plane_of { rh { pt { u { rw { P[plane_of, rh + 2*th, ..] = sum over dh, dw of .. } } } } } }
                  for channels, filters, kh:  acc += x * P

The gradient of a pooling, as large as the image, is never stored: the rows of a band are read from L1 for all channels
and taps as soon as they are computed. Where windows overlap or touch padding, an iteration of th computes rows that two
bands read, or the first and last iterations need code of their own. Whole planes are then computed one after another,
before the bands.

The tail of a batch: lanes = columns and samples together.

    pack dy;  for channels:  pack x;  for kh:  acc[kw][r] from scratch;  for oh, vectors over ow * samples + n:
        acc += x * dy;  back

With a stride, the pack has a row of columns for each tap. Lanes hold partial sums, so those of the full blocks and of
the tail use the same accumulators.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod

from mochac.codegen.analysis.nests import block_lanes, edge_tiles, float_dtype
from mochac.codegen.analysis.weight_gradient import WeightGradient, weight_gradient
from mochac.codegen.combinators.caches import keep_near
from mochac.codegen.combinators.images import lines, window_columns, window_loops
from mochac.codegen.combinators.sums import transposed_sum
from mochac.codegen.combinators.tiles import columns_together, hold, lanes_together, sum_in_lanes
from mochac.codegen.cpu.schedules.picking import pick, weigh
from mochac.codegen.cpu.schedules.weight_gradient_blocks import CacheBlocks, GradientTile, blocks_of, gradient_tiles
from mochac.codegen.cpu.schedules.windows import MOST_UNROLLED, column_tile
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel, Store
from mochac.ir.nest import band, extents, loops
from mochac.ir.schedule import Schedule, ScheduleError
from mochac.ir.schedule_builder import Handle, ScheduleBuilder, Suffix, because
from mochac.ir.steps.clip import Clip, Unguard
from mochac.ir.steps.jam import Jam
from mochac.ir.steps.merge import Distribute, Reorder
from mochac.ir.steps.prefetch_tile import PrefetchTile
from mochac.ir.steps.run import Parallel, Rename, Unroll, Vector
from mochac.ir.steps.split import Peel
from mochac.ir.steps.storage import Flatten, Innermost


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless the kernel is a blocked weight gradient."""
    form = weight_gradient(kernel)
    if form is None:
        return None
    b = ScheduleBuilder(kernel, form.steps, form.kernel)
    count = target.lanes(float_dtype(kernel))
    form = _lined(b, form, count)
    extent = extents(form.kernel)
    filters, channels, taps, width = (extent[loop] for loop in (form.filter, form.channel, form.taps[-1], form.column))
    choose = weigh if extent[form.batch] % count else pick  # masks and packed samples are not in the cost of a tile
    tile = choose(*gradient_tiles(filters, channels, taps, width, target.machine))
    blocks = pick(*blocks_of(form, tile, target))
    tail = cut_tail(b, form, count) if blocks.packed else None
    b.reason = "a block of filters and channels is an item, whose sums stay in L2"
    filters_o, filter = b.split(form.filter, blocks.filters, "cut")
    channel, items = form.channel, (*form.groups, filters_o)
    if not form.plane:  # a plane is read by all channels
        b.add(Reorder((filters_o, channel, filter)))
        channels_o, channel = b.split(channel, blocks.channels, "cut")
        b.add(Reorder((filter, channel)))
        items = (*items, channels_o)
    nest = (filter, channel, *form.taps)
    block, lane, peels, tail_bands = _lanes(b, form, tail, filter, blocks, count)
    outer = (*_bands(b, form, block, blocks), *tail_bands)
    join, joined = sum_in_lanes(b, form.accumulator, lane)
    last = _parted(b, nest, joined, with_zeros=bool(outer)) if block else None
    if last is None:  # the sums of the lanes stay in registers
        b.add(Vector(join))
    planes = _ordered(b, form, nest, outer, lane)
    if planes and tile_plane(b, form, target.registers, planes) and outer[1:]:
        plane_by_bands(b, form, planes, outer[1], blocks.rows)
    _tiled(b, form, nest, tile, blocks, outer, full=block is not None)
    b.add(*peels)
    if last is not None:
        transposed_sum(b, form.accumulator, last(join), tuple(map(last, nest[1:])), form.weights)
    b.add(Parallel(items))
    return b.schedule(f"{kernel.root}.blocked")


def _lined(b: ScheduleBuilder, form: WeightGradient, count: int) -> WeightGradient:
    """Treat images under filters of one tap as lines of elements."""
    full = b.extent(form.batch) % count == 0
    if not full or form.plane or len(form.rows) != 1 or not form.one_tap:
        return form
    row, column = lines(b, *form.rows, form.column)
    return replace(form, kernel=b.kernel, rows=(row,), column=column)


def _lanes(
    b: ScheduleBuilder, form: WeightGradient, tail: Suffix | None, filter: Handle, blocks: CacheBlocks, count: int
) -> tuple[Handle | None, Handle, list[Peel], tuple[Handle, ...]]:
    """Cut the batch into blocks of lanes, and pack the tail or compute it in a block that is not full.

    Returns:
        The loop over full blocks, if there are any; the loop over lanes; the steps that peel loops at the end; the loop
        over bands of the tail, if it has any.
    """
    samples = extents(form.kernel)[form.batch]
    if tail is not None and samples < count:
        lane, vector, _ = pack_tail(b, form, tail, filter, 0, count)
        return None, lane, [Peel(vector, 0, 1)], ()
    b.reason = "lanes are samples: each adds up its own part of the sum"
    count = min(count, block_lanes(form.kernel))
    block, lane = b.split(form.batch, count)
    if tail is not None:
        high = 0 if blocks.batch_inner else blocks.rows * (count // (samples % count))
        rest, vector, band = pack_tail(b, form, tail, filter, high, count)
        b.add(Rename(rest, lane, vector))
        return block, lane, [Peel(vector, 0, 1)], (band,) if band else ()
    if samples % count == 0:
        return block, lane, [], ()
    if form.plane:
        b.add(Unguard(form.plane))
    return block, lane, [Peel(block, 0, 1)], ()


def _bands(b: ScheduleBuilder, form: WeightGradient, block: Handle | None, blocks: CacheBlocks) -> tuple[Handle, ...]:
    """The loops of the sum that belong outside of filters, channels and taps, if any."""
    if block is None:
        return ()
    outer, rows = () if blocks.batch_inner else (block,), form.rows
    if outer and rows:
        b.reason = "L1 holds a band of rows for all tiles of the block"
        band, row = b.split(rows[0], blocks.rows)
        outer, rows = (block, band), (row, *rows[1:])
    for loop in rows:
        b.fits(Clip(loop))
    return outer


def _parted(b: ScheduleBuilder, nest: tuple[str, ...], joined: Handle, with_zeros: bool) -> Suffix:
    """Give the sum of the lanes a nest of its own; if `with_zeros`, the zeros before the sum as well."""
    body = loops(b.kernel)[nest[-1]].body
    last = b.detach(nest, next(k for k, s in enumerate(body) if isinstance(s, Store) and s.buffer == joined), "second")
    if with_zeros:
        b.detach(nest, 1, "first")
    return last


def _ordered(
    b: ScheduleBuilder, form: WeightGradient, nest: tuple[str, ...], outer: tuple[Handle, ...], lane: Handle
) -> Handle | None:
    """Move the loops `outer` of the sum, and what is packed or computed as planes, outside of the other loops.

    Returns:
        The loop over planes, if there are any.
    """
    filter, channel, *taps = nest
    b.reason = "all filters, channels and taps use what L1 holds of images and gradients"
    b.add(Reorder((channel, filter)))
    b.add(*(Distribute(tap, outer) for tap in reversed(taps)))
    planes = place_plane(b, form, filter, outer, lane) if form.plane else None
    b.add(Distribute(filter, outer), Distribute(channel, outer))
    if form.summed:
        part = Suffix("") if form.rows else b.detach((channel, filter, *taps), 1, "first")
        b.reason = "each image of a plane is added up only once"
        b.add(*(Clip(part(loop)) for loop in (channel, *taps)))
        if not form.rows:
            hold(b, part(filter))
    return planes


def _tiled(
    b: ScheduleBuilder,
    form: WeightGradient,
    nest: tuple[str, ...],
    tile: GradientTile,
    blocks: CacheBlocks,
    outer: tuple[Handle, ...],
    full: bool,
) -> None:
    """Hold a tile of filters, channels and taps in registers.

    With `full` blocks of samples, the accumulators of a tile stay in scratch memory between bands, and the input of the
    next channels is prefetched, since hardware prefetchers stop at the end of a page. Filters of one tap use what they
    read but once: there, the gradients of the next band are prefetched, too, and both in turns, of a channel or filter.
    """
    filter, channel, *taps, tap = nest
    around = taps[-1] if taps else ""
    if tile.taps < b.extent(tap):
        b.reason = "a row of taps is divided, so that its sums fit into registers"
        around, tap = b.split(tap, tile.taps, "cut")
        b.add(Unroll(around))
    channels, channel = b.split(channel, tile.channels, "cut")
    filters, filter = b.split(filter, tile.filters, "cut")
    hold(b, *((tap, channel, filter) if tile.filters <= tile.images else (filter, tap, channel)))
    if not full:
        return
    keep_near(b, form.accumulator, around or filters)
    edges = edge_tiles(form.kernel, form.column, tile.columns)
    b.reason = "neighbouring columns share what they read of the image"
    columns, column = b.split(form.column, tile.columns, "cut")
    in_turns = blocks.prefetched and form.one_tap
    if in_turns:
        band = outer[-1]
        b.add(PrefetchTile(form.image, columns, channel, filters, channels, band, whole=column, late=True))
        b.add(PrefetchTile(form.gradient, columns, filter, channels, band, whole=column, late=True))
    elif blocks.prefetched:
        b.add(PrefetchTile(form.image, column, channel, filters, channels, per=tile.channels, late=True))
    if any(edges):
        b.add(Peel(columns, *edges))
    if blocks.prefetched and not in_turns:
        b.add(Peel(filters, 0, 1))
    b.add(Unroll(column))


def tile_plane(b: ScheduleBuilder, form: WeightGradient, registers: int, filter: str) -> bool:
    """Compute the plane a few columns of tiles at a time, and whole tiles if the code for at least two columns stays
    small.

    Args:
        filter: the loop over the planes of a block.

    Returns:
        Whether one loop still goes over all rows of the planes, which have some.
    """
    nest = loops(b.kernel)[form.plane]
    inner = [loop.var for loop in band(nest.body, kind="each") if loop.var != filter]
    *rows, column, cells = (form.plane, *inner)
    cell_rows = rows[-1:]
    down, across = window_loops(b, column)
    extent = extents(b.kernel)
    row = prod(extent[var] for var in (cells, *across))
    high = prod(extent[var] for var in (*cell_rows, *down))
    most = min(extent[column], registers // 4, MOST_UNROLLED // (row * high))
    whole = most >= min(2, extent[column])
    size = column_tile(extent[column], most if whole else min(registers // 4, MOST_UNROLLED // row))
    if not size:
        raise ScheduleError("windows are too wide to be unrolled")
    tops = edge_tiles(b.kernel, form.plane, 1) if whole and rows else (0, 0)
    if any(tops) or not rows:
        plane_by_plane(b, form, filter)
    window_columns(b, column, size, clipped=not whole)
    hold(b, cells)
    b.add(*map(Unroll, (*cell_rows, *down) if whole else ()))
    if any(tops):
        b.add(Peel(form.plane, *tops))
    return bool(rows) and not any(tops)


@because("planes are computed one after another, so that their operands are read from memory in order")
def plane_by_plane(b: ScheduleBuilder, form: WeightGradient, filter: str) -> None:
    """Compute the planes of a block one after another, not row by row."""
    b.add(Reorder((filter, form.plane)))


def plane_by_bands(b: ScheduleBuilder, form: WeightGradient, filter: str, bands: str, rows: int) -> None:
    """Compute the rows of the planes that a band reads just before the band, if whole iterations compute them; else
    compute whole planes."""
    if rows % form.plane_rows or form.plane_row(b.kernel).const < 0:
        plane_by_plane(b, form, filter)
        return
    block, row = b.split(form.plane, rows // form.plane_rows)
    if not b.fits(Jam(bands, block)):
        b.add(Reorder((filter, block, row)))


@because("the planes of a block's filters are computed before the bands of rows that read them")
def place_plane(b: ScheduleBuilder, form: WeightGradient, filter: str, outer: tuple[str, ...], lane: str) -> Handle:
    """Compute the planes of a block's filters before the bands of rows that read them.

    Returns:
        The loop over these planes.
    """
    b.add(Distribute(filter, (*outer, form.plane)))
    planes = b.rename(filter, form.plane)
    b.add(Innermost(form.gradient, lane))
    return planes


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
