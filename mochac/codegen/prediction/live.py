"""Values that are live at once, and the registers and units that instructions take.

%a = %x[f]                      defines a
    %acc[0] = fma(%a, %b, %acc[0])  uses a, b and acc[0], defines acc[0]
    ..                              acc[0] is live until the next iteration uses it

The body is followed in program order, again and again, as in a loop. Where a value needs a register and none is free,
the value whose next use is furthest away is spilled: it is stored, unless memory has it, and loaded again for that use
(L. A. Belady, "A study of replacement algorithms for a virtual-storage computer", 1966). LLVM decides in another way,
and orders instructions itself, but spills about as many.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from math import inf
from typing import NamedTuple

from mochac.codegen.machine import Machine
from mochac.codegen.prediction.function_counts import Counted

LiveValue = tuple[int, ...]
"""The numbers of the registers that a value would take if there were enough."""


class Spills(NamedTuple):
    """What an iteration of a body spills: vectors stored, vectors loaded again, and how many of these are accumulators.

    A value that was not written since it was last stored is loaded again without another store.
    """

    stores: int = 0
    reloads: int = 0
    accumulators: int = 0


NONE = Spills()


class Live:
    """The values of a body, noted while its statements are visited in program order.

    Attributes:
        names: the value that each name stands for.
        elements: the value that each element of a register local holds.
    """

    def __init__(self) -> None:
        self.names: dict[str, LiveValue] = {}
        self.elements: dict[object, LiveValue] = {}
        self._loaded: dict[object, LiveValue] = {}
        self._entering: dict[object, LiveValue] = {}
        self._folding: list[int] = []
        self._sums: set[int] = set()
        self._accesses: list[int] = []
        """Numbers of what is used, ~number of what is defined."""
        self._count = 0

    def define(self, registers: int) -> LiveValue:
        """A new value, which takes this many registers."""
        value = self._new(registers)
        self._accesses += [~k for k in value]
        return value

    def _new(self, registers: int) -> LiveValue:
        self._count += registers
        return tuple(range(self._count - registers, self._count))

    def load(self, place: object, registers: int, folds: bool) -> LiveValue:
        """The value of a place in memory, which is loaded once. If it `folds`, the only instruction that uses it takes
        it from memory."""
        value = self._loaded.get(place)
        if value is None:
            value = self._loaded[place] = self.define(registers)
            if folds:
                self._folding += value
        return value

    def use(self, name: str, registers: int) -> None:
        """Use a named value; one from outside of the body takes this many registers throughout."""
        value = self.names.get(name)
        if value is None:
            value = self.names[name] = self._new(registers)
        self._accesses += value

    def element(self, key: object, registers: int) -> LiveValue:
        """The value of an element of a register local; what the body has not written is from an earlier iteration."""
        value = self.elements.get(key)
        if value is None:
            value = self.elements[key] = self._entering[key] = self._new(registers)
        return value

    def accumulate(self, key: object, registers: int) -> None:
        """Use the value of an element and replace it."""
        value = self.element(key, registers)
        self._sums.update(value)
        self._accesses += value
        self.elements[key] = self.define(registers)

    def forget(self, places: Iterable[object]) -> None:
        """From here on, these places in memory are loaded again."""
        for place in places:
            self._loaded.pop(place, None)

    def spills(self, registers: int) -> Spills:
        """What an iteration spills with this many registers."""
        if self._count <= registers:
            return NONE
        return spills(self._in_turn(), registers, frozenset(self._sums))

    def _in_turn(self) -> tuple[int, ...]:
        """All accesses. What the body leaves in an element is what its next iteration finds there."""
        same = list(range(self._count))
        for key, first in self._entering.items():
            for k, number in zip(self.elements[key], first, strict=False):
                same[k] = number
        accesses = [same[k] if k >= 0 else ~same[~k] for k in self._accesses]
        uses = Counter(accesses) if self._folding else {}
        folded = {k for k in self._folding if uses[k] <= 1}
        return tuple([k for k in accesses if (k if k >= 0 else ~k) not in folded] if folded else accesses)


@lru_cache(maxsize=64)
def spills(accesses: tuple[int, ...], registers: int, sums: frozenset[int]) -> Spills:
    """The spills of an iteration that begins with what the one before it leaves in registers.

    Args:
        accesses: numbers of what is used, ~number of what is defined.
        sums: the numbers of accumulators.

    >>> spills((~0, ~1, 0, 1), 2, frozenset()), spills((~0, ~1, ~2, 0, 1, 2), 2, frozenset({1}))
    (Spills(stores=0, reloads=0, accumulators=0), Spills(stores=1, reloads=1, accumulators=1))
    """
    following, n = _next_uses(accesses), len(accesses)
    live: dict[int, float] = {}
    stored = {access for access in accesses if access >= 0} - {~access for access in accesses if access < 0}
    stores = reloads = accumulators = 0
    for start in (0, n):
        stores = reloads = accumulators = 0
        for at, access in enumerate(accesses):
            value = access if access >= 0 else ~access
            if value not in live:
                if access >= 0:
                    reloads += 1
                    accumulators += value in sums
                if len(live) >= registers:
                    furthest = max(live, key=live.__getitem__)
                    del live[furthest]
                    stores += furthest not in stored
                    stored.add(furthest)
            if access < 0:
                stored.discard(value)
            if following[at] == inf:
                live.pop(value, None)
            else:
                live[value] = start + following[at]
    return Spills(stores, reloads, accumulators)


def _next_uses(accesses: tuple[int, ...]) -> list[float]:
    """Where the value of each access is used next, counted on into the next iteration; infinite if it is not used
    before it is defined again."""
    found = [inf] * len(accesses)
    latest: dict[int, float] = {}
    for start in (len(accesses), 0):
        for at in range(len(accesses) - 1, -1, -1):
            access = accesses[at]
            if access >= 0:
                found[at] = latest.get(access, inf)
                latest[access] = start + at
            else:
                found[at] = latest.get(~access, inf)
                latest[~access] = inf
    return found


SPILL = 0.75
"""Part of the time of a spilled vector's store that a core does not hide behind multiply-adds (Zen 5, AVX-512 code of
LeNet's second convolution with tiles of 40 to 200 accumulators: 0.93 to 1.04 of what is measured, 2026-11-28)."""
FORWARD = 9
"""Cycles from the store of a vector until a load has it (same CPU, AVX2 code with tiles of 14 and 16)."""


