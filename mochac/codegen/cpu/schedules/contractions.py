"""All other contractions without conditions: a tile of results in registers, lanes where memory is contiguous.

    over the columns        acc[r][v] over terms: x[r, ..] * w[.., v: lanes]        neighbouring columns are neighbours
    over the last term      acc[r][c][lane], lanes added at the end                 neighbouring terms are
    over a blocked batch    acc[r][c][lane], lanes added at the end                 sums over samples

Fully connected weight gradients have lanes over input features; the layout pass keeps these natural. A tile of outputs
reads a few elements of every row of the gradient; they are copied, since all tiles of features read them again. Where
rows of the input share sets of L1, a tile of features is copied instead, once for many tiles of outputs. If the update
is in the epilogue, its state is prefetched during the sum. Forward products of few samples or to few outputs have lanes
over the last term: each weight is used too seldom to be transposed (product_natural). Their sums are numbers, not
vectors: approximated functions that follow are computed in vectors, when the sums of a block are there. This rule also
takes users' contractions with several loops of rows or terms, or with a product as a factor, such as bilinear forms and
their gradients.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from mochac.base.records import record
from mochac.codegen.analysis.contraction import Contraction, contraction
from mochac.codegen.analysis.nests import block_lanes, float_dtype
from mochac.codegen.combinators.caches import share_items
from mochac.codegen.combinators.prefetching import ResultTile, prefetch_results
from mochac.codegen.combinators.sums import tile_subtotals
from mochac.codegen.combinators.tiles import hold, lanes, partial_lanes, register_tile
from mochac.codegen.cpu.schedules.blocking import clash
from mochac.codegen.cpu.schedules.picking import weigh
from mochac.codegen.cpu.schedules.product import Product, as_product
from mochac.codegen.cpu.schedules.tiles import FAR_COST, RegisterTile, best_tile, no_waits, ranked_tiles
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.machine import LINE, PAGE, Machine
from mochac.codegen.prediction.prediction import NEAR, PAGE_MISS
from mochac.ir.kernel import If, Kernel, Let, Loop, loops_named, walk, written_buffers
from mochac.ir.scalar import FUNCTIONS
from mochac.ir.schedule import Schedule
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.merge import Reorder
from mochac.ir.steps.run import Place
from mochac.ir.steps.storage import Permute

MOST_ROWS = 6
"""Maximum outputs of a weight gradient's tile with 16 registers, if the tile can be more than one vector wide; larger
tiles spill (AVX2: 0.58 of the peak instead of 0.93)."""

MOST_SIDE = 14
"""Maximum rows or columns of a tile whose lanes are parts of a sum."""
AGAIN = 0.01
"""Cycles for each vector of the other side that a tile of such rows reads: of equal tiles, higher ones read less."""
STREAMS = 4
"""Rows of a weight that are read from memory at once: CPUs prefetch a few streams better than many (one sample, Zen 5,
one thread: AlexNet's fc6 38 GB/s with 14 rows, 43 with 4; fc7 45 and 52)."""
TILES = 6
"""Maximum tiles of rows that share the columns that a tile of columns has brought to L1."""
MANY_TILES = 24
"""Maximum tiles of rows if these columns are copied as well."""
MOST_TILES = 64
"""Maximum tiles of rows if only columns are copied: more rows, and their states in an update, lie in more pages than
TLBs hold (Zen 4, busy, 100 samples of 512 x 768 and 1024 x 512: 0.97 to 1.01 of the time without a copy of columns;
with AVX2 0.89 to 0.99)."""
ITEMS = 2
"""Minimum items for each thread of a team, if there are enough tiles, so that threads share the work evenly."""
WORK = 8 << 10
"""Minimum vectors of multiply-adds of a product that is divided further to have so many items."""


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The schedule; None if the kernel is no such contraction, or if nothing is contiguous for at least a vector."""
    form, count = contraction(kernel), target.lanes(float_dtype(kernel))
    if form is None or form.window or not form.rows or not form.columns:
        return None
    gradient = _weight_gradient(form, count, target.machine)
    form = gradient.form if gradient else form
    if not gradient and any(isinstance(s, If) for s in walk(kernel.body)):
        return None
    if term := _partial(form, kernel, count):
        return _partial_lanes(form, term, target, count)
    row, column = form.rows[-1], form.columns[-1]
    blocked = block_lanes(kernel) and not gradient
    if column not in form.factors[1].contiguous or form.extent[column] < count or blocked:
        return None
    b = ScheduleBuilder(kernel)
    rest = [loop for loop in b.loops() if loop not in (row, column)]
    b.reason = "a tile of rows and columns stays in registers while its sum runs"
    b.add(Reorder((*rest, row, column)))
    across = -(-form.extent[column] // count)
    most = MOST_ROWS if gradient and across > 1 and target.registers < 32 else 14
    far = gradient if _far(form, target, count) else None
    tile, copies = _tile(far, form.extent[row], across, most, target, count)
    block = ""
    if far is not None and across > tile.columns:
        b.reason = "a tile of columns stays in L1 for the tiles of rows of an item"
        shared = _shared(form.extent[row] // tile.rows, -(-across // tile.columns), copies, target.team)
        block, row = b.split(row, shared * tile.rows, "cut")
        b.add(Reorder((column, row)))
    rows, tile_row = b.split(row, tile.rows, "cut")
    tiles, some = b.split(column, tile.columns * count, "cut")
    also, lane = lanes(b, some, count, "guard")
    hold(b, tile_row, also)
    inner = (tiles,) if not block or not copies.rows else ()
    if far is not None:
        order = (rows, tiles) if block else (tiles, rows)
        prefetch_results(b, form.epilogue, far.term, ResultTile(tile_row, also, lane, *order), block_lanes(kernel))
        if block:
            _copy(b, far, copies, block, tiles)
    elif gradient and block_lanes(kernel):
        b.reason = "samples of a block lie side by side, and need one address together"
        b.split(gradient.term, block_lanes(kernel), "cut")
    if gradient:
        tile_subtotals(b, form.accumulator)
    items = (*rest, block or rows)
    few = prod(map(b.extent, items)) < ITEMS * target.team and form.size(form.extent) >= WORK * count
    share_items(b, *items, *(inner if few or not copies.rows else ()), least=target.team)
    return b.schedule("contraction.column-lanes")


def _partial_lanes(form: Contraction, term: str, target: CpuTarget, count: int) -> Schedule:
    """Lanes are parts of one sum. The factor of the outer side of the results, mostly the longer one, is read once, as
    the weight is for few samples; registers hold what a tile reads of the other factor."""
    b, extent, blocked = ScheduleBuilder(form.kernel), form.extent, block_lanes(form.kernel)
    short, long = sorted((form.rows[-1], form.columns[-1]), key=lambda loop: extent[loop])
    outer, inner = weigh((long, short), (short, long))
    machine, high, wide = target.machine, extent[outer], extent[inner]
    one = form.size(form.terms) * (target.vector_bytes // count)
    rows = STREAMS if high * one > machine.caches[-1].n_bytes else MOST_SIDE
    tile = best_tile(high, wide, machine, MOST_SIDE, rows, waits=lambda tile: AGAIN * -(-high // tile.rows) * wide)
    rest = [loop for loop in b.loops() if loop not in (inner, outer)]
    b.reason = "all tiles of one side use a tile of the other one before the next, so that the latter is read once"
    b.add(Reorder((*rest, outer, inner)))
    vector, joined = partial_lanes(b, form.accumulator, term, blocked or count, peeled=not blocked)
    past = (*(loop for loop in form.terms if loop != term), vector)
    block, some = _ends_in_vectors(b, joined, (outer, inner), form.columns[-1], tile.rows, count)
    ((tiles, _),) = register_tile(b, (inner, tile.columns), past=past)
    ((turns, _),) = register_tile(b, (some, tile.rows), past=(tiles, *past))
    share_items(b, *rest, block or turns)
    return b.schedule("contraction.partial-lanes")


def _ends_in_vectors(
    b: ScheduleBuilder, joined: str, nest: tuple[str, str], column: str, rows: int, count: int
) -> tuple[str, str]:
    """Compute approximated functions that follow the sums in vectors of columns. The sums of a block wait in scratch
    memory: of as many outer results as fill a vector, if these are columns.

    Args:
        joined: the local that has the sum of all lanes.
        nest: the loops over results.
        rows: outer results of a tile.

    Returns:
        The loop over blocks, "" if there are none, and the loop over the outer results of a block.
    """
    outer, inner = nest
    body = loops_named(b.kernel.body, inner)[0].body
    after = max(k for k, s in enumerate(body) if isinstance(s, Loop) and joined in written_buffers((s,))) + 1
    if not any(isinstance(s, Let) and s.fn in FUNCTIONS and FUNCTIONS[s.fn].approximated for s in body[after:]):
        return "", outer
    b.reason = "the sums of a block wait until their functions can be computed in vectors"
    block, some = b.split(outer, -(-count // rows) * rows if column == outer else rows, "cut")
    part = b.detach((some, inner), after, "second")
    b.add(Place(joined, "scratch"))
    along, other = (some, inner) if column == outer else (inner, some)
    if along == some:
        b.add(Permute(joined, (1, 0)))
    b.add(Reorder((part(other), part(along))))
    lanes(b, part(along), count, "guard")
    return block, some


def _weight_gradient(form: Contraction, count: int, machine: Machine) -> Product | None:
    """The contraction as a weight gradient whose columns fill vectors; None if it is no weight gradient."""
    p = as_product(form)
    if p is None or not p.weight_gradient or form.factors[1].batch:
        return None
    return p if block_lanes(form.kernel) else p.filling_lanes(count, machine)


@record
class _Copies:
    """What of a weight gradient's factors is copied for a block of rows: the gradient, and a tile of the input."""

    rows: bool = True
    columns: bool = False


def _tile(
    far: Product | None, rows: int, across: int, most: int, target: CpuTarget, count: int
) -> tuple[RegisterTile, _Copies]:
    """The register tile, and what is copied. Columns that are far and not copied come from L2 for every tile."""
    machine = target.machine
    if far is None:
        return best_tile(rows, across, machine, max_columns=4, max_rows=most), _Copies()
    copies = _copies(far, ranked_tiles(rows, across, machine, max_columns=4, max_rows=most)[0], target, count)
    waits = no_waits if copies.columns else _from_l2(rows, across, machine)
    return best_tile(rows, across, machine, max_columns=4, max_rows=most, waits=waits), copies


def _copies(p: Product, tile: RegisterTile, target: CpuTarget, count: int) -> _Copies:
    """A tile of columns is copied if its rows clash in L1, since it would come from L2 for every tile of rows, while L1
    holds the copy. The rows' factor then comes from L2 unless it is copied as well, which takes long where few tiles of
    columns share the copy."""
    machine, wide, size = target.machine, tile.columns * target.vector_bytes, target.vector_bytes // count
    rows, columns, terms = p.sizes()
    if not clash(machine.l1, terms, wide, columns * size) or terms * wide > machine.l1.n_bytes:
        return _Copies()
    blocked = bool(block_lanes(p.form.kernel))
    read = tile.rows * size + (0 if blocked else LINE - size)
    pages = 0 if blocked else terms * min(1.0, rows * size / PAGE)
    far = NEAR * terms * read / machine.l2.bytes_per_cycle + PAGE_MISS * pages * (pages > machine.pages)
    copied = terms * tile.rows / machine.stores * tile.columns * count / columns
    return _Copies(rows=read >= wide or machine.waits * far > copied, columns=True)


def _shared(rows: int, columns: int, copies: _Copies, team: int) -> int:
    """How many of all tiles of rows share what L1 holds of a tile of columns, so that a team still has enough items."""
    if copies.rows:
        return min(MANY_TILES if copies.columns else TILES, max(1, rows // (ITEMS * team)))
    return -(-rows // max(1, -(-ITEMS * team // columns), -(-rows // MOST_TILES)))


def _copy(b: ScheduleBuilder, p: Product, copies: _Copies, block: str, tiles: str) -> None:
    """Copy what a block of rows reads of the gradient, and what a tile of columns reads of the input."""
    if copies.rows:
        b.reason = "a few elements of every row of the gradient are copied, since all tiles of columns read them"
        b.stage(p.left, block, "scratch")
    if copies.columns:
        b.reason = "rows of the input share sets of L1: what a tile of columns reads of them is copied"
        b.stage(p.right, tiles, "scratch")


def _from_l2(rows: int, columns: int, machine: Machine) -> Callable[[RegisterTile], float]:
    """Cycles per term that tiles wait for their columns, if every tile of rows reads them from L2."""
    fetch = FAR_COST * machine.vector_bytes / machine.l2.bytes_per_cycle
    return lambda tile: -(-rows // tile.rows) * columns * fetch


def _far(form: Contraction, target: CpuTarget, count: int) -> bool:
    """Whether the results do not stay in L1 until they are read again."""
    return form.size((*form.rows, *form.columns)) * (target.vector_bytes // count) > target.machine.l1.n_bytes


def _partial(form: Contraction, kernel: Kernel, count: int) -> str:
    """The loop of the sum that is divided among lanes; "" if lanes are columns, or if nothing is contiguous."""
    first, second = form.factors
    if block_lanes(kernel):
        return first.batch if first.batch == second.batch and first.batch in form.terms else ""
    term, column = form.terms[-1], form.columns[-1]
    if column in second.contiguous and form.extent[column] >= count:
        return ""
    return term if term in second.contiguous and form.extent[term] >= count else ""
