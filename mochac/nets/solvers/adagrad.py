"""Adagrad: each element has its own step size, which shrinks as its gradients accumulate.

Source: Duchi, Hazan and Singer 2011, element by element as published; Mocha.jl src/solvers/adagrad.jl has one step size
per parameter array.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import ClassVar

from mochac.base.records import record
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.nets.solvers._gradient import Coupled
from mochac.nets.solvers.method import Rate, require_number, require_policy, solver_method


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

    gamma: float = 1.0
    epsilon: float = 1e-8
    lr_policy: Rate | None = field(default=None, kw_only=True)

    slots: ClassVar[tuple[str, ...]] = ("square_sum",)

    followed: ClassVar[tuple[str, ...]] = ("lr_policy",)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.lr_policy is not None:
            require_policy(self, "lr_policy")
        require_number(self, "gamma", above=True)
        require_number(self, "epsilon", above=True)

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
        """See the class."""
        total = b.op("add", slots["square_sum"], b.op("square", g))
        scale = b.op("add", b.const(self.epsilon, w.type), b.op("sqrt", total))
        rated = b.scaled(g, self.gamma * lr_mult)
        step = b.op("div", rated if self.lr_policy is None else b.op("mul", hyper["lr"], rated), scale)
        return b.op("sub", w, step), {"square_sum": total}
