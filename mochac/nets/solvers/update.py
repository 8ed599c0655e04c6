"""Updates of parameters: the method's step, clipping and averages."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

import numpy as np

from mochac.base.records import record
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.nets.solvers.method import REGU_COEF, Method
from mochac.nets.solvers.sgd import DEFAULT


@record
class Clipping:
    """Limits on the gradients, with the terms of regularizers; None: no limit. `value` is applied before `norm`.

    Args:
        value: > 0; each element is clipped to [-value, value].
        norm: > 0; all gradients are scaled by the same factor so that their joint 2-norm is at most this.
    """

    value: float | None = None
    norm: float | None = None

    def clipped(self, b: GraphBuilder, grads: Mapping[str, Value]) -> dict[str, Value]:
        """The clipped gradients, by name."""
        clipped = dict(grads)
        if self.value is not None:
            clipped = {name: _bounded(b, g, self.value) for name, g in clipped.items()}
        if self.norm is not None and clipped:
            clipped = _scaled(b, clipped, self.norm)
        return clipped


def _bounded(b: GraphBuilder, g: Value, limit: float) -> Value:
    """min(max(g, -limit), limit); NaN stays NaN."""
    return b.op("min", b.op("max", g, b.const(-limit, g.type)), b.const(limit, g.type))


def _scaled(b: GraphBuilder, grads: dict[str, Value], limit: float) -> dict[str, Value]:
    """grads * limit / max(norm, limit) (Pascanu et al. 2013, arXiv:1211.5063)."""
    total: Value | None = None
    for g in grads.values():
        part = b.op("reduce_sum", b.op("square", g), axes=tuple(range(len(g.type.shape))))
        total = part if total is None else b.op("add", total, part)
    assert total is not None
    norm = b.op("sqrt", total)
    bound = b.const(limit, norm.type)
    scale = b.op("div", bound, b.op("max", norm, bound), name="clip.scale")
    spread = {n: b.op("broadcast", scale, shape=g.type.shape, axes=(), batch=False) for n, g in grads.items()}
    return {n: b.op("mul", g, spread[n]) for n, g in grads.items()}


AVERAGE = "average"
"""The slot of a parameter that holds its running mean."""


@record
class Averaging:
    """After every n-th update: average <- decay * average + (1 - decay) * w.

    Args:
        decay: >= 0, < 1.
        every_n_iter: >= 1.
    """

    decay: float
    every_n_iter: int = 1

    def append(self, b: GraphBuilder, w: Value, new: Value, due: Value | None) -> None:
        """Add the average of `w`, whose new value is `new`, to the graph of a step.

        Args:
            due: a scalar, positive in the iterations in which the average is updated; None: in all of them.
        """
        average = b.input(f"{w.name}.{AVERAGE}", w.type, "slot")
        mean = b.op("add", b.scaled(average, self.decay), b.scaled(new, 1.0 - self.decay))
        if due is not None:
            spread = b.op("broadcast", due, shape=w.type.shape, axes=(), batch=False)
            mean = b.op("select", b.op("gt", spread, b.const(0.0, w.type)), mean, average)
        b.update(average, mean)


@record(eq=False)
class BegunState:
    """What an optimizer has kept of its updates.

    Attributes:
        iteration: how many updates it has made, from which policies and limits count on.
        slots: for each slot of the method, arrays by the names that parameters have in PyTorch.
    """

    iteration: int
    slots: Mapping[str, Mapping[str, np.ndarray]]


GRADIENT_NORM = "gradient/"
"""Prefix of the names under which plans report norms of gradients."""


def norm_of(parameter: str) -> str:
    """The name under which a plan reports the norm of a parameter's gradient."""
    return f"{GRADIENT_NORM}{parameter}"


@record(eq=False)
class Update:
    """How a training changes parameters.

    Args:
        regu_coef: factor of all regularizers.
        decay_all: decoupled weight decay also applies to parameters that declare that they do not decay.
        accumulate: batches whose mean gradient makes an update, >= 1.
        averaging: of the parameters after updates; None: none.
        norms: also report the 2-norm of each gradient, under norm_of(its parameter).
        rows: the method only subtracts (Method.only_subtracts), so of tables that ids pick rows from, only these rows
            change.
    """

    method: Method = DEFAULT
    regu_coef: float = REGU_COEF
    clipping: Clipping = Clipping()
    decay_all: bool = False
    accumulate: int = 1
    averaging: Averaging | None = None
    norms: bool = False
    rows: bool = False

    @property
    def key(self) -> Hashable:
        """Equal for updates with the same graph."""
        method = type(self.method), str(self.method.constants())
        graph = self.regu_coef, self.clipping, self.decay_all, self.accumulate, self.averaging, self.norms, self.rows
        return *method, *graph
