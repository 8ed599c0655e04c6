"""Regularizers of parameters: terms that are added to their gradients.

As in Mocha.jl, the objective does not include the value of the regularizer.
"""

from __future__ import annotations

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.nets.layers.config import Config, config
from mochac.nets.layers.fields import option, real


class Regularizer(Config):
    """Base class of regularizers."""

    def gradient(self, b: GraphBuilder, w: Value, regu_coef: float) -> Value | None:
        """The term to add to the gradient of `w`, as graph code; None for nothing."""
        raise NotImplementedError


@config
class NoRegu(Regularizer):
    """No regularization."""

    def gradient(self, b: GraphBuilder, w: Value, regu_coef: float) -> Value | None:
        return None


@config
class L2Regu(Regularizer):
    """grad += 2 * coefficient * regu_coef * w, from the value coefficient * regu_coef * ||w||^2.

    The convention is that of Mocha; Caffe's weight_decay equals 2 * coefficient * regu_coef.
    """

    coefficient: float = option(real(0), default=1.0)

    def gradient(self, b: GraphBuilder, w: Value, regu_coef: float) -> Value | None:
        factor = 2.0 * self.coefficient * regu_coef
        return b.scaled(w, factor) if factor else None


@config
class L1Regu(Regularizer):
    """grad += coefficient * regu_coef * sign(w), with sign(0) = 0."""

    coefficient: float = option(real(0), default=1.0)

    def gradient(self, b: GraphBuilder, w: Value, regu_coef: float) -> Value | None:
        factor = self.coefficient * regu_coef
        return b.scaled(b.op("sign", w), factor) if factor else None
