"""Adam, AdamW and RAdam: steps by running means of gradients and of their squares.

Adam: Kingma and Ba 2015 (arXiv:1412.6980), in the form at the end of section 2, as in Mocha.jl src/solvers/adam.jl, but
with the second mean as published.

AdamW decouples weight decay: Loshchilov and Hutter 2019 (arXiv:1711.05101, algorithm 2), with PyTorch's conventions:
the learning rate scales the decay, and epsilon is added to the corrected root.

RAdam takes momentum steps while the mean of squares is uncertain: Liu et al. 2020 (arXiv:1908.03265, algorithm 2), with
PyTorch's conventions: the rectified step begins where rho > 5, and epsilon is added to the root before its correction.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from mochac.base.records import option, record
from mochac.base.rules import boolean, real
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.nets.solvers.method import Rate, running_mean, solver_method
from mochac.nets.solvers.policies import LRPolicy, decay, learning_rate
from mochac.nets.solvers.policy import choose, power, sqrt
from mochac.nets.solvers.sgd import Coupled, Signed


@record(repr=False)
class Moments(Signed):
    """A method with running means m of the gradient and v of its square, both starting at 0:

    m <- beta1 * m + (1 - beta1) * g
    v <- beta2 * v + (1 - beta2) * g^2
    """

    lr_policy: Rate = option(learning_rate(), default_factory=lambda: LRPolicy.Fixed(0.001))
    beta1: float = option(decay(), default=0.9)
    beta2: float = option(real(0, below=1), default=0.999)
    epsilon: float = option(real(above=0), default=1e-8)

    slots: ClassVar[tuple[str, ...]] = ("mean", "square_mean")

    def hypers(self, t: int) -> dict[str, float]:
        """The scalars after t completed updates, with bias correction for means that were 0 at first."""
        return self.hypers_since(t, 0)

    def first_decay(self, t: int) -> float:
        """beta1 in the update that follows t completed ones."""
        return self.at("beta1", t) if self.follows_beta1 else self.beta1

    def changing_decay(self, t: int) -> dict[str, float]:
        """{"beta1": ...} if beta1 is a policy, so that a step reads it; else {}."""
        return {"beta1": self.first_decay(t)} if self.follows_beta1 else {}

    @property
    def follows_beta1(self) -> bool:
        """Whether beta1 is a policy."""
        return "beta1" in self.policies().values()

    def means(
        self, b: GraphBuilder, g: Value, slots: Mapping[str, Value], hyper: Mapping[str, Value]
    ) -> dict[str, Value]:
        """The slots after the gradient g."""
        if self.follows_beta1:
            beta = hyper["beta1"]
            share = b.op("sub", b.const(1.0, beta.type), beta)
            m = b.op("add", b.op("mul", beta, slots["mean"]), b.op("mul", share, g))
        else:
            m = running_mean(b, slots["mean"], g, self.beta1)
        v = running_mean(b, slots["square_mean"], b.op("square", g), self.beta2)
        return {"mean": m, "square_mean": v}


LARGEST = "largest_square_mean"
"""The slot of AMSGrad."""


@record(repr=False)
class AdaptiveMoments(Moments):
    """A method that divides m by the root of v or, with `amsgrad`, of the largest v so far (Reddi et al. 2018,
    arXiv:1904.09237)."""

    amsgrad: bool = option(boolean(), default=False, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.amsgrad:
            object.__setattr__(self, "slots", (*type(self).slots, LARGEST))

    def means(
        self, b: GraphBuilder, g: Value, slots: Mapping[str, Value], hyper: Mapping[str, Value]
    ) -> dict[str, Value]:
        means = super().means(b, g, slots, hyper)
        return {**means, LARGEST: b.op("max", slots[LARGEST], means["square_mean"])} if self.amsgrad else means

    def root(self, b: GraphBuilder, means: Mapping[str, Value]) -> Value:
        """The root by which m is divided, without correction and epsilon."""
        return b.op("sqrt", means[LARGEST if self.amsgrad else "square_mean"])

    def corrections(self, t: int, zeroed: int) -> dict[str, float]:
        """{"lr": ..., "step_size": lr with the correction of m, "root_scale": the correction of the root}."""
        lr, k, beta1 = self.at("lr_policy", t), t - zeroed + 1, self.first_decay(t)
        known = {"lr": lr, "step_size": lr / (1 - power(beta1, k)), "root_scale": 1 / sqrt(1 - self.beta2**k)}
        return known | self.changing_decay(t)

    def corrected(
        self, b: GraphBuilder, w: Value, means: Mapping[str, Value], hyper: Mapping[str, Value], lr_mult: float
    ) -> Value:
        """w - lr_mult * step_size * m / (root_scale * root + epsilon)."""
        root = b.op("mul", self.root(b, means), hyper["root_scale"])
        scale = b.op("add", root, b.const(self.epsilon, w.type))
        return b.op("sub", w, b.op("div", b.op("mul", b.scaled(hyper["step_size"], lr_mult), means["mean"]), scale))


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
        beta1, beta2: decay of the two means, >= 0, < 1; beta1 may follow a policy, such as MomPolicy.OneCycle.
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

    lr_policy: Rate = option(learning_rate(), default_factory=lambda: LRPolicy.Inv(0.003, 0.0001, 0.5))
    epsilon_hat: bool = option(boolean(), default=True, kw_only=True)

    def hypers_since(self, t: int, zeroed: int) -> dict[str, float]:
        """{"lr": ..., "step_size": lr with bias correction}; without epsilon_hat as AdamW's."""
        if not self.epsilon_hat:
            return self.corrections(t, zeroed)
        lr, k, beta1 = self.at("lr_policy", t), t - zeroed + 1, self.first_decay(t)
        known = {"lr": lr, "step_size": lr * sqrt(1 - self.beta2**k) / (1 - power(beta1, k))}
        return known | self.changing_decay(t)

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
        if not self.epsilon_hat:
            return self.corrected(b, w, means, hyper, lr_mult), means
        scale = b.op("add", self.root(b, means), b.const(self.epsilon, w.type))
        step = b.op("div", b.op("mul", b.scaled(hyper["step_size"], lr_mult), means["mean"]), scale)
        return b.op("sub", w, step), means


