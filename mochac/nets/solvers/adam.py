"""Adam: steps scaled by running means of the gradient and of its square.

Source: Kingma and Ba 2015 (arXiv:1412.6980), in the form at the end of section 2, as in Mocha.jl src/solvers/adam.jl,
but with the second mean as published.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from mochac.base.records import record
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.nets.solvers._gradient import Coupled, require_bool
from mochac.nets.solvers._moments import AdaptiveMoments
from mochac.nets.solvers.formula import sqrt
from mochac.nets.solvers.method import Rate, solver_method
from mochac.nets.solvers.policies import LRPolicy


@solver_method
@record(repr=False)
class Adam(Coupled, AdaptiveMoments):
    """Adam, with running means m of the gradient and v of its square, both starting at 0:

        m <- beta1 * m + (1 - beta1) * g
        v <- beta2 * v + (1 - beta2) * g^2
        w <- w - lr_mult * lr(t) * sqrt(1 - beta2^k) / (1 - beta1^k) * m / (sqrt(v) + epsilon)

    k = t + 1 counts updates from 1. g includes the term of the regularizer. With epsilon_hat=False, epsilon is added to
    the corrected root, as in the paper's algorithm 1 and in PyTorch:

        w <- w - lr_mult * lr(t) / (1 - beta1^k) * m / (sqrt(v) / sqrt(1 - beta2^k) + epsilon)

    Args:
        lr_policy: learning rate per step, default LRPolicy.Inv(0.003, 0.0001, 0.5); a number means LRPolicy.Fixed.
        beta1, beta2: decay of the two means, >= 0, < 1.
        epsilon: avoids division by zero, > 0.
        epsilon_hat: whether epsilon is added to the root before its correction.
        amsgrad: divide by the root of the largest v so far.
        weight_decay: times w, it is added to the gradients of all parameters, >= 0, apart from any regularizers.
        maximize: go up the gradient.

    Raises:
        OptionError: a bad value, or an unknown parameter.

    >>> Adam(0.001).hypers(0)["lr"]
    0.001
    """

    lr_policy: Rate = field(default_factory=lambda: LRPolicy.Inv(0.003, 0.0001, 0.5))
    epsilon_hat: bool = field(default=True, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        require_bool(self, "epsilon_hat")

    def hypers_since(self, t: int, zeroed: int) -> dict[str, float]:
        """{"lr": ..., "step_size": lr with bias correction}; without epsilon_hat as AdamW's."""
        if not self.epsilon_hat:
            return self.corrections(t, zeroed)
        lr, k = self.at("lr_policy", t), t - zeroed + 1
        return {"lr": lr, "step_size": lr * sqrt(1 - self.beta2**k) / (1 - self.beta1**k)}

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
        means = self.means(b, g, slots)
        if not self.epsilon_hat:
            return self.corrected(b, w, means, hyper, lr_mult), means
        scale = b.op("add", self.root(b, means), b.const(self.epsilon, w.type))
        step = b.op("div", b.op("mul", b.scaled(hyper["step_size"], lr_mult), means["mean"]), scale)
        return b.op("sub", w, step), means
