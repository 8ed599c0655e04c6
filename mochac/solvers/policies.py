"""Learning-rate and momentum policies: frozen records that give a number for each iteration.

Solver methods call `value(t)` with the number t of completed updates. The first update uses t = 0, and a stage of n
iterations covers exactly n updates (docs/guide/mocha.md).
"""

from __future__ import annotations

import math
import numbers
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Self, TypeGuard

from mochac.errors import OptionError
from mochac.registry import Namespace, suggestion


class Policy(ABC):
    """A number that depends on the number of completed updates."""

    def __new__(cls, *args: Any, **parameters: Any) -> Self:
        known = [f.name for f in fields(cls)] if is_dataclass(cls) else []
        for name in parameters if known else ():
            if name not in known:
                hint = (
                    f"did you mean {close!r}?" if (close := suggestion(name, known)) else f"it has {', '.join(known)}"
                )
                raise OptionError(f"{cls.__qualname__} has no parameter {name!r}", hint=hint)
        return super().__new__(cls)

    @abstractmethod
    def value(self, t: int) -> float:
        """The number used by update t (0 is the first)."""

    def steady(self, t: int) -> int:
        """For how many updates from t on the value is certain not to change, >= 1. Not inherited: see steady()."""
        return 1

    def begin(self) -> Policy:
        """The policy for one training: itself, or a copy with a state."""
        return self

    def watching(self, t: int | None) -> tuple[Decaying, ...]:
        """The policies that watch validations after t updates; None: at any time."""
        return ()


FOR_EVER = 1 << 62
"""A number of updates that no training reaches."""


def steady(policy: object, t: int) -> int:
    """policy.steady(t) if its own class defines it: a subclass may override value(t), a user's policy has no
    steady()."""
    own = vars(type(policy)).get("steady")
    return own(policy, t) if own else 1


def _number(policy: object, field: str, low: float, high: float = math.inf) -> None:
    check_number(f"{type(policy).__qualname__}: {field}", getattr(policy, field), low, high)


def check_number(what: str, value: Any, low: float, high: float = math.inf) -> None:
    """Refuse anything but a finite number in [low, high]."""
    legal = isinstance(value, numbers.Real) and not isinstance(value, bool) and math.isfinite(value)
    if not legal or not low <= float(value) <= high:
        limit = f"a number in [{low:g}, {high:g}]" if math.isfinite(high) else f"a number >= {low:g}"
        raise OptionError(f"{what} is out of range", expected=limit, got=repr(value))


def _count(owner: str, field: str, value: object) -> None:
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or int(value) < 1:
        raise OptionError(f"{owner}: {field} is out of range", expected="an integer >= 1", got=repr(value))


def _power(base: float, exponent: float) -> float:
    try:
        return base**exponent
    except OverflowError:
        return math.inf


