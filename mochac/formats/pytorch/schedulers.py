"""Schedules: learning-rate schedulers of PyTorch as policies, in which t counts calls of scheduler.step()."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

from mochac.base.errors import OptionError
from mochac.base.records import record
from mochac.nets.solvers.policies import LRPolicy, MomPolicy
from mochac.nets.solvers.policy import Policy


@record
class RateSchedule:
    """The learning rate of a parameter group, and its momentum if the scheduler changes that."""

    rate: Policy
    momentum: Policy | None = None

    def every(self, n: int) -> RateSchedule:
        """With t counting updates, of which n lie between two calls of scheduler.step()."""
        if n == 1 or isinstance(self.rate, LRPolicy.Fixed):
            return self
        self.require_no_momentum()
        return replace(self, rate=LRPolicy.Every(n, self.rate))

    def require_no_momentum(self) -> None:
        """Refuse a momentum that changes."""
        if self.momentum is not None:
            rule = "the momentum that OneCycleLR changes has a counterpart only in SGD and RMSprop, at every update"
            raise OptionError(rule, hint="OneCycleLR(..., cycle_momentum=False)")


def schedule_of(scheduler: Any, k: int) -> RateSchedule:
    """The schedule of group k.

    Raises:
        OptionError: the scheduler, or a setting of it, has no counterpart.
    """
    kind = type(scheduler).__name__
    if kind not in _SCHEDULES or not type(scheduler).__module__.startswith("torch.optim."):
        hint = 'solver.hypers["lr"] may be set between steps' if kind == "ReduceLROnPlateau" else ""
        expected = " ".join(_SCHEDULES)
        raise OptionError(f"no counterpart for scheduler {kind}", expected=expected, hint=hint)
    return _SCHEDULES[kind](scheduler, k)


@record
class Lambda(Policy):
    """A base rate times a user's function of the number of calls."""

    base: float
    factor: Callable[[int], float]

    def value(self, t: int) -> float:
        return self.base * self.factor(t)


def _base(scheduler: Any, k: int) -> float:
    return float(scheduler.base_lrs[k])


def _step(s: Any, k: int) -> RateSchedule:
    return RateSchedule(LRPolicy.Step(_base(s, k), float(s.gamma), s.step_size))


def _multi_step(s: Any, k: int) -> RateSchedule:
    """A stage with a constant rate up to each milestone."""
    milestones: Counter[int] = s.milestones
    ends = sorted(milestones)
    if ends and ends[0] < 1:
        raise OptionError("MultiStepLR: a milestone is out of range", expected=">= 1", got=str(ends[0]))
    rates, rate = [_base(s, k)], _base(s, k)
    for end in ends:
        rate *= float(s.gamma) ** milestones[end]
        rates.append(rate)
    lengths = [*(after - before for before, after in pairwise([0, *ends])), 1]
    return RateSchedule(LRPolicy.Staged(*((n, LRPolicy.Fixed(rate)) for n, rate in zip(lengths, rates, strict=True))))


def _constant(s: Any, k: int) -> RateSchedule:
    base = _base(s, k)
    return RateSchedule(
        LRPolicy.Staged((s.total_iters, LRPolicy.Fixed(base * float(s.factor))), (1, LRPolicy.Fixed(base)))
    )


def _linear(s: Any, k: int) -> RateSchedule:
    base = _base(s, k)
    return RateSchedule(LRPolicy.Linear(base * float(s.start_factor), base * float(s.end_factor), s.total_iters))


def _exponential(s: Any, k: int) -> RateSchedule:
    return RateSchedule(LRPolicy.Exp(_base(s, k), float(s.gamma)))


def _polynomial(s: Any, k: int) -> RateSchedule:
    if not s.power > 0:
        raise OptionError("PolynomialLR: power is out of range", expected="> 0", got=f"{s.power:g}")
    return RateSchedule(LRPolicy.Polynomial(_base(s, k), float(s.power), s.total_iters))


def _cosine(s: Any, k: int) -> RateSchedule:
    return RateSchedule(LRPolicy.Cosine(_base(s, k), s.T_max, float(s.eta_min), periodic=True))


def _lambda(s: Any, k: int) -> RateSchedule:
    return RateSchedule(Lambda(_base(s, k), s.lr_lambdas[k]))


def _one_cycle(s: Any, k: int) -> RateSchedule:
    group, phases = s.optimizer.param_groups[k], s._schedule_phases
    if len(phases) != 2:
        raise OptionError("OneCycleLR: three_phase=True has no counterpart")
    if s._anneal_func_type != "cos":
        raise OptionError("OneCycleLR: anneal_strategy has no counterpart", expected="'cos'", got=s._anneal_func_type)
    highest, first, last = (float(group[name]) for name in ("max_lr", "initial_lr", "min_lr"))
    n, rise = s.total_steps, (phases[0]["end_step"] + 1) / s.total_steps
    rate = LRPolicy.OneCycle(highest, n, rise, highest / first, first / last)
    if not s.cycle_momentum:
        return RateSchedule(rate)
    most, least = (float(group[name]) for name in ("max_momentum", "base_momentum"))
    return RateSchedule(rate, MomPolicy.OneCycle(most, least, n, rise))


def _sequential(s: Any, k: int) -> RateSchedule:
    """A stage for each scheduler, which counts from its start."""
    nested = [type(inner).__name__ for inner in s._schedulers if type(inner).__name__ in ("SequentialLR", "OneCycleLR")]
    if nested:
        raise OptionError(f"{nested[0]} inside SequentialLR has no counterpart")
    lengths = [*(after - before for before, after in pairwise([0, *s._milestones])), 1]
    inner = [schedule_of(scheduler, k).rate for scheduler in s._schedulers]
    return RateSchedule(LRPolicy.Sequence(*zip(lengths, inner, strict=True)))


_SCHEDULES: dict[str, Callable[[Any, int], RateSchedule]] = {
    "StepLR": _step, "MultiStepLR": _multi_step, "ConstantLR": _constant, "LinearLR": _linear,
    "ExponentialLR": _exponential, "PolynomialLR": _polynomial, "CosineAnnealingLR": _cosine,
    "OneCycleLR": _one_cycle, "LambdaLR": _lambda, "SequentialLR": _sequential,
}  # fmt: skip
"""The schedule of a group, by the class of the scheduler."""
