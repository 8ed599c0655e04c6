"""RMSProp: steps divided by the root of the running mean of squared gradients.

Source: Tieleman and Hinton 2012 (Coursera, lecture 6.5), with the defaults of Slugnet, and eps under the root as there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.solvers.method import Method, Rate, require_number, require_policy, running_mean, solver_method
from mochac.solvers.policies import LRPolicy


@solver_method
@dataclass(frozen=True)
class RMSProp(Method):
    """RMSProp, with the running mean r of squared gradients:

        r <- rho * r + (1 - rho) * g^2
        w <- w - lr_mult * lr(t) * g / sqrt(r + eps)

    Args:
        lr_policy: learning rate per step, default LRPolicy.Fixed(0.001); a number means LRPolicy.Fixed.
        rho: decay of the mean, >= 0, < 1.
        eps: avoids division by zero, > 0.

    Raises:
        OptionError: a bad value, or an unknown parameter.

    >>> RMSProp().hypers(0)
    {'lr': 0.001}
    """

    lr_policy: Rate = field(default_factory=lambda: LRPolicy.Fixed(0.001))
    rho: float = 0.9
    eps: float = 1e-6

    slots: ClassVar[tuple[str, ...]] = ("square_mean",)
    followed: ClassVar[tuple[str, ...]] = ("lr_policy",)

    def __post_init__(self) -> None:
        require_policy(self, "lr_policy")
        require_number(self, "rho", below=1)
        require_number(self, "eps", above=True)

    def hypers(self, t: int) -> dict[str, float]:
        """{"lr": ...} after t completed updates."""
        return {"lr": self.at("lr_policy", t)}

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
        squares = running_mean(b, slots["square_mean"], b.op("square", g), self.rho)
        root = b.op("sqrt", b.op("add", squares, b.const(self.eps, w.type)))
        step = b.op("div", b.op("mul", b.scaled(hyper["lr"], lr_mult), g), root)
        return b.op("sub", w, step), {"square_mean": squares}
