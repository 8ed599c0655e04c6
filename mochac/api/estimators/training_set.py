"""Samples: what estimators learn from and what they are validated with, checked."""

from __future__ import annotations

import numpy as np

from mochac.api.estimators.heads import INPUT
from mochac.api.estimators.inputs import Inputs, count, rows
from mochac.api.estimators.targets import Aim
from mochac.api.estimators.weights import WEIGHT
from mochac.base.records import record


@record
class Samples:
    """X, y and weights, with a row for each sample.

    Attributes:
        x: arrays by blob.
        y: as it was given.
        codes: y as numbers; see targets.Aim.
        weights: (num,); None: all are 1.
    """

    x: Inputs
    y: np.ndarray
    codes: np.ndarray
    weights: np.ndarray | None

    def __len__(self) -> int:
        return count(self.x)

    def rows(self, which: np.ndarray) -> Samples:
        """Copies of some samples."""
        weights = None if self.weights is None else self.weights[which]
        return Samples(rows(self.x, which), self.y[which], self.codes[which], weights)

    def tops(self, aim: Aim, mean: float, dtype: str) -> dict[str, np.ndarray]:
        """Arrays for a data layer by blob, with weights divided by `mean`."""
        weights = {} if self.weights is None else {WEIGHT: (self.weights / mean).astype(dtype)[:, None]}
        return {**self.x, **aim.tops(self.codes), **weights}


def input_name(blob: str, first: bool) -> str:
    """The name of the data layer of a blob."""
    return INPUT if first else f"{blob} in"
