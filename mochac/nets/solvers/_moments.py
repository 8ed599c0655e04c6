"""Moments: what Adam, AdamW and RAdam share, which keep running means of the gradient and of its square; and
AdaptiveMoments, what only Adam and AdamW share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import ClassVar

from mochac.base.records import record
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.nets.solvers.formula import sqrt
from mochac.nets.solvers.method import Rate, require_number, require_policy, running_mean
from mochac.nets.solvers.momentum import Signed, require_bool
from mochac.nets.solvers.policies import LRPolicy


@record(repr=False)
class Moments(Signed):
    """A method with running means m of the gradient and v of its square, both starting at 0:

    m <- beta1 * m + (1 - beta1) * g
    v <- beta2 * v + (1 - beta2) * g^2
    """

    lr_policy: Rate = field(default_factory=lambda: LRPolicy.Fixed(0.001))
    beta1: float = 0.9
    beta2: float = 0.999
    epsilon: float = 1e-8

    slots: ClassVar[tuple[str, ...]] = ("mean", "square_mean")

    def __post_init__(self) -> None:
        super().__post_init__()
        require_policy(self, "lr_policy")
        require_number(self, "beta1", below=1)
        require_number(self, "beta2", below=1)
        require_number(self, "epsilon", above=True)

    def hypers(self, t: int) -> dict[str, float]:
        """The scalars after t completed updates, with bias correction for means that were 0 at first."""
        return self.hypers_since(t, 0)

    def means(self, b: GraphBuilder, g: Value, slots: Mapping[str, Value]) -> dict[str, Value]:
        """The slots with the gradient g taken in."""
        m = running_mean(b, slots["mean"], g, self.beta1)
        v = running_mean(b, slots["square_mean"], b.op("square", g), self.beta2)
        return {"mean": m, "square_mean": v}


LARGEST = "largest_square_mean"
"""The slot of AMSGrad."""


@record(repr=False)
class AdaptiveMoments(Moments):
    """A method that divides m by the root of v; with `amsgrad`, by that of the largest v so far (Reddi et al. 2018,
    arXiv:1904.09237)."""

    amsgrad: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        require_bool(self, "amsgrad")
        if self.amsgrad:
            object.__setattr__(self, "slots", (*type(self).slots, LARGEST))

    def means(self, b: GraphBuilder, g: Value, slots: Mapping[str, Value]) -> dict[str, Value]:
        means = super().means(b, g, slots)
        return {**means, LARGEST: b.op("max", slots[LARGEST], means["square_mean"])} if self.amsgrad else means

    def root(self, b: GraphBuilder, means: Mapping[str, Value]) -> Value:
        """The root by which m is divided, without correction and epsilon."""
        return b.op("sqrt", means[LARGEST if self.amsgrad else "square_mean"])

    def corrections(self, t: int, zeroed: int) -> dict[str, float]:
        """{"lr": ..., "step_size": lr with the correction of m, "root_scale": the correction of the root}."""
        lr, k = self.at("lr_policy", t), t - zeroed + 1
        return {"lr": lr, "step_size": lr / (1 - self.beta1**k), "root_scale": 1 / sqrt(1 - self.beta2**k)}

    def corrected(
        self, b: GraphBuilder, w: Value, means: Mapping[str, Value], hyper: Mapping[str, Value], lr_mult: float
    ) -> Value:
        """w - lr_mult * step_size * m / (root_scale * root + epsilon)."""
        root = b.op("mul", self.root(b, means), hyper["root_scale"])
        scale = b.op("add", root, b.const(self.epsilon, w.type))
        return b.op("sub", w, b.op("div", b.op("mul", b.scaled(hyper["step_size"], lr_mult), means["mean"]), scale))
