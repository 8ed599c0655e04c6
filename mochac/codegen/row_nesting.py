"""row_nesting: nests of sums that keep the same axes, and of the maps that read these sums, as one loop over the rows.

    reduce_sum, mul, sub, square, reduce_sum, div, sub, mul     inline(values=(sub, square, ..))
                                                                by_rows(values=((reduce_sum), (mul), (reduce_sum1), ..))

A row is what one result of a sum adds up: a sample for LayerNorm, a channel for BatchNorm. Sums that do not depend on
each other go over a row together, and so do maps that store elements, and sums of elements over rows, such as the
gradients of LayerNorm's scale and shift. codegen/nesting.py tries this first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from mochac.ir.index import Index
from mochac.ir.kernel import Kernel
from mochac.ir.nest import band
from mochac.ir.nests import StagedNest, row_total
from mochac.ir.schedule import Step
from mochac.ir.steps.inline import Inline
from mochac.ir.steps.split_body import ByRows


def row_steps(kernel: Kernel, nests: tuple[StagedNest, ...]) -> tuple[Step, ...]:
    """The steps that make one loop over rows of all nests; none if the kernel is no row group."""
    if any(nest.definition is None for nest in nests):
        return ()
    outputs = {b.name for b in kernel.outputs}
    every = [nest for nest in nests if nest.has_loops]
    main = _main(nests, every)
    across = _totals(nests, every, main)
    rank = _rank(main[0]) if main else 0
    sums = [nest for nest in every if nest not in across and _rank(nest) <= rank]
    maps = [nest for nest in nests if _rank(nest) > rank and nest not in across]
    stored = [nest for nest in maps if not outputs.isdisjoint(nest.values)]
    if not rank or any(_rank(nest) != rank for nest in sums) or (len(sums) < 2 and not stored and not across):
        return ()
    if any(nest not in (*sums, *across, *stored) for nest in every):
        return ()
    axes = _row_axes([nest for nest in nests if nest not in across], sums, rank)
    if axes is None:
        return ()
    inlined = [nest for nest in maps if nest not in stored]
    order = _Order(nests, sums, inlined, [*stored, *across], across)
    groups = [part for group in order.groups() for part in _by_range(group, axes, across)]
    totals = tuple(nest.values[0] for nest in across)
    by_rows = ByRows(tuple(tuple(nest.values[0] for nest in group) for group in groups), axes, totals)
    return (Inline(tuple(name for nest in inlined for name in nest.values)), by_rows) if inlined else (by_rows,)


def _main(nests: tuple[StagedNest, ...], sums: list[StagedNest]) -> list[StagedNest]:
    """The sums whose results other nests read; all sums if none is read."""
    read = {name for nest in nests for name in nest.reads}
    return [nest for nest in sums if not read.isdisjoint(nest.values)] or sums


def _totals(nests: tuple[StagedNest, ...], sums: list[StagedNest], main: list[StagedNest]) -> list[StagedNest]:
    """The sums over rows, element by element, that are computed beside the main ones."""
    rest = [nest for nest in sums if nest not in main]
    ranks = {_rank(nest) for nest in main}
    if not rest or len(ranks) > 1:
        return []
    axes = _row_axes([nest for nest in nests if nest not in rest], main, ranks.pop())
    return [nest for nest in rest if axes is not None and row_total(nest, axes) is not None]


def _rank(nest: StagedNest | None) -> int:
    return len(nest.definition.vars) if nest is not None and nest.definition else 0


def _row_axes(nests: Collection[StagedNest], sums: Collection[StagedNest], rank: int) -> tuple[int, ...] | None:
    """The axes of the maps along which the rows lie; None if a nest reads results of other rows."""
    numbers = {name for nest in nests if _rank(nest) == rank for name in nest.values}
    elements = {name for nest in nests if _rank(nest) > rank for name in nest.values}
    found: set[tuple[int, ...]] = set()
    for nest in nests:
        own = _own(nest)
        for read in nest.uses(numbers):
            if _rank(nest) == rank and read.index != own:
                return None
            if _rank(nest) > rank:
                found.add(_places(read.index, own))
        for read in nest.uses(elements):
            if nest in sums or (nest.has_loops and _rank(nest) > rank):
                found.add(_places(own, read.index)[:rank])
            elif read.index != own:
                return None
    if len(found) > 1 or any(len(set(axes)) != rank or -1 in axes for axes in found):
        return None
    return next(iter(found), tuple(range(rank)))


def _by_range(
    group: list[StagedNest], axes: tuple[int, ...], across: Collection[StagedNest]
) -> Iterable[list[StagedNest]]:
    """The nests of a group that go over the same range first; these share the loop."""
    found: dict[object, list[StagedNest]] = {}
    for nest in group:
        around = band(nest.body, kind="each")[: _rank(nest)]
        total = row_total(nest, axes) if nest in across else None
        rows = around if len(around) == len(axes) else [around[a] for a in axes if a < len(around)]
        rows = total.rows if total else rows
        inside = [loop for loop in around if loop.var not in {row.var for row in rows}]
        found.setdefault((inside[0].lo, inside[0].hi) if inside else None, []).append(nest)
    return found.values()


def _own(nest: StagedNest) -> tuple[Index, ...]:
    return tuple(map(Index.var, nest.definition.vars)) if nest.definition else ()


def _places(part: tuple[Index, ...], whole: tuple[Index, ...]) -> tuple[int, ...]:
    """Where each index of `part` is in `whole`, -1 if it is not there."""
    return tuple(whole.index(i) if i in whole else -1 for i in part)


class _Order:
    """The order in which nests go over a row. The stage of a nest is the number of passes over the row before it."""

    def __init__(
        self,
        nests: tuple[StagedNest, ...],
        sums: list[StagedNest],
        inlined: list[StagedNest],
        stored: list[StagedNest],
        across: list[StagedNest],
    ) -> None:
        self.nests = [nest for nest in nests if nest not in inlined]
        self.sums, self.inlined, self.stored = sums, inlined, stored
        self.whole = [*sums, *(nest for nest in stored if nest.has_loops and nest not in across)]
        """The nests that read the elements of a row after all of them have been computed."""
        self.maker = {name: nest for nest in nests for name in nest.values}
        self.stage: dict[int, int] = {}
        for nest in self.nests:
            stages = [0]
            for before in self._before(nest):
                waits = before in self.stored and nest in self.whole
                stages.append(self.stage[id(before)] + (waits or before in self.whole))
            self.stage[id(nest)] = max(stages)
        last, needed = max((self.stage[id(nest)] for nest in self.stored), default=0), self._needed()
        self.stage.update((id(nest), last) for nest in self.stored if id(nest) not in needed)

    def _needed(self) -> set[int]:
        """The stored maps that sums read, directly or through other maps: they cannot wait for the last stage."""
        found: set[int] = set()
        for nest in reversed(self.nests):
            if nest in self.whole or id(nest) in found:
                found |= {id(before) for before in self._before(nest) if before in self.stored}
        return found

    def _before(self, nest: StagedNest) -> list[StagedNest]:
        """The nests that must be computed before this one; inlined nests are replaced by those that they read."""
        found: list[StagedNest] = []
        for name in nest.reads:
            maker = self.maker.get(name)
            if maker is not None and maker is not nest:
                found += self._before(maker) if maker in self.inlined else [maker]
        return found

    def groups(self) -> list[list[StagedNest]]:
        """The nests that go over a row together, in order."""
        found: list[list[StagedNest]] = []
        for stage in range(max(self.stage.values()) + 1):
            here = [nest for nest in self.nests if self.stage[id(nest)] == stage]
            found += [[nest] for nest in here if nest not in self.sums and nest not in self.stored]
            found += [group for part in (self.sums, self.stored) if (group := [n for n in here if n in part])]
        return found
