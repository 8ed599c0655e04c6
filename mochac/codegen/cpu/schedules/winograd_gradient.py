"""Weight gradients by tiles (ops/_winograd.py): what is transformed stays near L2, and so do sums over samples and tiles.

    for group of samples:                                                                         an item
      s = 0
      for q, row of tiles:
        pack x as [row][column][sample][channel], transposing tiles of lanes x lanes
        for samples, vectors of channels, tiles:  v = B' x                                        lanes = channels
        for filters, tiles:  e = A dy                                                             lanes = samples
        for each product of a tile:  for filters, channels:  s += splat e[sample] * v[sample] over tiles and samples
      m = s

With samples as lanes, each sum would be a vector, and all of them beyond L2; so the lanes of products are channels, and
images are transposed before they are transformed. Requires blocked operands, and channels that fill vectors.
"""

from __future__ import annotations

from mochac.codegen.analysis.nests import block_lanes, float_dtype
from mochac.codegen.analysis.tiled_gradient import Side, TiledGradient, tiled_gradient
from mochac.codegen.combinators.lanes import lanes, whole_lanes
from mochac.codegen.cpu.schedules.tiles import RegisterTile, best_tile
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import Handle, ScheduleBuilder, Suffix
from mochac.ir.steps.flatten import Flatten
from mochac.ir.steps.loosen import Loosen
from mochac.ir.steps.permute import Permute
from mochac.ir.steps.place import Place
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.run import Parallel, Unroll, Vector
from mochac.ir.steps.transpose import Transpose


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless the kernel is such a gradient."""
    form, count = tiled_gradient(kernel), block_lanes(kernel)
    if form is None or count != target.lanes(float_dtype(kernel)) or not form.even:
        return None
    b = ScheduleBuilder(kernel)
    channels, groups = b.extent(form.channel), b.extent(form.group)
    if channels % count or (groups > 1 and b.extent(form.batch) % count):
        return None
    tile = best_tile(b.extent(form.filter), channels // count, target.machine)
    return _scheduled(b, form, tile, count)


def _scheduled(b: ScheduleBuilder, form: TiledGradient, tile: RegisterTile, count: int) -> Schedule:
    b.reason = "the tiles of a block of samples are multiplied while they are near"
    block, sample = b.split(form.batch, count, "cut")
    b.add(Reorder((block, *form.rows, sample)))
    products = b.detach((sample,), 2, "second")
    second = b.detach((sample,), 1, "second")
    image, gradient = (Suffix(""), second) if form.image_first else (second, Suffix(""))
    _pack(b, form.image, image(sample), count)
    b.reason = "lanes are channels of the image, and samples of the gradient"
    lanes(b, image(form.image.channel), count, "cut")
    whole_lanes(b, gradient(sample))
    b.reason = "a line of a tile stays in registers"
    b.add(*map(Unroll, map(image, form.image.lines)), *map(Unroll, map(gradient, form.gradient.lines)))
    b.add(*(Place(local, "register") for local in form.small))
    _multiply(b, form, products, sample, tile, count)
    b.reason = "sums of a vector of channels are set and stored together"
    for loop in form.ends:
        _, lane = b.split(loop, count, "cut")
        b.add(Vector(lane))
    b.add(Parallel((form.group,)))
    return b.schedule(f"{b.kernel.root}.tiles")


def _pack(b: ScheduleBuilder, image: Side, sample: Handle, count: int) -> None:
    b.reason = "the rows of the image are packed, channels innermost, a tile of lanes each way at a time"
    axes = tuple(range(2, len(b.kernel.buffers()[image.buffer].type.shape)))
    copy, (n, c, *_) = b.pack(image.buffer, sample, (*axes, 0, 1), axes)
    blocks, row = b.split(c, count, "cut")
    halves, lane = b.split(n, count, "cut")
    b.add(Reorder((halves, blocks, row, lane)), Transpose(image.buffer, row, lane))
    _spread(b, copy, len(axes), count)


def _multiply(
    b: ScheduleBuilder, form: TiledGradient, products: Suffix, sample: Handle, tile: RegisterTile, count: int
) -> None:
    """Hold a tile of sums in registers while the products of tiles and samples are added."""
    b.add(Permute(form.image.tiles, (1, 3, 0, 2)), Permute(form.gradient.tiles, (1, 2, 3, 0)))
    _spread(b, form.image.tiles, 1, count)
    _spread(b, form.gradient.tiles, 1, count)
    loops = (form.number, form.filter, form.channel, form.column, sample)
    number, filter, channel, column, term = map(products, loops)
    b.reason = "sums wait in near memory from row to row, and are in registers while they grow"
    b.add(Reorder((number, filter, channel, column, term)))
    filters, filter = b.split(filter, tile.rows, "cut")
    b.add(Reorder((filters, channel, column, term, filter)))
    channels, channel = b.split(channel, tile.columns * count, "cut")
    vector, lane = b.split(channel, count, "cut")
    b.add(Reorder((channels, column, term, filter, vector, lane)))
    b.stage(form.sums, channels)
    b.add(Unroll(filter), Unroll(vector), Vector(lane))


def _spread(b: ScheduleBuilder, local: str, axis: int, count: int) -> None:
    """Begin what lies at each index of an axis a vector later than it could, all behind the axis in one line."""
    for _ in b.kernel.buffers()[local].type.shape[axis + 1 :]:
        b.add(Flatten(local, axis))
    b.add(Loosen(local, axis, count))
