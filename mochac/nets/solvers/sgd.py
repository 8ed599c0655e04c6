"""SGD: stochastic gradient descent with momentum.

Source: Mocha.jl src/solvers/sgd.jl, but with the momentum of the current step (docs/guide/mocha.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from mochac.base.errors import OptionError
from mochac.base.records import option, record
from mochac.base.rules import real
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.nets.solvers.formula import choose
from mochac.nets.solvers.method import Rate, solver_method
from mochac.nets.solvers.momentum import NOT_GIVEN, WithMomentum
from mochac.nets.solvers.policies import LRPolicy


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
        mom_policy: Rate = NOT_GIVEN,
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
        """See the class."""
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
