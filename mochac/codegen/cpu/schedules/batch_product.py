"""Products of blocked samples with a weight, forward and data gradient: a tile of channels x blocks of samples.

    short sums    for c-tile, q-tile:  acc[c][q] over terms: w * x[q: lanes]
    long sums     for group of channels:                              an item
                    for block of terms:                               the next one is prefetched
                      (pack w)                                        where its rows share cache sets
                      for q-tile, c-tile:  acc[c][q] over the terms of the block
                    epilogue

The vectors of a q-tile stay in L1 for all tiles of a group. A group uses whole lines of the weight, even where channels
lie along them, so each weight is read once, in order, and prefetched. Packing the weight as well did not pay, since
each element is used for few samples (Sapphire Rapids, data gradient of LeNet's ip1 in C: 0.86 of the peak, packed
0.80).
"""

from __future__ import annotations

from mochac.codegen.analysis.batch_sum import BatchSum
from mochac.codegen.analysis.nests import block_lanes, float_dtype
from mochac.codegen.combinators.caches import cache_block, keep_near
from mochac.codegen.combinators.tiles import hold, lanes, register_tile
from mochac.codegen.cpu.schedules.blocking import Blocking, blocking, clash
from mochac.codegen.cpu.schedules.picking import weigh
from mochac.codegen.cpu.schedules.tiles import RegisterTile
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.machine import LINE
from mochac.ir.kernel import Load
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.merge import Reorder
from mochac.ir.steps.prefetch import PrefetchBlock
from mochac.ir.types import DTYPES


def batch_product(b: ScheduleBuilder, s: BatchSum, tile: RegisterTile, target: CpuTarget) -> tuple[str, ...]:
    """Schedule a product; return the loops over items."""
    b.reason = "all tiles of samples use a tile of channels before the next one, so that weights stay near"
    b.add(Reorder((*s.outer, s.channel, s.batch)))
    if s.weight is not None and not s.both and len(s.depth) == 1:
        size = DTYPES[float_dtype(s.kernel)].itemsize
        along = s.channel in s.weight.index[-1].vars
        again = -(-s.size(s.batch) // block_lanes(b.start)) > tile.columns
        sizes = blocking(target.machine, tile, s.size(s.channel), s.size(*s.depth), size, along, again)
        if sizes and (sizes := weigh(sizes, None)):
            return (*s.outer, _in_blocks(b, s, s.weight, tile, sizes, target))
    block, _ = lanes(b, s.batch, block_lanes(b.start), "pad")
    whole = b.extent(block) % tile.columns == 0
    (channels, _), (blocks, _) = register_tile(b, (s.channel, tile.rows), (block, tile.columns))
    return (*s.outer, channels, *((blocks,) if whole else ()))  # blocks that are cut are two loops in sequence


def _in_blocks(
    b: ScheduleBuilder, s: BatchSum, weight: Load, tile: RegisterTile, sizes: Blocking, target: CpuTarget
) -> str:
    """Read the weight in blocks; return the loop over groups of channels."""
    b.reason = "a group of channels is an item: it reads whole lines of the weight, each of them once"
    group, channel = b.split(s.channel, sizes.channels, "cut")
    b.add(Reorder((s.batch, channel)))
    block, _ = lanes(b, s.batch, block_lanes(b.start), "pad")
    terms, term = cache_block(b, s.depth[0], sizes.terms, block, channel)
    line = LINE // DTYPES[float_dtype(s.kernel)].itemsize
    if _clashes(b, s, weight, sizes, target):
        b.reason = "rows of the weight share sets of L1: a block of them is copied"
        _, filled = b.pack(weight.buffer, block, tuple(range(len(weight.index))))
        lanes(b, filled[-1], line, "cut")
    b.reason = "a tile of channels and samples stays in registers while its sum runs"
    columns, column = b.split(block, tile.columns, "cut")
    channels, channel = b.split(channel, tile.rows, "cut")
    hold(b, channel, column)
    b.reason = "terms are taken a line at a time, between which the next block is prefetched"
    part, _ = b.split(term, line, "cut")
    b.add(PrefetchBlock(weight.buffer, part, terms, (columns, channels, part), line, group))
    keep_near(b, s.accumulator, channels)
    return group


def _clashes(b: ScheduleBuilder, s: BatchSum, weight: Load, sizes: Blocking, target: CpuTarget) -> bool:
    """Whether the rows of a block of the weight evict each other from L1 before all tiles have used them."""
    shape, size = b.start.buffers()[weight.buffer].type.shape, DTYPES[float_dtype(s.kernel)].itemsize
    along = s.channel in weight.index[-1].vars
    return along and clash(target.machine.l1, sizes.terms, sizes.channels * size, shape[-1] * size)
