"""Caffe's learning-rate policies that Mocha does not have: poly and sigmoid."""

from __future__ import annotations

import math
from dataclasses import dataclass

from mochac.solvers.policies import Policy


@dataclass(frozen=True)
class Poly(Policy):
    """base_lr * (1 - t / max_iter) ** power; 0 from max_iter on.

    >>> Poly(0.5, 1.0, 10).value(4)
    0.3
    """

    base_lr: float
    power: float
    max_iter: int

    def value(self, t: int) -> float:
        return self.base_lr * max(0.0, 1.0 - t / self.max_iter) ** self.power


@dataclass(frozen=True)
class Sigmoid(Policy):
    """base_lr / (1 + e ** (-gamma * (t - stepsize))); with gamma < 0 it decreases.

    >>> Sigmoid(0.5, -0.1, 10).value(10)
    0.25
    """

    base_lr: float
    gamma: float
    stepsize: int

    def value(self, t: int) -> float:
        return self.base_lr / (1.0 + math.exp(min(700.0, -self.gamma * (t - self.stepsize))))
