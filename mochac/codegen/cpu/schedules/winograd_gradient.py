"""Weight gradients by tiles (ops/_winograd.py): transformed values stay near L2, and so do sums over samples and tiles.

    for group of samples, part of the filters:                                                    an item
      s = 0
      for q, part of a row of tiles, or several rows:
        pack x as [row][column][sample][channel], transposing tiles of lanes x lanes
        for samples, vectors of channels, tiles:  v = B' x                                        lanes = channels
        for filters, tiles:  e = A dy                                                             lanes = samples
        for each product of a tile:  for filters, channels:  s += sum over tiles and samples of splat e * v
      m = s

With samples as lanes, each sum would be a vector, and all of them beyond L2; so the lanes of products are channels, and
images are transposed before they are transformed. Requires blocked operands. Filters are divided only among the threads
of a large team, since each part transforms the image again.

Gradients of filters from transformed sums (ops/_winograd.py), with the update of the filters.

    for filter, vector of channels:                                                               an item
      dw[channel][tap] = G' s, in scratch memory                                                  lanes = channels
      update of these filters, in the order in which they lie                                     lanes = neighbours

Taps of a channel are neighbours in memory: lanes over channels would gather and scatter all that an update reads and
stores. Zen 5, one thread: the gradients of 64 x 64 filters of 3 x 3, of 4 groups, with momentum, take 0.5 of the time.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from mochac.codegen.analysis.nests import block_lanes, float_dtype
from mochac.codegen.analysis.tiled_sums import TiledGradient, tiled_gradient
from mochac.codegen.combinators.prefetching import Lines, prefetch_lines
from mochac.codegen.combinators.tiles import lanes, whole_lanes
from mochac.codegen.cpu.schedules.picking import pick
from mochac.codegen.cpu.schedules.tiles import TRANSFORMED, RegisterTile, ranked_tiles, result_parts
from mochac.codegen.cpu.schedules.winograd_cost import TiledSums, sum_blocks, tile_lines
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.machine import Machine
from mochac.ir.index import Index
from mochac.ir.kernel import Kernel, Load, accessed_buffers, loops_named, walk
from mochac.ir.nest import band
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import Handle, ScheduleBuilder, Suffix
from mochac.ir.steps.jam import Jam
from mochac.ir.steps.merge import Distribute, Reorder
from mochac.ir.steps.run import Parallel, Unroll, Vector
from mochac.ir.steps.split import Peel
from mochac.ir.steps.storage import Flatten, Loosen, Permute
from mochac.ir.steps.vectors import Transpose


def winograd_gradient(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless the kernel is such a gradient."""
    form, count = tiled_gradient(kernel), block_lanes(kernel)
    if form is None or not 0 < count <= target.lanes(float_dtype(kernel)):
        return None
    b = ScheduleBuilder(kernel)
    if not form.even:
        b.add(Peel(form.group, 0, 1))
    samples = kernel.buffers()[form.image.buffer].type.shape[0]
    uneven = b.extent(form.group) > 1 and b.extent(form.batch) % count
    if samples == 1 or b.extent(form.channel) == 1 or uneven:
        return None
    return _scheduled(b, form, count, target)


