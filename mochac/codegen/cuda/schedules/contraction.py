"""Products and convolutions: tiles of results in registers, panels of both factors in shared memory.

    for tile of rows x columns (block):
        for panel of terms:  copy both panels, one ahead;  groups of threads: acc[r][s] += X[r, k] * W[k, s]
        join groups;  epilogue

codegen/analysis/contraction.py says what rows, columns and terms are. The taps of a convolution are gathered from the
image while its panel is copied.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial

from mochac.codegen.analysis.contraction import Contraction, contraction
from mochac.codegen.combinators.caches import panels
from mochac.codegen.combinators.tiles import ThreadTile, hold, unroll_inner
from mochac.codegen.cuda.schedules.block_tile import BlockTile, sizes
from mochac.codegen.cuda.schedules.generic import Rule
from mochac.codegen.cuda.schedules.sides import VECTOR
from mochac.codegen.cuda.schedules.tiles import best_tile, fastest_tiles, halves
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.clip import Clip
from mochac.ir.steps.merge import Distribute
from mochac.ir.steps.run import Blocks, Threads, Unroll
from mochac.ir.steps.split import Fission
from mochac.ir.steps.threads import Exchange

MIN_TERMS = 8
LONG = 128
"""Minimum terms of a sum for which a block of its own pays if there are too few tiles to fill the device."""
MAX_SKIPPED = 3.0
"""Maximum ratio of all iterations to those that conditions leave; beyond it, running all of them is a waste."""
UNROLLED = 1280
"""Maximum number of unrolled products of a thread."""
TRIED = 24
"""Tiles that a search may try."""
Loops = tuple[str, ...]


def rule(kernel: Kernel, target: CudaTarget) -> Schedule | None:
    """The schedule, or None unless the kernel is a sum of products that is large enough for tiles."""
    form = large(kernel)
    if form is None:
        return None
    _, tile = best_tile(sizes(form), target)
    if tile is None or (4 * tile.blocks < target.multiprocessors and form.size(form.terms) >= LONG):
        return None
    return _in_tiles(form, tile, kernel, target)


def rules(kernel: Kernel, target: CudaTarget) -> Iterator[Rule]:
    """Rules for a search to try, each with another tile for the products of a kernel."""
    form = large(kernel)
    if form is not None:
        for _, tile in fastest_tiles(sizes(form), target)[:TRIED]:
            yield partial(_in_tiles, form, tile)


def _in_tiles(form: Contraction, tile: BlockTile, kernel: Kernel, target: CudaTarget) -> Schedule:
    b = ScheduleBuilder(kernel, form.steps, form.kernel)
    b.add(Blocks(tile_block(b, form, tile, halves(tile, target) == 2, target.copies_async)))
    return b.schedule("contraction.pooled" if form.window else "contraction.tiled")


def tile_block(b: ScheduleBuilder, form: Contraction, tile: BlockTile, double: bool, direct: bool) -> Loops:
    """Schedule what a block of threads computes of a contraction; return the loops over blocks.

    Args:
        double, direct: as in `panels`.
    """
    b.reason = "a block of threads computes a tile of results, of which each thread holds some in registers"
    results = ThreadTile([*form.shared])
    for side in (tile.rows, tile.columns):
        for loop, threads, registers in side.parts:
            results.cut(b, loop, threads, registers, side.run(loop, registers))
    outside, group, inside = _cut_sum(b, form, tile)
    b.reason = "neighbouring threads take neighbouring results"
    limited = [skip.term for skip, place in tile.skips if place == "blocks"]
    long = {skip.result for skip, place in tile.skips if place == "blocks"}
    results.blocks.sort(key=lambda loop: loop not in long)  # long blocks and short ones share a multiprocessor
    results.nest(b)
    for k, loop in enumerate(reversed(form.window)):
        b.add(Fission(loop, 1 if k else form.after))
    in_memory_order = tile.exchanged and not form.window
    if in_memory_order:
        results.finish_in_memory_order(b, form.after, tile.threads)
    hold(b, *reversed((*results.registers, *form.window)), past=(*outside, *group, *inside))
    b.reason = "all threads of a block go through the panels of the sum together"
    b.add(*(Distribute(loop, (*outside, *group)) for loop in reversed(results.threads)))
    across = (*group, *results.threads)
    panels(b, outside[-1], tile.threads, across, double, [skip.term for skip, _ in tile.skips], direct)
    b.add(*(Clip(loop) for loop in limited))
    products = tile.rows.registers * tile.columns.registers
    last = _short(b, inside[-1], max(VECTOR, UNROLLED // products))
    b.add(Unroll(last))
    if last == inside[-1]:
        unroll_inner(b, _after(inside[:-1], limited), UNROLLED, products * b.extent(last))
    b.add(Threads(across, tile.threads))
    if group and form.window:
        b.add(Threads(tuple(results.threads), tile.threads))
    if group or in_memory_order:
        b.add(Exchange(form.accumulator))
    return tuple(results.blocks)


def _short(b: ScheduleBuilder, loop: str, most: int) -> str:
    """The loop, or one of at most so many of its iterations: more code than that does not stay near the units."""
    extent = b.extent(loop)
    if extent <= most:
        return loop
    part = max((n for n in range(1, most + 1) if extent % n == 0), key=lambda n: (n % VECTOR == 0, n))
    return b.split(loop, part)[1]


def _after(loops: Loops, last: Collection[str]) -> Loops:
    """The loops inside of the innermost of the given loops."""
    return loops[max((k + 1 for k, loop in enumerate(loops) if loop in last), default=0) :]


def large(kernel: Kernel) -> Contraction | None:
    """The kernel as a sum of products for tiles, if conditions skip little besides padding."""
    form = for_tiles(kernel)
    if form is None:
        return None
    products = form.size((*form.rows, *form.columns, *form.shared, *form.window, *form.terms))
    return form if 2 * products <= MAX_SKIPPED * max(kernel.flops, 1) else None


def for_tiles(kernel: Kernel) -> Contraction | None:
    """The kernel as a sum of products, if both factors vary, there are enough terms, and conditions only skip
    padding."""
    form = contraction(kernel)
    suits = form and form.rows and form.columns and form.padding_only and form.size(form.terms) >= MIN_TERMS
    return form if suits else None


def _cut_sum(b: ScheduleBuilder, form: Contraction, tile: BlockTile) -> tuple[Loops, Loops, Loops]:
    """The loops of the sum outside of a panel, of which the last counts panels, over groups, if any, and inside."""
    at, part = tile.panel.loop, tile.panel.part
    b.reason = "the sum is cut into panels, which shared memory holds for all threads of a block"
    *outer, loop = form.terms[: at + 1]
    inside: Loops = form.terms[at + 1 :]
    if part > 1 or not inside or (form.extent[loop] == 1 and tile.groups == 1):
        loop, first = b.split(loop, part)
        inside = (first, *inside)
    if tile.groups == 1:
        return (*outer, loop), (), inside
    b.reason = "groups of threads share the terms of a panel, since there are too few results for all of them"
    group, share = b.split(inside[0], b.extent(inside[0]) // tile.groups)
    join, _ = b.partial(form.accumulator, group)
    b.add(Unroll(join))
    return (*outer, loop), (group,), (share, *inside[1:])
