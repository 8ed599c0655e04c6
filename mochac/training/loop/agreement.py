"""What ranks agree on, what locks and waits a training has."""

from __future__ import annotations

import hashlib
import os
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from mochac.base.files.atomic import FileLock, check_writable
from mochac.base.support.log import LOG
from mochac.nets.solvers.solver import Solver
from mochac.runtime.data.params import dotted
from mochac.training.loop.coffee import Snapshot, TrainingState
from mochac.training.loop.hypers import plain_text
from mochac.training.loop.lounge import CoffeeLounge
from mochac.training.session.session import Session


def training_facts(session: Session, solver: Solver, state: TrainingState) -> dict[str, Any]:
    """The solver, and where the training begins, by name."""
    known = {**{dotted(name): a for name, a in session.parameters().items()}, **session.slots()}
    sums = (f"{name}: checksum {_checksum(known[name])}" for name in sorted(known))
    limits = f"max_iter {solver.max_iter}, max_epoch {solver.max_epoch}"
    return {
        "solvers": f"{plain_text(solver.method)}, {limits}",
        "first iteration": state.iter,
        "places in the data": str((session.batches.position.cursor(), session.batches.rng_step)),
        "parameters": "\n".join(sums),
    }


def _checksum(array: np.ndarray) -> str:
    return hashlib.blake2b(array.tobytes(), digest_size=8).hexdigest()


def locked(solver: Solver) -> ExitStack:
    """Locks that are kept until the stack is closed, so that no two trainings overwrite each other's files.

    Raises:
        SnapshotError: another training holds one of them, or a folder cannot be written.
    """
    folders = [entry.coffee.folder for entry in solver.breaks if isinstance(entry.coffee, Snapshot)]
    places = [(folder, ".snapshots.lock", f"another training saves snapshots into {folder}") for folder in folders]
    if solver.save_into:
        path = Path(solver.save_into)
        places.append((path.parent, f".{path.name}.lock", f"another training saves statistics into {path}"))
    with ExitStack() as locks:
        for folder in dict.fromkeys(place[0] for place in places):
            check_writable(folder)
        for folder, name, what in {(os.path.realpath(place[0]), place[1]): place for place in places}.values():
            locks.enter_context(FileLock(folder / name, what))
        return locks.pop_all()


REPORTED_S = 10.0
"""A training that takes at least this many seconds says at its end how long its steps waited for data."""
SLOW_INPUT, SLOW_INPUT_S = 0.05, 0.5
"""A data layer is slow if steps waited for it for this share of the training's time, and for so many seconds."""


class Waits:
    """Counts waits from now on.

    Args:
        session: whose steps wait.
        lounge: gets the seconds, by data layer.
    """

    def __init__(self, session: Session, lounge: CoffeeLounge) -> None:
        self._session, self._lounge = session, lounge
        self._before = session.batches.position.waited()

    def count(self) -> None:
        """Write into the lounge how long steps have waited so far."""
        waited = self._session.batches.position.waited().items()
        self._lounge.waited_s = {layer: seconds - self._before.get(layer, 0.0) for layer, seconds in waited}

    def reported(self) -> float | None:
        """All waits together; None after a short training."""
        return sum(self._lounge.waited_s.values()) if self._lounge.trained_s >= REPORTED_S else None

    def warn(self) -> None:
        """Name the data layers that are slow."""
        whole = self._lounge.trained_s
        for layer, seconds in self._lounge.waited_s.items():
            if seconds >= max(SLOW_INPUT_S, SLOW_INPUT * whole):
                LOG.warning("data layer %r is slow: steps waited for it %.1f s of %.1f s", layer, seconds, whole)
