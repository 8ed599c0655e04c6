"""Where a training starts: from a snapshot, from a model file, or after the last training of its session."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from mochac.base.errors import NumericError, SnapshotError
from mochac.base.support.log import LOG, tell_once
from mochac.base.support.memory import first_not_finite
from mochac.training.loop.snapshot import SavedState, check_arrays, is_snapshot, newest_snapshot, read_snapshot
from mochac.training.loop.trainable import LastTraining, Trainable


def saved_state(load_from: str, session: Trainable) -> SavedState | None:
    """The snapshot that a solver's `load_from` names, or the newest one in the folder that it names.

    None where training starts at iteration 0. If `load_from` names a model file, its parameters are loaded.
    """
    if not load_from:
        return None
    path = Path(load_from)
    is_folder = os.path.isdir(path) or (not path.suffix and not os.path.exists(path))
    if is_folder:  # the first Snapshot break may make it
        found = newest_snapshot(path) if os.path.isdir(path) else None
        if found is None:
            LOG.info("no snapshot in %s: training starts at iteration 0", path)
        return found
    if is_snapshot(path):
        return read_snapshot(path)
    session.load(str(path))
    return None


def check(saved: SavedState, session: Trainable, method: str) -> None:
    """Raise SnapshotError unless a program in training with `method` can continue from a snapshot."""
    if saved.method != method:
        raise SnapshotError(f"{saved.path} was written by another solver", expected=method, got=saved.method)
    check_arrays(session.parameters(), saved.parameters, "parameters", saved.path)
    check_arrays(session.slots(), saved.slots, "solver slots", saved.path)


def restore(saved: SavedState, session: Trainable, told: bool = True) -> None:
    """Bring a program into the state of a snapshot that has passed check(); `told`: log it."""
    _compare_seeds(saved, session)
    _compare_parts(saved, session)
    _compare_convolutions(saved, session)
    _compare_precisions(saved, session)
    if saved.flat:
        session.seek(saved.rng_step)
    else:
        session.set_cursor(saved.cursor)
    with session.writing:
        for arrays, values in ((session.parameters(), saved.parameters), (session.slots(), saved.slots)):
            for name, array in arrays.items():
                array[...] = values[name]
    session.rng_step = saved.rng_step
    if told:
        LOG.info("resumed from %s at iteration %d", saved.path, saved.iteration)


def tell_of_resume(session: Trainable, last: LastTraining) -> None:
    """Say that a second train() starts again, since some expect it to continue the first."""
    if last.iteration and session.slots():
        words = f"program {session.name!r}: {last.method} starts again at iteration 0 with a new state"
        tell_once(f"{words}; train(..., resume=True) continues from iteration {last.iteration}")


def require_finite_parameters(parameters: Mapping[str, np.ndarray]) -> None:
    """Check the parameters at the start: a loss of NaN in the first step would be blamed on the learning rate."""
    bad = first_not_finite(parameters)
    if bad is not None:
        raise NumericError(
            f"parameter {bad.name} holds NaN or an infinity before training",
            hint="they were loaded or assigned, or an earlier training diverged; load or assign other values",
        )


def _compare_seeds(saved: SavedState, session: Trainable) -> None:
    """Another seed is legal, but no longer the same run."""
    if saved.seed not in (None, session.seed):
        words = "%s was written with seed %d, this program has seed %d: shuffling and dropout will differ"
        LOG.warning(words, saved.path, saved.seed, session.seed)


def _compare_parts(saved: SavedState, session: Trainable) -> None:
    """Other parts are legal, but sums over the batch round otherwise."""
    if saved.parts not in (None, session.parts):
        words = "%s was written with batches in %s, this training has %s: last bits will differ; parts=%d continues it"
        LOG.warning(words, saved.path, _parts(saved.parts or 1), _parts(session.parts), saved.parts)


def _compare_convolutions(saved: SavedState, session: Trainable) -> None:
    """Other algorithms are legal, but round otherwise."""
    if saved.convolutions not in (None, session.convolutions):
        words = "%s was written with convolutions=%r, this training has %r: last bits may differ"
        LOG.warning(words, saved.path, saved.convolutions, session.convolutions)


def _compare_precisions(saved: SavedState, session: Trainable) -> None:
    """Another precision is legal: parameters and slots are float32 in all of them."""
    if saved.precision not in (None, session.precision):
        words = "%s was written with precision=%r, this training has %r: products round otherwise"
        LOG.warning(words, saved.path, saved.precision, session.precision)


def _parts(n: int) -> str:
    return f"{n} part{'s' * (n > 1)}"
