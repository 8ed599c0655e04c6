"""Adagrad: each element has its own step size, which shrinks as its gradients accumulate.

Source: Duchi, Hazan and Singer 2011, element by element as published; Mocha.jl src/solvers/adagrad.jl has one step size
per parameter array.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.solvers.method import Method, require_number, solver_method


@solver_method
@dataclass(frozen=True)
class Adagrad(Method):
    """Adagrad, with the sum H of squared gradients:

        H <- H + g^2
        w <- w - lr_mult * gamma / (epsilon + sqrt(H)) * g

    Args:
        gamma: length of the first step, > 0.
        epsilon: avoids division by zero, > 0.

    Raises:
        OptionError: a bad value, or an unknown parameter.

    >>> Adagrad(gamma=0.01)
    Adagrad(gamma=0.01, epsilon=1e-08)
    """

    gamma: float = 1.0
    epsilon: float = 1e-8

    slots: ClassVar[tuple[str, ...]] = ("square_sum",)

    def __post_init__(self) -> None:
        require_number(self, "gamma", above=True)
        require_number(self, "epsilon", above=True)

    def hypers(self, t: int) -> dict[str, float]:
        """Empty: the learning rate is the constant gamma."""
        return {}

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
        step = b.op("div", b.scaled(g, self.gamma * lr_mult), scale)
        return b.op("sub", w, step), {"square_sum": total}
