"""Sums of products for every sample of a batch: products, convolutions, data gradients, alone or fused with a pooling.

    alone             for q, row, c-tile, column-tile:  acc[c][column] over depth and taps;  epilogue     lanes = batch
    whole windows     for q, row, c-tile, column-tile:  acc[c][i][column][j] ..;  pool them in registers
                      of few registers, a row of a window after the other
    other windows     for c-tile, q, pooled row:  for the rows new to it:  acc ..;  plane = acc;  then pool that row

Products, which have no columns, are in batch_product.py. Rows that touch padding have shorter loops over their taps;
columns that touch it have tiles of their own. What the epilogue reads and stores is prefetched during the sum. Samples
that do not fill a block are packed where that pays. The rule requires blocked operands, or one natural image, which is
computed like samples that do not fill a block. Loops are recognized by their role in the sum.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import prod

from mochac.codegen.analysis.batch_sum import BatchSum, batch_sum
from mochac.codegen.analysis.nests import block_lanes, edge_tiles, float_dtype, may_pad
from mochac.codegen.combinators.batch_tail import BatchTail, batch_tail
from mochac.codegen.combinators.caches import share_items
from mochac.codegen.combinators.images import (
    limit_rows,
    lines,
    planes,
    row_by_row,
    whole_image,
    whole_windows,
    window_columns,
    window_loops,
)
from mochac.codegen.combinators.prefetching import (
    far_columns,
    far_filters,
    far_image,
    far_results,
    prefetch_columns,
    prefetch_filters,
    prefetch_rows,
    prefetch_tiles,
)
from mochac.codegen.combinators.tiles import hold, lanes
from mochac.codegen.cpu.addresses import strides
from mochac.codegen.cpu.schedules.batch_product import batch_product
from mochac.codegen.cpu.schedules.image_order import ImageRow, columns_first, image_waits
from mochac.codegen.cpu.schedules.picking import pick
from mochac.codegen.cpu.schedules.tail_cost import tail_of
from mochac.codegen.cpu.schedules.tiles import (
    RegisterTile,
    most_columns,
    no_waits,
    nothing,
    ranked_tiles,
    spread,
    total_cost,
)
from mochac.codegen.cpu.schedules.windows import pooled_columns
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel, Load, Store, walk
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.merge import Reorder
from mochac.ir.steps.run import Unroll
from mochac.ir.steps.split import Peel
from mochac.ir.steps.storage import Innermost
from mochac.ir.types import DTYPES

AHEAD = 1 / 16
"""Share of the registers that LLVM fills with columns of a window before it uses them (counted in assembly)."""
STRIDED = 2
"""Minimum number of these registers where taps read columns of several phases."""
PAIR_REACH = 256
"""Maximum offset, in bytes from a pointer, at which AArch64 loads a pair of scalars."""
PANELS = 0.85
"""Share of L1 for the panels of both factors where both are vectors."""
LEAST_CHANNELS = 16
"""Minimum channels of a group. Channels are divided into groups where samples and rows give too few items."""
EVEN = 1.1
"""Groups become smaller until items take at most this many times as long as if threads shared the work evenly."""
WHOLE_WINDOWS = "samples and rows are items; the channels of a tile go along a row, window by window"
BETTER_ORDER = "samples and rows are items; of both orders of channels and columns, this one moves less between caches"
MAX_CELLS = 9
"""Maximum cells of a window whose sums are held in registers. A mean adds up any number of cells, one after another."""
MAX_ROW_SHARE = 0.95
"""The rows of a window are computed one after another, and the maxima so far are kept, if that takes at most this share
of the cycles."""


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless the kernel is such a sum over blocked samples."""
    s = batch_sum(kernel)
    if s is None or not (s.channel or s.column):
        return None
    b = ScheduleBuilder(kernel, s.steps, s.kernel)
    if not block_lanes(kernel):
        return _one_image(b, s, target)
    if not may_pad(s.kernel, s.batch):
        return None
    s = _groups_for_threads(b, _in_lines(b, s, target.lanes(float_dtype(kernel))), target)
    cells = _cells(s, target)
    tile = pick(*_tiles(s, target, cells))
    pooled = _pooled(b, s, target)
    if not s.averaged and (not pooled or s.size(*cells) > MAX_CELLS):
        return None
    tail = pick(tail_of(s, target, tile, cells, pooled), None) if pooled else None

    def whole(samples: int) -> tuple[str, ...]:
        """Schedule the samples that are not in the tail; the loops over their items."""
        if not samples:
            return ()
        if s.plane:
            return _planes(b, s, tile, pooled, target)
        return _images(b, s, tile, cells, target) if s.column else batch_product(b, s, tile, target)

    def with_tail(tail: BatchTail) -> tuple[str, ...]:
        samples = s.size(s.batch) - tail.samples
        b.reason = "samples that fill whole vectors run apart from the others"
        items = batch_tail(b, s.of(b.cut(s.batch, samples)) if samples else s, tail)
        return (*whole(samples), *items)

    items = tail and b.attempt(partial(with_tail, tail))  # a packed tail may not fit what surrounds the sum
    share_items(b, *(items or whole(s.size(s.batch))), least=target.team)
    return b.schedule(f"{kernel.root}.{_kind(s)}")


