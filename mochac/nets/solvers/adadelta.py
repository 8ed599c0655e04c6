"""Adadelta: steps in the units of the parameter, which need no learning rate.

Source: Zeiler 2012 (arXiv:1212.5701, algorithm 1), as in Mocha.jl src/solvers/adadelta.jl.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import ClassVar

from mochac.base.records import record
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.nets.solvers._gradient import Coupled
from mochac.nets.solvers.method import Rate, require_number, require_policy, running_mean, solver_method


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

    rho: float = 0.95
    eps: float = 1e-6
    lr_policy: Rate | None = field(default=None, kw_only=True)

    slots: ClassVar[tuple[str, ...]] = ("square_mean", "step_mean")

    followed: ClassVar[tuple[str, ...]] = ("lr_policy",)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.lr_policy is not None:
            require_policy(self, "lr_policy")
        require_number(self, "rho", below=1)
        require_number(self, "eps", above=True)

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
        """See the class."""
        eps = b.const(self.eps, w.type)
        squares = running_mean(b, slots["square_mean"], b.op("square", g), self.rho)
        above, below = (b.op("sqrt", b.op("add", x, eps)) for x in (slots["step_mean"], squares))
        step = b.op("mul", b.op("div", above, below), g)
        steps = running_mean(b, slots["step_mean"], b.op("square", step), self.rho)
        scaled = b.scaled(step, lr_mult)
        scaled = scaled if self.lr_policy is None else b.op("mul", hyper["lr"], scaled)
        return b.op("sub", w, scaled), {"square_mean": squares, "step_mean": steps}
