"""row_nesting: nests of sums that keep the same axes, and of what reads them there, as one loop over the rows.

    reduce_sum, mul, sub, square, reduce_sum, div, sub, mul     inline(values=(sub, square, ..))
                                                                gather(values=((reduce_sum), (mul), (reduce_sum1), ..))

A row is what one number of a sum is made of: a sample for LayerNorm, a channel for BatchNorm. Sums that need nothing of
each other go over a row together, and so do the maps that store elements. codegen/nesting.py asks here first.
"""

from __future__ import annotations

from collections.abc import Collection

from mochac.ir.index import Index
from mochac.ir.kernel import Kernel
from mochac.ir.nests import StagedNest
from mochac.ir.schedule import Step
from mochac.ir.steps.gather import Gather
from mochac.ir.steps.inline import Inline


def row_steps(kernel: Kernel, nests: tuple[StagedNest, ...]) -> tuple[Step, ...]:
    """The steps that make one loop over rows of all nests; none if the kernel is no row group."""
    if any(nest.definition is None for nest in nests):
        return ()
    sums = [nest for nest in nests if nest.has_loops]
    rank = _rank(sums[0]) if sums else 0
    outputs = {b.name for b in kernel.outputs}
    maps = [nest for nest in nests if _rank(nest) > rank]
    stored = [nest for nest in maps if not outputs.isdisjoint(nest.values)]
    if not rank or any(_rank(nest) != rank for nest in sums) or (len(sums) < 2 and not stored):
        return ()
    axes = _row_axes(nests, sums, rank)
    if axes is None:
        return ()
    inlined = tuple(name for nest in maps if nest not in stored for name in nest.values)
    order = _Order(nests, sums, stored)
    gathered = Gather(tuple(tuple(n.values[0] for n in group) for group in order.groups(maps)), axes)
    return (Inline(inlined), gathered) if inlined else (gathered,)


def _rank(nest: StagedNest) -> int:
    return len(nest.definition.vars) if nest.definition else 0


def _row_axes(nests: tuple[StagedNest, ...], sums: Collection[StagedNest], rank: int) -> tuple[int, ...] | None:
    """The axes of the maps along which the rows lie; None if a nest reads the numbers of other rows."""
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
            if nest in sums:
                found.add(_places(own, read.index))
            elif read.index != own:
                return None
    if len(found) > 1 or any(len(set(axes)) != rank or -1 in axes for axes in found):
        return None
    return next(iter(found), tuple(range(rank)))


def _own(nest: StagedNest) -> tuple[Index, ...]:
    return tuple(map(Index.var, nest.definition.vars)) if nest.definition else ()


def _places(part: tuple[Index, ...], whole: tuple[Index, ...]) -> tuple[int, ...]:
    """Where each index of `part` is in `whole`, -1 if it is not there."""
    return tuple(whole.index(i) if i in whole else -1 for i in part)


class _Order:
    """In which order nests go over a row: each is at a stage, the number of times a row has been gone over before."""

    def __init__(self, nests: tuple[StagedNest, ...], sums: list[StagedNest], stored: list[StagedNest]) -> None:
        self.nests, self.sums, self.stored = nests, sums, stored
        self.maker = {name: nest for nest in nests for name in nest.values}
        self.stage: dict[int, int] = {}
        self.needed: set[int] = set()
        for nest in nests:
            before = [self.maker[name] for name in nest.reads if name in self.maker and name not in nest.values]
            self.stage[id(nest)] = max((self.stage[id(d)] + self._passes(d, nest) for d in before), default=0)
        last = max((self.stage[id(nest)] for nest in stored), default=0)
        for nest in stored:
            if id(nest) not in self.needed:
                self.stage[id(nest)] = last

    def _passes(self, before: StagedNest, nest: StagedNest) -> int:
        """How often more a row must be gone over before `nest` than before what it reads."""
        waits = before in self.stored and nest in self.sums
        if waits:
            self.needed.add(id(before))
        return int(before in self.sums or waits)

    def groups(self, maps: list[StagedNest]) -> list[list[StagedNest]]:
        """The nests that go over a row together, in order."""
        found: list[list[StagedNest]] = []
        for stage in range(max(self.stage.values()) + 1):
            here = [nest for nest in self.nests if self.stage[id(nest)] == stage]
            found += [[nest] for nest in here if nest not in self.sums and nest not in maps]
            found += [group for part in (self.sums, self.stored) if (group := [n for n in here if n in part])]
        return found
