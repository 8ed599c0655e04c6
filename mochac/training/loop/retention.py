"""The best value of a statistic, and which snapshots are kept.

The best value of a statistic: which direction is better, and a copy of the parameters at the best validation so
far.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from mochac.base.errors import OptionError, SnapshotError, shown
from mochac.base.records import record
from mochac.base.registry import misspelt
from mochac.base.rules import boolean, integer, or_none
from mochac.base.support.log import LOG
from mochac.nets.solvers.policies import STATISTIC
from mochac.training.loop.snapshot import recalling, snapshot_path
from mochac.training.session.session import Session

_ARRAY = "best/"


def higher_is_better(statistic: str, chosen: bool | None) -> bool:
    """Whether higher values of a statistic are better: as `chosen`, else if its name ends in "accuracy".

    >>> higher_is_better("test-accuracy-accuracy", None), higher_is_better("obj_val", None)
    (True, False)
    """
    return statistic.endswith("accuracy") if chosen is None else bool(chosen)


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

    def put_back(self, session: Session) -> None:
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


@record
class Written:
    """The snapshots that a training has written and not removed, and the best one with its value."""

    iterations: tuple[int, ...] = ()
    best: int | None = None
    value: float | None = None


class Retention:
    """Chooses among the snapshots that a training has written; files of other trainings are left alone.

    Args:
        folder: of the snapshots.
        keep_last: number of snapshots, >= 1; None: all of them, or 1 with `keep_best`.
        keep_best: name of a statistic; "" for none.
        higher_better: whether higher values are better; None: if the name ends in "accuracy".

    Attributes:
        written: see Written.
    """

    def __init__(self, folder: Path, keep_last: int | None, keep_best: str, higher_better: bool | None) -> None:
        self._folder: Path = folder
        self._statistic: str = STATISTIC.check("keep_best", keep_best, "Snapshot") if keep_best != "" else ""
        keep_last = or_none(integer(1)).check("keep_last", keep_last, "Snapshot")
        higher_better = or_none(boolean()).check("higher_better", higher_better, "Snapshot")
        if higher_better is not None and not keep_best:
            expected = "keep_best, to which it belongs"
            raise OptionError("Snapshot: higher_better is out of place", expected=expected, got=shown(higher_better))
        self._n_last = 1 if keep_best and keep_last is None else keep_last
        self._higher_better = higher_is_better(keep_best, higher_better)
        self.written = Written()

    @property
    def active(self) -> bool:
        """Whether anything is ever removed."""
        return self._n_last is not None

    def add(self, iteration: int, known: Mapping[str, float | None], recorded: Collection[str]) -> None:
        """Count a snapshot that is about to be written.

        Args:
            known: numbers of this iteration, by name.
            recorded: names of the statistics that have been recorded so far.

        Raises:
            OptionError: nothing has recorded the statistic.
        """
        before, value = self.written, known.get(self._statistic)
        if self._statistic and iteration and value is None and before.best is None and self._statistic not in recorded:
            raise _unknown(self._statistic, {*known, *recorded})
        iterations = (*(k for k in before.iterations if k < iteration), iteration)
        best = (iteration, float(value)) if value is not None and self._improves(value) else (before.best, before.value)
        self.written = Written(iterations, *best)

    def remove(self) -> None:
        """Remove the files that are no longer kept; one that cannot be removed is logged."""
        if self._n_last is None:
            return
        kept = {*self.written.iterations[-self._n_last :], self.written.best}
        for iteration in self.written.iterations:
            if iteration not in kept:
                try:
                    snapshot_path(self._folder, iteration).unlink(missing_ok=True)
                except OSError as error:
                    LOG.warning("a snapshot that is no longer kept cannot be removed: %s", error)
        self.written = replace(self.written, iterations=tuple(k for k in self.written.iterations if k in kept))

    def memory(self) -> dict[str, Any]:
        """Its state, for snapshots."""
        written = self.written
        iterations = " ".join(map(str, written.iterations))
        return {"statistic": self._statistic, "iterations": iterations, "best": written.best, "value": written.value}

    def recall(self, memory: Mapping[str, Any], program: Any) -> None:
        """Restore the state from memory(); the best snapshot only if it was chosen by the same statistic."""
        with recalling("Snapshot"):
            iterations = tuple(int(word) for word in str(memory["iterations"]).split())
            if memory["statistic"] == self._statistic and memory["best"] is not None:
                self.written = Written(iterations, int(memory["best"]), float(memory["value"]))
            else:
                self.written = Written(iterations)

    def _improves(self, value: float) -> bool:
        best = self.written.value
        if best is None or math.isnan(value):
            return not math.isnan(value)
        return value > best if self._higher_better else value < best


def _unknown(statistic: str, known: set[str]) -> OptionError:
    hint = misspelt(statistic, known, "add the break that records it, such as ValidationPerformance(test)")
    details = [f"recorded so far: {' '.join(sorted(known)) or 'nothing'}"]
    return OptionError(f"Snapshot: no statistic {statistic!r}", details=details, hint=hint)
