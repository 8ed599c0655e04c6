"""The validation set of estimators: how it is drawn, what it is scored by after every epoch, and early stopping."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from mochac.api.estimators.errors import ParameterError
from mochac.base.errors import shown
from mochac.base.support.log import tell_once
from mochac.runtime.ranks.ranks import Ranks
from mochac.training.loop.coffee import CoffeeBreak, TrainingState
from mochac.training.loop.early_stopping import EarlyStopping
from mochac.training.loop.lounge import CoffeeLounge

BY_LOSS = "loss"
"""The scoring by the loss of the validation set."""


class ValidationScores(CoffeeBreak):
    """Scores the validation set after every epoch, and records the score or the loss.

    Args:
        measure: the score, for which higher is better, or with `by_loss` the loss.

    Attributes:
        name: of the statistic.
        scores: one for each epoch, higher is better: with `by_loss` the negative loss, as in scikit-learn.
    """

    every_rank = True  # what they stop by must be the same

    def __init__(self, measure: Callable[[Ranks], float], by_loss: bool) -> None:
        self._measure, self._sign = measure, -1 if by_loss else 1
        self.name = "validation loss" if by_loss else "validation score"
        self.scores: list[float] = []

    def enjoy(self, lounge: CoffeeLounge, program: Any, state: TrainingState) -> None:
        if state.iter:
            value = _number(self._measure(state.ranks))
            if math.isnan(value):
                tell_once(f"the {self.name} is NaN after epoch {state.epoch}; such an epoch is not the best one")
            self.scores.append(self._sign * value)
            lounge.record(self.name, state.iter, value)

    def stopping(self, n_iter_no_change: int, tol: float, told: bool) -> EarlyStopping:
        """The break that ends training after `n_iter_no_change` epochs without an improvement of more than `tol`."""
        higher = self._sign > 0
        made = EarlyStopping(self.name, patience=n_iter_no_change, min_delta=tol, higher_better=higher)
        made.told = told
        return made


def _number(score: Any) -> float:
    try:
        return float(score)
    except (TypeError, ValueError):
        hint = "a function (estimator, X, y) returns a number, the higher the better"
        raise ParameterError("scoring returns no number", got=shown(score), hint=hint) from None


def scorer(scoring: Any, owner: str) -> Callable[..., Any] | None:
    """A function of (estimator, X, y), perhaps with sample_weight=, for `scoring`; None: the loss.

    Raises:
        ParameterError: it is neither "loss", None, a function nor a name that scikit-learn knows.
    """
    if scoring is None:
        return _own_score
    if callable(scoring):
        return scoring
    if not isinstance(scoring, str):
        expected = "'loss', None, a name of scikit-learn's scorers or a function (estimator, X, y)"
        raise ParameterError(f"{owner}: scoring is out of range", expected=expected, got=shown(scoring))
    if scoring == BY_LOSS:
        return None
    try:
        return importlib.import_module("sklearn.metrics").get_scorer(scoring)
    except ImportError:
        rule = f"{owner}: scoring={scoring!r} is a scorer of scikit-learn, which is not installed"
        raise ParameterError(rule, hint="pip install scikit-learn") from None
    except ValueError:
        hint = "sklearn.metrics.get_scorer_names() lists them; 'loss' is the loss of the validation set"
        rule = f"{owner}: scikit-learn has no such scorer"
        raise ParameterError(rule, got=shown(scoring), hint=hint) from None


def _own_score(estimator: Any, x: Any, y: Any, sample_weight: Any = None) -> float:
    return estimator.score(x, y, sample_weight)


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
