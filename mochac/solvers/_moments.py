"""Moments: what Adam, AdamW and RAdam share, which keep running means of the gradient and of its square."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.solvers.method import Method, Rate, require_number, require_policy, running_mean
from mochac.solvers.policies import LRPolicy


@dataclass(frozen=True)
class Moments(Method):
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
