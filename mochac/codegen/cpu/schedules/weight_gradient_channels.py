"""Weight gradients of few terms, such as those of one-tap filters on small maps: lanes are channels of packed images.

    for block of filters, tile of channels:                              an item
      for block of columns:
        pack x as [sample][column][channel], transposing tiles of lanes x lanes
        for tile of filters:  acc[f][v] += splat dy[sample, f, column] * x.pack[.., v]
      epilogue, with the sums of the last block

Where lanes are partial sums over the batch (weight_gradients), the lanes of each weight are added up at the end, which
takes the same number of shuffles however few terms there are. Here, an element of the image is moved once, for all
filters of a block. Requires blocked images, read exactly at the columns of the gradient, and batches and channels that
fill lanes.

Zen 5, one thread, 32 samples, with the update: 512 -> 512 channels on maps of 2 x 2 go from 36 to 72 % of the peak, 256
-> 512 from 36 to 81, 256 -> 256 on 4 x 4 from 70 to 75; on 8 x 8 the lanes of the batch are as fast.
"""

from __future__ import annotations

from functools import reduce
from math import prod

from mochac.codegen.analysis.nests import block_lanes, float_dtype
from mochac.codegen.analysis.weight_gradient import WeightGradient, weight_gradient
from mochac.codegen.combinators.caches import cache_block, keep_near
from mochac.codegen.combinators.prefetching import ResultTile, prefetch_results
from mochac.codegen.combinators.tiles import hold, lanes, register_tile
from mochac.codegen.cpu.schedules.tiles import RegisterTile, best_tile
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel
from mochac.ir.nest import loops
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import Handle, ScheduleBuilder, Suffix
from mochac.ir.steps.merge import Reorder
from mochac.ir.steps.run import Parallel
from mochac.ir.steps.storage import Flatten
from mochac.ir.steps.vectors import Transpose

MOST_TERMS = 32
"""Maximum terms of a sum, in vectors. With more terms, adding up lanes is a small part of the work."""
NEAR = 2 / 3
"""Share of L1 for the packed images of a block; the gradients of a tile have the rest."""
SIDE_BY_SIDE = "samples of a block lie side by side: they are read one after the other"


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless the kernel is such a weight gradient."""
    count = block_lanes(kernel)
    form = weight_gradient(kernel) if count == target.lanes(float_dtype(kernel)) else None
    if form is None or form.plane or form.groups:
        return None
    b = ScheduleBuilder(kernel, form.steps, form.kernel)
    samples, channels = b.extent(form.batch), b.extent(form.channel)
    terms = prod(map(b.extent, (form.batch, *form.rows, form.column)))
    if not form.one_tap or samples % count or channels % count or terms > MOST_TERMS * count:
        return None
    if len(loops(b.kernel)[form.column].body) > 3:  # a gradient that is computed is computed a vector at a time
        return None
    vectors = channels // count
    tile = best_tile(b.extent(form.filter), max(n for n in (1, 2, 3, 4) if vectors % n == 0), target.machine)
    near = int(NEAR * target.machine.l1.n_bytes) // (samples * tile.columns * target.vector_bytes)
    return _scheduled(b, form, tile, near, target.team) if near else None


def _scheduled(b: ScheduleBuilder, form: WeightGradient, tile: RegisterTile, near: int, team: int) -> Schedule:
    """The schedule with blocks of this many columns."""
    count, batch, column = block_lanes(form.kernel), form.batch, _line(b, form)
    size, tiles = min(near, b.extent(column)), b.extent(form.channel) // (tile.columns * count)
    items = -(-team // tiles)  # each of them packs the images again
    before = (b.extent(column) - 1) // size * size
    b.reason = "the last columns end in the epilogue, without leaving the registers"
    b.add(Reorder((column, batch)))
    last = b.cut(column, before) if before else Suffix("")
    b.reason = "a block of filters and a tile of channels are an item; lanes are channels, so none need be added up"
    block, filter = b.split(form.filter, -(-b.extent(form.filter) // (items * tile.rows)) * tile.rows, "cut")
    across, some = b.split(form.channel, tile.columns * count, "cut")
    b.add(Reorder((block, across, *form.taps, filter, some)))
    vector, lane = lanes(b, some, count, "cut")
    ((down, row),) = register_tile(b, (filter, tile.rows))
    hold(b, vector)
    if before:
        _, inner = cache_block(b, column, size, down)
        b.reason = SIDE_BY_SIDE
        b.add(Reorder((batch, inner)))
        b.split(batch, count)
    b.reason = SIDE_BY_SIDE
    b.add(Reorder((last(batch), last(column))))
    _, sample = b.split(last(batch), count)
    _pack(b, form.image, down, count)
    inputs = {buffer.name for buffer in form.kernel.inputs}
    prefetch_results(b, [name for name in form.weights if name in inputs], sample, ResultTile(row, vector, lane))
    if before:
        keep_near(b, form.accumulator, down)
    b.add(Parallel((block, across)))
    return b.schedule("weight-gradient.channels")


def _line(b: ScheduleBuilder, form: WeightGradient) -> Handle:
    """Make lines of elements of the images, and matrices of the weights."""
    for name in (form.image, form.gradient):
        b.add(*[Flatten(name, 2)] * len(form.rows))
    for name in form.weights:
        b.add(*[Flatten(name, 1)] * len(form.taps))
    return Handle(reduce(b.merge, (*form.rows, form.column)))


def _pack(b: ScheduleBuilder, image: str, loop: Handle, count: int) -> None:
    """Pack what the loop reads of the image with channels innermost, one tile of lanes x lanes at a time."""
    b.reason = "what an item reads of the image is packed, channels innermost, a tile of lanes each way at a time"
    _, (sample, channel, column) = b.pack(image, loop, (0, 2, 1))
    tiles, row = b.split(channel, count, "cut")
    _, lane = b.split(sample, count, "cut")
    b.add(Reorder((column, tiles, row, lane)), Transpose(image, row, lane))
