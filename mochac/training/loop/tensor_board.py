"""TensorBoard: a coffee break that writes the numbers of a training where TensorBoard finds them."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from mochac.base.errors import OptionError, shown
from mochac.base.files.event_file import EventFile
from mochac.training.loop.coffee import CoffeeBreak, TrainingState
from mochac.training.loop.lounge import CoffeeLounge

FLOAT32_MAX = float(np.finfo(np.float32).max)


class TensorBoard(CoffeeBreak):
    """Writes event files into a folder, for `tensorboard --logdir FOLDER`; TensorBoard itself need not be installed.

    Each time, it writes what is known of the iteration ("obj_val", "learning_rate", "momentum", losses by their layers)
    and what other breaks recorded for it, such as "test-accuracy-accuracy" or norms of parameters: add it after them.
    Every training has a file of its own, so a resumed one continues the curves.

    Args:
        logdir: the folder, made if it does not exist. Trainings to be compared have folders of their own beside each
            other.

    Raises:
        OptionError: a bad argument. SnapshotError: the file cannot be written.

    >>> solver.add_coffee_break(TensorBoard("runs/lenet"), every_n_iter=100)  # doctest: +SKIP
    """

    def __init__(self, logdir: str | os.PathLike[str]) -> None:
        if not isinstance(logdir, (str, os.PathLike)) or not os.fspath(logdir):
            raise OptionError("TensorBoard: logdir is not a path", got=shown(logdir))
        self.logdir = os.fspath(logdir)
        self._file: EventFile | None = None

    def init(self, program: Any) -> None:
        """Begin a file."""
        self._file = EventFile(self.logdir)

    def enjoy(self, lounge: CoffeeLounge, program: Any, state: TrainingState) -> None:
        """Write the numbers of this iteration."""
        known = {name: value for name, value in state.named().items() if value is not None and name != "iter"}
        recorded = {name: rows[state.iter] for name, rows in lounge.statistics.items() if state.iter in rows}
        if self._file is not None:
            self._file.add(state.iter, {name: _single(value) for name, value in {**known, **recorded}.items()})

    def destroy(self, program: Any) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
        self._file = None


def _single(value: float) -> float:
    """The number as float32 holds it: infinite beyond its range, as a cast would make it."""
    return value if not abs(value) > FLOAT32_MAX else float(np.copysign(np.inf, value))
