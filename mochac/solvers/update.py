"""Update: how a training changes parameters, as far as its plans depend on it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from mochac.solvers.clipping import Clipping
from mochac.solvers.method import REGU_COEF, Method
from mochac.solvers.sgd import SGD


@dataclass(frozen=True, eq=False)
class Update:
    """How a training changes parameters.

    Args:
        regu_coef: factor of all regularizers.
        decay_all: decoupled weight decay also applies to parameters that declare that they do not decay.
    """

    method: Method = SGD()  # noqa: RUF009 - frozen
    regu_coef: float = REGU_COEF
    clipping: Clipping = Clipping()  # noqa: RUF009 - frozen
    decay_all: bool = False

    @property
    def key(self) -> Hashable:
        """Equal for updates with the same graph."""
        return type(self.method), str(self.method.constants()), self.regu_coef, self.clipping, self.decay_all