def _one_image(b: ScheduleBuilder, s: BatchSum, target: CpuTarget) -> Schedule | None:
    """The schedule for a natural image, whose columns are the lanes. Sums of their own are better ones, if they are
    neighbours in memory; so are channels where lanes have no masks."""
    if any(_neighbours(s, loop) for loop in (*s.outer, *([s.channel] if not target.masks else []))):
        return None
    s = _in_one_row(b, s, target)
    pooled = _pooled(b, s, target) if s.column else 0
    tail = tail_of(s, target, RegisterTile(1, 1), s.cells, pooled) if pooled else None
    if not tail:
        return None
    share_items(b, *batch_tail(b, s, tail), least=target.team)
    return b.schedule(f"{b.start.root}.one-image")


def _neighbours(s: BatchSum, loop: str) -> bool:
    """Whether a loop goes over neighbouring results in memory."""
    outputs = {b.name for b in s.kernel.outputs}
    stores = [stmt for stmt in walk(s.kernel.body) if isinstance(stmt, Store) and stmt.buffer in outputs]
    return bool(loop) and all(stmt.index[-1].coefficient(loop) for stmt in stores)


def _kind(s: BatchSum) -> str:
    return "planes" if s.plane else "averaged" if s.averaged else "pooled" if s.cells else "blocked"


def _in_lines(b: ScheduleBuilder, s: BatchSum, count: int) -> BatchSum:
    """Cut images under filters of one tap into rows that whole tiles fill."""
    taps = s.size(*s.row_taps, s.column_tap)
    if taps > 1 or not s.rows or not s.column or s.plane or s.cells or s.size(s.batch) % count:
        return s
    row, column = lines(b, s.rows[-1], s.column)
    return replace(s, kernel=b.kernel, rows=(*s.rows[:-1], row), column=column)


def _in_one_row(b: ScheduleBuilder, s: BatchSum, target: CpuTarget) -> BatchSum:
    """Make one row of a natural image under filters of one tap, so that few lanes idle, and all tiles of columns share
    filters. The image stays in L2, with a tile of channels of results."""
    if s.size(*s.row_taps, s.column_tap) > 1 or s.stride > 1 or not s.rows or not s.column or s.plane or s.cells:
        return s
    image = s.kernel.buffers()[s.image].type
    results = target.registers // 2 * s.size(s.rows[-1], s.column) * DTYPES[image.dtype].itemsize
    near = image.storage_bytes + results <= target.machine.l2.n_bytes
    column = whole_image(b, s.rows[-1], s.column) if near else None
    if column is None:
        return s
    return replace(s, kernel=b.kernel, rows=s.rows[:-1], row_taps=s.row_taps[:-1], column=column, axis=s.axis - 1)


