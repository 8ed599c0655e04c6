"""RMSProp: steps divided by the root of the running mean of squared gradients.

Source: Tieleman and Hinton 2012 (Coursera, lecture 6.5), with the defaults of Slugnet, and eps under the root as there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import ClassVar

from mochac.base.records import record
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.nets.solvers._gradient import Coupled, require_bool
from mochac.nets.solvers.method import Rate, require_number, require_policy, running_mean, solver_method
from mochac.nets.solvers.policies import LRPolicy


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

    lr_policy: Rate = field(default_factory=lambda: LRPolicy.Fixed(0.001))
    rho: float = 0.9
    eps: float = 1e-6
    eps_in_sqrt: bool = field(default=True, kw_only=True)
    centered: bool = field(default=False, kw_only=True)
    momentum: Rate | None = field(default=None, kw_only=True)

    slots: ClassVar[tuple[str, ...]] = ("square_mean",)
    followed: ClassVar[tuple[str, ...]] = ("lr_policy", "momentum")

    def __post_init__(self) -> None:
        super().__post_init__()
        require_policy(self, "lr_policy")
        require_number(self, "rho", below=1)
        require_number(self, "eps", above=True)
        require_bool(self, "eps_in_sqrt")
        require_bool(self, "centered")
        if self.momentum is not None:
            require_policy(self, "momentum")
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
        """See the class."""
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
