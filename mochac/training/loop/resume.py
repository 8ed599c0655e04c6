"""Where a training starts: anew, from a snapshot or a model file, after updates of another library, or after the last
training of its session, whose state save_last() writes. What ranks compare there, and the files that it locks.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from mochac.base.errors import NumericError, OptionError, SnapshotError
from mochac.base.files.array_files import is_safetensors
from mochac.base.files.atomic import FileLock, check_writable
from mochac.base.support.log import LOG, tell_once
from mochac.base.support.memory import first_not_finite
from mochac.nets.solvers.solver import Solver
from mochac.runtime.data.params import dotted
from mochac.training.loop.breaks import TrainingMemory
from mochac.training.loop.coffee import Memory, Snapshot, TrainingState
from mochac.training.loop.hypers import plain_text
from mochac.training.loop.lounge import CoffeeLounge
from mochac.training.loop.snapshot import (
    SavedState,
    check_arrays,
    flat_metadata,
    is_snapshot,
    newest_snapshot,
    read_snapshot,
    write_flat,
)
from mochac.training.session.session import LastTraining, Session
from mochac.training.session.state_dict import fill_slots


def start(
    session: Session,
    solver: Solver,
    state: TrainingState,
    memory: TrainingMemory,
    lounge: CoffeeLounge,
    earlier: LastTraining | None,
) -> Memory | None:
    """Bring everything into the state in which a training starts.

    Args:
        state: of iteration 0.
        earlier: the training that it continues; None: it starts where the solver says.

    Returns:
        What breaks remember, for TrainingMemory.recall_breaks; None where the training begins at iteration 0.
    """
    if earlier is not None:
        for name, rows in earlier.statistics.items():
            lounge.statistics[name] = {**lounge.statistics.get(name, {}), **rows}
        memory.recall(earlier.memory, session)
        _set(state, session, earlier.iteration, earlier.start_epoch)
        return earlier.memory
    saved = saved_state(solver.load_from, session)
    if saved is None:
        _take_over(session, solver, state)
        return None
    check(saved, session, state.method)
    memory.recall(saved.memory, session)
    memory.recall_statistics(saved.memory)
    restore(saved, session, solver.progress)
    _set(state, session, saved.iteration, saved.start_epoch)
    return saved.memory


def _take_over(session: Session, solver: Solver, state: TrainingState) -> None:
    """Begin with the state of another library's optimizer, if the solver has one."""
    begun = solver.begun
    if begun is None:
        return
    if begun.slots:
        with session.writing:
            fill_slots(session.slots(), begun.slots, session.net, session.params)
    _set(state, session, begun.iteration, state.start_epoch)
    if solver.progress:
        LOG.info("training begins after %d updates of %s", begun.iteration, state.method)


def _set(state: TrainingState, session: Session, iteration: int, start_epoch: int) -> None:
    state.iter, state.start_epoch = iteration, start_epoch
    state.epoch = session.batches.position.epoch - start_epoch


def saved_state(load_from: str, session: Session) -> SavedState | None:
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


def check(saved: SavedState, session: Session, method: str) -> None:
    """Raise SnapshotError unless a program in training with `method` can continue from a snapshot."""
    if saved.method != method:
        raise SnapshotError(f"{saved.path} was written by another solver", expected=method, got=saved.method)
    check_arrays(session.parameters(), saved.parameters, "parameters", saved.path)
    check_arrays(session.slots(), saved.slots, "solver slots", saved.path)


def restore(saved: SavedState, session: Session, logs: bool = True) -> None:
    """Bring a program into the state of a snapshot that has passed check(); `logs`: say so."""
    _warn_of_differences(saved, session)
    position = session.batches.position
    if saved.flat:
        position.seek(saved.rng_step)
    else:
        position.set_cursor(saved.cursor)
    with session.writing:
        for arrays, values in ((session.parameters(), saved.parameters), (session.slots(), saved.slots)):
            for name, array in arrays.items():
                array[...] = values[name]
    session.batches.rng_step = saved.rng_step
    if logs:
        LOG.info("resumed from %s at iteration %d", saved.path, saved.iteration)


def save_last(session: Session, path: Path) -> None:
    """Write the parameters and the state of the last training to a flat snapshot, from which `load_from` continues.

    Raises:
        OptionError: there was no training; another ending than .safetensors.
    """
    last = session.last_training
    if last is None or not is_safetensors(path):
        rule = "save(training=True) writes the state of the last training to a .safetensors file"
        got = f"no training by train(), or one that failed, since {session.name!r} was compiled or loaded"
        raise OptionError(rule, got=got if last is None else str(path))
    metadata = flat_metadata(session.name, last.method, tuple(session.update.method.policies()))
    hypers = {name: value for name, value in last.memory.get("hypers", {}).items() if f"hyper {name}" in metadata}
    with session.lock:
        numbers = last.iteration, session.batches.rng_step
        write_flat(path, session.parameters(), session.slots(), metadata, numbers, hypers)


def tell_of_resume(session: Session, last: LastTraining) -> None:
    """Log that a second train() starts at iteration 0, since some expect it to continue the first."""
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


def _warn_of_differences(saved: SavedState, session: Session) -> None:
    """Warn of another seed, precision, number of parts or algorithm: it is legal, but sums round differently.
    (Parameters and slots are float32 in every precision.)"""
    plans, path = session.plans, saved.path
    if saved.seed not in (None, session.seed):
        words = "%s was written with seed %d, this program has seed %d: shuffling and dropout will differ"
        LOG.warning(words, path, saved.seed, session.seed)
    if saved.parts not in (None, plans.parts):
        words = "%s was written with batches in %s, this training has %s: last bits will differ; parts=%d continues it"
        LOG.warning(words, path, _parts(saved.parts or 1), _parts(plans.parts), saved.parts)
    if saved.convolutions not in (None, plans.convolutions):
        words = "%s was written with convolutions=%r, this training has %r: last bits may differ"
        LOG.warning(words, path, saved.convolutions, plans.convolutions)
    if saved.precision not in (None, plans.options.precision):
        words = "%s was written with precision=%r, this training has %r: products round otherwise"
        LOG.warning(words, path, saved.precision, plans.options.precision)


def _parts(n: int) -> str:
    return f"{n} part{'s' * (n > 1)}"


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