@solver_method
@record(repr=False)
class AdamW(AdaptiveMoments):
    """AdamW, with running means m of the gradient and v of its square, both starting at 0:

        w <- w - lr_mult * lr(t) * decay * w
        m <- beta1 * m + (1 - beta1) * g
        v <- beta2 * v + (1 - beta2) * g^2
        w <- w - lr_mult * lr(t) / (1 - beta1^k) * m / (sqrt(v) / sqrt(1 - beta2^k) + epsilon)

    k = t + 1 counts updates from 1. The first line applies to weights only; with Solver(decay_all=True) also to biases,
    scales, shifts and slopes. regu_coef is 0 by default, so that g has no term of a regularizer.

    Args:
        lr_policy: learning rate per step, default LRPolicy.Fixed(0.001); a number means LRPolicy.Fixed.
        beta1, beta2: decay of the two means, >= 0, < 1; beta1 may follow a policy, such as MomPolicy.OneCycle.
        epsilon: avoids division by zero, > 0.
        decay: decay of the weights, >= 0.
        amsgrad: divide by the root of the largest v so far.
        maximize: go up the gradient.

    Raises:
        OptionError: a bad value, or an unknown parameter.

    >>> AdamW(0.001, decay=0.05)
    AdamW(lr_policy=LRPolicy.Fixed(base_lr=0.001), decay=0.05)
    """

    decay: float = option(real(0), default=0.01)

    decoupled: ClassVar[bool] = True

    def hypers_since(self, t: int, zeroed: int) -> dict[str, float]:
        """{"lr": ..., "step_size": lr with the correction of m, "root_scale": the correction of sqrt(v)}."""
        return self.corrections(t, zeroed)

    def decayed(self, b: GraphBuilder, w: Value, hyper: Mapping[str, Value], lr_mult: float) -> Value:
        return b.op("sub", w, b.op("mul", b.scaled(hyper["lr"], lr_mult * self.decay), w)) if self.decay else w

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
        return self.corrected(b, w, means, hyper, lr_mult), means


_MIN_RHO = 5.0
"""Above this length of the mean, the variance of the adaptive step is finite, and the rectified step is used."""


@solver_method
@record(repr=False)
class RAdam(Coupled, Moments):
    """Rectified Adam, with running means m of the gradient and v of its square, both starting at 0:

        m <- beta1 * m + (1 - beta1) * g
        v <- beta2 * v + (1 - beta2) * g^2
        rho = rho_max - 2 k beta2^k / (1 - beta2^k),  rho_max = 2 / (1 - beta2) - 1
        r = sqrt((rho - 4) (rho - 2) rho_max / ((rho_max - 4) (rho_max - 2) rho))
        w <- w - lr_mult * lr(t) / (1 - beta1^k) * r * sqrt(1 - beta2^k) * m / (sqrt(v) + epsilon)   where rho > 5
        w <- w - lr_mult * lr(t) / (1 - beta1^k) * m                                                 elsewhere

    k = t + 1 counts updates from 1. g includes the term of the regularizer.

    Args:
        lr_policy: learning rate per step, default LRPolicy.Fixed(0.001); a number means LRPolicy.Fixed.
        beta1, beta2: decay of the two means, >= 0, < 1; beta1 may follow a policy, such as MomPolicy.OneCycle.
        epsilon: avoids division by zero, > 0.
        weight_decay: times w, it is added to the gradients of all parameters, >= 0, apart from any regularizers.
        maximize: go up the gradient.

    Raises:
        OptionError: a bad value, or an unknown parameter.

    >>> [t for t in range(10) if RAdam(0.1).hypers(t)["step_size"]]
    [5, 6, 7, 8, 9]
    """

    def hypers_since(self, t: int, zeroed: int) -> dict[str, float]:
        """{"lr": ..., "step_size": of the rectified step, "mean_step_size": of the other}; one of the two is 0."""
        lr, k, beta1 = self.at("lr_policy", t), t - zeroed + 1, self.first_decay(t)
        step, rectified = lr / (1 - power(beta1, k)), self._rectification(k)
        adaptive = step * rectified * sqrt(1 - self.beta2**k)
        alone = choose(rectified > 0, lambda: 0.0, lambda: step)
        known = {"lr": lr, "step_size": adaptive, "mean_step_size": alone}
        return known | self.changing_decay(t)

    def _rectification(self, k: int) -> float:
        """r of update k; 0 where it is not defined."""
        most, weight = 2 / (1 - self.beta2) - 1, self.beta2**k
        rho = most - 2 * k * weight / (1 - weight)
        rectified = lambda: sqrt((rho - 4) * (rho - 2) * most / ((most - 4) * (most - 2) * rho))  # noqa: E731
        return choose(rho <= _MIN_RHO, lambda: 0.0, rectified)

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
        scale = b.op("add", b.op("sqrt", means["square_mean"]), b.const(self.epsilon, w.type))
        adaptive = b.op("div", b.scaled(hyper["step_size"], lr_mult), scale)
        factor = b.op("add", adaptive, b.scaled(hyper["mean_step_size"], lr_mult))
        return b.op("sub", w, b.op("mul", factor, means["mean"])), means
