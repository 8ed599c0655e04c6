"""Regularizers, terms added to the gradients of parameters, and constraints, enforced after each update.

As in Mocha.jl, the objective does not include the value of a regularizer. The graph code of a constraint, `project`,
follows the solver's update in the step plan.
"""

from __future__ import annotations

from mochac.base.records import option
from mochac.base.rules import Rule, integer, real
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.nets.layers.config import Config, config
from mochac.nets.layers.fields import instance


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


class Constraint(Config):
    """Base class of constraints.

    Attributes:
        every_n_iter: apply it after iterations that are multiples of this; 0: never.
    """

    every_n_iter: int

    def project(self, b: GraphBuilder, w: Value, due: Value | None) -> Value:
        """The parameter `w` with the constraint enforced, as graph code.

        Args:
            due: a scalar of the dtype of w, positive if the constraint is to be applied; None: always.
        """
        raise NotImplementedError


@config
class NoCons(Constraint):
    """No constraint."""

    every_n_iter = 0

    def project(self, b: GraphBuilder, w: Value, due: Value | None) -> Value:
        return w


@config
class L2Cons(Constraint):
    """Limits the 2-norm of each unit u:

        u <- u * threshold / ||u||   if ||u|| > threshold

    Units are the slices along axis 0: the weights of one output, or one filter. A vector (a bias) is one unit.

    Args:
        threshold: > 0.
        every_n_iter: apply it after iterations that are multiples of this, >= 0; 0: never.

    Source: Mocha.jl src/constraints.jl; Srivastava et al. 2014, "Dropout", section 5.1.

    >>> L2Cons(4.5)
    L2Cons(threshold=4.5, every_n_iter=1)
    """

    threshold: float = option(real(above=0))
    every_n_iter: int = option(integer(0), default=1)

    def project(self, b: GraphBuilder, w: Value, due: Value | None) -> Value:
        shape = w.type.shape
        axes = tuple(range(1, len(shape))) or (0,)
        norm = b.op("sqrt", b.op("reduce_sum", b.op("square", w), axes=axes))
        limit = b.const(self.threshold, norm.type)
        scale = b.op("div", limit, b.op("max", norm, limit), name="l2cons.scale")
        units = norm.type.shape
        if due is not None:
            spread = b.op("broadcast", due, shape=units, axes=(), batch=False)
            now = b.op("gt", spread, b.const(0.0, norm.type))
            scale = b.op("select", now, scale, b.const(1.0, norm.type))
        kept = tuple(range(len(units)))
        return b.op("mul", w, b.op("broadcast", scale, shape=shape, axes=kept, batch=False))


def regularizer() -> Rule:
    """Field rule: a regularizer."""
    return instance(Regularizer, "a regularizer such as L2Regu(1)", L2Regu(1))


def constraint() -> Rule:
    """Field rule: a constraint."""
    return instance(Constraint, "a constraint such as L2Cons(4.5)", L2Cons(4.5))