@dataclass(slots=True)
class Instructions:
    """Instructions of a body without loops. `products` are multiply-adds and multiplications, `slow` are divisions and
    roots, `arithmetic` are other computations; `chains` counts the multiply-adds into each accumulator, one of pairs as
    several if it takes longer. `tiles` are products of whole tiles. `spills` come on top of `loads` and `stores`."""

    products: float = 0.0
    arithmetic: float = 0.0
    slow: float = 0.0
    shuffles: float = 0.0
    loads: float = 0.0
    stores: float = 0.0
    other: float = 0.0
    tiles: float = 0.0
    chains: defaultdict[object, float] = field(default_factory=lambda: defaultdict(float))
    spills: Spills = NONE

    def add(self, counted: Counted, times: int) -> None:
        """Count a function's instructions `times` times."""
        self.products += times * counted.products
        self.arithmetic += times * counted.arithmetic
        self.slow += times * counted.slow

    def cycles(self, machine: Machine) -> float:
        """Cycles of the busiest resource, and what spills add to them.

        A spilled vector is stored and loaded again, which is partly hidden. Where so many accumulators are loaded again
        that one of them is never kept, each of its multiply-adds waits for the store of the one before.
        """
        chain, spills = max(self.chains.values(), default=0), self.spills
        stored = SPILL * spills.stores / machine.stores
        forwarded = chain * (machine.latency + FORWARD) if spills.accumulators >= chain else 0.0
        return max(
            self._busiest(machine, chain, self.loads + max(0, spills.reloads - spills.stores)) + stored, forwarded
        )

    def _busiest(self, machine: Machine, chain: float, loads: float) -> float:
        computed = self.products + self.arithmetic + self.shuffles
        return max(
            max(self.products / machine.multiply_adds, computed / machine.arithmetic) + self.slow * machine.divide,
            self.shuffles / machine.shuffles,
            loads / machine.loads,
            self.stores / machine.stores,
            (computed + self.stores + loads + self.other) / machine.width,
            self.tiles * machine.tile_cycles,
            chain * machine.latency,
        )
