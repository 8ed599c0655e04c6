"""Sigmoid: Caffe's learning-rate policy of that name."""

from __future__ import annotations

from mochac.base.records import record
from mochac.nets.solvers.formula import exp, least
from mochac.nets.solvers.policy import Policy


@record
class Sigmoid(Policy):
    """base_lr / (1 + e ** (-gamma * (t - stepsize))); with gamma < 0 it decreases.

    >>> Sigmoid(0.5, -0.1, 10).value(10)
    0.25
    """

    base_lr: float
    gamma: float
    stepsize: int

    def value(self, t: int) -> float:
        return self.base_lr / (1.0 + exp(least(700.0, -self.gamma * (t - self.stepsize))))
