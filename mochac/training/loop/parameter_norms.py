"""ParameterNorms: a coffee break that records how large parameters, their gradients and their changes are."""

from __future__ import annotations

from typing import Any

import numpy as np

from mochac.runtime.data.params import dotted
from mochac.training.loop.coffee import CoffeeBreak, TrainingState
from mochac.training.loop.lounge import CoffeeLounge


class ParameterNorms(CoffeeBreak):
    """Records 2-norms in the lounge, by KEY.NAME of each parameter:

        norm/KEY.NAME        of its value
        gradient/KEY.NAME    of its gradient in the last update: that of the batch, or the mean of `accumulate` batches,
                             with the regularizer's term, before clipping
        change/KEY.NAME      of what training changed it by since the last time

    and beside them "learning_rate", that of the last update.

    `program.report()`, `mochac plot`, notebooks and TensorBoard show them beside the loss. Norms of gradients are part
    of the compiled step, so that no gradient need be kept for them. There are none of frozen parameters, and none at
    iteration 0.

    >>> solver.add_coffee_break(ParameterNorms(), every_n_iter=100)  # doctest: +SKIP
    """

    def __init__(self) -> None:
        self._before: dict[str, np.ndarray] = {}

    def enjoy(self, lounge: CoffeeLounge, program: Any, state: TrainingState) -> None:
        """Record the norms of this iteration."""
        now = {dotted(name): np.array(a, np.float64) for name, a in program.parameters().items()}
        found = {f"norm/{name}": _norm(a) for name, a in now.items()}
        found |= {f"gradient/{name}": value for name, value in state.gradients.items()}
        found |= {f"change/{name}": _norm(a - self._before[name]) for name, a in now.items() if name in self._before}
        found |= {name: value for name, value in state.hypers.items() if name.endswith("learning_rate")}
        self._before = now
        for name, value in found.items():
            lounge.record(name, state.iter, value)

    def destroy(self, program: Any) -> None:
        """Forget the parameters of the last time."""
        self._before = {}


def _norm(a: np.ndarray) -> float:
    return float(np.linalg.norm(a))
