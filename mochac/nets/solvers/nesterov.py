"""Nesterov: stochastic gradient descent with Nesterov's momentum.

Source: Bengio, Boulanger-Lewandowski and Pascanu 2012 (arXiv:1212.0901, section 3.5), which Mocha.jl
src/solvers/nesterov.jl cites; Mocha's own code does not run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from mochac.base.records import record
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.nets.solvers.method import solver_method
from mochac.nets.solvers.momentum import WithMomentum


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
        """See the class."""
        if self.history == "gradients":
            history = b.op("add", b.op("mul", hyper["momentum"], slots["history"]), g)
            ahead = b.op("add", b.op("mul", hyper["momentum"], history), g)
            return b.op("sub", w, b.op("mul", b.scaled(hyper["lr"], lr_mult), ahead)), {"history": history}
        step = b.op("mul", b.scaled(hyper["lr"], lr_mult), g)
        history = b.op("sub", b.op("mul", hyper["momentum"], slots["history"]), step)
        ahead = b.op("sub", b.op("mul", hyper["next_momentum"], history), step)
        return b.op("add", w, ahead), {"history": history}
