"""Learning-rate and momentum policies: frozen records that give a number for each iteration.

Solver methods call `value(t)` with the number t of completed updates. The first update uses t = 0, and a stage of n
iterations covers exactly n updates (docs/guide/mocha.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from mochac.base.records import option, record
from mochac.base.registry import Namespace
from mochac.base.rules import Refusal, Rule, boolean, integer, is_number, real, text
from mochac.nets.solvers.policy import (
    FOR_EVER,
    Decaying,
    Policy,
    Stages,
    begun,
    choose,
    cos,
    least,
    power,
    steady,
    value_at,
    watching,
)


def cosine(first: float, last: float, share: float) -> float:
    """From `first` to `last` along half a cosine; `share` of the way is done.

    >>> cosine(1.0, 3.0, 0.5)
    2.0
    """
    return last + (first - last) * (1.0 + cos(math.pi * share)) / 2.0


STATISTIC = text().described("a name in lounge.statistics, such as 'test-accuracy-accuracy'")
"""The rule of a statistic that a break records."""


def learning_rate() -> Rule:
    """A learning-rate policy, or any object with value(t); a number means LRPolicy.Fixed.

    >>> learning_rate().check("lr_policy", MomPolicy.Fixed(0.9), "SGD")
    Traceback (most recent call last):
    mochac.base.errors.OptionError: SGD: lr_policy is out of range
      expected  a number >= 0, or a policy such as LRPolicy.Inv(0.01, 0.0001, 0.75),  got  MomPolicy.Fixed(base_mom=0.9)
      hint: no policy of MomPolicy
    """
    example = "a number >= 0, or a policy such as LRPolicy.Inv(0.01, 0.0001, 0.75)"
    return _policy(example, real(0), lambda rate: LRPolicy.Fixed(rate), "MomPolicy")


def momentum() -> Rule:
    """A momentum policy, or any object with value(t); a number means MomPolicy.Fixed."""
    example = "a number >= 0 and <= 1, or a policy such as MomPolicy.Linear(0.5, 0.1, 1000, 0.9)"
    return _policy(example, real(0, most=1), lambda share: MomPolicy.Fixed(share), "LRPolicy")


def decay() -> Rule:
    """The decay of a mean, a number, or a policy or any object with value(t)."""
    number = real(0, below=1)
    example = "a number >= 0 and < 1, or a policy such as MomPolicy.OneCycle(0.95, 0.85, 1000)"
    return _policy(example, number, float, "LRPolicy")


def _policy(words: str, number: Rule, fixed: Callable[[float], Policy | float], other: str) -> Rule:
    """A policy that is not of the namespace `other`; `fixed` makes one of a number."""

    def convert(value: Any) -> Any:
        if is_number(value):
            return fixed(number.convert(value))
        if isinstance(value, type) or not callable(getattr(value, "value", None)):
            if callable(value):
                raise Refusal("a policy of your own is an object with a method value(t)")
            raise TypeError
        if type(value).__qualname__.startswith(f"{other}."):
            raise Refusal(f"no policy of {other}")
        return value

    return Rule(words, convert, 0.5, ("fast", -1.0, None))


class LRPolicy(metaclass=Namespace):
    """Learning-rate policies: Mocha.jl's, and Polynomial, Cosine, Linear, OneCycle, WarmUp, Sequence and
    Every.

    >>> LRPolicy.Inv(0.01, 0.0001, 0.75).value(0)
    0.01
    >>> [LRPolicy.Staged((2, 0.1), (1, LRPolicy.Fixed(0.01))).value(t) for t in range(4)]
    [0.1, 0.1, 0.01, 0.01]
    """

    _also: ClassVar[Mapping[str, str]] = {
        "CosineAnnealing": "Cosine",
        "ReduceOnPlateau": "DecayOnValidation",
        "Constant": "Fixed",
        "MultiStep": "Staged",
    }

    @record
    class Fixed(Policy):
        """base_lr in every update; base_lr >= 0."""

        base_lr: float = option(real(0))

        def value(self, t: int) -> float:
            return float(self.base_lr)

        def steady(self, t: int) -> int:
            return FOR_EVER

    @record
    class Step(Policy):
        """base_lr * gamma ** (t // stepsize)."""

        base_lr: float = option(real(0))
        gamma: float = option(real(0))
        stepsize: int = option(integer(1))

        def value(self, t: int) -> float:
            return self.base_lr * power(self.gamma, t // self.stepsize)

        def steady(self, t: int) -> int:
            return self.stepsize - t % self.stepsize

    @record
    class Exp(Policy):
        """base_lr * gamma ** t."""

        base_lr: float = option(real(0))
        gamma: float = option(real(0))

        def value(self, t: int) -> float:
            return self.base_lr * power(self.gamma, t)

    @record
    class Inv(Policy):
        """base_lr * (1 + gamma * t) ** -power."""

        base_lr: float = option(real(0))
        gamma: float = option(real(0))
        power: float = option(real())

        def value(self, t: int) -> float:
            return self.base_lr * power(1 + self.gamma * t, -self.power)

    @record
    class Polynomial(Policy):
        """base * (1 - t / max_iter) ** power; 0 from max_iter on. PyTorch's PolynomialLR, Caffe's "poly".

        >>> LRPolicy.Polynomial(0.5, 1.0, 10).value(4)
        0.3
        """

        base: float = option(real(0))
        power: float = option(real(0))
        max_iter: int = option(integer(1))

        def value(self, t: int) -> float:
            ends = t >= self.max_iter
            return choose(ends, lambda: 0.0, lambda: self.base * (1.0 - t / self.max_iter) ** self.power)

        def steady(self, t: int) -> int:
            return FOR_EVER if t >= self.max_iter else 1

    @record
    class Cosine(Policy):
        """least + (base - least) * (1 + cos(pi * t / max_iter)) / 2; `least` from max_iter on, or with periodic=True up
        to `base` again, and so on.

        Source: Loshchilov and Hutter 2017 (arXiv:1608.03983) without restarts; PyTorch's CosineAnnealingLR is periodic.

        >>> [round(LRPolicy.Cosine(0.1, 4).value(t), 4) for t in range(6)]
        [0.1, 0.0854, 0.05, 0.0146, 0.0, 0.0]
        """

        base: float = option(real(0))
        max_iter: int = option(integer(1))
        least: float = option(real(0), default=0.0)
        periodic: bool = option(boolean(), default=False)

        def value(self, t: int) -> float:
            if self.periodic:
                return cosine(self.base, self.least, t % (2 * self.max_iter) / self.max_iter)
            ends = t >= self.max_iter
            return choose(ends, lambda: float(self.least), lambda: cosine(self.base, self.least, t / self.max_iter))

        def steady(self, t: int) -> int:
            return FOR_EVER if t >= self.max_iter and not self.periodic else 1

    @record
    class Linear(Policy):
        """From `first` to `last` along a line in n_iter updates, then `last`. PyTorch's LinearLR.

        >>> [LRPolicy.Linear(0.25, 1.0, 3).value(t) for t in range(5)]
        [0.25, 0.5, 0.75, 1.0, 1.0]
        """

        first: float = option(real(0))
        last: float = option(real(0))
        n_iter: int = option(integer(1))

        def value(self, t: int) -> float:
            def between() -> float:
                return self.first + (self.last - self.first) * (t / self.n_iter)

            return choose(t < self.n_iter, between, lambda: float(self.last))

        def steady(self, t: int) -> int:
            return FOR_EVER if t >= self.n_iter else 1

    @record
    class OneCycle(Policy):
        """One cycle of max_iter updates: up from highest / divisor to `highest`, then down to its start divided by
        final_divisor, each along half a cosine; there it stays. The peak is at t = rise * max_iter - 1.

        Momentum is unchanged: to let it fall and rise again, set mom_policy to a policy of its own. Source: Smith and
        Topin 2018 (arXiv:1708.07120), as PyTorch's OneCycleLR without its cycle of momentum.

        Args:
            highest: the peak.
            max_iter: length of the cycle, updates.
            rise: share of the cycle before the peak, in [0, 1].
            divisor, final_divisor: >= 1.

        >>> policy = LRPolicy.OneCycle(1.0, 10)
        >>> [round(policy.value(t), 3) for t in (0, 1, 2, 5, 9, 99)]
        [0.04, 0.52, 1.0, 0.611, 0.0, 0.0]
        """

        highest: float = option(real(0))
        max_iter: int = option(integer(1))
        rise: float = option(real(0, most=1), default=0.3)
        divisor: float = option(real(1), default=25.0)
        final_divisor: float = option(real(1), default=1e4)

        def value(self, t: int) -> float:
            first = self.highest / self.divisor
            peak, last = self.rise * self.max_iter - 1, self.max_iter - 1

            def rising() -> float:
                return cosine(first, self.highest, t / peak if peak > 0 else 1.0)

            def falling() -> float:
                return cosine(self.highest, first / self.final_divisor, (t - peak) / (last - peak))

            ends = t >= last
            return choose(ends, lambda: first / self.final_divisor, lambda: choose(t <= peak, rising, falling))

        def steady(self, t: int) -> int:
            return FOR_EVER if t >= self.max_iter - 1 else 1

    @record
    class WarmUp(Policy):
        """(t + 1) / n_iter of another policy's value in the first n_iter updates, all of it afterwards.

        The other policy counts updates from the start of the training, like a stage of Staged. Source: Goyal et al.
        2017 (arXiv:1706.02677, section 2.2).

        Args:
            n_iter: >= 1.
            policy: a learning-rate policy, any object with value(t), or a number.

        >>> [LRPolicy.WarmUp(4, LRPolicy.Step(0.8, 0.5, 5)).value(t) for t in range(6)]
        [0.2, 0.4, 0.6000000000000001, 0.8, 0.8, 0.4]
        """

        n_iter: int = option(integer(1))
        policy: Any = option(learning_rate())

        def value(self, t: int) -> float:
            whole = value_at(self.policy, t)
            return choose(t < self.n_iter, lambda: whole * ((t + 1) / self.n_iter), lambda: whole)

        def steady(self, t: int) -> int:
            return steady(self.policy, t) if t >= self.n_iter - 1 else 1

        def begin(self) -> Policy:
            policy = begun(self.policy)
            return self if policy is self.policy else type(self)(self.n_iter, policy)

        def watching(self, t: int | None) -> tuple[Decaying, ...]:
            return watching(self.policy, t)

    @record
    class Every(Policy):
        """Another policy's value at t // n_iter: a policy that counts epochs of n_iter updates.

        >>> [LRPolicy.Every(2, LRPolicy.Exp(0.8, 0.5)).value(t) for t in range(5)]
        [0.8, 0.8, 0.4, 0.4, 0.2]
        """

        n_iter: int = option(integer(1))
        policy: Any = option(learning_rate())

        def value(self, t: int) -> float:
            return value_at(self.policy, t // self.n_iter)

        def steady(self, t: int) -> int:
            return steady(self.policy, t // self.n_iter) * self.n_iter - t % self.n_iter

        def begin(self) -> Policy:
            policy = begun(self.policy)
            return self if policy is self.policy else type(self)(self.n_iter, policy)

        def watching(self, t: int | None) -> tuple[Decaying, ...]:
            return watching(self.policy, None if t is None else t // self.n_iter)

    @record
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

        base_lr: float = option(real(0))
        key: str = option(STATISTIC)
        gamma: float = option(real(0), default=0.5)
        min_lr: float = option(real(0), default=1e-8)
        higher_better: bool = option(boolean(), default=True)

        def value(self, t: int) -> float:
            return float(self.base_lr)

        def begin(self) -> Policy:
            return Decaying(self.key, float(self.base_lr), self.gamma, self.min_lr, self.higher_better)

    class Staged(Stages):
        """Stages (n_iter, policy or number): each lasts n_iter updates, the last one for ever. All get the global t."""

        steady = Stages.steady_stage

        rule = staticmethod(learning_rate)

    class Sequence(Staged):
        """Stages (n_iter, policy or number) as in Staged, but each policy counts updates from the start of its stage.
        PyTorch's SequentialLR.

        >>> warm = LRPolicy.Sequence((2, LRPolicy.Linear(0.25, 1.0, 2)), (1, LRPolicy.Exp(1.0, 0.5)))
        >>> [warm.value(t) for t in range(5)]
        [0.25, 0.625, 1.0, 0.5, 0.25]
        """

        restarts: ClassVar[bool] = True
        steady = Stages.steady_stage


@record
class _MomentumSteps(Policy):
    """A momentum that changes every `stepsize` updates, up to max_mom."""

    base_mom: float = option(real(0, most=1))
    gamma: float = option(real(0))
    stepsize: int = option(integer(1))
    max_mom: float = option(real(0, most=1), default=1.0)

    def steady(self, t: int) -> int:
        return self.stepsize - t % self.stepsize


class MomPolicy(metaclass=Namespace):
    """Momentum policies, as in Mocha.jl; every value lies in [0, 1].

    >>> MomPolicy.Linear(0.5, 0.1, 10, 0.9).value(25)
    0.7
    """

    @record
    class Fixed(Policy):
        """base_mom in every update; 0 <= base_mom <= 1."""

        base_mom: float = option(real(0, most=1))

        def value(self, t: int) -> float:
            return float(self.base_mom)

        def steady(self, t: int) -> int:
            return FOR_EVER

    class Step(_MomentumSteps):
        """min(base_mom * gamma ** (t // stepsize), max_mom)."""

        def value(self, t: int) -> float:
            return least(self.base_mom * power(self.gamma, t // self.stepsize), self.max_mom)

    class Linear(_MomentumSteps):
        """min(base_mom + (t // stepsize) * gamma, max_mom)."""

        def value(self, t: int) -> float:
            return least(self.base_mom + (t // self.stepsize) * self.gamma, self.max_mom)

    @record
    class OneCycle(Policy):
        """The momentum beside LRPolicy.OneCycle: from `highest` down to `lowest` at its peak, and up again, each along
        half a cosine.

        >>> policy = MomPolicy.OneCycle(0.95, 0.85, 10)
        >>> [round(policy.value(t), 3) for t in (0, 1, 2, 5, 9, 99)]
        [0.95, 0.9, 0.85, 0.889, 0.95, 0.95]
        """

        highest: float = option(real(0, most=1))
        lowest: float = option(real(0, most=1))
        max_iter: int = option(integer(1))
        rise: float = option(real(0, most=1), default=0.3)

        def value(self, t: int) -> float:
            peak, last = self.rise * self.max_iter - 1, self.max_iter - 1

            def falling() -> float:
                return cosine(self.highest, self.lowest, t / peak if peak > 0 else 1.0)

            def rising() -> float:
                return cosine(self.lowest, self.highest, (t - peak) / (last - peak))

            return choose(t >= last, lambda: float(self.highest), lambda: choose(t <= peak, falling, rising))

        def steady(self, t: int) -> int:
            return FOR_EVER if t >= self.max_iter - 1 else 1

    class Staged(Stages):
        """Stages (n_iter, policy or number): each lasts n_iter updates, the last one for ever."""

        steady = Stages.steady_stage

        rule = staticmethod(momentum)
