"""Cycles that the instructions of a body without loops take, by the units of a core and by what they wait for."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from mochac.codegen.machine import Machine
from mochac.codegen.prediction.function_counts import Counted
from mochac.codegen.prediction.live import NONE, Spills

SPILL = 0.75
"""Part of the time of a spilled vector's store that a core does not hide behind multiply-adds (Zen 5, AVX-512 code of
LeNet's second convolution with tiles of 40 to 200 accumulators: 0.93 to 1.04 of what is measured, 2026-11-28)."""
FORWARD = 9
"""Cycles from the store of a vector until a load has it (same CPU, AVX2 code with tiles of 14 and 16)."""


@dataclass(slots=True)
class Instructions:
    """Instructions of a body without loops. `products` are multiply-adds and multiplications, `slow` are divisions and
    roots, `arithmetic` are other computations; `chains` counts the multiply-adds into each accumulator, one of pairs as
    several if it takes longer. `spills` come on top of `loads` and `stores`."""

    products: float = 0.0
    arithmetic: float = 0.0
    slow: float = 0.0
    shuffles: float = 0.0
    loads: float = 0.0
    stores: float = 0.0
    other: float = 0.0
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
            chain * machine.latency,
        )
