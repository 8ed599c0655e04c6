"""What ranks that train together must agree on, besides the facts of their sessions."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from mochac.nets.solvers.solver import Solver
from mochac.runtime.data.params import dotted
from mochac.training.loop.coffee import TrainingState
from mochac.training.loop.hypers import plain_text
from mochac.training.loop.trainable import Trainable


def training_facts(session: Trainable, solver: Solver, state: TrainingState) -> dict[str, Any]:
    """The solver, and where the training begins, by name."""
    known = {**{dotted(name): a for name, a in session.parameters().items()}, **session.slots()}
    sums = (f"{name}: checksum {_checksum(known[name])}" for name in sorted(known))
    limits = f"max_iter {solver.max_iter}, max_epoch {solver.max_epoch}"
    return {
        "solvers": f"{plain_text(solver.method)}, {limits}",
        "first iteration": state.iter,
        "places in the data": str((session.cursor(), session.rng_step)),
        "parameters": "\n".join(sums),
    }


def _checksum(array: np.ndarray) -> str:
    return hashlib.blake2b(array.tobytes(), digest_size=8).hexdigest()
