"""Convolutions by tiles (ops/_winograd.py): a block of tiles is transformed, multiplied and transformed back near L2.

    for q, block of tiles:                                                                        lanes = batch
      for channel:  pack the image's rows, with zeros around them;  for tiles:  v = B' x
      for each product of a tile:  for filters, tiles:  acc[filter][tile] over channels;  m = acc
      for filter:  for tiles:  y = A' m;  epilogue

A block is a part of a row of tiles, or several rows; a large team divides its filters, too. Where samples fill a part
of a vector, transforms work in vectors of that size, and products on the samples of several tiles. The register tile is
that of a product. What the next block reads and stores is prefetched, spread over the products, if it comes from beyond
L2; so are filters, a register tile ahead.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial, reduce
from math import prod

from mochac.codegen.analysis.nests import block_lanes, float_dtype, may_pad
from mochac.codegen.analysis.tiled_sums import TiledSum, tiled_sum
from mochac.codegen.combinators.prefetching import Lines, prefetch_lines
from mochac.codegen.combinators.tiles import lanes, register_tile
from mochac.codegen.cpu.schedules.picking import pick
from mochac.codegen.cpu.schedules.tiles import TRANSFORMED, best_tile, result_parts
from mochac.codegen.cpu.schedules.winograd_cost import TiledProducts, blocks, tile_lines
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.machine import LINE
from mochac.ir.index import Index
from mochac.ir.kernel import Kernel, Load, Store, loops_named, walk
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import ALL, Handle, ScheduleBuilder
from mochac.ir.steps.jam import Jam
from mochac.ir.steps.merge import Distribute, Reorder
from mochac.ir.steps.prefetch_tile import EVERY, PrefetchTile
from mochac.ir.steps.run import Parallel, Vector
from mochac.ir.steps.storage import Flatten, Loosen, Permute
from mochac.ir.types import DTYPES

ENOUGH = 3
"""Times the accumulators that multiply-adds need at least: a tile of more prefetches too many lines at once, since sums
are short."""


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless the kernel is such a sum over blocked samples."""
    s = tiled_sum(kernel)
    if s is None or not block_lanes(kernel) or not may_pad(kernel, s.batch):
        return None
    b = ScheduleBuilder(kernel)
    s, items = _blocks(b, s, target)
    part = _parts(b, s, items, target)
    axes = tuple(range(len(kernel.buffers()[s.image].type.shape)))
    b.reason = "the rows of a channel that a row of tiles reads are copied, with zeros around them"
    _, copied = b.pack(s.image, (*s.inner, s.input.column)[0], axes, axes[2:])
    s, beside = _vectors(b, s, target)
    most = ENOUGH * target.machine.accumulators
    tile = best_tile(b.extent(s.filter), b.extent(s.column), target.machine, most=most)
    (filters, filter), (columns, _) = register_tile(b, (s.filter, tile.rows), (s.column, tile.columns))
    if beside:
        b.add(Distribute(beside, ALL))
    block, _ = lanes(b, s.batch, block_lanes(kernel), "pad")
    if beside:
        b.add(Vector(beside))
    tile_lines(b, (*s.input.lines, *s.output.lines), s.small, target.registers)
    b.add(Loosen(s.tiles, 1, 1), Loosen(s.products, 1, 1))
    _prefetch(b, s, (block, *items), part, copied[2:], (filters, columns), target)
    _prefetch_factors(b, s, filters, filter, target)
    b.add(Parallel((block, *items, *part)))
    return b.schedule(f"{kernel.root}.tiles")