def plain_number(value: object) -> TypeGuard[float]:
    """Whether `value` is a number, which means a Fixed policy."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


class _Staged(Policy):
    """Stages (n, policy): each lasts n updates, the last one for ever. Inner policies get the global t."""

    def __init__(self, *given: tuple[int, Policy | float]) -> None:
        owner = type(self).__qualname__
        stages = [self._stage(stage) for stage in given]
        if not stages:
            raise OptionError(f"{owner}: no stages", expected="pairs (n_iter, policy)")
        for stage in stages:
            if not isinstance(stage, tuple) or len(stage) != 2 or not isinstance(stage[1], Policy):
                raise OptionError(
                    f"{owner}: not a stage", expected="a pair (n_iter, policy or number)", got=repr(stage)
                )
            _count(owner, "n_iter of a stage", stage[0])
        self.stages: tuple[tuple[int, Policy], ...] = tuple(stages)

    def _stage(self, given: Any) -> Any:
        """A stage with a number converted to a Fixed policy; anything else unchanged."""
        if not isinstance(given, tuple) or len(given) != 2 or not plain_number(given[1]):
            return given
        return given[0], (LRPolicy if isinstance(self, LRPolicy.Staged) else MomPolicy).Fixed(given[1])

    def value(self, t: int) -> float:
        end = 0
        for n, policy in self.stages:
            end += n
            if t < end:
                return policy.value(t)
        return self.stages[-1][1].value(t)

    def _steady(self, t: int) -> int:
        end = 0
        for n, policy in self.stages:
            end += n
            if t < end:
                return min(end - t, steady(policy, t))
        return steady(self.stages[-1][1], t)

    def begin(self) -> Policy:
        begun = [(n, policy.begin()) for n, policy in self.stages]
        return self if all(a is b for (_, a), (_, b) in zip(begun, self.stages, strict=True)) else type(self)(*begun)

    def watching(self, t: int | None) -> tuple[Decaying, ...]:
        active: list[Decaying] = []
        end = 0
        for k, (n, policy) in enumerate(self.stages):
            begin, end = end, end + n
            last = k == len(self.stages) - 1
            if t is None or (begin <= t and (t < end or last)):
                active += policy.watching(t)
        return tuple(active)

    def __repr__(self) -> str:
        return f"{type(self).__qualname__}({', '.join(map(repr, self.stages))})"

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.stages == other.stages  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash((type(self), self.stages))


class LRPolicy(metaclass=Namespace):
    """Learning-rate policies, as in Mocha.jl.

    >>> LRPolicy.Inv(0.01, 0.0001, 0.75).value(0)
    0.01
    >>> [LRPolicy.Staged((2, 0.1), (1, LRPolicy.Fixed(0.01))).value(t) for t in range(4)]
    [0.1, 0.1, 0.01, 0.01]
    """

    @dataclass(frozen=True)
    class Fixed(Policy):
        """base_lr in every update; base_lr >= 0."""

        base_lr: float

        def __post_init__(self) -> None:
            _number(self, "base_lr", 0)

        def value(self, t: int) -> float:
            return float(self.base_lr)

        def steady(self, t: int) -> int:
            return FOR_EVER

    @dataclass(frozen=True)
    class Step(Policy):
        """base_lr * gamma ** (t // stepsize)."""

        base_lr: float
        gamma: float
        stepsize: int

        def __post_init__(self) -> None:
            _number(self, "base_lr", 0)
            _number(self, "gamma", 0)
            _count(type(self).__qualname__, "stepsize", self.stepsize)

        def value(self, t: int) -> float:
            return self.base_lr * _power(self.gamma, t // self.stepsize)

        def steady(self, t: int) -> int:
            return self.stepsize - t % self.stepsize

    @dataclass(frozen=True)
    class Exp(Policy):
        """base_lr * gamma ** t."""

        base_lr: float
        gamma: float

        def __post_init__(self) -> None:
            _number(self, "base_lr", 0)
            _number(self, "gamma", 0)

        def value(self, t: int) -> float:
            return self.base_lr * _power(self.gamma, t)

    @dataclass(frozen=True)
    class Inv(Policy):
        """base_lr * (1 + gamma * t) ** -power."""

        base_lr: float
        gamma: float
        power: float

        def __post_init__(self) -> None:
            _number(self, "base_lr", 0)
            _number(self, "gamma", 0)
            _number(self, "power", -math.inf)

        def value(self, t: int) -> float:
            return self.base_lr * _power(1 + self.gamma * t, -self.power)

    @dataclass(frozen=True)
    class DecayOnValidation(Policy):
        """base_lr, multiplied by gamma whenever a validation is worse than the best one so far.

        The parameters of the best validation are then restored, and the state of the solver is set to zero; iteration,
        data and random numbers continue. Once the learning rate is below min_lr, none of this happens any more.
        Learning rate, best value and best parameters are saved in snapshots. Source: Mocha.jl src/solvers.jl, which
        compares with the previous validation and loads the newest snapshot instead.

        Args:
            key: a statistic of a ValidationPerformance break, such as "test-accuracy-accuracy".
            higher_better: False for losses.
        """

        base_lr: float
        key: str
        gamma: float = 0.5
        min_lr: float = 1e-8
        higher_better: bool = True

        def __post_init__(self) -> None:
            for field in ("base_lr", "gamma", "min_lr"):
                _number(self, field, 0)
            if not isinstance(self.key, str) or not self.key:
                rule, expected = "LRPolicy.DecayOnValidation: key is not a name", "such as 'test-accuracy-accuracy'"
                raise OptionError(rule, expected=expected, got=repr(self.key))
            if not isinstance(self.higher_better, bool):
                rule = "LRPolicy.DecayOnValidation: higher_better is out of range"
                raise OptionError(rule, expected="True or False", got=repr(self.higher_better))

        def value(self, t: int) -> float:
            return float(self.base_lr)

        def begin(self) -> Policy:
            return Decaying(self)

    class Staged(_Staged):
        """Stages (n_iter, policy or number): each lasts n_iter updates, the last one for ever. All get the global t."""

        steady = _Staged._steady


class Decaying(Policy):
    """DecayOnValidation during a training: the current learning rate, and the best value so far."""

    def __init__(self, settings: LRPolicy.DecayOnValidation) -> None:
        self.settings, self.key = settings, settings.key
        self.lr, self.best = float(settings.base_lr), math.nan

    def value(self, t: int) -> float:
        return self.lr

    def steady(self, t: int) -> int:
        return FOR_EVER  # until the next validation, which never happens between the steps of one call

    def watching(self, t: int | None) -> tuple[Decaying, ...]:
        return (self,)

    def judge(self, value: float) -> bool | None:
        """Judge the statistic of a validation: True if it is the best so far (or as good), False if worse, None if the
        rate is below min_lr."""
        if self.lr < self.settings.min_lr:
            return None
        if math.isnan(self.best) or (value >= self.best if self.settings.higher_better else value <= self.best):
            self.best = value
            return True
        self.lr *= self.settings.gamma
        return False

    def memory(self) -> dict[str, float | str]:
        """Its state, for snapshots."""
        return {"key": self.key, "lr": self.lr, "best": self.best}

    def recall(self, memory: Mapping[str, Any]) -> bool:
        """Restore the state from memory(); False if that is of another statistic."""
        if memory.get("key") != self.key:
            return False
        self.lr, self.best = float(memory["lr"]), float(memory["best"])
        return True


class MomPolicy(metaclass=Namespace):
    """Momentum policies, as in Mocha.jl; every value lies in [0, 1].

    >>> MomPolicy.Linear(0.5, 0.1, 10, 0.9).value(25)
    0.7
    """

    @dataclass(frozen=True)
    class Fixed(Policy):
        """base_mom in every update; 0 <= base_mom <= 1."""

        base_mom: float

        def __post_init__(self) -> None:
            _number(self, "base_mom", 0, 1)

        def value(self, t: int) -> float:
            return float(self.base_mom)

        def steady(self, t: int) -> int:
            return FOR_EVER

    @dataclass(frozen=True)
    class Step(Policy):
        """min(base_mom * gamma ** (t // stepsize), max_mom)."""

        base_mom: float
        gamma: float
        stepsize: int
        max_mom: float = 1.0

        def __post_init__(self) -> None:
            _number(self, "base_mom", 0, 1)
            _number(self, "gamma", 0)
            _number(self, "max_mom", 0, 1)
            _count(type(self).__qualname__, "stepsize", self.stepsize)

        def value(self, t: int) -> float:
            return min(self.base_mom * _power(self.gamma, t // self.stepsize), self.max_mom)

        def steady(self, t: int) -> int:
            return self.stepsize - t % self.stepsize

    @dataclass(frozen=True)
    class Linear(Policy):
        """min(base_mom + (t // stepsize) * gamma, max_mom)."""

        base_mom: float
        gamma: float
        stepsize: int
        max_mom: float = 1.0

        def __post_init__(self) -> None:
            _number(self, "base_mom", 0, 1)
            _number(self, "gamma", 0)
            _number(self, "max_mom", 0, 1)
            _count(type(self).__qualname__, "stepsize", self.stepsize)

        def value(self, t: int) -> float:
            return min(self.base_mom + (t // self.stepsize) * self.gamma, self.max_mom)

        def steady(self, t: int) -> int:
            return self.stepsize - t % self.stepsize

    class Staged(_Staged):
        """Stages (n_iter, policy or number): each lasts n_iter updates, the last one for ever."""

        steady = _Staged._steady
