"""Labels other than class indices: signs, probabilities, counts, distributions.

Losses declare the kind of their labels; readers check every sample.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import field

import numpy as np

from mochac.base.records import record

SLACK = 1e-6
"""Rounding error allowed in a probability."""
SUM_SLACK = 1e-3
"""Rounding error allowed in the sum of a distribution."""


@record
class Target:
    """A kind of label.

    Args:
        words: what is allowed, for messages.
        legal: (samples, ...) -> bool of that shape, or one per sample.
        hint: the usual mistake.
        between: all values between these two are legal, which is fast to check for images as labels.
        what: it is, for messages.
        value_hints: hints about single values, in place of `hint`.
    """

    words: str
    legal: Callable[[np.ndarray], np.ndarray]
    hint: str
    between: tuple[float, float] = (math.inf, -math.inf)
    what: str = "label"
    value_hints: Mapping[float, str] = field(default_factory=dict)

    def hint_for(self, label: np.ndarray) -> str:
        """The hint about a label, or about a whole sample.

        >>> TARGETS["probability"].hint_for(np.array(-1.0))
        '(label + 1) / 2 turns -1 and 1 into 0 and 1'
        """
        return self.hint if label.shape else self.value_hints.get(float(label), self.hint)

    def first_bad(self, values: np.ndarray) -> np.ndarray | None:
        """Index of the first illegal element, or (sample,) if a whole sample is illegal; None if there is none.

        >>> TARGETS["sign"].first_bad(np.array([[1.0], [0.0]])).tolist()
        [1, 0]
        """
        if values.min() >= self.between[0] and values.max() <= self.between[1]:
            return None
        legal = self.legal(values)
        return None if legal.all() else np.argwhere(~legal)[0]


def _is_probability(values: np.ndarray) -> np.ndarray:
    return (values >= -SLACK) & (values <= 1 + SLACK)


def _distribution(values: np.ndarray) -> np.ndarray:
    rows = values.reshape(len(values), -1)
    return (rows >= -SLACK).all(axis=1) & (np.abs(rows.sum(axis=1) - 1) <= SUM_SLACK)


TARGETS = {
    "sign": Target("-1 or 1", lambda v: np.abs(v) == 1, "2 * label - 1 turns 0 and 1 into signs"),
    "probability": Target(
        "0 <= label <= 1",
        _is_probability,
        "for class indices use SoftmaxLossLayer; divide images by 255",
        (-SLACK, 1 + SLACK),
        value_hints={-1.0: "(label + 1) / 2 turns -1 and 1 into 0 and 1"},
    ),
    "predicted probability": Target(
        "0 <= prediction <= 1",
        _is_probability,
        "losses of any numbers are SoftmaxLossLayer and BinaryCrossEntropyLossLayer(logits=True)",
        (-SLACK, 1 + SLACK),
        what="prediction",
    ),
    "count": Target("label >= 0", lambda v: v >= 0, "counts and rates are not negative", (0.0, math.inf)),
    "distribution": Target("elements >= 0 with sum 1", _distribution, "divide each sample by its sum"),
}
