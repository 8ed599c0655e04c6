"""BestParameters: a copy of a program's parameters at the best validation so far.

The EarlyStopping break and LRPolicy.DecayOnValidation keep one, in memory and in snapshots. It knows parameters as
arrays by name and not what was measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mochac.errors import SnapshotError

_ARRAY = "best/"


class BestParameters:
    """Parameters as they were after some iteration; None kept at first.

    Attributes:
        iteration: when, None before the first keep().
    """

    def __init__(self) -> None:
        self.iteration: int | None = None
        self._arrays: dict[str, np.ndarray] = {}

    def keep(self, parameters: Mapping[str, np.ndarray], iteration: int) -> None:
        """Copy the live arrays."""
        self.iteration = iteration
        self._arrays = {name: array.copy() for name, array in parameters.items()}

    def put_back(self, parameters: Mapping[str, np.ndarray]) -> None:
        """Write the copies into the live arrays."""
        for name, array in self._arrays.items():
            parameters[name][...] = array

    def memory(self) -> dict[str, Any]:
        """What a snapshot keeps of it."""
        arrays = {f"{_ARRAY}{name}": array for name, array in self._arrays.items()}
        return {"best_iteration": self.iteration, **arrays}

    def recall(self, memory: Mapping[str, Any], parameters: Mapping[str, np.ndarray]) -> None:
        """Take memory() of a snapshot over.

        Raises:
            SnapshotError: its parameters are not those of the program.
        """
        found = {n.removeprefix(_ARRAY): a for n, a in memory.items() if n.startswith(_ARRAY)}
        shapes = {name: (array.shape, array.dtype) for name, array in parameters.items()}
        if found and {name: (array.shape, array.dtype) for name, array in found.items()} != shapes:
            raise SnapshotError("the snapshot's best parameters belong to another net")
        iteration = memory.get("best_iteration")
        self.iteration, self._arrays = None if iteration is None else int(iteration), found
