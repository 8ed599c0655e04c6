"""SGD: stochastic gradient descent with momentum.

Source: Mocha.jl src/solvers/sgd.jl, but with the momentum of the current step (docs/guide/mocha.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.solvers.method import solver_method
from mochac.solvers.momentum import WithMomentum


@solver_method
@dataclass(frozen=True, init=False)
class SGD(WithMomentum):
    """Stochastic gradient descent with a history h of past steps:

        h <- momentum(t) * h - lr_mult * lr(t) * g
        w <- w + h

    While the momentum is 0, h stays 0: the history begins with the first step that has momentum, as in PyTorch.

    Args:
        lr_policy: learning rate per step, default LRPolicy.Fixed(0.01); a number means LRPolicy.Fixed.
        mom_policy: momentum per step, default MomPolicy.Fixed(0.0); a number means MomPolicy.Fixed.
        momentum: another name for mom_policy.

    Raises:
        OptionError: not a policy, an unknown parameter, or momentum and mom_policy together.

    >>> SGD(0.1, momentum=0.9)
    SGD(lr_policy=LRPolicy.Fixed(base_lr=0.1), mom_policy=MomPolicy.Fixed(base_mom=0.9))
    >>> SGD(mom_policy=0.9).hypers(0)
    {'lr': 0.01, 'momentum': 0.9}
    """

    slots: ClassVar[tuple[str, ...]] = ("history",)
    followed: ClassVar[tuple[str, ...]] = ("lr_policy", "mom_policy")
    step_size: ClassVar[str] = "lr"

    def hypers(self, t: int) -> dict[str, float]:
        """{"lr": ..., "momentum": ...} after t completed updates."""
        return {"lr": self.at("lr_policy", t), "momentum": self.at("mom_policy", t)}

    def only_subtracts(self, hypers: Mapping[str, Any]) -> bool:
        """Without momentum."""
        return not np.any(hypers["momentum"])

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
        step = b.op("mul", b.scaled(hyper["lr"], lr_mult), g)
        history = b.op("sub", b.op("mul", hyper["momentum"], slots["history"]), step)
        # updates of the rows of a table (append_row_update) leave a history of zeros, too
        zero = b.const(0.0, w.type)
        kept = b.op("select", b.op("eq", hyper["momentum"], zero), zero, history)
        return b.op("add", w, history), {"history": kept}
