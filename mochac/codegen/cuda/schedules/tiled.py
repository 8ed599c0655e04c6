"""The schedule of a tiled contraction, given the tile that the model chose.

for tile of rows x columns (block):
    for panel of terms:  copy both panels, one ahead;  groups of threads: acc[r][s] += X[r, k] * W[k, s]
    join groups;  epilogue
"""

from __future__ import annotations

from mochac.codegen.analysis.contraction import Contraction
from mochac.codegen.combinators.panels import panels
from mochac.codegen.combinators.partial_groups import partial_groups
from mochac.codegen.combinators.register_tile import hold
from mochac.codegen.combinators.thread_tile import ThreadTile
from mochac.codegen.cuda.schedules.block_tile import BlockTile
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.distribute import Distribute
from mochac.ir.steps.exchange import Exchange
from mochac.ir.steps.fission import Fission
from mochac.ir.steps.grid import Blocks, Threads
from mochac.ir.steps.run import Unroll

UNROLLED = 1280
"""Maximum number of unrolled products of a thread."""
Loops = tuple[str, ...]


def tiled(b: ScheduleBuilder, form: Contraction, tile: BlockTile, double: bool) -> None:
    """Schedule a contraction; `double`: panels have two buffers."""
    results = ThreadTile([*form.shared])
    for side in (tile.rows, tile.columns):
        for loop, threads, held in side.parts:
            results.cut(b, loop, threads, held, side.run(loop, held))
    outside, group, inside = _cut_sum(b, form, tile)
    results.nest(b)
    for k, loop in enumerate(reversed(form.window)):
        b.add(Fission(loop, 1 if k else form.after))
    if tile.exchanged and not form.window:
        results.finish_apart(b, form.after, tile.threads)
    hold(b, *reversed((*results.registers, *form.window)), past=(*outside, *group, *inside))
    for loop in reversed(results.threads):
        b.add(Distribute(loop, (*outside, *group)))
    threads = (*group, *results.threads)
    panels(b, outside[-1], tile.threads, threads, double)
    _unroll(b, inside, tile)
    b.add(Threads(threads, tile.threads))
    if group and form.window:
        b.add(Threads(tuple(results.threads), tile.threads))
    if tile.exchanged:
        b.add(Exchange(form.accumulator))
    b.add(Blocks(tuple(results.blocks)))


def _cut_sum(b: ScheduleBuilder, form: Contraction, tile: BlockTile) -> tuple[Loops, Loops, Loops]:
    """The loops of the sum outside of a panel, of which the last counts panels, over groups, if any, and inside."""
    panel = tile.panel
    *outer, loop = form.terms[: panel.loop + 1]
    inside: Loops = form.terms[panel.loop + 1 :]
    if panel.part > 1 or not inside or (form.extent[loop] == 1 and tile.groups == 1):
        loop, part = b.split(loop, panel.part)
        inside = (part, *inside)
    if tile.groups == 1:
        return (*outer, loop), (), inside
    group, share = partial_groups(b, form.accumulator, inside[0], tile.groups)
    return (*outer, loop), (group,), (share, *inside[1:])


def _unroll(b: ScheduleBuilder, terms: Loops, tile: BlockTile) -> None:
    """Unroll loops of the sum, from the innermost out, while their product stays small."""
    products = tile.rows.registers * tile.columns.registers
    for loop in reversed(terms):
        products *= b.extent(loop)
        if loop != terms[-1] and products > UNROLLED:
            break
        b.add(Unroll(loop))
