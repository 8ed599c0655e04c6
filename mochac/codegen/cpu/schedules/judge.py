"""judge: which of several schedules of a kernel the model of the machine predicts to be quickest.

    cycles = a mean over small teams of threads of what a team needs, all of its threads together

Rules yield schedules, and the model ranks them (codegen/prediction). Schedules whose multiply-adds leave no other much
to win are not compared with others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf
from statistics import mean

from mochac.base.threads import cached_property
from mochac.codegen.analysis.contraction import contraction
from mochac.codegen.analysis.nests import float_dtype
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.machine import LINE
from mochac.codegen.prediction.function_counts import dot4_counts
from mochac.codegen.prediction.prediction import IN_FLIGHT, predicted
from mochac.ir.executed import executed_flops
from mochac.ir.functions.fixed_point import BYTES
from mochac.ir.kernel import DOT4, Accum, Kernel, Prefetch, walk
from mochac.ir.schedule import Schedule

Rule = Callable[[Kernel, CpuTarget], Schedule | None]
TEAMS = (1, 2, 4)
"""Numbers of threads for which a schedule should be quick; for larger teams, rules cut the same sums into more
items."""
ENOUGH = 1.05
"""No further schedules are compared once the n-th takes at most ENOUGH ** n times the cycles of its multiply-adds."""

WELL = 1.4
"""A rule does well if it takes at most this many times the cycles of its multiply-adds: the options that it weighs are
not compared then."""


class Judge:
    """Ranks the rules that take a kernel.

    Args:
        kernel: the naive kernel.
        scheduled: the kernel that a rule's schedule gives; None if a step does not fit.
        team: the most threads that share the kernel.
    """

    def __init__(
        self, kernel: Kernel, target: CpuTarget, scheduled: Callable[[Rule], Kernel | None], team: int = TEAMS[-1]
    ) -> None:
        self.kernel, self.target, self.scheduled, self.team = kernel, target, scheduled, team
        self._costs: dict[Rule, float] = {}

    @cached_property
    def _bound(self) -> float:
        """Cycles of the multiply-adds in vectors, without idle lanes."""
        lanes, machine = self.target.lanes(float_dtype(self.kernel)), self.target.machine
        return executed_flops(self.kernel) / (2 * lanes * self._products * machine.multiply_adds)

    @property
    def _products(self) -> float:
        """Products that a multiply-add computes in each lane."""
        machine, sums = self.target.machine, {s.fn for s in walk(self.kernel.body) if isinstance(s, Accum)}
        if sums & set(DOT4):
            return BYTES / dot4_counts(machine.byte_products).products
        if "dot2" in sums and machine.tile_speed:
            return machine.tile_speed
        pairs = "dot2" in sums and machine.pair_products
        return 2 * machine.pair_products / machine.multiply_adds if pairs else 1.0

    @cached_property
    def _ends(self) -> frozenset[str]:
        """The buffers that the end of a sum reads or stores, if their lines come from beyond L2; else none."""
        form, buffers = contraction(self.kernel), (*self.kernel.inputs, *self.kernel.outputs)
        if form is None or not self.target.machine.beyond_l2(sum(b.type.storage_bytes for b in buffers)):
            return frozenset()
        return frozenset((*form.epilogue, *(b.name for b in self.kernel.outputs)))

    def has_enough(self, rules: Iterable[Rule]) -> bool:
        """Whether one of these rules is as quick as is worth looking for."""
        return any(self.cost(rule) <= ENOUGH**n * self._bound for n, rule in enumerate(rules, 1))

    def does_well(self, rule: Rule) -> bool:
        """Whether multiply-adds take most of a rule's cycles."""
        return self.cost(rule) <= WELL * self._bound

    def ranked(self, rules: Iterable[Rule]) -> list[Rule]:
        """These rules, the quickest first; those without a prediction last."""
        return sorted(rules, key=lambda rule: self._costs.get(rule, inf))

    def cost(self, rule: Rule) -> float:
        """Predicted cycles of all threads together, a mean over TEAMS of at most `team` threads."""
        if rule not in self._costs:
            scheduled = self.scheduled(rule)
            self._costs[rule] = inf
            if scheduled is not None:
                found = predicted(scheduled, self.target.machine)
                spent = mean(found.slowest(n) * n for n in TEAMS if n <= self.team)
                self._costs[rule] = spent + self._late(scheduled)
        return self._costs[rule]

    def _late(self, scheduled: Kernel) -> float:
        """Cycles of waiting for lines that the end of a sum reads or stores, if they are not prefetched.

        In a step of a net these lines come from beyond L2. A tile touches a few of them at a time, in many pages, so
        hardware does not foresee them (Zen 5, data gradient of 768 x 128 x 512 with GELU's: 0.40 ms with prefetches,
        0.58 without; 0.41 and 0.40 without GELU).
        """
        late = self._ends - {s.buffer for s in walk(scheduled.body) if isinstance(s, Prefetch)}
        buffers = (*self.kernel.inputs, *self.kernel.outputs)
        lines = sum(b.type.storage_bytes for b in buffers if b.name in late) / LINE
        return lines * self.target.machine.caches[-1].latency / IN_FLIGHT
