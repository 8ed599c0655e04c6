"""Fully connected forward of natural samples: a register holds some samples x four features, weights are read once.

    for o-block: pack x as [g][f/4][4 samples][4 features];  for o-tile, g-tile:
        acc[r][g][b][k] over f/4: w[o + r, 4 f + k] * packed[g][f][b][k];   then the four parts are added up

Four neighbouring weights are broadcast to all samples of a register, so weights are neither transposed nor copied, and
every row of them is read once, in order. Adding the parts of 16 results in registers is cheap (contractions has to
add up all lanes), and lanes are idle only in the last group of samples. In batched products, such as the scores of
attention, each weight is used for one sample only; product_natural takes them (12 x 4 of 64 x 32 x 64: 0.32 ms packed,
0.25 transposed; Sapphire Rapids).
"""

from __future__ import annotations

from mochac.codegen.analysis.nests import block_lanes, float_dtype, read_once
from mochac.codegen.combinators.tiles import hold
from mochac.codegen.cpu.schedules.picking import pick
from mochac.codegen.cpu.schedules.product import product
from mochac.codegen.cpu.schedules.tiles import best_tile
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import ALL, ScheduleBuilder
from mochac.ir.steps.merge import Distribute, Reorder
from mochac.ir.steps.prefetch_tile import PrefetchTile
from mochac.ir.steps.run import Parallel, Vector
from mochac.ir.steps.split import Peel
from mochac.ir.steps.split_sum import Partial
from mochac.ir.steps.vectors import Join

PARTS = 4
"""Features per register; the vectors of as many outputs are added up into one."""
MANY_REGISTERS = 32
"""With this many registers, a tile has 2 * PARTS outputs: it loads half as many vectors of samples, which come from L2,
for each multiply-add (Sapphire Rapids, 100 x 1000 x 1000: 8 x 3 takes 1.27 ms where 4 x 5 takes 1.45)."""
LEAST_OUTPUTS = 48
"""Minimum outputs of a block, so that packing the samples pays."""
MOST_OUTPUTS = 256
"""Maximum outputs per block; samples are packed again for each block."""


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule, or None unless this is a forward product of enough natural samples."""
    p, count = None if block_lanes(kernel) else product(kernel), target.lanes(float_dtype(kernel)) // PARTS
    if p is None or not p.forward or p.form.shared or count < 2 or not read_once(kernel, p.left):
        return None
    samples, (_, outputs, features) = p.rows_of_part, p.sizes()
    if samples < count or features < 2 * PARTS:
        return None
    if samples % count == 1 or outputs % PARTS == 1:  # a remainder of one feature makes no vector
        return None
    samples, *_ = p.sizes()
    groups = samples // count
    across = PARTS * (2 if target.registers >= MANY_REGISTERS else 1)
    columns = best_tile(across, groups, target.machine, max_columns=groups, least_rows=across).columns
    size = outputs_per_block(outputs, target.team)
    size = pick(size, min(outputs, 2 * size), -(-size // (2 * PARTS)) * PARTS)
    b = ScheduleBuilder(kernel)
    b.reason = "a block of outputs is an item: the samples are packed once for all of it"
    b.add(Reorder((p.column, p.row)))
    block, some = b.split(p.column, size, "cut")
    b.reason = "a register holds four features of some samples, and four neighbouring weights are broadcast to them"
    run, part = b.split(p.term, PARTS, "guard")
    b.add(Partial(p.form.accumulator, part))
    tiles, rest = b.split(p.row, columns * count, "cut")
    group, within = b.split(rest, count, "cut")
    b.reason = "a tile of outputs and samples stays in registers while its sum runs"
    turns, rows = b.split(some, across, "cut")
    pair, row = b.split(rows, PARTS, "cut")
    hold(b, pair, row, group)
    b.reason = "samples and features of a register are its lanes, innermost everywhere"
    b.add(Distribute(within, ALL), Distribute(part, ALL), Join(part, (within, row)))
    if features % PARTS:
        b.add(Peel(run, 0, 1))
    b.reason = "packed samples are loaded one register at a time, for all tiles of outputs of the block"
    b.stage(p.left, block, "scratch")
    if samples > columns * count:  # the hardware prefetches rows that a single tile of samples reads
        per = -(-across // -(-samples // (columns * count)))
        b.add(PrefetchTile(p.right, run, row, tiles, turns, block, per))
    b.add(Vector(part), Vector(within), Parallel((*p.form.shared, block)))
    return b.schedule("product.packed")


def outputs_per_block(outputs: int, team: int) -> int:
    """A team's share of the outputs, but enough that packing the samples pays. The number of blocks is even, so that
    two threads have as many each.

    >>> [outputs_per_block(n, 4) for n in (1000, 250, 4096, 300)], [outputs_per_block(n, 16) for n in (1000, 4096)]
    ([256, 128, 256, 76], [64, 256])
    """
    least = max(LEAST_OUTPUTS, 2 * MOST_OUTPUTS // team)
    size = min(outputs, MOST_OUTPUTS, max(least, -(-outputs // (2 * team * PARTS)) * 2 * PARTS))
    blocks = -(-outputs // size)
    return size if blocks == 1 or blocks % 2 == 0 else -(-outputs // ((blocks + 1) * PARTS)) * PARTS
