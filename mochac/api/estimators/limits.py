"""Limits of the parameters of estimators."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np

from mochac.api.estimators.errors import ParameterError
from mochac.base.errors import shown

Limit = tuple[type, str, Callable[[Any], bool]]
"""A type, what is expected in words, and whether a value of the type is within the limits."""

_COUNT: Limit = (Integral, "an integer >= 1", lambda v: v >= 1)
_SMALL: Limit = (Real, "a finite number >= 0", lambda v: 0 <= v < math.inf)
_LIMITS: dict[str, Limit] = {
    **dict.fromkeys(("batch_size", "max_epoch", "log_interval", "n_iter_no_change"), _COUNT),
    "validation_split": (Real, "a number >= 0 and < 1", lambda v: 0 <= v < 1),
    "verbose": (Integral, "an integer >= 0", lambda v: v >= 0),
    "tol": _SMALL,
    "regu_coef": _SMALL,
    "precision": (str, "'float32', 'tf32' or 'bfloat16'", lambda v: v in ("float32", "tf32", "bfloat16")),
    "dtype": (str, "'float32' or 'float64'", lambda v: v in ("float32", "float64")),
}
_SEED: Limit = (Integral, "an integer >= 0 and < 2**64", lambda v: 0 <= v < 2**64)


def check_parameters(owner: str, given: Mapping[str, Any]) -> int:
    """Check the attributes of an estimator, except for layers, method and loss; returns the seed of its programs.

    Raises:
        ParameterError: one is out of range.
    """
    for name, limit in _LIMITS.items():
        _check(owner, name, given[name], limit)
    stopping = given["early_stopping"]
    if not isinstance(stopping, (bool, np.bool_)):
        raise ParameterError(f"{owner}: early_stopping is out of range", expected="True or False", got=shown(stopping))
    seed = _seed(given["random_state"], given["seed"])
    _check(owner, "seed", seed, _SEED)
    return seed


def _check(owner: str, name: str, value: Any, limit: Limit) -> None:
    kind, expected, legal = limit
    if isinstance(value, bool) or not isinstance(value, kind) or not legal(value):
        raise ParameterError(f"{owner}: {name} is out of range", expected=expected, got=shown(value))


def _seed(random_state: Any, seed: int) -> int:
    """The seed of the program: random_state if given (a number, or a generator that draws one), else `seed`."""
    if random_state is None:
        return seed
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    return random_state
