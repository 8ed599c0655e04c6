"""Gradients and momentum: what methods share that keep a history.

Signed and Coupled: what methods do with a gradient before they use it, as PyTorch's optimizers do.

The gradient has been clipped by then, and holds the terms of the layers' regularizers.
"""

from __future__ import annotations

from mochac.base.errors import OptionError
from mochac.base.records import option, record
from mochac.base.rules import boolean, choice, real
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.nets.solvers.method import Method, Rate
from mochac.nets.solvers.policies import LRPolicy, MomPolicy, learning_rate, momentum


@record(repr=False)
class Signed(Method):
    """A method that may go up the gradient: `maximize` negates it."""

    maximize: bool = option(boolean(), default=False, kw_only=True)

    def gradient(self, b: GraphBuilder, w: Value, g: Value) -> Value:
        return b.op("neg", g) if self.maximize else g


@record(repr=False)
class Coupled(Signed):
    """A method whose `weight_decay` adds weight_decay * w to the gradient of every parameter."""

    weight_decay: float = option(real(0), default=0.0, kw_only=True)

    @property
    def decays(self) -> bool:
        return self.weight_decay > 0

    def gradient(self, b: GraphBuilder, w: Value, g: Value) -> Value:
        g = super().gradient(b, w, g)
        return b.op("add", g, b.scaled(w, self.weight_decay)) if self.weight_decay else g


NOT_GIVEN = MomPolicy.Fixed(0.0)
"""The default of mom_policy, recognized by identity."""


@record(init=False, repr=False)
class WithMomentum(Coupled):
    """A method with the fields lr_policy and mom_policy; `momentum` is another name for mom_policy.

    `history` says what the slot adds up: steps, as in Mocha, Caffe and Keras, or gradients, as in PyTorch. It makes a
    difference where the learning rate changes, which acts on the next step, or on the whole history.

    Subclasses are dataclasses with init=False too.

    >>> from mochac.nets.solvers.sgd import SGD
    >>> SGD(0.1, momentum=0.9).momentum
    MomPolicy.Fixed(base_mom=0.9)
    >>> SGD(0.1, 0.5, momentum=0.9)
    Traceback (most recent call last):
    mochac.base.errors.OptionError: SGD: momentum and mom_policy mean the same, and both are given
      got  momentum=0.9, mom_policy=0.5
      hint: give one of them
    """

    lr_policy: Rate = option(learning_rate(), default_factory=lambda: LRPolicy.Fixed(0.01))
    mom_policy: Rate = option(momentum(), default=NOT_GIVEN)
    history: str = option(choice("steps", "gradients"), default="steps", kw_only=True)

    def __init__(
        self,
        lr_policy: Rate = LRPolicy.Fixed(0.01),  # noqa: B008 - a frozen record
        mom_policy: Rate = NOT_GIVEN,
        *,
        momentum: Rate | None = None,
        history: str = "steps",
        weight_decay: float = 0.0,
        maximize: bool = False,
    ) -> None:
        if momentum is not None and mom_policy is not NOT_GIVEN:
            rule = f"{type(self).__name__}: momentum and mom_policy mean the same, and both are given"
            raise OptionError(rule, got=f"momentum={momentum!r}, mom_policy={mom_policy!r}", hint="give one of them")
        object.__setattr__(self, "lr_policy", lr_policy)
        object.__setattr__(self, "mom_policy", mom_policy if momentum is None else momentum)
        object.__setattr__(self, "history", history)
        object.__setattr__(self, "weight_decay", weight_decay)
        object.__setattr__(self, "maximize", maximize)
        self.__post_init__()

    @property
    def momentum(self) -> Rate:
        """Another name for mom_policy."""
        return self.mom_policy
