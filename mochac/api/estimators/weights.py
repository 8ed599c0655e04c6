"""Weights of samples: those that fit() is given, and those of their classes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from mochac.api.estimators.samples import numbers, require_finite
from mochac.api.estimators.validation import InputError, ParameterError
from mochac.base.errors import shown
from mochac.base.registry import suggestion

WEIGHT = "weight"
"""The blob of the weights."""


def sample_weights(given: Any, count: int) -> np.ndarray | None:
    """sample_weight of fit() as (num,) float64; None for none.

    Raises:
        InputError: another length, negative or not finite numbers, or none above zero.

    >>> sample_weights([1, 0, 2], 3).tolist()
    [1.0, 0.0, 2.0]
    """
    if given is None:
        return None
    weights = numbers(given, "sample_weight").astype(np.float64)
    if weights.shape != (count,):
        raise InputError("sample_weight must be one number per sample", expected=f"({count},)", got=str(weights.shape))
    require_finite(weights, "sample_weight")
    if (weights < 0).any():
        first = int(np.argmax(weights < 0))
        raise InputError("sample_weight must not be negative", got=f"{weights[first]:g}, of sample {first}")
    if not weights.any():
        raise InputError("all of sample_weight are zero: there is no sample to learn from")
    return weights


def class_weights(given: Any, classes: np.ndarray, codes: np.ndarray, owner: str) -> np.ndarray | None:
    """The weight of each class: "balanced": num / (classes * samples of the class); a dictionary: as it says, 1 for
    classes that it does not name; None: none.

    Raises:
        ParameterError: something else, a weight that is no number >= 0, or a class that y does not have.

    >>> class_weights("balanced", np.array([4, 7]), np.array([0, 0, 0, 1]), "Net").round(2).tolist()
    [0.67, 2.0]
    """
    if given is None:
        return None
    if isinstance(given, str) and given == "balanced":
        counts = np.bincount(codes, minlength=len(classes))
        return len(codes) / (len(classes) * counts)
    if not isinstance(given, Mapping):
        expected = "None, 'balanced' or {class: weight}"
        raise ParameterError(f"{owner}: class_weight is out of range", expected=expected, got=shown(given))
    return _table(given, classes, owner)


def _table(given: Mapping[Any, Any], classes: np.ndarray, owner: str) -> np.ndarray:
    known = {label: k for k, label in enumerate(classes.tolist())}
    table = np.ones(len(classes))
    for label, weight in given.items():
        if label not in known:
            close = suggestion(str(label), [str(c) for c in known])
            hint = f"did you mean {_written(known, close)}?" if close else ""
            listed = ", ".join(map(repr, known))
            raise ParameterError(
                f"{owner}: class_weight names no class of y", expected=listed, got=shown(label), hint=hint
            )
        try:
            table[known[label]] = weight
        except (TypeError, ValueError):
            table[known[label]] = -1
        if not 0 <= table[known[label]] < np.inf:
            got = f"{weight!r} for {label!r}"
            raise ParameterError(f"{owner}: class_weight is out of range", expected="numbers >= 0", got=got)
    return table


def _written(labels: Iterable[Any], text: str) -> str:
    """The label that reads like this, so that 0 and '0' can be told apart."""
    label = next(label for label in labels if str(label) == text)
    return repr(label) if isinstance(label, str) else f"{label!r}, of type {type(label).__name__}"


def product(weights: np.ndarray, *more: np.ndarray | None) -> np.ndarray:
    """The product of those that are given."""
    return np.prod([weights, *(w for w in more if w is not None)], axis=0)


def weighted_mean(values: np.ndarray, weights: np.ndarray | None) -> float:
    """The mean over the first axis, and then over all others."""
    return float(np.average(values, axis=0, weights=weights).mean())
