"""judge: which of several schedules of a kernel the model of the machine predicts to be quickest.

    cycles = a mean over small teams of threads of what a team needs, all of its threads together

Rules yield schedules, and the model ranks them (codegen/prediction). Schedules whose multiply-adds leave no other much
to win are not compared with others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf
from statistics import mean

from mochac.codegen.analysis.contraction import contraction
from mochac.codegen.analysis.nests import float_dtype
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.machine import LINE, Machine
from mochac.codegen.prediction.prediction import IN_FLIGHT, predicted
from mochac.ir.executed import executed_flops
from mochac.ir.kernel import Kernel, Prefetch, walk
from mochac.ir.schedule import Schedule

Rule = Callable[[Kernel, CpuTarget], Schedule | None]
TEAMS = (1, 2, 4)
"""Numbers of threads for which a schedule should be quick; for larger teams, rules cut the same sums into more
items."""
ENOUGH = 1.05
"""No further schedules are compared once the n-th takes at most ENOUGH ** n times the cycles of its multiply-adds."""


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

    def has_enough(self, rules: Iterable[Rule]) -> bool:
        """Whether one of these rules is as quick as is worth looking for."""
        least = bound(self.kernel, self.target)
        return any(self.cost(rule) <= ENOUGH**n * least for n, rule in enumerate(rules, 1))

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
                self._costs[rule] = spent + late(self.kernel, scheduled, self.target.machine)
        return self._costs[rule]


def late(kernel: Kernel, scheduled: Kernel, machine: Machine) -> float:
    """Cycles of waiting for lines that the end of a sum reads or stores, if they are not prefetched.

    In a step of a net these lines come from beyond L2. A tile touches a few of them at a time, in many pages, so
    hardware does not foresee them (Zen 5, data gradient of 768 x 128 x 512 with GELU's: 0.40 ms with prefetches, 0.58
    without; 0.41 and 0.40 without GELU).
    """
    form, buffers = contraction(kernel), (*kernel.inputs, *kernel.outputs)
    if form is None or not machine.beyond_l2(sum(b.type.storage_bytes for b in buffers)):
        return 0.0
    hinted = {s.buffer for s in walk(scheduled.body) if isinstance(s, Prefetch)}
    ends = {*form.epilogue, *(b.name for b in kernel.outputs)} - hinted
    lines = sum(b.type.storage_bytes for b in buffers if b.name in ends) / LINE
    return lines * machine.caches[-1].latency / IN_FLIGHT


def bound(kernel: Kernel, target: CpuTarget) -> float:
    """Cycles of a naive kernel's multiply-adds in vectors, without idle lanes."""
    return executed_flops(kernel) / (2 * target.lanes(float_dtype(kernel)) * target.machine.multiply_adds)
