"""Loss: how predictions in integers differ from those in float, on samples."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mochac.base.records import record
from mochac.nets.trace import Traced


@record
class QuantizationLoss:
    """What an output loses by integers.

    Attributes:
        blob: its name.
        largest, mean: of the absolute differences of its numbers.
        scale: the largest absolute number in float.
        float_accuracy, integer_accuracy: the share of samples whose largest number is that of their label; None where
            no labels are given that fit.
        agreement: the share of samples whose largest number is the same in float; None of outputs that are no scores.
    """

    blob: str
    largest: float
    mean: float
    scale: float
    float_accuracy: float | None = None
    integer_accuracy: float | None = None
    agreement: float | None = None

    def __str__(self) -> str:
        text = f"{self.blob}: differs by at most {self.largest:.3g}, {self.mean:.3g} on average, of {self.scale:.3g}"
        if self.float_accuracy is not None and self.integer_accuracy is not None:
            lost = 100 * (self.float_accuracy - self.integer_accuracy)
            was, now = (f"{100 * a:.2f} %" for a in (self.float_accuracy, self.integer_accuracy))
            return f"{text}; accuracy {now} instead of {was}: {lost:.2f} points lost"
        if self.agreement is not None:
            return f"{text}; {100 * self.agreement:.2f} % of the samples have the same class"
        return text


def losses_of(
    traced: Traced,
    named: Mapping[str, str],
    exact: Mapping[str, np.ndarray],
    rounded: Mapping[str, np.ndarray],
    labels: Mapping[str, np.ndarray],
) -> tuple[QuantizationLoss, ...]:
    """The loss of each output.

    Args:
        named: the value of each blob.
        exact, rounded: values in float and in integers.
        labels: by top.
    """
    classes = {feed.top: feed.classes for feed in traced.feeds if feed.classes is not None}
    known = next((labels[top] for top in classes if top in labels), None)
    return tuple(_loss(blob, exact[value], rounded[value], known) for blob, value in named.items())


def _loss(blob: str, exact: np.ndarray, rounded: np.ndarray, labels: np.ndarray | None) -> QuantizationLoss:
    away = np.abs(exact.astype(np.float64) - rounded)
    plain = QuantizationLoss(blob, float(away.max(initial=0)), float(away.mean()), float(np.abs(exact).max(initial=0)))
    if exact.ndim != 2 or exact.shape[1] < 2:
        return plain
    first, second = exact.argmax(axis=1), rounded.argmax(axis=1)
    agreement = float((first == second).mean())
    right = [None, None]
    if labels is not None and labels.size == len(exact):
        right = [float((found == labels.ravel()).mean()) for found in (first, second)]
    return QuantizationLoss(plain.blob, plain.largest, plain.mean, plain.scale, right[0], right[1], agreement)