def _groups_for_threads(b: ScheduleBuilder, s: BatchSum, target: CpuTarget) -> BatchSum:
    """Cut the channels into groups that are items, too, where threads cannot share samples and rows evenly."""
    samples, count = s.size(s.batch), target.lanes(float_dtype(s.kernel))
    if samples < count or not s.column or not s.channel or s.plane or s.cells or s.both:
        return s
    channels, items = s.size(s.channel), -(-samples // count) * s.size(*s.outer, *s.rows)
    groups = [n for n in range(1, channels // LEAST_CHANNELS + 1) if channels % n == 0]
    even = (n for n in groups if spread([1.0] * (n * items), target.team) <= EVEN)
    cut = next(even, groups[-1] if groups else 1)
    if cut == 1:
        return s
    b.reason = "samples and rows are few, so that groups of channels are items, too"
    return _in_groups(b, s, channels // cut)


def _in_groups(b: ScheduleBuilder, s: BatchSum, size: int) -> BatchSum:
    """Cut the channels into groups of `size`, a divisor; the loop over groups is an outer one."""
    group, channel = b.split(s.channel, size, "cut")
    return replace(s, kernel=b.kernel, outer=(*s.outer, group), channel=channel)


def _cells(s: BatchSum, target: CpuTarget) -> tuple[str, ...]:
    """The loops over the cells of a window that are in registers together: all of them, or only those of a row."""
    if s.averaged or not s.cells:
        return ()

    def cycles(cells: tuple[str, ...]) -> float:
        tile, n = _tiles(s, target, cells)[0], s.size(*cells)
        return total_cost(s.size(s.channel), s.size(s.column), tile, target.machine, n) / n

    rows = s.cells[-1:]
    return rows if cycles(rows) <= MAX_ROW_SHARE * cycles(s.cells) else s.cells


def _tiles(s: BatchSum, target: CpuTarget, cells: tuple[str, ...]) -> list[RegisterTile]:
    """Register tiles, the best first: channels x columns, each of some cells; of a product, channels x blocks of
    samples."""
    channels, columns = s.size(s.channel), s.size(s.column)
    if not s.column:
        blocks = -(-s.size(s.batch) // block_lanes(s.kernel))
        return ranked_tiles(channels, blocks, target.machine, max_columns=4)
    if s.averaged:
        return ranked_tiles(channels, s.size(_along(s)), target.machine, taken=_waiting(s, target))
    if cells:
        return ranked_tiles(
            channels,
            columns,
            target.machine,
            max_columns=8,
            cells=s.size(*cells),
            shorter_side=s.size(s.column_tap) == 1,  # more taps read the same vectors again
            taken=_waiting(s, target),
        )
    phases = max((x.reached for x in s.column_phases), default=1)
    alone = channels == 1 and target.machine.from_memory
    return ranked_tiles(
        channels,
        columns,
        target.machine,
        max_columns=most_columns(channels, target.machine),
        cells=phases,
        shorter_side=s.both or alone,
        taken=nothing if alone else _waiting(s, target),
        waits=no_waits
        if s.both or s.plane
        else partial(image_waits, _row(s), machine=target.machine, orders=_orders(s)),
    )


def _along(s: BatchSum) -> str:
    """The loop whose iterations are the columns of a tile: of a mean, cells of a row if there are more of them than
    windows beside each other."""
    cell = s.cells[-1] if s.averaged else ""
    return cell if cell and s.size(cell) > s.size(s.column) else s.column


def _waiting(s: BatchSum, target: CpuTarget) -> Callable[[RegisterTile], int]:
    """Registers for what is loaded before it is used: columns, and for each channel the second tap of a loaded pair."""
    if s.size(s.column_tap) <= 1 or s.plane:
        return nothing
    least = STRIDED if s.stride > 1 or s.column_phases else 0
    ahead, reach = max(least, int(AHEAD * target.registers)), 0
    if target.machine.pairs and s.weight is not None:
        weight = s.kernel.buffers()[s.weight.buffer].type
        channel, tap = (
            abs(sum(i.coefficient(v) * n for i, n in zip(s.weight.index, strides(weight), strict=True)))
            for v in (s.channel, s.column_tap)
        )
        if channel and tap == 1:
            reach = PAIR_REACH // (channel * DTYPES[weight.dtype].itemsize)
    return lambda tile: ahead + min(tile.rows, reach)


def _pooled(b: ScheduleBuilder, s: BatchSum, target: CpuTarget) -> int:
    """The number of neighbouring windows of a pooling in registers: 0 if they are too wide, 1 without a pooling."""
    if s.cells:
        return pooled_columns(s.size(s.column), s.size(s.cells[-1]), target)
    if not s.plane:
        return 1
    _, columns = window_loops(b, s.reader[-1])
    return pooled_columns(s.size(s.reader[-1]), prod(b.extent(v) for v in columns), target)


def _images(
    b: ScheduleBuilder, s: BatchSum, tile: RegisterTile, cells: tuple[str, ...], target: CpuTarget
) -> tuple[str, ...]:
    """Schedule images, alone or with whole windows; return the loops over items."""
    phases = tuple(x.phase for x in s.column_phases)
    columns_first = _columns_first(s, tile, target)
    if s.both and columns_first:
        s = _groups_for_l1(b, s, tile, target)
    inner = (s.column, s.channel) if columns_first else (s.channel, s.column)
    b.reason = WHOLE_WINDOWS if cells else BETTER_ORDER
    b.add(Reorder((s.batch, *s.outer, *s.rows, *(x.phase for x in s.row_phases), *filter(None, inner))))
    if cells:
        whole_windows(b, cells, s.end or s.after)
    limit_rows(b, s, cells)
    along = _along(s)
    edges = edge_tiles(b.kernel, along, tile.columns)
    b.reason = "a tile of channels and columns stays in registers while its sum runs"
    channels, channel = b.split(s.channel, tile.rows, "cut") if s.channel else ("", "")
    columns, column = b.split(along, tile.columns, "cut")
    if along != s.column:
        whole_windows(b, (column,), s.end or s.after)
    block, lane = lanes(b, s.batch, block_lanes(b.start), "pad")
    hold(b, *filter(None, (channel,)), *cells[:-1], *phases, column, *cells[-1:])
    term = prefetch_tiles(b, s, (*s.epilogue, *far_results(s, target.machine, tile.columns)), lane, tile.rows)
    tiles = -(-s.size(s.channel) // tile.rows)
    if far_image(s, target.machine):
        prefetch_rows(b, s, term, column, channels, tiles)
    if columns_first and far_columns(s, target.machine, tile.columns):
        prefetch_columns(b, s, term, column, columns, channels, tiles)
    if far_filters(s, target.machine):
        prefetch_filters(b, s, term, channel, channels, tile.rows, s.size(*s.row_taps, s.column_tap))
    _finish(b, s, columns, edges)
    items = (block, *s.outer, *s.rows)
    if not columns_first:
        even = channels and not s.row_phases and s.size(s.channel) % tile.rows == 0
        return (*items, channels) if even and prod(map(b.extent, items)) < target.team else items
    whole = b.extent(columns) * tile.columns == s.size(s.column) and not any(edges)
    return (*items, columns) if whole and not s.rows else items


def _groups_for_l1(b: ScheduleBuilder, s: BatchSum, tile: RegisterTile, target: CpuTarget) -> BatchSum:
    """Cut the channels into groups that stay in L1 while all tiles of columns read them. For sums whose factors are
    both vectors: there, each tile of columns reads all channels."""
    line = s.size(*s.depth) * block_lanes(s.kernel) * DTYPES[float_dtype(s.kernel)].itemsize
    room = int(PANELS * target.machine.l1.n_bytes) // line - tile.columns
    channels = s.size(s.channel)
    groups = (n for n in range(min(room, channels - 1), tile.rows - 1, -1) if not channels % n and not n % tile.rows)
    group = next(groups, 0)
    if not group or not s.depth:
        return s
    b.reason = "a group of channels stays in L1 for all tiles of columns"
    return _in_groups(b, s, group)


def _planes(b: ScheduleBuilder, s: BatchSum, tile: RegisterTile, pooled: int, target: CpuTarget) -> tuple[str, ...]:
    """Schedule sums that a second nest reads from planes; return the loops over items."""
    b.reason = "the planes of a tile of channels are an item: they stay near until they are read"
    b.add(Reorder((*s.outer, s.channel, s.batch)))
    channels, channel = b.split(s.channel, tile.rows, "cut")
    b.add(Reorder((s.batch, channel)))
    edges = edge_tiles(b.kernel, s.column, tile.columns)
    part = planes(b, "" if s.is_stored else s.plane, channel, s.reader[0] if s.rows else "")
    limit_rows(b, s)
    b.reason = "a tile of channels and columns stays in registers while its sum runs"
    columns, column = b.split(s.column, tile.columns, "cut")
    block, lane = lanes(b, s.batch, block_lanes(b.start), "pad")
    hold(b, channel, column)
    prefetch_tiles(b, s, far_results(s, target.machine, tile.columns), lane, tile.rows)
    if s.rows:
        row_by_row(b, s.plane, s.rows[0], part(s.reader[0]))
    window_columns(b, part(s.reader[-1]), pooled)
    if not s.is_stored:
        b.add(Innermost(s.plane, lane))
    _finish(b, s, columns, edges)
    return (*s.outer, channels, block)


def _finish(b: ScheduleBuilder, s: BatchSum, columns: str, edges: tuple[int, int]) -> None:
    """Give the tiles at the edges code of their own, and unroll all taps of a row. Taps that read the same columns of a
    strided input follow each other."""
    if any(edges):
        b.add(Peel(columns, *edges))
    taps: tuple[str, ...] = (s.column_tap,) if s.column_tap else ()
    if taps and s.stride > 1:
        b.reason = "taps that read the same columns of the image follow each other"
        taps = b.split(s.column_tap, s.stride, "guard")[::-1]
        b.add(Reorder(taps))
    b.add(*map(Unroll, taps))


def _orders(s: BatchSum) -> tuple[bool, ...]:
    """The possible orders of the tiles of a row, True for columns first. With whole windows, columns are inside
    channels. With filters of one tap, columns are outside, since few rows are read and columns are the items."""
    if s.cells:
        return (False,)
    return (False, True) if s.size(*s.row_taps, s.column_tap) > 1 else (True,)


def _columns_first(s: BatchSum, tile: RegisterTile, target: CpuTarget) -> bool:
    """Whether the tiles of a row are computed columns first."""
    orders = _orders(s)
    return columns_first(_row(s), tile, target.machine) if len(orders) > 1 else orders == (True,)


def _row(s: BatchSum) -> ImageRow:
    size, image = DTYPES[float_dtype(s.kernel)].itemsize, s.kernel.buffers()[s.image].type
    vector = block_lanes(s.kernel) * size
    return ImageRow(
        channels=s.size(s.channel),
        columns=s.size(s.column),
        depth=s.size(*s.depth),
        taps=s.size(*s.row_taps),
        width=s.size(s.column_tap),
        stride=s.stride,
        wide=image.shape[-1],
        plane=prod(image.shape[2:]) * vector,
        vector=vector,
        element=size,
        along=s.weight is not None
        and _axis(s.weight, s.channel) > max((_axis(s.weight, x) for x in s.depth), default=0),
    )


def _axis(load: Load, loop: str) -> int:
    """The axis along which a loop moves an element; -1 if there is none."""
    return next((axis for axis, index in enumerate(load.index) if loop in index.vars), -1)
