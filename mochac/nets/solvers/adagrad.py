"""Adagrad, Adadelta and RMSProp: methods that scale each number of a gradient by its history.

Adagrad's step sizes shrink as gradients accumulate. Source: Duchi, Hazan and Singer 2011, element by element as
published; Mocha.jl src/solvers/adagrad.jl has one step size per parameter array.

Adadelta takes steps in the units of the parameter, and needs no learning rate. Source: Zeiler 2012 (arXiv:1212.5701,
algorithm 1), as in Mocha.jl src/solvers/adadelta.jl.

RMSProp divides by the root of the running mean of squared gradients. Source: Tieleman and Hinton 2012 (Coursera,
lecture 6.5), with the defaults of Slugnet, and eps under the root as there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from mochac.base.records import option, record
from mochac.base.rules import boolean, or_none, real
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.nets.solvers.method import Rate, running_mean, solver_method
from mochac.nets.solvers.policies import LRPolicy, learning_rate, momentum
from mochac.nets.solvers.sgd import Coupled


@solver_method
@record(repr=False)
class Adagrad(Coupled):
    """Adagrad, with the sum H of squared gradients:

        H <- H + g^2
        w <- w - lr_mult * gamma / (epsilon + sqrt(H)) * g

    Args:
        gamma: length of the first step, > 0.
        epsilon: avoids division by zero, > 0.
        lr_policy: a factor of gamma that changes, such as LRPolicy.Cosine(1.0, 1000); None: 1.
        weight_decay: times w, it is added to the gradients of all parameters, >= 0, apart from any regularizers.
        maximize: go up the gradient.

    Raises:
        OptionError: a bad value, or an unknown parameter.

    >>> Adagrad(gamma=0.01)
    Adagrad(gamma=0.01)
    """

    gamma: float = option(real(above=0), default=1.0)
    epsilon: float = option(real(above=0), default=1e-8)
    lr_policy: Rate | None = option(or_none(learning_rate()), default=None, kw_only=True)

    slots: ClassVar[tuple[str, ...]] = ("square_sum",)

    followed: ClassVar[tuple[str, ...]] = ("lr_policy",)

    def hypers(self, t: int) -> dict[str, float]:
        """{"lr": ...} if there is a policy; else empty: the learning rate is the constant gamma."""
        return {} if self.lr_policy is None else {"lr": self.at("lr_policy", t)}

    def update(
        self,
        b: GraphBuilder,
        w: Value,
        g: Value,
        slots: Mapping[str, Value],
        hyper: Mapping[str, Value],
        lr_mult: float,
    ) -> tuple[Value, dict[str, Value]]:
        total = b.op("add", slots["square_sum"], b.op("square", g))
        scale = b.op("add", b.const(self.epsilon, w.type), b.op("sqrt", total))
        rated = b.scaled(g, self.gamma * lr_mult)
        step = b.op("div", rated if self.lr_policy is None else b.op("mul", hyper["lr"], rated), scale)
        return b.op("sub", w, step), {"square_sum": total}


@solver_method
@record(repr=False)
class Adadelta(Coupled):
    """Adadelta, with running means G of squared gradients and D of squared steps:

        G <- rho * G + (1 - rho) * g^2
        step = sqrt(D + eps) / sqrt(G + eps) * g
        D <- rho * D + (1 - rho) * step^2
        w <- w - lr_mult * step

    Args:
        rho: decay of the means, >= 0, < 1.
        eps: > 0; also determines the size of the first steps.
        lr_policy: a factor of the step, a policy or a number; None: 1.
        weight_decay: times w, it is added to the gradients of all parameters, >= 0, apart from any regularizers.
        maximize: go up the gradient.

    Raises:
        OptionError: a bad value, or an unknown parameter.

    >>> Adadelta()
    Adadelta()
    """

    rho: float = option(real(0, below=1), default=0.95)
    eps: float = option(real(above=0), default=1e-6)
    lr_policy: Rate | None = option(or_none(learning_rate()), default=None, kw_only=True)

    slots: ClassVar[tuple[str, ...]] = ("square_mean", "step_mean")

    followed: ClassVar[tuple[str, ...]] = ("lr_policy",)

    def hypers(self, t: int) -> dict[str, float]:
        """{"lr": ...} if there is a policy, else empty."""
        return {} if self.lr_policy is None else {"lr": self.at("lr_policy", t)}

    def update(
        self,
        b: GraphBuilder,
        w: Value,
        g: Value,
        slots: Mapping[str, Value],
        hyper: Mapping[str, Value],
        lr_mult: float,
    ) -> tuple[Value, dict[str, Value]]:
        eps = b.const(self.eps, w.type)
        squares = running_mean(b, slots["square_mean"], b.op("square", g), self.rho)
        above, below = (b.op("sqrt", b.op("add", x, eps)) for x in (slots["step_mean"], squares))
        step = b.op("mul", b.op("div", above, below), g)
        steps = running_mean(b, slots["step_mean"], b.op("square", step), self.rho)
        scaled = b.scaled(step, lr_mult)
        scaled = scaled if self.lr_policy is None else b.op("mul", hyper["lr"], scaled)
        return b.op("sub", w, scaled), {"square_mean": squares, "step_mean": steps}


@solver_method
@record(repr=False)
class RMSProp(Coupled):
    """RMSProp, with the running mean r of squared gradients:

        r <- rho * r + (1 - rho) * g^2
        w <- w - lr_mult * lr(t) * g / sqrt(r + eps)

    With eps_in_sqrt=False, the root is sqrt(r) + eps, as in PyTorch. With centered=True, r - a^2 takes the place of r,
    where a is the running mean of gradients: an estimate of their variance. With momentum, there is a history h:

        h <- momentum(t) * h + g / root
        w <- w - lr_mult * lr(t) * h

    Args:
        lr_policy: learning rate per step, default LRPolicy.Fixed(0.001); a number means LRPolicy.Fixed.
        rho: decay of the mean, >= 0, < 1.
        eps: avoids division by zero, > 0.
        eps_in_sqrt: whether eps is added under the root.
        centered: subtract the square of the mean gradient.
        momentum: a policy or a number in [0, 1]; None: no history is kept.
        weight_decay: times w, it is added to the gradients of all parameters, >= 0, apart from any regularizers.
        maximize: go up the gradient.

    Raises:
        OptionError: a bad value, or an unknown parameter.

    >>> RMSProp().hypers(0)
    {'lr': 0.001}
    """

    lr_policy: Rate = option(learning_rate(), default_factory=lambda: LRPolicy.Fixed(0.001))
    rho: float = option(real(0, below=1), default=0.9)
    eps: float = option(real(above=0), default=1e-6)
    eps_in_sqrt: bool = option(boolean(), default=True, kw_only=True)
    centered: bool = option(boolean(), default=False, kw_only=True)
    momentum: Rate | None = option(or_none(momentum()), default=None, kw_only=True)

    slots: ClassVar[tuple[str, ...]] = ("square_mean",)
    followed: ClassVar[tuple[str, ...]] = ("lr_policy", "momentum")

    def __post_init__(self) -> None:
        super().__post_init__()
        more = {"mean": self.centered, "history": self.momentum is not None}
        if any(more.values()):
            object.__setattr__(self, "slots", (*type(self).slots, *(slot for slot, kept in more.items() if kept)))

    def hypers(self, t: int) -> dict[str, float]:
        """{"lr": ...} after t completed updates, and "momentum" if there is one."""
        momentum = {} if self.momentum is None else {"momentum": self.at("momentum", t)}
        return {"lr": self.at("lr_policy", t), **momentum}

    def update(
        self,
        b: GraphBuilder,
        w: Value,
        g: Value,
        slots: Mapping[str, Value],
        hyper: Mapping[str, Value],
        lr_mult: float,
    ) -> tuple[Value, dict[str, Value]]:
        new = {"square_mean": running_mean(b, slots["square_mean"], b.op("square", g), self.rho)}
        spread, eps = new["square_mean"], b.const(self.eps, w.type)
        if self.centered:
            new["mean"] = running_mean(b, slots["mean"], g, self.rho)
            spread = b.op("sub", spread, b.op("square", new["mean"]))
        inside = self.eps_in_sqrt
        root = b.op("sqrt", b.op("add", spread, eps)) if inside else b.op("add", b.op("sqrt", spread), eps)
        rate = b.scaled(hyper["lr"], lr_mult)
        if self.momentum is None:
            return b.op("sub", w, b.op("div", b.op("mul", rate, g), root)), new
        new["history"] = b.op("add", b.op("mul", hyper["momentum"], slots["history"]), b.op("div", g, root))
        return b.op("sub", w, b.op("mul", rate, new["history"])), new
