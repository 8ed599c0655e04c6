"""Errors of estimators: arguments, limits and the split for validation.

Errors of estimators: mochac's own, which are also the built-in or scikit-learn errors that users expect.

scikit-learn is never imported: its classes are used only if it is loaded, since otherwise nobody can catch them.
"""

from __future__ import annotations

import importlib
import math
import sys
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from mochac.base.errors import DataError, OptionError, shown
from mochac.base.options import PRECISIONS
from mochac.base.rules import SEED, boolean, choice, float_type, integer, real
from mochac.base.support.log import tell_once
from mochac.runtime.ranks.ranks import Ranks
from mochac.training.loop.coffee import CoffeeBreak, TrainingState
from mochac.training.loop.lounge import CoffeeLounge
from mochac.training.loop.tracking import EarlyStopping


class InputError(DataError, ValueError):
    """X or y cannot be used; also a ValueError, as in scikit-learn.

    >>> print(InputError("Input X contains NaN.").report)
    InputError: Input X contains NaN.
    """


class InputTypeError(InputError, TypeError):
    """X holds something that is not a number; also a TypeError."""


class ParameterError(OptionError, ValueError):
    """A parameter of an estimator is out of range; also a ValueError."""


def not_fitted(estimator: object) -> OptionError:
    """The error of a method that needs fit() first; also scikit-learn's NotFittedError if that is loaded."""
    name = type(estimator).__name__
    theirs = _loaded("NotFittedError")
    base: Any = ParameterError if theirs is None else type("NotFittedError", (OptionError, theirs), {})
    return base(f"this {name} is not fitted yet", hint="call fit(X, y) first")


def conversion_warning() -> type[Warning]:
    """scikit-learn's DataConversionWarning if it is loaded, else UserWarning."""
    return _loaded("DataConversionWarning") or UserWarning


def _loaded(name: str) -> Any:
    return getattr(sys.modules.get("sklearn.exceptions"), name, None)


_RULES = {
    **dict.fromkeys(("batch_size", "max_epoch", "log_interval", "n_iter_no_change"), integer(1)),
    "validation_split": real(0, below=1),
    "verbose": integer(0),
    "tol": real(0),
    "regu_coef": real(0),
    "precision": choice(*PRECISIONS),
    "dtype": float_type(),
    "early_stopping": boolean(),
}


def check_parameters(owner: str, values: Mapping[str, Any]) -> int:
    """Check the attributes of an estimator, except for layers, method and loss; returns the seed of its programs.

    Raises:
        ParameterError: one is out of range.
    """
    for name, rule in _RULES.items():
        rule.check(name, values[name], owner, ParameterError)
    return SEED.check("seed", _seed(values["random_state"], values["seed"]), owner, ParameterError)


def _seed(random_state: Any, seed: int) -> int:
    """The seed of the program: random_state if it is set (a number, or a generator that draws one), else `seed`."""
    if random_state is None:
        return seed
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    return random_state


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

    def stopping(self, n_iter_no_change: int, tol: float, verbose: bool) -> EarlyStopping:
        """The break that ends training after `n_iter_no_change` epochs without an improvement of more than `tol`."""
        higher = self._sign > 0
        stopping = EarlyStopping(self.name, patience=n_iter_no_change, min_delta=tol, higher_better=higher)
        stopping.verbose = verbose
        return stopping


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
    validation = np.zeros(count, bool)
    for stratum in np.unique(strata) if share else ():
        members = order[strata[order] == stratum]
        validation[members[: int(len(members) * share)]] = True
    return order[~validation[order]], order[validation[order]]
