"""Values: what a regressor learns, numbers for each sample."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from mochac.api.estimators import samples as arrays
from mochac.api.estimators.heads import LABEL, Head
from mochac.api.estimators.validation import InputError
from mochac.base.records import record
from mochac.nets.layers.base import Layer


class Aim(Protocol):
    """What an estimator learns: labels.OneLabel, labels.ManyLabels, or Values."""

    @property
    def loss(self) -> Layer:
        """A loss layer without bottoms."""
        ...

    @property
    def head(self) -> Head:
        """How it is used."""
        ...

    @property
    def width(self) -> int:
        """Number of outputs of the net."""
        ...

    def codes(self, y: Any, owner: str, learning: bool = False) -> np.ndarray:
        """y, checked, as numbers; in `learning`, targets that cannot be learned are refused.

        Raises:
            InputError: it cannot be used, or does not go with what was learned before.
        """
        ...

    def strata(self, codes: np.ndarray) -> np.ndarray:
        """A number for each sample; the validation set has the same share of each."""
        ...

    def tops(self, codes: np.ndarray) -> dict[str, np.ndarray]:
        """Arrays for the loss and the accuracy, by blob."""
        ...

    def judges(self, blob: str) -> list[Layer]:
        """Layers that measure the output."""
        ...

    def score(self, codes: np.ndarray, out: np.ndarray, weights: np.ndarray | None) -> float:
        """score() for outputs of the net; higher is better."""
        ...


@record
class Values:
    """Each sample has `width` numbers, which are learnt as `dtype`; y had one axis if `flat`."""

    width: int
    flat: bool
    dtype: str
    loss: Layer
    head: Head

    def codes(self, y: Any, owner: str, learning: bool = False) -> np.ndarray:
        """y as (num, width)."""
        values = arrays.values(y, len(arrays.given(y, owner)), owner)
        rows = values.reshape(len(values), -1)
        if rows.shape[1] != self.width:
            expected = f"(num, {self.width})"
            raise InputError("y should have a column for each target", expected=expected, got=str(values.shape))
        if learning:
            with np.errstate(over="ignore"):
                arrays.require_finite(rows.astype(self.dtype), "y")
        return rows

    def strata(self, codes: np.ndarray) -> np.ndarray:
        """All samples are alike."""
        return np.zeros(len(codes), int)

    def tops(self, codes: np.ndarray) -> dict[str, np.ndarray]:
        """The values."""
        return {LABEL: codes}

    def judges(self, blob: str) -> list[Layer]:
        """The loss says it."""
        return []

    def meant(self, out: np.ndarray) -> np.ndarray:
        """The values that outputs of the net mean, (num, width)."""
        return out.astype(np.float64) if self.head.says is None else self.head.says(out)

    def score(self, codes: np.ndarray, out: np.ndarray, weights: np.ndarray | None) -> float:
        """R^2."""
        return r2(codes, self.meant(out), weights)


def r2(true: np.ndarray, predicted: np.ndarray, weights: np.ndarray | None = None) -> float:
    """R^2 of arrays (num, targets), averaged over the targets."""
    w = np.ones(len(true)) if weights is None else weights
    squares = w @ (true - predicted) ** 2
    spread = w @ (true - w @ true / w.sum()) ** 2
    constant = np.where(squares == 0, 1.0, 0.0)
    return float(np.where(spread > 0, 1 - squares / np.where(spread > 0, spread, 1), constant).mean())