def _blocks(b: ScheduleBuilder, s: TiledSum, target: CpuTarget) -> tuple[TiledSum, tuple[str, ...]]:
    """Compute blocks of tiles, parts of a row or several rows; return the loops over rows and blocks. Of tiles that
    overlap, those of all rows are a block."""
    if not s.output.column:
        b.reason = "an image is added up while it is near, by one thread"
        return reduce(partial(_together, b), reversed(s.inner), replace(s, inner=())), s.rows
    channels, filters, numbers = map(b.extent, (s.input.channel, s.filter, s.number))
    counts = tuple(map(b.extent, (*s.rows, s.column)))
    count = block_lanes(b.kernel)
    samples = -(-b.extent(s.batch) // count)
    rows, columns = pick(*blocks(TiledProducts(count, numbers, channels, filters, counts, samples), target))
    b.reason = "the transformed tiles of a block, and what is read and stored for it, stay in L2"
    if columns < counts[-1]:
        return _part_of_row(b, s, columns)
    *outer, row = s.rows or ("",)
    if rows == 1:
        return s, s.rows
    if rows < b.extent(row):
        blocks_, row = b.split(row, rows, "cut")
        outer.append(blocks_)
    return _together(b, s, row), tuple(outer)


def _part_of_row(b: ScheduleBuilder, s: TiledSum, size: int) -> tuple[TiledSum, tuple[str, ...]]:
    """Cut rows of tiles into blocks; return the loops over rows and blocks, too."""
    (first, one), (second, two), (third, three) = (
        b.split(loop, size, "cut") for loop in (s.input.column, s.column, s.output.column)
    )
    b.add(Reorder((first, s.input.channel)), Reorder((second, s.number, s.filter)), Reorder((third, s.output.channel)))
    b.add(Jam(second, first), Jam(third, second))
    s = replace(s, input=replace(s.input, column=one), column=two, output=replace(s.output, column=three))
    return s, (*s.rows, third)


def _together(b: ScheduleBuilder, s: TiledSum, row: str) -> TiledSum:
    """Compute all rows of tiles that a loop goes over together: their tiles lie side by side."""
    b.add(Distribute(row, (s.input.channel, s.number, s.filter, s.output.channel)))
    inner = b.rename(row, s.number)
    for local in (s.tiles, s.products):
        used = [x.index for x in walk(b.kernel.body) if isinstance(x, (Load, Store)) and x.buffer == local]
        axis = next(index.index(Index.var(inner)) for index in used if Index.var(inner) in index)
        *others, last = (k for k, _ in enumerate(used[0]) if k != axis)
        b.add(Permute(local, (*others, axis, last)), Flatten(local, len(others)))
    return replace(s, inner=(row, *s.inner), column=b.merge(inner, s.column))


def _vectors(b: ScheduleBuilder, s: TiledSum, target: CpuTarget) -> tuple[TiledSum, str]:
    """Where samples fill a part of a vector, cut the tiles of a block into groups whose samples fill one; return the
    loop over a group. Its column is one of such vectors then."""
    count = target.lanes(float_dtype(b.kernel)) // block_lanes(b.kernel)
    if count == 1 or b.extent(s.column) < count:
        return s, ""
    b.reason = "neighbouring tiles, each with all samples, fill a vector that samples alone do not fill"
    column, beside = b.split(s.column, count, "cut")
    return replace(s, column=column), beside


def _parts(b: ScheduleBuilder, s: TiledSum, items: tuple[str, ...], target: CpuTarget) -> tuple[Handle, ...]:
    """Divide the filters of a block of tiles among several threads if the team has more of them than blocks."""
    count = -(-b.extent(s.batch) // block_lanes(b.kernel)) * prod(map(b.extent, items))
    parts = result_parts([1.0] * count, b.extent(s.filter), TRANSFORMED, target.team)
    return b.divided((s.filter, s.output.channel), (s.batch, *items)[-1], parts)


def _prefetch(
    b: ScheduleBuilder,
    s: TiledSum,
    items: tuple[str, ...],
    part: tuple[Handle, ...],
    copied: tuple[Handle, ...],
    tiles: tuple[Handle, Handle],
    target: CpuTarget,
) -> None:
    """Prefetch what the next block of tiles reads and stores, where that lies beyond L2: with each product of a tile,
    the rows of a channel or two; with each register tile, a part of these.

    Args:
        items: the loops over blocks of samples and rows of tiles.
        part: the loop over parts of the filters, if there is one.
        copied: those that copy the rows of the image, along its spatial axes.
        tiles: those over register tiles, of filters and of columns.
    """
    numbers, channels, filters = b.extent(s.number), b.extent(s.input.channel), b.extent(s.output.channel)
    for buffer in (*b.kernel.inputs, *b.kernel.outputs):
        if not buffer.type.lanes or not target.machine.beyond_l2(buffer.type.storage_bytes):
            continue
        if image := buffer.name == s.image:
            lines = _copied_lines(b.kernel, s, copied, items, tiles)
        else:
            lines = _stored_lines(b, s, buffer.name, (*items, *part), tiles)
        channel, count = (s.input.channel, channels) if image else (s.output.channel, filters)
        start = channels if not image and channels + filters <= numbers else 0
        prefetch_lines(b, buffer.name, tiles[1], items, [Lines(channel, 0, count, s.number), *lines], start)


def _prefetch_factors(b: ScheduleBuilder, s: TiledSum, filters: str, filter: str, target: CpuTarget) -> None:
    """Prefetch the filters of the next register tile if they come from beyond L2: while a line of each filter of this
    tile is used, a line of each filter of the next one."""
    factors = b.kernel.buffers()[s.factors].type
    load = next(x for x in walk(b.kernel.body) if isinstance(x, Load) and x.buffer == s.factors)
    if load.index[-1] == Index.var(s.term) and target.machine.beyond_l2(factors.storage_bytes):
        lines, _ = b.split(s.term, LINE // DTYPES[factors.dtype].itemsize, "cut")
        b.add(PrefetchTile(s.factors, lines, lines, lines, filters, s.number, whole=filter))


def _copied_lines(
    kernel: Kernel, s: TiledSum, copied: tuple[Handle, ...], items: tuple[str, ...], tiles: tuple[Handle, Handle]
) -> list[Lines]:
    """What a block of tiles reads of the image, without what the block before has read."""
    load = next(x for x in walk(kernel.body) if isinstance(x, Load) and x.buffer == s.image)
    sizes, last = kernel.buffers()[s.image].type.shape[2:], len(copied) - 1
    found: list[Lines] = []
    for axis, (loop, index, size) in enumerate(zip(copied, load.index[2:], sizes, strict=True)):
        read = max((x.hi.const or 0 for x in loops_named(kernel.body, loop)), default=0)
        if not read:  # a block reads one element along this axis
            continue
        step = sum(index.coefficient(row) for row in items)
        turn = tiles[1] if axis == last else tiles[0] if axis == last - 1 else EVERY
        found.append(Lines(loop, read - step, step, turn) if step else Lines(loop, -index.const, size, turn))
    return found


def _stored_lines(
    b: ScheduleBuilder, s: TiledSum, buffer: str, items: tuple[str, ...], tiles: tuple[Handle, Handle]
) -> list[Lines]:
    """What a block of tiles stores to an output, or its epilogue reads."""
    found = next(x for x in walk(b.kernel.body) if isinstance(x, (Load, Store)) and x.buffer == buffer)
    inner = [(axis, v) for axis, i in enumerate(found.index[2:]) for v in i.vars if v not in items]
    last = len(found.index) - 3
    turns = {v: tiles[0] for axis, v in inner if axis == last - 1 and v not in s.inner}
    turns |= {v: tiles[1] for axis, v in inner if axis == last and v == (s.output.column or v)}
    return [Lines(v, 0, b.extent(v), turns.get(v, EVERY)) for _, v in inner]
