"""Schedulers of PyTorch, and states of its optimizers."""

from __future__ import annotations

import copy
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from mochac.base.errors import OptionError
from mochac.base.records import record
from mochac.base.rules import integer, real
from mochac.nets.solvers.adam import LARGEST
from mochac.nets.solvers.policies import LRPolicy, MomPolicy
from mochac.nets.solvers.policy import Policy
from mochac.nets.solvers.update import BegunState

SLOTS = {
    "exp_avg": "mean",
    "exp_avg_sq": "square_mean",
    "max_exp_avg_sq": LARGEST,
    "square_avg": "square_mean",
    "grad_avg": "mean",
    "momentum_buffer": "history",
    "sum": "square_sum",
    "acc_delta": "step_mean",
    "exp_inf": "largest",
}
"""PyTorch's names of states, of all its optimizers, and ours."""


def begun(optimizer: Any, scheduler: Any, module: Any, every: int) -> BegunState | None:
    """The state of an optimizer; None if neither it nor its scheduler has made a step.

    Raises:
        OptionError: parameters have made different numbers of steps, or scheduler and optimizer do not agree; there is
            no module that names the parameters; a state without a counterpart.
    """
    called, tensors = getattr(scheduler, "last_epoch", 0), [t for g in optimizer.param_groups for t in g["params"]]
    states = {id(t): optimizer.state[t] for t in tensors if _used(optimizer.state.get(t, {}))}
    if not states and not called:
        return None
    iteration = _iteration(optimizer, states, called * every)
    if scheduler is not None and iteration // every != called:
        rule = f"scheduler {type(scheduler).__name__} has made {called} steps, and the optimizer {iteration}"
        raise OptionError(rule, hint="scheduler_every=... says how many updates there are between its steps")
    if not states:
        return BegunState(iteration, {})
    return BegunState(iteration, _slots(states, _names(tensors, module), tensors))


def _used(state: Mapping[str, Any]) -> bool:
    if "step" in state:
        return float(state["step"]) > 0
    return any(value is not None for value in state.values())


def _iteration(optimizer: Any, states: Mapping[int, Mapping[str, Any]], called: int) -> int:
    """How many steps an optimizer has made; SGD does not count them: as many as its scheduler says."""
    trained = [t for g in optimizer.param_groups for t in g["params"] if t.requires_grad]
    counts = {int(states[id(t)].get("step", -1)) if id(t) in states else 0 for t in trained}
    if -1 in counts or not states:  # SGD, whose dampening begins with the second step
        return max(called, int(any(group.get("dampening") for group in optimizer.param_groups)))
    if len(counts) > 1:
        few, many = min(counts), max(counts)
        raise OptionError(f"some of its parameters have made {few} steps, and others {many}")
    return counts.pop()


def _names(tensors: Sequence[Any], module: Any) -> dict[int, str]:
    if not callable(getattr(module, "named_parameters", None)):
        rule = "it has made steps: the state of its parameters is found by their names"
        raise OptionError(rule, hint="solver_from_torch(optimizer, scheduler, module), or a new optimizer")
    names: dict[int, str] = {}
    for name, tensor in module.named_parameters():
        names.setdefault(id(tensor), name)
    return {id(tensor): names[id(tensor)] for tensor in tensors if id(tensor) in names}


def _slots(
    states: Mapping[int, Mapping[str, Any]], names: Mapping[int, str], tensors: Sequence[Any]
) -> dict[str, dict[str, np.ndarray]]:
    counted = ("step", "mu_product")  # functions of the number of steps
    known = {name for s in states.values() for name, value in s.items() if name not in counted and value is not None}
    strange = sorted(known - SLOTS.keys())
    if strange:
        raise OptionError(f"its state {strange[0]!r} has no counterpart")
    found: dict[str, dict[str, np.ndarray]] = {SLOTS[name]: {} for name in sorted(known)}
    for tensor in tensors:
        if not tensor.requires_grad or id(tensor) not in names:
            continue
        for name in known:
            value = states.get(id(tensor), {}).get(name)
            array = np.zeros(tuple(tensor.shape)) if value is None else value.detach().double().cpu().numpy()
            found[SLOTS[name]][names[id(tensor)]] = array
    return found


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
            rule = "a momentum that changes has a counterpart in SGD, RMSprop, Adam and AdamW only, at every update"
            raise OptionError(rule, hint="cycle_momentum=False of the scheduler")


def schedule_of(scheduler: Any, k: int) -> RateSchedule:
    """The schedule of group k.

    Raises:
        OptionError: the scheduler, or a setting of it, has no counterpart.
    """
    kind = type(scheduler).__name__
    if kind == "ReduceLROnPlateau" or not callable(getattr(scheduler, "get_lr", None)):
        hint = 'call scheduler.step(loss), and set solver.hypers["lr"] = optimizer.param_groups[0]["lr"] between steps'
        raise OptionError(f"scheduler {kind} follows what it is told, not the number of updates", hint=hint)
    if kind in _SCHEDULES and type(scheduler).__module__.startswith("torch.optim."):
        with suppress(OptionError):  # of a policy that has other limits
            return _SCHEDULES[kind](scheduler, k)
    return _replayed(scheduler, k)


