"""class_weight for samples with several labels: weights in the loss, for every label of those without and with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mochac.api.estimators.errors import ParameterError
from mochac.base.errors import shown
from mochac.nets.layers.base import Layer
from mochac.nets.layers.config import at

EXPECTED = "None, 'balanced' or a list with {0: weight, 1: weight} for each label"


def weighed(loss: Layer, given: Any, codes: np.ndarray, owner: str, *, mean_one: bool) -> Layer:
    """The loss, with `weights` and `pos_weight` of the labels.

    Args:
        given: class_weight. "balanced": num / (2 * samples without, or with, the label); a list of dictionaries, one
            for each label, with 1 for what one does not name.
        codes: (num, labels), 0 and 1.
        mean_one: scale the weights so that their mean over all samples and labels is 1.

    Raises:
        ParameterError: something else, another number of dictionaries, or a loss without such weights.
    """
    without, there = _balanced(codes) if _is_balanced(given) else _tables(given, codes.shape[1], owner)
    _require_fields(loss, owner)
    if mean_one:
        scale = np.where(codes != 0, there, without).mean()
        without, there = without / scale, there / scale
    return loss.replace(weights=without, pos_weight=there / without)


def _is_balanced(given: Any) -> bool:
    return isinstance(given, str) and given == "balanced"


def _balanced(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    counts = np.stack([(codes == 0).sum(axis=0), (codes != 0).sum(axis=0)])
    weights = np.where(counts, len(codes) / (2 * np.maximum(counts, 1)), 1.0)
    return weights[0], weights[1]


def _tables(given: Any, count: int, owner: str) -> tuple[np.ndarray, np.ndarray]:
    if not isinstance(given, (list, tuple)) or not all(isinstance(each, Mapping) for each in given):
        hint = "class_weight=[{1: 5}, {}, {}] counts samples with the first of three labels five times"
        rule = f"{owner}: class_weight is out of range for samples with several labels"
        raise ParameterError(rule, expected=EXPECTED, got=shown(given), hint=hint)
    if len(given) != count:
        rule = f"{owner}: class_weight has another number of labels than y"
        raise ParameterError(rule, expected=str(count), got=str(len(given)))
    weights = np.ones((2, count))
    for label, each in enumerate(given):
        for key, weight in each.items():
            if key not in (0, 1):
                rule = f"{owner}: class_weight of label {label} names neither 0 nor 1"
                raise ParameterError(rule, expected="0, without it, and 1, with it", got=shown(key))
            weights[int(key), label] = _checked(weight, int(key), label, owner)
    return weights[0], weights[1]


def _checked(weight: Any, key: int, label: int, owner: str) -> float:
    known = isinstance(weight, (int, float, np.number)) and not isinstance(weight, bool)
    if known and np.isfinite(weight) and weight >= 0 and (key or weight > 0):
        return float(weight)
    expected = "a number >= 0" if key else "a number > 0"
    got = f"{weight!r} for {key}"
    raise ParameterError(f"{owner}: class_weight of label {label} is out of range", expected=expected, got=got)


def _require_fields(loss: Layer, owner: str) -> None:
    known = [getattr(loss, name, None) for name in ("weights", "pos_weight")]
    if None in known:
        rule = f"{owner}: class_weight needs a loss with weights and pos_weight"
        hint = "BinaryCrossEntropyLossLayer or HingeLossLayer"
        raise ParameterError(rule, layer=loss.name, type=loss.kind, hint=hint, at=at(loss.origin))
    if any(known):
        rule = f"{owner}: class_weight and weights of the loss are both given"
        raise ParameterError(rule, layer=loss.name, type=loss.kind, hint="leave one of them out", at=at(loss.origin))
