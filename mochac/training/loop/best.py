"""The best value of a statistic: which direction is better, and a copy of the parameters at the best validation so
far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mochac.base.errors import SnapshotError
from mochac.training.loop.trainable import Trainable

_ARRAY = "best/"


def higher_is_better(statistic: str, given: bool | None) -> bool:
    """Whether higher values of a statistic are better: as given, else if its name ends in "accuracy".

    >>> higher_is_better("test-accuracy-accuracy", None), higher_is_better("obj_val", None)
    (True, False)
    """
    return statistic.endswith("accuracy") if given is None else bool(given)


class BestParameters:
    """A copy of the parameters after some iteration; empty at first.

    Attributes:
        iteration: of the copy; None before the first keep().
    """

    def __init__(self) -> None:
        self.iteration: int | None = None
        self._arrays: dict[str, np.ndarray] = {}

    def keep(self, parameters: Mapping[str, np.ndarray], iteration: int) -> None:
        """Copy the current parameters."""
        self.iteration = iteration
        self._arrays = {name: array.copy() for name, array in parameters.items()}

    def put_back(self, session: Trainable) -> None:
        """Restore the copy."""
        with session.writing:
            parameters = session.parameters()
            for name, array in self._arrays.items():
                parameters[name][...] = array

    def memory(self) -> dict[str, Any]:
        """Its state, for snapshots."""
        arrays = {f"{_ARRAY}{name}": array for name, array in self._arrays.items()}
        return {"best_iteration": self.iteration, **arrays}

    def recall(self, memory: Mapping[str, Any], parameters: Mapping[str, np.ndarray]) -> None:
        """Restore the state from memory().

        Raises:
            SnapshotError: its parameters are those of another net.
        """
        arrays = {n.removeprefix(_ARRAY): a for n, a in memory.items() if n.startswith(_ARRAY)}
        shapes = {name: (array.shape, array.dtype) for name, array in parameters.items()}
        if arrays and {name: (array.shape, array.dtype) for name, array in arrays.items()} != shapes:
            raise SnapshotError("the snapshot's best parameters belong to another net")
        iteration = memory.get("best_iteration")
        self.iteration, self._arrays = None if iteration is None else int(iteration), arrays