def _register_tile(filters: int, channels: int, count: int, target: CpuTarget) -> RegisterTile:
    """The best tile whose last columns are whole vectors or a part of one."""
    tiles = ranked_tiles(filters, -(-channels // count), target.machine, max_rows=target.registers)
    rests = {tile: channels % (tile.columns * count) for tile in tiles}
    return pick(*(tile for tile in tiles if rests[tile] < count or rests[tile] % count == 0), RegisterTile(4, 1))


def _scheduled(b: ScheduleBuilder, form: TiledGradient, count: int, target: CpuTarget) -> Schedule:
    across = target.lanes(float_dtype(b.kernel))
    form, size = _blocks(b, form, (count, across), target.machine)
    items = (form.group, *_parts(b, form, target))
    tile = _register_tile(b.extent(form.filter), b.extent(form.channel), across, target)
    b.reason = "the tiles of a block of samples are multiplied while they are near"
    block, sample = b.split(form.batch, count, "cut")
    rows, inner = form.rows, (sample,)
    if size > 1:
        several, row = b.split(rows[-1], size)
        rows, inner = (*rows[:-1], several), (sample, row)
    b.add(Reorder((block, *rows, *inner)))
    products = b.detach(inner, 2, "second")
    second = b.detach(inner, 1, "second")
    image, gradient = (Suffix(""), second) if form.image_first else (second, Suffix(""))
    b.reason = "lanes are channels of the image, and samples of the gradient"
    lanes(b, image(form.image.nest.channel), across, "cut")
    whole_lanes(b, gradient(sample))
    lines = (*map(image, form.image.nest.lines), *map(gradient, form.gradient.nest.lines))
    tile_lines(b, lines, form.small, target.registers)
    turns = _multiply(b, form, products, inner, tile, across)
    b.reason = "sums of a vector of channels are set and stored together"
    for loop in form.ends:
        _, lane = b.split(loop, across, "cut")
        b.add(Vector(lane))
    b.reason = "the rows of the image are packed, channels innermost, a tile of lanes each way at a time"
    axes = tuple(range(2, len(b.kernel.buffers()[form.image.buffer].type.shape)))
    copy, copied = b.pack(form.image.buffer, image(sample), (*axes, 0, 1), axes)
    _prefetch(b, form, (block, *rows), turns, copied, gradient, target)
    _transpose(b, form.image.buffer, copied, count)
    _spread(b, copy, len(axes), across)
    b.add(Parallel(items))
    return b.schedule(f"{b.kernel.root}.tiles")


def _parts(b: ScheduleBuilder, form: TiledGradient, target: CpuTarget) -> tuple[Handle, ...]:
    """Divide the filters of a group of samples among several threads if the team has more of them than groups."""
    samples, size = b.kernel.buffers()[form.image.buffer].type.shape[0], b.extent(form.batch)
    groups = [min(1.0, (samples - first) / size) for first in range(0, samples, size)]
    parts = result_parts(groups, b.extent(form.filter), TRANSFORMED, target.team)
    return b.divided(form.over_filters, form.group, parts)


def _transpose(b: ScheduleBuilder, image: str, copied: tuple[Handle, ...], count: int) -> None:
    """Turn tiles of samples x channels of an image in registers."""
    blocks, row = b.split(copied[1], count, "cut")
    b.add(Distribute(copied[0], (blocks, row)), Transpose(image, row, copied[0]))


def _blocks(
    b: ScheduleBuilder, form: TiledGradient, lanes: tuple[int, int], core: Machine
) -> tuple[TiledGradient, int]:
    """Transform blocks of tiles before they are multiplied, parts of a row or several rows; return the number of
    rows.

    Args:
        lanes: samples of a block, and channels of a vector.
    """
    samples, across = lanes
    channels = -(-b.extent(form.channel) // across) * across
    counts = tuple(map(b.extent, (*form.rows, form.column)))
    work = TiledSums(samples, b.extent(form.number), channels, b.extent(form.filter), counts)
    rows, columns = pick(*sum_blocks(work, core))
    return (_part_of_row(b, form, columns), 1) if columns < counts[-1] else (form, rows)


def _part_of_row(b: ScheduleBuilder, form: TiledGradient, size: int) -> TiledGradient:
    """Cut rows of tiles into blocks, which are transformed and multiplied one after another."""
    image, gradient = form.image, form.gradient
    sides = (image, gradient) if form.image_first else (gradient, image)
    cut = [b.split(side.nest.column, size, "cut") for side in sides]
    outer, column = b.split(form.column, size, "cut")
    for (loop, _), side in zip(cut, sides, strict=True):
        b.add(Reorder((loop, side.nest.channel)))
    b.add(Reorder((outer, form.number, form.filter, form.channel)))
    b.add(*(Jam(outer, loop) for loop, _ in reversed(cut)))
    found = {
        side.buffer: replace(side, nest=replace(side.nest, column=inner))
        for (_, inner), side in zip(cut, sides, strict=True)
    }
    return replace(
        form, image=found[image.buffer], gradient=found[gradient.buffer], column=column, rows=(*form.rows, outer)
    )


def _prefetch(
    b: ScheduleBuilder,
    form: TiledGradient,
    around: tuple[str, ...],
    turns: tuple[Handle, Handle, Handle],
    copied: tuple[Handle, ...],
    gradient: Suffix,
    target: CpuTarget,
) -> None:
    """Prefetch what the next row of tiles reads, where that lies beyond L2: with each product of a tile, a channel of
    the image and a filter of the gradient.

    Args:
        around: the loops over blocks of samples and rows of tiles.
        turns: those of the products over numbers, register tiles and tiles of a row.
        copied: those that copy the rows of the image.
        gradient: where the loops of the gradient's transform are.
    """
    number, across, column = turns
    buffers, image, side = b.kernel.buffers(), form.image, form.gradient
    load = next(s for s in walk(b.kernel.body) if isinstance(s, Load) and s.buffer == image.buffer)
    lines = [Lines(copied[1], 0, b.extent(copied[1]), number)]
    sizes = buffers[image.buffer].type.shape[2:]
    inner = (across, column) if len(sizes) > 1 else (column,)
    for loop, index, size, turn in zip(copied[2:], load.index[2:], sizes, inner, strict=False):
        if not loops_named(b.kernel.body, loop):  # an axis of one element
            continue
        moved = index.coefficient(around[-1])
        read = max(x.hi.const or 0 for x in loops_named(b.kernel.body, loop))
        if moved:
            first, n = read - moved, moved
        else:
            first, n = (0, read) if any(index.coefficient(row) for row in around) else (-index.const, size)
        lines.append(Lines(loop, first, n, turn))
    hints = {image.buffer: lines}
    filters = gradient(side.nest.channel)
    lines = [Lines(filters, 0, b.extent(filters), number)]
    lines += [Lines(line, 0, b.extent(line), across) for line in map(gradient, side.nest.lines[:1])]
    hints[side.buffer] = [*lines, Lines(gradient(side.nest.column), 0, b.extent(gradient(side.nest.column)), column)]
    began = 0
    for buffer, lines in hints.items():
        if not target.machine.beyond_l2(buffers[buffer].type.storage_bytes):
            continue
        prefetch_lines(b, buffer, column, around, lines, began)
        began = lines[0].count if 2 * lines[0].count <= b.extent(number) else 0


def _multiply(
    b: ScheduleBuilder,
    form: TiledGradient,
    products: Suffix,
    inner: tuple[str, ...],
    tile: RegisterTile,
    count: int,
) -> tuple[Handle, Handle, Handle]:
    """Hold a tile of sums in registers while the products of tiles and samples are added.

    Args:
        inner: the loops over samples and, if there are several at once, over rows of tiles.

    Returns:
        The loops over products of a tile, over register tiles and over the tiles of a row.
    """
    sample, *row = (k for k, _ in enumerate(inner))
    number, channel, column = (len(inner) + k for k in range(3))
    b.add(Permute(form.image.tiles, (number, *row, column, sample, channel)))
    b.add(Permute(form.gradient.tiles, (number, channel, *row, column, sample)))
    _spread(b, form.image.tiles, 1, count)
    _spread(b, form.gradient.tiles, 1, count)
    loops = (form.number, form.filter, form.channel, form.column)
    number, filter, channel, column = map(products, loops)
    term, *row = map(products, inner)
    terms = (*row, column, term)
    b.reason = "the sum over the tiles of a block of samples stays in registers, and is then added to the whole one"
    b.add(Reorder((number, filter, channel, *terms)))
    filters, filter = b.split(filter, tile.rows, "cut")
    b.add(Reorder((filters, channel, *terms, filter)))
    channels, channel = b.split(channel, tile.columns * count, "cut")
    vector, lane = b.split(channel, count, "cut")
    b.add(Reorder((channels, *terms, filter, vector, lane)))
    b.stage(form.sums, channels, subtotal=True)
    b.add(Unroll(filter), Unroll(vector), Vector(lane))
    return Handle(number), filters, Handle(column)


def _spread(b: ScheduleBuilder, local: str, axis: int, count: int) -> None:
    """Begin what lies at each index of an axis a vector later than it could, all behind the axis in one line."""
    for _ in b.kernel.buffers()[local].type.shape[axis + 1 :]:
        b.add(Flatten(local, axis))
    b.add(Loosen(local, axis, count))


ROOT = "winograd_filter_dw"


def winograd_filters(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless the kernel computes such gradients."""
    b = ScheduleBuilder(kernel)
    outer, count = b.loops(), target.lanes(float_dtype(kernel))
    if kernel.root != ROOT or len(outer) != 2 or b.extent(outer[1]) < count:
        return None
    (filter, channel), channels = outer, b.extent(outer[1])
    *transform, update = band(kernel.body)[-1].body
    taps = [loop.var for loop in band((update,))]
    shared = accessed_buffers(tuple(transform)) & accessed_buffers((update,)) & {x.name for x in kernel.locals}
    if len(shared) != 1:
        return None
    (local,) = shared
    b.reason = "an item is a vector of channels"
    vectors, one = b.split(channel, count, "cut")
    last = b.detach((one,), len(transform), "second")
    order = (last(one), *map(last, taps))
    reads = (s for loop in loops_named(b.kernel.body, order[0]) for s in walk(loop.body))
    index = next(s.index for s in reads if isinstance(s, Load) and s.buffer == local)
    b.add(Permute(local, tuple(index.index(Index.var(loop)) for loop in order)))
    whole_lanes(b, one)
    shape = kernel.outputs[0].type.shape
    same_shape = [x.name for x in (*kernel.inputs, *kernel.outputs) if x.type.shape == shape]
    b.add(*(Flatten(name, axis) for name, axis in ((local, 0), *((name, 1) for name in same_shape)) for _ in taps))
    lanes(b, reduce(b.merge, order), count, "cut")
    b.add(Parallel((filter,) if channels % count else (filter, vectors)))
    return b.schedule(f"{ROOT}.lines")
