"""Policy: base class of learning-rate and momentum policies, and stages of them."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from mochac.base.errors import OptionError, shown
from mochac.base.hints.calls import CheckedCalls
from mochac.base.rules import check_fields, integer, is_number
from mochac.nets.solvers.formula import choose


class Policy(metaclass=CheckedCalls):
    """A number that depends on the number of completed updates."""

    argument_word = "parameter"

    def __post_init__(self) -> None:
        check_fields(self, type(self).__qualname__)

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


class Stages(Policy):
    """Stages (n, policy): each lasts n updates, the last one for ever.

    Attributes:
        restarts: inner policies count updates from the start of their stage; False: from the start of the training.
    """

    restarts: ClassVar[bool] = False

    @staticmethod
    def fixed(value: float) -> Policy:
        """The policy that a plain number means; subclasses override it."""
        raise NotImplementedError

    def __init__(self, *stages: tuple[int, Policy | float]) -> None:
        owner = type(self).__qualname__
        if not stages:
            raise OptionError(f"{owner}: no stages", expected="pairs (n_iter, policy)")
        self.stages = tuple([self._stage(stage, owner) for stage in stages])

    def _stage(self, stage: Any, owner: str) -> tuple[int, Policy]:
        """The stage, with a number converted to a Fixed policy."""
        if not isinstance(stage, tuple) or len(stage) != 2 or not (is_number(stage[1]) or isinstance(stage[1], Policy)):
            raise OptionError(f"{owner}: not a stage", expected="a pair (n_iter, policy or number)", got=shown(stage))
        n, policy = integer(1).check("n_iter of a stage", stage[0], owner), stage[1]
        return n, policy if isinstance(policy, Policy) else self.fixed(policy)

    def value(self, t: int) -> float:
        return self._from(0, 0, t)

    def _from(self, k: int, begin: int, t: int) -> float:
        """The value after the stages before stage k, which begins with update `begin`."""
        n, policy = self.stages[k]
        own = t - begin if self.restarts else t
        if k == len(self.stages) - 1:
            return policy.value(own)
        return choose(t < begin + n, lambda: policy.value(own), lambda: self._from(k + 1, begin + n, t))

    def steady_stage(self, t: int) -> int:
        """steady(t), for subclasses that do not override value(t)."""
        end = 0
        for k, (n, policy) in enumerate(self.stages):
            begin, end = end, end + n
            own = t - begin if self.restarts else t
            if k == len(self.stages) - 1:
                return steady(policy, own)
            if t < end:
                return min(end - t, steady(policy, own))
        raise AssertionError("there is a last stage")

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
                active += policy.watching(t if t is None or not self.restarts else t - begin)
        return tuple(active)

    def __repr__(self) -> str:
        return f"{type(self).__qualname__}({', '.join(map(repr, self.stages))})"

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.stages == other.stages  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash((type(self), self.stages))


class Decaying(Policy):
    """LRPolicy.DecayOnValidation during a training: the current learning rate, and the best value so far."""

    def __init__(self, key: str, lr: float, gamma: float, min_lr: float, higher_better: bool) -> None:
        self.key, self.lr, self.best = key, lr, math.nan
        self._gamma, self._min_lr, self._higher_better = gamma, min_lr, higher_better

    def value(self, t: int) -> float:
        return self.lr

    def steady(self, t: int) -> int:
        return FOR_EVER  # until the next validation, which never happens between the steps of one call

    def watching(self, t: int | None) -> tuple[Decaying, ...]:
        return (self,)

    def judge(self, value: float) -> bool | None:
        """Judge the statistic of a validation: True if it is the best so far (or as good), False if worse, None if the
        rate is below min_lr."""
        if self.lr < self._min_lr:
            return None
        if math.isnan(self.best) or (value >= self.best if self._higher_better else value <= self.best):
            self.best = value
            return True
        self.lr *= self._gamma
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
