"""SGD and Nesterov: gradient descent with momentum; Signed and Coupled, which other methods share with them.

The gradient that a method receives has been clipped, and includes the terms of the layers' regularizers. Source:
Mocha.jl src/solvers/sgd.jl, but with the momentum of the current step (docs/guide/mocha.md); Bengio,
Boulanger-Lewandowski and Pascanu 2012 (arXiv:1212.0901, section 3.5), which Mocha.jl src/solvers/nesterov.jl cites;
Mocha's own code does not run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from mochac.base.errors import OptionError
from mochac.base.records import option, record
from mochac.base.rules import boolean, choice, real
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.nets.solvers.method import Method, Rate, solver_method
from mochac.nets.solvers.policies import LRPolicy, MomPolicy, learning_rate, momentum
from mochac.nets.solvers.policy import choose


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


NO_MOMENTUM = MomPolicy.Fixed(0.0)
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
    mom_policy: Rate = option(momentum(), default=NO_MOMENTUM)
    history: str = option(choice("steps", "gradients"), default="steps", kw_only=True)

    def __init__(
        self,
        lr_policy: Rate = LRPolicy.Fixed(0.01),  # noqa: B008 - a frozen record
        mom_policy: Rate = NO_MOMENTUM,
        *,
        momentum: Rate | None = None,
        history: str = "steps",
        weight_decay: float = 0.0,
        maximize: bool = False,
    ) -> None:
        if momentum is not None and mom_policy is not NO_MOMENTUM:
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


@solver_method
@record(init=False, repr=False)
class SGD(WithMomentum):
    """Stochastic gradient descent with a history h of past steps:

        h <- momentum(t) * h - lr_mult * lr(t) * g
        w <- w + h

    With history="gradients", the learning rate of the moment scales the whole history, as in PyTorch:

        h <- momentum(t) * h + (1 - dampening) * g        (the first time: h <- g)
        w <- w - lr_mult * lr(t) * h

    While the momentum is 0, h stays 0: the history begins with the first step that has momentum, as in PyTorch.

    Args:
        lr_policy: learning rate per step, default LRPolicy.Fixed(0.01); a number means LRPolicy.Fixed.
        mom_policy: momentum per step, default MomPolicy.Fixed(0.0); a number means MomPolicy.Fixed.
        momentum: another name for mom_policy.
        history: what h adds up, "steps" or "gradients".
        dampening: in [0, 1); needs history="gradients".
        weight_decay: times w, it is added to the gradients of all parameters, >= 0, apart from any regularizers.
        maximize: go up the gradient.

    Raises:
        OptionError: not a policy, an unknown parameter, a bad value, or momentum and mom_policy together.

    >>> SGD(0.1, momentum=0.9)
    SGD(lr_policy=LRPolicy.Fixed(base_lr=0.1), mom_policy=MomPolicy.Fixed(base_mom=0.9))
    >>> SGD(mom_policy=0.9).hypers(0)
    {'lr': 0.01, 'momentum': 0.9}
    """

    dampening: float = option(real(0, below=1), default=0.0, kw_only=True)

    slots: ClassVar[tuple[str, ...]] = ("history",)
    followed: ClassVar[tuple[str, ...]] = ("lr_policy", "mom_policy")
    step_size: ClassVar[str] = "lr"

    def __init__(
        self,
        lr_policy: Rate = LRPolicy.Fixed(0.01),  # noqa: B008 - a frozen record
        mom_policy: Rate = NO_MOMENTUM,
        *,
        momentum: Rate | None = None,
        history: str = "steps",
        dampening: float = 0.0,
        weight_decay: float = 0.0,
        maximize: bool = False,
    ) -> None:
        object.__setattr__(self, "dampening", dampening)
        how: dict[str, Any] = {"history": history, "weight_decay": weight_decay, "maximize": maximize}
        super().__init__(lr_policy, mom_policy, momentum=momentum, **how)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.dampening and self.history != "gradients":
            hint = 'SGD(..., history="gradients"), as in PyTorch'
            raise OptionError("SGD: dampening acts on a history of gradients", got='history="steps"', hint=hint)

    def hypers(self, t: int) -> dict[str, float]:
        """{"lr": ..., "momentum": ...} after t completed updates; with dampening also {"share": of the gradient in the
        history}, which is 1 in the first update."""
        known = {"lr": self.at("lr_policy", t), "momentum": self.at("mom_policy", t)}
        return {**known, "share": self._share(t)} if self.dampening else known

    def hypers_since(self, t: int, zeroed: int) -> dict[str, float]:
        known = self.hypers(t)
        return {**known, "share": self._share(t - zeroed)} if self.dampening else known

    def _share(self, t: int) -> float:
        return choose(t < 1, lambda: 1.0, lambda: 1.0 - self.dampening)

    def steady(self, t: int) -> int:
        return 1 if self.dampening else super().steady(t)

    def only_subtracts(self, hypers: Mapping[str, Any]) -> bool:
        """Without momentum, decay and a sign."""
        return not (np.any(hypers["momentum"]) or self.weight_decay or self.maximize)

    def update(
        self,
        b: GraphBuilder,
        w: Value,
        g: Value,
        slots: Mapping[str, Value],
        hyper: Mapping[str, Value],
        lr_mult: float,
    ) -> tuple[Value, dict[str, Value]]:
        rate = b.scaled(hyper["lr"], lr_mult)
        if self.history == "gradients":
            taken = b.op("mul", hyper["share"], g) if self.dampening else g
            history = b.op("add", b.op("mul", hyper["momentum"], slots["history"]), taken)
        else:
            step = b.op("mul", rate, g)
            history = b.op("sub", b.op("mul", hyper["momentum"], slots["history"]), step)
        # updates of the rows of a table (append_row_update) leave a history of zeros, too
        zero = b.const(0.0, w.type)
        kept = b.op("select", b.op("eq", hyper["momentum"], zero), zero, history)
        new = b.op("sub", w, b.op("mul", rate, history)) if self.history == "gradients" else b.op("add", w, history)
        return new, {"history": kept}


DEFAULT = SGD(0.01, momentum=0.9)
"""The method of a training where the user names none."""


@solver_method
@record(init=False, repr=False)
class Nesterov(WithMomentum):
    """Nesterov's accelerated gradient, with a history h of past steps:

        h <- momentum(t) * h - lr_mult * lr(t) * g
        w <- w + momentum(t + 1) * h - lr_mult * lr(t) * g

    With history="gradients", the learning rate of the moment scales the whole history, as in PyTorch:

        h <- momentum(t) * h + g
        w <- w - lr_mult * lr(t) * (momentum(t) * h + g)

    Parameters are those at which the gradient is taken, one step ahead; the net is evaluated with them too.

    Args:
        lr_policy: learning rate per step, default LRPolicy.Fixed(0.01); a number means LRPolicy.Fixed.
        mom_policy: momentum per step, default MomPolicy.Fixed(0.0); a number means MomPolicy.Fixed.
        momentum: another name for mom_policy.
        history: what h adds up, "steps" or "gradients".
        weight_decay: times w, it is added to the gradients of all parameters, >= 0, apart from any regularizers.
        maximize: go up the gradient.

    Raises:
        OptionError: not a policy, an unknown parameter, a bad value, or momentum and mom_policy together.

    >>> from mochac.nets.solvers.policies import MomPolicy
    >>> Nesterov(mom_policy=MomPolicy.Linear(0.5, 0.1, 1, 0.9)).hypers(1)
    {'lr': 0.01, 'momentum': 0.6, 'next_momentum': 0.7}
    """

    slots: ClassVar[tuple[str, ...]] = ("history",)

    def hypers(self, t: int) -> dict[str, float]:
        """{"lr": ..., "momentum": ...} after t completed updates; for a history of steps, also "next_momentum"."""
        known = {"lr": self.at("lr_policy", t), "momentum": self.at("mom_policy", t)}
        return known if self.history == "gradients" else {**known, "next_momentum": self.at("mom_policy", t + 1)}

    def update(
        self,
        b: GraphBuilder,
        w: Value,
        g: Value,
        slots: Mapping[str, Value],
        hyper: Mapping[str, Value],
        lr_mult: float,
    ) -> tuple[Value, dict[str, Value]]:
        if self.history == "gradients":
            history = b.op("add", b.op("mul", hyper["momentum"], slots["history"]), g)
            ahead = b.op("add", b.op("mul", hyper["momentum"], history), g)
            return b.op("sub", w, b.op("mul", b.scaled(hyper["lr"], lr_mult), ahead)), {"history": history}
        step = b.op("mul", b.scaled(hyper["lr"], lr_mult), g)
        history = b.op("sub", b.op("mul", hyper["momentum"], slots["history"]), step)
        ahead = b.op("sub", b.op("mul", hyper["next_momentum"], history), step)
        return b.op("add", w, ahead), {"history": history}
