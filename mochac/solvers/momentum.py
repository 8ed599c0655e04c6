"""WithMomentum: base class of SGD and Nesterov, with a learning rate and a momentum."""

from __future__ import annotations

from dataclasses import dataclass, field

from mochac.errors import OptionError
from mochac.solvers.method import Method, Rate, require_policy
from mochac.solvers.policies import LRPolicy, MomPolicy

_NOT_GIVEN = MomPolicy.Fixed(0.0)
"""The default of mom_policy, recognized by identity."""


@dataclass(frozen=True, init=False)
class WithMomentum(Method):
    """A method with the fields lr_policy and mom_policy; `momentum` is another name for mom_policy.

    Subclasses are dataclasses with init=False too.

    >>> from mochac.solvers.sgd import SGD
    >>> SGD(0.1, momentum=0.9).momentum
    MomPolicy.Fixed(base_mom=0.9)
    >>> SGD(0.1, 0.5, momentum=0.9)
    Traceback (most recent call last):
    mochac.errors.OptionError: SGD: momentum and mom_policy mean the same, and both are given
      got  momentum=0.9, mom_policy=0.5
      hint: give one of them
    """

    lr_policy: Rate = field(default_factory=lambda: LRPolicy.Fixed(0.01))
    mom_policy: Rate = _NOT_GIVEN

    def __init__(
        self,
        lr_policy: Rate = LRPolicy.Fixed(0.01),  # noqa: B008 - a frozen record
        mom_policy: Rate = _NOT_GIVEN,
        *,
        momentum: Rate | None = None,
    ) -> None:
        if momentum is not None and mom_policy is not _NOT_GIVEN:
            rule = f"{type(self).__name__}: momentum and mom_policy mean the same, and both are given"
            raise OptionError(rule, got=f"momentum={momentum!r}, mom_policy={mom_policy!r}", hint="give one of them")
        object.__setattr__(self, "lr_policy", lr_policy)
        object.__setattr__(self, "mom_policy", mom_policy if momentum is None else momentum)
        self.__post_init__()

    def __post_init__(self) -> None:
        """Also called by the constructor that dataclass makes for a subclass with more fields."""
        require_policy(self, "lr_policy")
        require_policy(self, "mom_policy")

    @property
    def momentum(self) -> Rate:
        """Another name for mom_policy."""
        return self.mom_policy
