"""Regularizers of parameters, as data: what the solver adds to a parameter's gradient.

Layers name one per parameter; autodiff or the solver writes its gradient as graph code through `gradient`. It knows
no solver. As in Mocha.jl the objective does not contain the regularizer's value.
"""

from __future__ import annotations

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.layers.config import Config, config
from mochac.layers.fields import option, real


class Regularizer(Config):
    """Base of regularizers."""

    def gradient(self, b: GraphBuilder, w: Value, regu_coef: float) -> Value | None:
        """The term added to the gradient of `w`, as graph code; None for nothing."""
        raise NotImplementedError


@config
class NoRegu(Regularizer):
    """No regularization."""

    def gradient(self, b: GraphBuilder, w: Value, regu_coef: float) -> Value | None:
        return None


@config
class L2Regu(Regularizer):
    """grad += 2 * coefficient * regu_coef * w, from the value coefficient * regu_coef * ||w||^2.

    Mocha's convention: Caffe's weight_decay is 2 * coefficient * regu_coef.
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