@record
class Lambda(Policy):
    """A base rate times a user's function of the number of calls."""

    base: float
    factor: Callable[[int], float]

    def value(self, t: int) -> float:
        return self.base * self.factor(t)


@record(eq=False)
class Replayed(Policy):
    """What a copy of a scheduler sets after a number of calls.

    Attributes:
        scheduler: the copy, which is called as numbers are asked for.
        k: the parameter group.
        name: of its setting: "lr", or "momentum", which also means the first of the betas.
        known: the numbers so far.
    """

    scheduler: Any
    k: int
    name: str
    known: list[float]

    def value(self, t: int) -> float:
        while len(self.known) <= t:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # its optimizer makes no steps
                self.scheduler.step()
            self.known.append(_setting(self.scheduler, self.k, self.name))
        return self.known[t]


def _replayed(s: Any, k: int) -> RateSchedule:
    """The numbers of a scheduler that has no counterpart, computed by PyTorch.

    Raises:
        OptionError: it has been called.
    """
    if getattr(s, "last_epoch", 0):
        raise OptionError(f"{type(s).__name__} has been called", hint="make it and the optimizer anew")
    names = ["lr", *(["momentum"] if getattr(s, "cycle_momentum", False) else [])]
    policies = [Replayed(_copy(s), k, name, [_setting(s, k, name)]) for name in names]
    return RateSchedule(*policies)


def _setting(s: Any, k: int, name: str) -> float:
    group = s.optimizer.param_groups[k]
    return float(group["betas"][0] if name == "momentum" and "betas" in group else group[name])


def _copy(s: Any) -> Any:
    """A copy of a scheduler, whose optimizer has its settings and no parameters."""
    parameters = [p for group in s.optimizer.param_groups for p in group["params"]]
    result = copy.deepcopy(s, {id(p): p for p in parameters})
    for group in result.optimizer.param_groups:
        group["params"] = []
    return result


def _base(scheduler: Any, k: int) -> float:
    return float(scheduler.base_lrs[k])


def _step(s: Any, k: int) -> RateSchedule:
    return RateSchedule(LRPolicy.Step(_base(s, k), float(s.gamma), s.step_size))


def _multi_step(s: Any, k: int) -> RateSchedule:
    """A stage with a constant rate up to each milestone."""
    milestones: Counter[int] = s.milestones
    ends = sorted(milestones)
    for end in ends[:1]:
        integer(1).check("a milestone", end, "MultiStepLR")
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
    power: float = real(above=0).check("power", s.power, "PolynomialLR")
    return RateSchedule(LRPolicy.Polynomial(_base(s, k), power, s.total_iters))


def _cosine(s: Any, k: int) -> RateSchedule:
    return RateSchedule(LRPolicy.Cosine(_base(s, k), s.T_max, float(s.eta_min), periodic=True))


def _lambda(s: Any, k: int) -> RateSchedule:
    return RateSchedule(Lambda(_base(s, k), s.lr_lambdas[k]))


def _one_cycle(s: Any, k: int) -> RateSchedule:
    group, phases = s.optimizer.param_groups[k], s._schedule_phases
    if len(phases) != 2 or s._anneal_func_type != "cos":
        return _replayed(s, k)
    highest, first, last = (float(group[name]) for name in ("max_lr", "initial_lr", "min_lr"))
    n, rise = s.total_steps, (phases[0]["end_step"] + 1) / s.total_steps
    rate = LRPolicy.OneCycle(highest, n, rise, highest / first, first / last)
    if not s.cycle_momentum:
        return RateSchedule(rate)
    most, least = (float(group[name]) for name in ("max_momentum", "base_momentum"))
    return RateSchedule(rate, MomPolicy.OneCycle(most, least, n, rise))


def _sequential(s: Any, k: int) -> RateSchedule:
    """A stage for each scheduler, which counts from its start."""
    kinds = {type(inner).__name__ for inner in s._schedulers}
    if not kinds <= _SCHEDULES.keys() - {"SequentialLR", "OneCycleLR"}:
        return _replayed(s, k)
    lengths = [*(after - before for before, after in pairwise([0, *s._milestones])), 1]
    inner = [schedule_of(scheduler, k).rate for scheduler in s._schedulers]
    return RateSchedule(LRPolicy.Sequence(*zip(lengths, inner, strict=True)))


_SCHEDULES: dict[str, Callable[[Any, int], RateSchedule]] = {
    "StepLR": _step, "MultiStepLR": _multi_step, "ConstantLR": _constant, "LinearLR": _linear,
    "ExponentialLR": _exponential, "PolynomialLR": _polynomial, "CosineAnnealingLR": _cosine,
    "OneCycleLR": _one_cycle, "LambdaLR": _lambda, "SequentialLR": _sequential,
}  # fmt: skip
"""The schedule of a group, by the class of the scheduler."""
