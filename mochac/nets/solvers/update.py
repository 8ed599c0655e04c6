"""Update: how a training changes parameters, as far as its plans depend on it."""

from __future__ import annotations

from collections.abc import Hashable

from mochac.base.records import record
from mochac.nets.solvers.averaging import Averaging
from mochac.nets.solvers.clipping import Clipping
from mochac.nets.solvers.method import REGU_COEF, Method
from mochac.nets.solvers.sgd import SGD

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

    method: Method = SGD()
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
