"""The validation set of estimators: how it is drawn, a score after every epoch, and early stopping."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mochac.runtime.training.coffee import CoffeeBreak, TrainingState
from mochac.runtime.training.early_stopping import EarlyStopping
from mochac.runtime.training.lounge import CoffeeLounge

STATISTIC = "validation score"


class ValidationScores(CoffeeBreak):
    """Scores the validation set `x` after every epoch.

    Args:
        blob: the output of the net.
        score: from the output for x to a number, higher is better.

    Attributes:
        scores: one for each epoch.
    """

    every_rank = True  # what they stop by must be the same

    def __init__(self, x: np.ndarray, blob: str, score: Callable[[np.ndarray], float]) -> None:
        self._x, self._blob, self._score = x, blob, score
        self.scores: list[float] = []

    def enjoy(self, lounge: CoffeeLounge, program: Any, state: TrainingState) -> None:
        if state.iter:
            self.scores.append(self._score(program.predict(self._x, self._blob)))
            lounge.record(STATISTIC, state.iter, self.scores[-1])


def stopping(n_iter_no_change: int, tol: float, told: bool) -> EarlyStopping:
    """The break that ends training after `n_iter_no_change` epochs without an improvement of more than `tol`."""
    made = EarlyStopping(STATISTIC, patience=n_iter_no_change, min_delta=tol, higher_better=True)
    made.told = told
    return made


def split(count: int, share: float, strata: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Indices of the training and validation sets, drawn with `seed`: the share of each stratum, rounded down.

    >>> train, val = split(5, 0.4, np.zeros(5, int), 0)
    >>> len(train), len(val), sorted([*train.tolist(), *val.tolist()])
    (3, 2, [0, 1, 2, 3, 4])
    """
    order = np.random.default_rng(seed).permutation(count)
    held = np.zeros(count, bool)
    for stratum in np.unique(strata) if share else ():
        members = order[strata[order] == stratum]
        held[members[: int(len(members) * share)]] = True
    return order[~held[order]], order[held[order]]
