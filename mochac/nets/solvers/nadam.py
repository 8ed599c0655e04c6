"""NAdam: Adam with Nesterov momentum, whose decay grows.

Source: Dozat 2016 (https://openreview.net/pdf/OM0jvwB8jIp57ZJjtNEZ.pdf, algorithm 2 and section 3.2), with PyTorch's
conventions: the decay is beta1 * (1 - 0.96^(momentum_decay * k) / 2), and epsilon is added to the corrected root.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from mochac.base.records import option, record
from mochac.base.rules import real
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.nets.solvers.adam import Moments
from mochac.nets.solvers.method import Rate, solver_method
from mochac.nets.solvers.policies import LRPolicy, learning_rate
from mochac.nets.solvers.policy import exp, power, sqrt
from mochac.nets.solvers.sgd import Coupled

_BASE = 0.96
_TERMS = 52
"""Terms of the logarithm of a factor 1 - x, for x <= 1/2: the rest is below the rounding of float64."""


@solver_method
@record(repr=False)
class NAdam(Coupled, Moments):
    """Adam with Nesterov momentum, with running means m of the gradient and v of its square, both starting at 0:

        m <- beta1 * m + (1 - beta1) * g
        v <- beta2 * v + (1 - beta2) * g^2
        mu(k) = beta1 * (1 - 0.96^(momentum_decay * k) / 2),  p(k) = mu(1) * mu(2) * ... * mu(k)
        root = sqrt(v) / sqrt(1 - beta2^k) + epsilon
        w <- w - lr_mult * lr(t) * ((1 - mu(k)) / (1 - p(k)) * g + mu(k + 1) / (1 - p(k + 1)) * m) / root

    k = t + 1 counts updates from 1. g includes the term of the regularizer.

    Args:
        lr_policy: learning rate per step, default LRPolicy.Fixed(0.002); a number means LRPolicy.Fixed.
        beta1, beta2: decay of the two means, >= 0, < 1.
        epsilon: avoids division by zero, > 0.
        momentum_decay: how fast mu grows from beta1 / 2 to beta1, >= 0.
        weight_decay: times w, it is added to the gradients of all parameters, >= 0, apart from any regularizers.
        maximize: go up the gradient.

    Raises:
        OptionError: a bad value, or an unknown parameter.

    >>> {name: round(x, 6) for name, x in NAdam(0.1).hypers(0).items()}
    {'lr': 0.1, 'step_size': 0.1, 'mean_step_size': 0.056452, 'root_scale': 31.622777}
    """

    lr_policy: Rate = option(learning_rate(), default_factory=lambda: LRPolicy.Fixed(0.002))
    beta1: float = option(real(0, below=1), default=0.9)
    momentum_decay: float = option(real(0), default=0.004, kw_only=True)

    def hypers_since(self, t: int, zeroed: int) -> dict[str, float]:
        """{"lr": ..., "step_size": of g, "mean_step_size": of m, "root_scale": the correction of sqrt(v)}."""
        lr, k = self.at("lr_policy", t), t - zeroed + 1
        return {
            "lr": lr,
            "step_size": lr * (1 - self._decay(k)) / (1 - self._product(k)),
            "mean_step_size": lr * self._decay(k + 1) / (1 - self._product(k + 1)),
            "root_scale": 1 / sqrt(1 - self.beta2**k),
        }

    def _decay(self, k: Any) -> Any:
        """mu(k)."""
        return self.beta1 * (1 - 0.5 * power(_BASE, self.momentum_decay * k))

    def _product(self, k: Any) -> Any:
        """p(k), without a loop: log(1 - x) = - sum over n of x^n / n, and the powers of 0.96 are geometric series."""
        total: Any = 0.0
        for n in range(1, _TERMS + 1):
            rate = n * self.momentum_decay * math.log(_BASE)
            ratio = (power(math.exp(rate), k) - 1) * (math.exp(rate) / math.expm1(rate)) if rate else k
            total = total + ratio * (0.5**n / n)
        return power(self.beta1, k) * exp(-1.0 * total)

    def update(
        self,
        b: GraphBuilder,
        w: Value,
        g: Value,
        slots: Mapping[str, Value],
        hyper: Mapping[str, Value],
        lr_mult: float,
    ) -> tuple[Value, dict[str, Value]]:
        means = self.means(b, g, slots, hyper)
        root = b.op("mul", b.op("sqrt", means["square_mean"]), hyper["root_scale"])
        of_gradient = b.op("mul", b.scaled(hyper["step_size"], lr_mult), g)
        of_mean = b.op("mul", b.scaled(hyper["mean_step_size"], lr_mult), means["mean"])
        step = b.op("div", b.op("add", of_gradient, of_mean), b.op("add", root, b.const(self.epsilon, w.type)))
        return b.op("sub", w, step), means
