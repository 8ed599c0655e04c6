"""AdamW: Adam with decoupled weight decay.

Source: Loshchilov and Hutter 2019 (arXiv:1711.05101, algorithm 2), with PyTorch's conventions: the learning rate scales
the decay, and epsilon is added to the corrected root.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from mochac.base.records import record
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.nets.solvers._moments import AdaptiveMoments
from mochac.nets.solvers.method import require_number, solver_method


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
        beta1, beta2: decay of the two means, >= 0, < 1.
        epsilon: avoids division by zero, > 0.
        decay: of the weights, >= 0.
        amsgrad: divide by the root of the largest v so far.
        maximize: go up the gradient.

    Raises:
        OptionError: a bad value, or an unknown parameter.

    >>> AdamW(0.001, decay=0.05)
    AdamW(lr_policy=LRPolicy.Fixed(base_lr=0.001), decay=0.05)
    """

    decay: float = 0.01

    decoupled: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        require_number(self, "decay")

    def hypers_since(self, t: int, zeroed: int) -> dict[str, float]:
        """{"lr": ..., "step_size": lr with the correction of m, "root_scale": the correction of sqrt(v)}."""
        return self.corrections(t, zeroed)

    def decayed(self, b: GraphBuilder, w: Value, hyper: Mapping[str, Value], lr_mult: float) -> Value:
        """See the class."""
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
        """See the class."""
        means = self.means(b, g, slots)
        return self.corrected(b, w, means, hyper, lr_mult), means
