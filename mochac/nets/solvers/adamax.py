"""Adamax: Adam by the largest gradients instead of the root of a mean of squares.

Source: Kingma and Ba 2015 (arXiv:1412.6980, algorithm 2), with PyTorch's convention: epsilon is added to the absolute
value of the gradient.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from mochac.base.records import option, record
from mochac.base.rules import real
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.nets.solvers.method import Rate, running_mean, solver_method
from mochac.nets.solvers.policies import LRPolicy, learning_rate
from mochac.nets.solvers.policy import power
from mochac.nets.solvers.sgd import Coupled


@solver_method
@record(repr=False)
class Adamax(Coupled):
    """Adamax, with a running mean m of the gradient and a decaying maximum u of its absolute value, both starting at 0:

        m <- beta1 * m + (1 - beta1) * g
        u <- max(beta2 * u, |g| + epsilon)
        w <- w - lr_mult * lr(t) / (1 - beta1^k) * m / u

    k = t + 1 counts updates from 1. g includes the term of the regularizer.

    Args:
        lr_policy: learning rate per step, default LRPolicy.Fixed(0.002); a number means LRPolicy.Fixed.
        beta1, beta2: decay of the mean and of the maximum, >= 0, < 1.
        epsilon: avoids division by zero, > 0.
        weight_decay: times w, it is added to the gradients of all parameters, >= 0, apart from any regularizers.
        maximize: go up the gradient.

    Raises:
        OptionError: a bad value, or an unknown parameter.

    >>> round(Adamax(0.01).hypers(1)["step_size"], 6)
    0.052632
    """

    lr_policy: Rate = option(learning_rate(), default_factory=lambda: LRPolicy.Fixed(0.002))
    beta1: float = option(real(0, below=1), default=0.9)
    beta2: float = option(real(0, below=1), default=0.999)
    epsilon: float = option(real(above=0), default=1e-8)

    slots: ClassVar[tuple[str, ...]] = ("mean", "largest")

    def hypers(self, t: int) -> dict[str, float]:
        """The scalars after t completed updates, with bias correction for a mean that was 0 at first."""
        return self.hypers_since(t, 0)

    def hypers_since(self, t: int, zeroed: int) -> dict[str, float]:
        """{"lr": ..., "step_size": lr with the correction of m}."""
        lr = self.at("lr_policy", t)
        return {"lr": lr, "step_size": lr / (1 - power(self.beta1, t - zeroed + 1))}

    def update(
        self,
        b: GraphBuilder,
        w: Value,
        g: Value,
        slots: Mapping[str, Value],
        hyper: Mapping[str, Value],
        lr_mult: float,
    ) -> tuple[Value, dict[str, Value]]:
        m = running_mean(b, slots["mean"], g, self.beta1)
        size = b.op("add", b.op("abs", g), b.const(self.epsilon, w.type))
        u = b.op("max", b.scaled(slots["largest"], self.beta2), size)
        step = b.op("div", b.op("mul", b.scaled(hyper["step_size"], lr_mult), m), u)
        return b.op("sub", w, step), {"mean": m, "largest": u}
