"""Locks on what a training writes: its snapshot folders and its statistics file."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

from mochac.base.files.atomic import check_writable
from mochac.base.files.file_lock import FileLock
from mochac.nets.solvers.solver import Solver
from mochac.training.loop.coffee import Snapshot


def locked(solver: Solver) -> ExitStack:
    """Locks held until the stack is closed, so that no two trainings overwrite each other's files.

    Raises:
        SnapshotError: another training holds one of them, or a folder cannot be written.
    """
    folders = [entry.coffee.folder for entry in solver.breaks if isinstance(entry.coffee, Snapshot)]
    places = [(folder, ".snapshots.lock", f"another training saves snapshots into {folder}") for folder in folders]
    if solver.save_into:
        path = Path(solver.save_into)
        places.append((path.parent, f".{path.name}.lock", f"another training saves statistics into {path}"))
    with ExitStack() as held:
        for folder in dict.fromkeys(place[0] for place in places):
            check_writable(folder)
        for folder, name, what in {(os.path.realpath(place[0]), place[1]): place for place in places}.values():
            held.enter_context(FileLock(folder / name, what))
        return held.pop_all()
