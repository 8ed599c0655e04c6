"""Policy: base class of learning-rate and momentum policies; and Formula, a number as an expression in t.

Policies and methods compute the scalars of an update from the number t of completed ones. If t is a Formula, the same
code returns Formulas, which the C library prints. Code that works on both takes `choose`, `least`, `sqrt`, `cos`,
`exp` and `power` from here in place of Python's `if`, `min` and `math`; for numbers they return numbers.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeVar

from mochac.base.errors import OptionError, shown
from mochac.base.hints.calls import CheckedCalls
from mochac.base.rules import Rule, check_fields, integer

Number = TypeVar("Number")


class Formula:
    """An operation on numbers and formulas.

    Attributes:
        op: "t" (the argument), "set" (of a scalar's name and a formula: what a user has set, else the formula),
            "choose", "pow", "sqrt", "cos", "exp", "min", or an operator of Python.
        args: its operands.
        whole: it is an integer.

    >>> LENGTH = 3 * (Formula.argument() // 2) + 0.5
    >>> LENGTH
    ((3 * (t // 2)) + 0.5)
    """

    def __init__(self, op: str, *args: Any, whole: bool = False) -> None:
        self.op, self.args, self.whole = op, args, whole

    @staticmethod
    def argument() -> Formula:
        """The number t, an integer."""
        return Formula("t", whole=True)

    def __repr__(self) -> str:
        if not self.args:
            return self.op
        if len(self.args) == 2 and not self.op.isalpha():
            return f"({self.args[0]!r} {self.op} {self.args[1]!r})"
        return f"{self.op}({', '.join(map(repr, self.args))})"

    def __add__(self, other: Any) -> Formula:
        return _binary("+", self, other)

    def __radd__(self, other: Any) -> Formula:
        return _binary("+", other, self)

    def __sub__(self, other: Any) -> Formula:
        return _binary("-", self, other)

    def __rsub__(self, other: Any) -> Formula:
        return _binary("-", other, self)

    def __mul__(self, other: Any) -> Formula:
        return _binary("*", self, other)

    def __rmul__(self, other: Any) -> Formula:
        return _binary("*", other, self)

    def __truediv__(self, other: Any) -> Formula:
        return Formula("/", self, other)

    def __rtruediv__(self, other: Any) -> Formula:
        return Formula("/", other, self)

    def __floordiv__(self, other: Any) -> Formula:
        return _whole("//", self, other)

    def __mod__(self, other: Any) -> Formula:
        return _whole("%", self, other)

    def __pow__(self, other: Any) -> Formula:
        return Formula("pow", self, other)

    def __rpow__(self, other: Any) -> Formula:
        return Formula("pow", other, self)

    def __neg__(self) -> Formula:
        return _binary("-", 0, self)

    def __abs__(self) -> Formula:
        return choose(self < 0, lambda: -self, lambda: self)

    def __lt__(self, other: Any) -> Formula:
        return Formula("<", self, other, whole=True)

    def __le__(self, other: Any) -> Formula:
        return Formula("<=", self, other, whole=True)

    def __gt__(self, other: Any) -> Formula:
        return Formula(">", self, other, whole=True)

    def __ge__(self, other: Any) -> Formula:
        return Formula(">=", self, other, whole=True)

    def __bool__(self) -> bool:
        raise TypeError("it decides something by t in Python")

    def __float__(self) -> float:
        raise TypeError("it turns a formula of t into a number of Python")


def is_whole(value: Any) -> bool:
    """Whether a number or formula is an integer."""
    return value.whole if isinstance(value, Formula) else isinstance(value, int)


def _binary(op: str, a: Any, b: Any) -> Formula:
    return Formula(op, a, b, whole=is_whole(a) and is_whole(b))


def _whole(op: str, a: Any, b: Any) -> Formula:
    if not (is_whole(a) and isinstance(b, int) and b > 0):
        raise TypeError(f"{op} is for a formula that is an integer, and a number >= 1")
    return Formula(op, a, b, whole=True)


def choose(condition: Any, then: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
    """then() where the condition holds, else otherwise()."""
    if not isinstance(condition, Formula):
        return then() if condition else otherwise()
    return Formula("choose", condition, then(), otherwise())


def least(a: Any, b: Any) -> Any:
    """The smaller one, as min(a, b)."""
    return Formula("min", a, b) if isinstance(a, Formula) or isinstance(b, Formula) else min(a, b)


def sqrt(x: Any) -> Any:
    """The square root."""
    return Formula("sqrt", x) if isinstance(x, Formula) else math.sqrt(x)


def cos(x: Any) -> Any:
    """The cosine, for |x| < 1000."""
    return Formula("cos", x) if isinstance(x, Formula) else math.cos(x)


def exp(x: Any) -> Any:
    """e to the power of x."""
    return Formula("exp", x) if isinstance(x, Formula) else math.exp(x)


def power(base: Any, exponent: Any) -> Any:
    """base ** exponent for base >= 0; infinity where it overflows.

    >>> power(0.5, 2), power(10.0, 400)
    (0.25, inf)
    """
    if isinstance(base, Formula) or isinstance(exponent, Formula):
        return Formula("pow", base, exponent)
    try:
        return base**exponent
    except OverflowError:
        return math.inf


def value_at(policy: Any, t: Any) -> Any:
    """The value of a policy after t completed updates, as a float; a formula if t is one.

    Raises:
        OptionError: the value is not a finite number.
    """
    value = policy.value(t)
    if isinstance(value, Formula):
        return value
    try:
        found = float(value)
    except (TypeError, ValueError):
        found = math.nan
    if not math.isfinite(found):
        raise OptionError(f"{type(policy).__qualname__}: value({t}) is not a finite number", got=shown(value))
    return found


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


def begun(policy: Any) -> Any:
    """The policy for one training: policy.begin(), or a user's policy itself."""
    return policy.begin() if isinstance(policy, Policy) else policy


def watching(policy: object, t: int | None) -> tuple[Decaying, ...]:
    """policy.watching(t); a user's policy watches no validations."""
    return policy.watching(t) if isinstance(policy, Policy) else ()


class Stages(Policy):
    """Stages (n, policy): each lasts n updates, the last one for ever.

    Attributes:
        restarts: inner policies count updates from the start of their stage; False: from the start of the training.
    """

    restarts: ClassVar[bool] = False

    @staticmethod
    def rule() -> Rule:
        """The rule of the policies; it converts plain numbers. Subclasses override it."""
        raise NotImplementedError

    def __init__(self, *stages: tuple[int, Any]) -> None:
        owner = type(self).__qualname__
        if not stages:
            raise OptionError(f"{owner}: no stages", expected="pairs (n_iter, policy)")
        self.stages = tuple([self._stage(stage, owner) for stage in stages])

    def _stage(self, stage: Any, owner: str) -> tuple[int, Any]:
        """The stage, with a number converted to a Fixed policy."""
        if not isinstance(stage, tuple) or len(stage) != 2:
            raise OptionError(f"{owner}: not a stage", expected="a pair (n_iter, policy or number)", got=shown(stage))
        n = integer(1).check("n_iter of a stage", stage[0], owner)
        return n, self.rule().check("policy of a stage", stage[1], owner)

    def value(self, t: int) -> float:
        return self._from(0, 0, t)

    def _from(self, k: int, begin: int, t: int) -> float:
        """The value after the stages before stage k, which begins with update `begin`."""
        n, policy = self.stages[k]
        own = t - begin if self.restarts else t
        if k == len(self.stages) - 1:
            return value_at(policy, own)
        return choose(t < begin + n, lambda: value_at(policy, own), lambda: self._from(k + 1, begin + n, t))

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
        stages = [(n, begun(policy)) for n, policy in self.stages]
        return self if all(a is b for (_, a), (_, b) in zip(stages, self.stages, strict=True)) else type(self)(*stages)

    def watching(self, t: int | None) -> tuple[Decaying, ...]:
        active: list[Decaying] = []
        end = 0
        for k, (n, policy) in enumerate(self.stages):
            begin, end = end, end + n
            last = k == len(self.stages) - 1
            if t is None or (begin <= t and (t < end or last)):
                active += watching(policy, t if t is None or not self.restarts else t - begin)
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
