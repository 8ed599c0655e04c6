"""Blockings of a contraction: every tile, cache block, order of loops and copy that the combinators can make of it.

    for blocks of loops, in any order {                       a loop is cut into blocks, or not
      copy what the block reads of an operand                 or not, at any of these loops
      for the other loops over tiles, in any order {
        sum the remaining terms into a tile of registers      lanes along the batch or along neighbouring elements
    } }

No rule chooses these schedules by itself. A search (mochac/tuning) finds in them what no rule offers, and tests hold
the traffic of rules against the best of them. Every decision is a `pick`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, takewhile
from math import log2, prod

from mochac.codegen.analysis.contraction import Contraction, contraction
from mochac.codegen.analysis.nests import block_lanes, float_dtype, may_pad
from mochac.codegen.combinators.caches import loop_order, share_items
from mochac.codegen.combinators.tiles import hold, lanes, partial_lanes
from mochac.codegen.cpu.schedules.picking import pick
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel
from mochac.ir.nest import band
from mochac.ir.schedule import Schedule, ScheduleError
from mochac.ir.schedule_builder import Handle, ScheduleBuilder
from mochac.ir.steps.merge import Distribute, Reorder
from mochac.ir.steps.vectors import Transpose

SIZES = (1, 2, 3, 4, 5, 6, 8, 12, 14)
"""Sizes of a loop in a register tile."""
WORTH = 1.15
"""Register tiles that need at most this many times the cycles of the best are worth trying,"""
TILES = 24
"""and at most so many of them."""
JOIN = 0.15
"""Adding up the lanes of a sum may cost at most this fraction of the sum."""
MOVE = 0.05
"""Loading and storing accumulators that wait in memory may cost at most this fraction of what is summed meanwhile."""
PARTS = (2, 4, 8, 16)
"""Numbers of blocks that a loop is cut into."""


def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """A blocking, by picks; None if the kernel is no plain contraction, or if threads could not share it.

    Raises:
        ScheduleError: the steps of the blocking do not fit the kernel.
    """
    form = contraction(kernel)
    if form is None or form.window or not form.terms:
        return None
    b = ScheduleBuilder(kernel, form.steps, form.kernel)
    b.reason = "a blocking that a search tries: of several, the one that was measured to be quickest"
    results = [loop.var for loop in band(form.kernel.body, kind="each")]
    terms = list(form.terms)
    vectors = _lanes(b, form, target, results, terms)
    if vectors is None:
        return None
    in_registers = _tile(b, form, target, results, vectors)
    outer, results, terms = _blocks(b, results, terms)
    outer = pick(*(x for x in permutations(outer) if _keeps(x, terms)))
    inner = pick(*permutations([x for x in results if x not in outer]))
    last = [x for x in terms if x not in outer]
    order = (*outer, *inner, *last)
    items = _items(b, order, terms, target.team)
    if not items or not _moves(target, order, terms, prod(map(b.extent, last))):
        return None
    hold(b, *in_registers)
    loop_order(b, form.accumulator, results, terms, order)
    _copy(b, form, vectors, outer[len(items) - 1 :] or items[-1:], order[-1])
    if share_items(b, *items, least=target.team) != items:
        raise ScheduleError(f"blocking: threads cannot share {' and '.join(items)}")
    return b.schedule("contraction.blocking")


@dataclass
class _Vectors:
    """How the kernel runs in vectors.

    Attributes:
        lane, count: the loop over lanes and their number.
        loop: the loop of results over vectors, later that inside of a tile; "" if lanes are terms.
        columns: whether lanes are columns, neighbours in the second factor alone.
        turned: whether neighbours of the second factor are terms all the same, so that a copy of it is transposed.
    """

    lane: str
    count: int
    loop: str = ""
    columns: bool = False
    turned: bool = False


def _lanes(
    b: ScheduleBuilder, form: Contraction, target: CpuTarget, results: list[str], terms: list[str]
) -> _Vectors | None:
    """Run one loop in vectors, and replace it among the results or terms by the loop over vectors."""
    first, second = form.factors
    blocked = block_lanes(b.kernel)
    count = blocked or target.lanes(float_dtype(b.kernel))
    batch, column = first.batch or second.batch, form.columns[-1] if form.columns else ""
    along = [t for t in terms if t in first.contiguous and t in second.contiguous]
    sums = [t for t in (batch, *along[-1:]) if t in terms and _joins(form, target, count)]
    options = [(t, False) for t in sums]
    if batch in results:
        options = [(batch, False)] if may_pad(b.kernel, batch) else []
    elif column and not second.batch and form.extent[column] >= count:
        straight = column in second.contiguous
        options += [(column, not straight)] if straight or along else []
    if not options:
        return None
    loop, turned = pick(*options)
    if loop in terms:
        terms[terms.index(loop)], _ = partial_lanes(b, form.accumulator, loop, count)
        return _Vectors("", count)
    vectors, lane = lanes(b, loop, count, "pad" if loop == batch else "cut")
    results[results.index(loop)] = vectors
    return _Vectors(lane, count, vectors, loop not in first.along, turned)


def _joins(form: Contraction, target: CpuTarget, count: int) -> bool:
    """Whether a sum is long enough for its lanes to be added up."""
    return 2 * log2(count) * count * target.machine.multiply_adds <= JOIN * form.size(form.terms)


def _tile(
    b: ScheduleBuilder, form: Contraction, target: CpuTarget, results: list[str], vectors: _Vectors
) -> list[Handle]:
    """Cut results into register tiles: replaces them by the loops over tiles, and returns those inside of a tile."""
    extents, machine = [b.extent(loop) for loop in results], target.machine
    along = [form.factors[0].along, form.factors[1].along]
    moved = [[x in f or (x == vectors.loop and vectors.columns == k) for x in results] for k, f in enumerate(along)]

    def cycles(tile: tuple[int, ...]) -> float:
        """Cycles of one term, for each result; infinite if the tile does not fit the registers."""
        n = prod(tile)
        loads = [prod(t for t, moves in zip(tile, side, strict=True) if moves) for side in moved]
        if n + (loads[vectors.columns] if vectors.loop else min(loads)) + 1 > machine.registers:
            return float("inf")
        busy = max(n / machine.multiply_adds, sum(loads) / machine.loads, machine.latency)
        return prod(-(-e // t) * t / e for e, t in zip(extents, tile, strict=True)) * (busy + 0.1 * sum(loads)) / n

    tiles = sorted(_sizes(extents, machine.registers), key=cycles)[:TILES]
    in_registers: list[Handle] = []
    for at, size in enumerate(pick(*(tile for tile in tiles if cycles(tile) <= WORTH * cycles(tiles[0])))):
        if size > 1:
            loop, inside = b.split(results[at], size, "cut")
            vectors.loop = inside if results[at] == vectors.loop else vectors.loop
            results[at] = loop
            in_registers.append(inside)
    return in_registers


def _sizes(extents: Sequence[int], most: int) -> Iterator[tuple[int, ...]]:
    """Sizes of a tile, at most `most` results.

    >>> list(_sizes((2, 3), 3))
    [(1, 1), (1, 2), (1, 3), (2, 1)]
    """
    if not extents:
        yield ()
        return
    for size in (n for n in SIZES if n <= min(extents[0], most)):
        yield from ((size, *rest) for rest in _sizes(extents[1:], most // size))


def _blocks(b: ScheduleBuilder, results: list[str], terms: list[str]) -> tuple[list[str], list[str], list[str]]:
    """Cut loops into blocks; the loops that go outside, and all of the results and terms as they are nested now."""
    outer: list[str] = []

    def cut(loop: str, whole: bool) -> list[str]:
        extent = b.extent(loop)
        parts = [n for n in PARTS if n < extent and not (whole and extent % n)]
        n = pick(1, *parts, extent) if extent > 1 else 1
        if n == 1:
            return [loop]
        if n == extent:
            outer.append(loop)
            return [loop]
        block, inside = b.split(loop, -(-extent // n), "cut")
        outer.append(block)
        return [block, inside]

    nested = [x for loop in results for x in cut(loop, whole=False)]
    sums = [x for loop in terms for x in cut(loop, whole=len(terms) > 1)]
    sums = [*(x for x in sums if x in outer), *(x for x in sums if x not in outer)]
    if len(terms) > 1:
        b.add(Reorder(tuple(sums)))
    return outer, nested, sums


def _keeps(order: Sequence[str], terms: Sequence[str]) -> bool:
    """Whether the loops of the sum keep their order."""
    return [x for x in order if x in terms] == [x for x in terms if x in order]


def _items(b: ScheduleBuilder, order: Sequence[str], terms: Sequence[str], team: int) -> tuple[str, ...]:
    """The outermost loops whose iterations threads share: as few as have one for each thread of the team, all if there
    are not so many tiles; none if terms come before."""
    results = tuple(takewhile(lambda loop: loop not in terms, order))
    least = min(team, prod(b.extent(loop) for loop in order if loop not in terms))
    enough = (n for n in range(1, len(results) + 1) if prod(map(b.extent, results[:n])) >= least)
    return results[: next(enough, 0)]


def _moves(target: CpuTarget, order: Sequence[str], terms: Sequence[str], size: int) -> bool:
    """Whether accumulators stay in registers, or for enough terms: moving them takes a load and a store."""
    first = min(order.index(x) for x in terms)
    stays = all(x in terms for x in order[first:])
    machine = target.machine
    return stays or (1 / machine.loads + 1) * machine.multiply_adds <= MOVE * size


def _copy(b: ScheduleBuilder, form: Contraction, vectors: _Vectors, places: Sequence[str], term: str) -> None:
    """Copy an operand at one of some loops, or none; an operand whose terms are neighbours is transposed."""
    if vectors.turned and vectors.loop:
        right = form.factors[1].loads[0].buffer
        b.stage(right, pick(*places), "scratch")
        _, run = b.split(term, vectors.count, "cut")
        b.add(Distribute(run, (vectors.loop, vectors.lane)), Transpose(right, vectors.lane, run))
        return
    copied = [x.loads[0].buffer for x in form.factors if x.direct and not x.windows]
    if place := pick(None, *((name, loop) for name in copied for loop in places)):
        b.stage(*place, "scratch")
