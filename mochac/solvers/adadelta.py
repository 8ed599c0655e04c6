"""Adadelta: steps in the units of the parameter, without a learning rate.

Source: Zeiler 2012 (arXiv:1212.5701, algorithm 1), as in Mocha.jl src/solvers/adadelta.jl.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.solvers.method import Method, require_number, running_mean, solver_method


@solver_method
@dataclass(frozen=True)
class Adadelta(Method):
    """Adadelta, with running means G of squared gradients and D of squared steps:

        G <- rho * G + (1 - rho) * g^2
        step = sqrt(D + eps) / sqrt(G + eps) * g
        D <- rho * D + (1 - rho) * step^2
        w <- w - lr_mult * step

    Args:
        rho: decay of the means, >= 0, < 1.
        eps: > 0; also determines the size of the first steps.

    Raises:
        OptionError: a bad value, or an unknown parameter.

    >>> Adadelta()
    Adadelta(rho=0.95, eps=1e-06)
    """

    rho: float = 0.95
    eps: float = 1e-6

    slots: ClassVar[tuple[str, ...]] = ("square_mean", "step_mean")

    def __post_init__(self) -> None:
        require_number(self, "rho", below=1)
        require_number(self, "eps", above=True)

    def hypers(self, t: int) -> dict[str, float]:
        """Empty: there is no learning rate."""
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
        eps = b.const(self.eps, w.type)
        squares = running_mean(b, slots["square_mean"], b.op("square", g), self.rho)
        above, below = (b.op("sqrt", b.op("add", x, eps)) for x in (slots["step_mean"], squares))
        step = b.op("mul", b.op("div", above, below), g)
        steps = running_mean(b, slots["step_mean"], b.op("square", step), self.rho)
        return b.op("sub", w, b.scaled(step, lr_mult)), {"square_mean": squares, "step_mean": steps}
