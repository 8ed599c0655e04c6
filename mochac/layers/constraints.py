"""Constraints of parameters, as data: what holds for a parameter after its update.

Layers name one per parameter; the step plan writes `project` as graph code behind the solver's rule. It knows no solver
and no layer.
"""

from __future__ import annotations

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.layers.config import Config, config
from mochac.layers.fields import Rule, instance, integer, option, real


class Constraint(Config):
    """Base of constraints.

    Attributes:
        every_n_iter: applied after the update of every iteration that this divides; 0: never.
    """

    every_n_iter: int

    def project(self, b: GraphBuilder, w: Value, due: Value | None) -> Value:
        """The parameter `w` brought back to where it may be, as graph code.

        Args:
            due: a scalar of w's dtype, positive where the constraint is applied; None: always.
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
    """Units whose 2-norm exceeds the threshold are scaled down to it:

        u <- u * threshold / ||u||   where ||u|| > threshold

    Units are the slices along axis 0: the weights into one output, one filter. A vector (a bias) is one unit.

    Args:
        threshold: > 0.
        every_n_iter: applied after the update of every iteration that this divides, >= 0; 0: never.

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


def constraint() -> Rule:
    """The rule of fields that take a constraint."""
    return instance(Constraint, "a constraint such as L2Cons(4.5)", L2Cons(4.5))
