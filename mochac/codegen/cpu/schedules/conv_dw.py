"""Convolution weight gradient: lanes are partial sums over the batch, a tile of filters x channels x taps in registers.

    for a block of filters and channels:
      batch inner:  for channels, filters, kh:  acc[kw][c][r] = 0;  for q, oh, ow: acc += x * dy
      batch outer:  for q, band of rows, channels, filters, kh:  acc from scratch;  for oh, ow: acc += x * dy;  back
      sum the lanes of as many weights at once as there are lanes, epilogue

The batch is the inner loop if what one tile reads of all images fits the cache; else the accumulators of a block and
the rows of a band are kept there. The rest is prefetched. Requires blocked operands.
"""

from __future__ import annotations

from mochac.codegen.analysis.convolution import Convolution, convolution, lines
from mochac.codegen.analysis.nests import accesses, block_lanes, edge_tiles, is_guarded
from mochac.codegen.combinators.lines import row_length
from mochac.codegen.cpu.schedules import conv_dw_mixed
from mochac.codegen.cpu.schedules.conv_dw_blocks import CacheBlocks, GradientTile, blocks_of, gradient_tiles
from mochac.codegen.cpu.schedules.picking import pick
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel
from mochac.ir.nest import extents
from mochac.ir.schedule import Schedule, Step
from mochac.ir.steps.clip import Clip
from mochac.ir.steps.detach import Detach
from mochac.ir.steps.distribute import Distribute
from mochac.ir.steps.flatten import Flatten
from mochac.ir.steps.merge import Merge
from mochac.ir.steps.partial import Partial
from mochac.ir.steps.peel import Peel
from mochac.ir.steps.place import Place
from mochac.ir.steps.prefetch_tile import PrefetchTile
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.run import Parallel, Unroll, Vector
from mochac.ir.steps.split import Split
from mochac.ir.steps.stage import Stage
from mochac.ir.steps.transpose import Transpose


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless the kernel is a blocked weight gradient."""
    if kernel.root != "conv2d_dw" or not block_lanes(kernel):
        return None
    mixed = pick(conv_dw_mixed.rule(kernel, target), None)
    if mixed is not None:
        return mixed
    form = convolution(kernel)
    if form is not None and not extents(form.kernel)[form.batch] % block_lanes(kernel):
        form = lines(form, row_length)
    if form is None or not form.gradient or len(_images(form)) < 2:
        return None
    extent = extents(form.kernel)
    tiles = gradient_tiles(
        extent[form.channel], extent[form.depth], extent[form.kw], extent[form.column], target.registers
    )
    tile = pick(*tiles)
    blocks = pick(*blocks_of(form, tile, target))
    return Schedule("conv2d_dw.blocked", (*form.steps, *steps(form, tile, blocks)))


def steps(form: Convolution, tile: GradientTile, blocks: CacheBlocks) -> tuple[Step, ...]:
    """Split into blocks, detach the epilogue of the sum, then split into tiles: see the nests above."""
    extent, lanes = extents(form.kernel), block_lanes(form.kernel)
    tap, part = (form.kw, form.kh) if tile.taps >= extent[form.kw] else ("k", "kt")
    row = form.row if blocks.batch_inner else "row"
    inner = ("q", row, "wt", "t")
    edges = edge_tiles(form.kernel, form.column, tile.columns)
    return (
        Split(form.batch, lanes, "q", "lane", "guard"),
        Split(form.channel, blocks.filters, "fb", "fi", "cut"),
        Reorder(("fb", form.depth, "fi")),
        Split(form.depth, blocks.channels, "cb", "cc", "cut"),
        Reorder(("fi", "cc")),
        *_ordered(form, blocks),
        Split("cc", tile.channels, "ct", "c", "cut"),
        Split("fi", tile.filters, "ft", "r", "cut"),
        *((Split(form.kw, tile.taps, "kt", "k", "cut"),) if tap == "k" else ()),
        Split(form.column, tile.columns, "wt", "t", "cut"),
        Distribute(tap, inner),
        Distribute("c", ("ft", "r", form.kh, "kt", tap, *inner)),
        Distribute("r", ("c", form.kh, "kt", tap, *inner)),
        Stage("acc", part),
        Place("acc", "scratch"),
        *_prefetched(form, tile, row),
        *((Peel("wt", *edges),) if any(edges) else ()),
        *((Peel("q", 0, 1),) if extent[form.batch] % lanes else ()),
        *(Unroll(var) for var in (tap, "c", "r", "t", *(("kt",) if tap == "k" else ()))),
        *_joined(form, lanes),
        *(Vector(var) for var in ("lane", *(() if blocks.batch_inner else ("lane.z",)), "fl")),
        Parallel((*form.groups, "fb", "cb")),
    )


def _ordered(form: Convolution, blocks: CacheBlocks) -> tuple[Step, ...]:
    """Move the sums of lanes to a nest of their own (and the zeros before it, where the batch is outermost)."""
    nest = ("fi", "cc", form.kh, form.kw)
    parted = (Partial("acc", "lane"), Distribute("lane", ("*",)), Detach(nest, 2, "second", ".j"))
    guarded = is_guarded(form.kernel, form.row)
    if blocks.batch_inner:
        return (*parted, Reorder(("cc", "fi", form.kh, form.kw)), *((Clip(form.row),) if guarded else ()))
    clipped = guarded or extents(form.kernel)[form.row] % blocks.rows
    return (
        Split(form.row, blocks.rows, "band", "row", "guard"),
        *parted,
        Detach(nest, 1, "first", ".z"),
        Reorder(("q", "band", "cc", "fi", form.kh, form.kw, "row", form.column, "lane")),
        *((Clip("row"),) if clipped else ()),
    )


def _prefetched(form: Convolution, tile: GradientTile, row: str) -> tuple[Step, ...]:
    """Prefetch the input of the next channels, and gradients one row ahead: hardware prefetchers stop at a page."""
    images = _images(form)
    return (
        PrefetchTile(images[True], "t", "c", "", "ct", per=tile.channels),
        PrefetchTile(images[False], "t", "r", "", row, per=tile.filters),
    )


def _images(form: Convolution) -> dict[bool, str]:
    """The input (True: it moves with the taps) and the gradient, without inlined constants."""
    return {any(i.coefficient(form.kw) for i in index): b.name for b, index, _ in accesses(form.kernel) if b.type.lanes}


def _joined(form: Convolution, lanes: int) -> tuple[Step, ...]:
    """The nest after the sums: transposes rows of accumulators, so that its lanes run along the weights."""
    weights = [
        b.name for b in (*form.kernel.inputs, *form.kernel.outputs) if not b.type.batch and len(b.type.shape) == 4
    ]
    return (
        *(Flatten(name, 1) for name in (*weights, *weights, "acc", "acc")),
        Merge(f"{form.kh}.j", f"{form.kw}.j", "tap"),
        Merge("cc.j", "tap", "at"),
        Split("at", lanes, "vec", "fl", "cut"),
        Distribute("fl", ("*",)),
        Transpose("acc", "fl", "lane.j"),
    )
