"""judge: which of several schedules of a kernel the model of the machine predicts to be quickest.

    cycles = a mean over small teams of threads of what a team needs, all of its threads together

Rules yield schedules, and the model ranks them (codegen/prediction). Schedules whose multiply-adds leave no other much
to win are not compared with others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf
from statistics import mean

from mochac.codegen.analysis.nests import float_dtype
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.prediction.prediction import predicted
from mochac.ir.executed import executed_flops
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Schedule

Rule = Callable[[Kernel, CpuTarget], Schedule | None]
TEAMS = (1, 2, 4)
"""Numbers of threads for which a schedule should be quick; for larger teams, rules cut the same sums into more
items."""
ENOUGH = 1.05
"""The best of n schedules is taken without looking further if it takes at most ENOUGH ** n times the cycles of its
multiply-adds."""


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
                self._costs[rule] = mean(found.slowest(n) * n for n in TEAMS if n <= self.team)
        return self._costs[rule]


def bound(kernel: Kernel, target: CpuTarget) -> float:
    """Cycles of a naive kernel's multiply-adds in vectors, without idle lanes."""
    return executed_flops(kernel) / (2 * target.lanes(float_dtype(kernel)) * target.machine.multiply_adds)
