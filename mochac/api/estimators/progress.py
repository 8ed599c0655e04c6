"""Coffee breaks of estimators: EpochMetrics measures loss and accuracy, and prints them in Slugnet's table; EpochLosses
keeps the mean loss of every epoch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mochac.api.estimators.heads import ACCURACY, LOSS
from mochac.api.estimators.validation import ParameterError
from mochac.base.errors import shown
from mochac.base.support.log import BEFORE_LINE
from mochac.nets.solvers.solver import Solver
from mochac.runtime.ranks.ranks import ALONE, Ranks
from mochac.training.loop.coffee import CoffeeBreak, TrainingState
from mochac.training.loop.lounge import CoffeeLounge

Metrics = dict[str, dict[str, float]]
"""Metrics by part ("train", "val") and name ("loss", "accuracy")."""

RUNS = {"train": "train", "val": "validation"}


class EpochMetrics(CoffeeBreak):
    """Evaluates the programs for the training and the validation set.

    Args:
        programs: by part.
        columns: metrics to print; if empty, nothing is printed.

    Attributes:
        history: "epoch" -> list of epochs; part -> metric -> list of values.
        last: the latest values.
    """

    every_rank = True  # they share the batches

    def __init__(self, programs: Mapping[str, Any], columns: Sequence[str] = ()) -> None:
        self.programs, self.columns = dict(programs), tuple(columns)
        self.history: dict[str, Any] = {"epoch": [], **{part: {} for part in self.programs}}
        self.last: Metrics = {}

    def enjoy(self, lounge: CoffeeLounge, program: Any, state: TrainingState) -> None:
        if state.iter:
            self.measure(state.epoch, ranks=state.ranks)

    def measure(self, epoch: int, again: bool = False, ranks: Ranks = ALONE) -> None:
        """Evaluate, unless this epoch has been evaluated; with `again` replace its values."""
        if epoch in self.history["epoch"][-1:]:
            if not again:
                return
            for values in (self.history["epoch"], *(v for part in self.programs for v in self.history[part].values())):
                values.pop()
        self.last = {part: measured(program, ranks) for part, program in self.programs.items()}
        self.history["epoch"].append(epoch)
        for part, metrics in self.last.items():
            for name, value in metrics.items():
                self.history[part].setdefault(name, []).append(value)
        if self.columns:
            for before in BEFORE_LINE:
                before()
            print(grid(self.last, epoch, self.columns), flush=True)


class EpochLosses(CoffeeBreak):
    """The mean loss of each epoch's batches.

    Args:
        count: samples of an epoch.
        batch_size: samples per step, which wrap around at the end of the data: a step belongs to the epoch of its first
            sample.
    """

    every_rank = True

    def __init__(self, count: int, batch_size: int) -> None:
        self._count, self._batch = count, batch_size
        self._losses: list[np.ndarray] = []

    def after_steps(self, first: int, losses: np.ndarray) -> None:
        self._losses.append(np.array(losses, np.float64))

    def means(self) -> list[float]:
        """One for each epoch.

        >>> losses = EpochLosses(4, 2)
        >>> losses.after_steps(0, np.array([3.0, 1.0, 1.0]))
        >>> losses.means()
        [2.0, 1.0]
        """
        losses = np.concatenate(self._losses) if self._losses else np.zeros(0)
        epochs = np.arange(len(losses)) * self._batch // self._count
        sums, counts = np.bincount(epochs, losses), np.bincount(epochs)
        return (sums / np.maximum(counts, 1)).tolist()


def measured(program: Any, ranks: Ranks = ALONE) -> dict[str, float]:
    """Loss, and accuracy of a classifier, over one exact pass."""
    means = program.evaluation(ranks=ranks).means()
    accuracy = {ACCURACY: means[f"{ACCURACY}-accuracy"]} if f"{ACCURACY}-accuracy" in means else {}
    return {LOSS: means[LOSS], **accuracy}


def grid(metrics: Metrics, epoch: int, columns: Sequence[str]) -> str:
    """The table of one epoch.

    >>> print(grid({"train": {"loss": 0.25}, "val": {"loss": 0.5}}, 3, ["loss"]))
    +------------+---------+--------+
    | run        |   epoch |   loss |
    +============+=========+========+
    | train      |       3 |   0.25 |
    +------------+---------+--------+
    | validation |       3 |    0.5 |
    +------------+---------+--------+
    """
    head = ["run", "epoch", *columns]
    rows = [
        [RUNS[part], str(epoch), *(f"{values[c]:.6g}" if c in values else "" for c in columns)]
        for part, values in metrics.items()
    ]
    widths = [max(len(row[k]) for row in [*rows, head]) + (2 if k else 0) for k in range(len(head))]
    rule = "+" + "+".join("-" * (w + 2) for w in widths) + "+"

    def line(row: list[str]) -> str:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))]
        return "| " + " | ".join(cells) + " |"

    body = [text for row in rows for text in (line(row), rule)]
    return "\n".join([rule, line(head), rule.replace("-", "="), *body])


def add_callbacks(solver: Solver, callbacks: Any, owner: str) -> None:
    """Add coffee breaks, each run after every epoch, or as (break, n) every n iterations.

    Raises:
        OptionError, ParameterError: they are not a list of coffee breaks.
    """
    if not isinstance(callbacks, (list, tuple)):
        hint = "write callbacks=[...]"
        raise ParameterError(f"{owner}: callbacks are not a list", got=shown(callbacks), hint=hint)
    for callback in callbacks:
        coffee, n_iter = callback if isinstance(callback, tuple) and len(callback) == 2 else (callback, 0)
        solver.add_coffee_break(coffee, every_n_iter=n_iter, every_n_epoch=0 if n_iter else 1)
