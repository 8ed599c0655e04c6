"""What an estimator does with the samples it holds back: a score after every epoch, and an end when it stops rising.

Estimators add these breaks to their solver's. The rule of the end is EarlyStopping's, under scikit-learn's names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mochac.runtime.training.coffee import CoffeeBreak, TrainingState
from mochac.runtime.training.early_stopping import EarlyStopping
from mochac.runtime.training.lounge import CoffeeLounge

STATISTIC = "validation score"


class ValidationScores(CoffeeBreak):
    """Scores the held-back samples x whenever it is due.

    Args:
        blob: the net's output.
        score: of the output for x, higher is better.

    Attributes:
        scores: one an epoch.
    """

    def __init__(self, x: np.ndarray, blob: str, score: Callable[[np.ndarray], float]) -> None:
        self._x, self._blob, self._score = x, blob, score
        self.scores: list[float] = []

    def enjoy(self, lounge: CoffeeLounge, program: Any, state: TrainingState) -> None:
        if state.iter:
            self.scores.append(self._score(program.predict(self._x, self._blob)))
            lounge.record(STATISTIC, state.iter, self.scores[-1])


def stopping(n_iter_no_change: int, tol: float, told: bool) -> EarlyStopping:
    """Ends a training after so many epochs without a gain of more than `tol`, and puts the best parameters back."""
    made = EarlyStopping(STATISTIC, patience=n_iter_no_change, min_delta=tol, higher_better=True)
    made.told = told
    return made
