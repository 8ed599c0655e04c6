"""NetRegressor: a net with the interface of scikit-learn's regressors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from mochac.estimators import samples as arrays
from mochac.estimators.base import NetEstimator, Targets
from mochac.estimators.heads import LABEL, REGRESSORS, Head
from mochac.layers.base import Layer
from mochac.layers.square_loss import SquareLossLayer
from mochac.solvers.adam import Adam
from mochac.solvers.method import Method
from mochac.solvers.policies import LRPolicy


class NetRegressor(NetEstimator):
    """A regressor from a list of layers.

    The arguments are those of NetClassifier, except that `method` is Adam with learning rate 0.01 by default, since SGD
    diverges for large values. The loss is SquareLossLayer by default, half the squared distance, or HuberLossLayer or
    L1LossLayer; targets are not scaled.

    Attributes:
        validation_scores_, best_validation_score_: as in NetClassifier, but R^2.
        history_: {"epoch": [...], "train": {"loss": [...]}, "val": {"loss": [...]}}; metrics_: the last of these.
        n_iter_, n_features_in_, feature_names_in_, program_: as in NetClassifier.

    >>> NetRegressor(max_epoch=5)
    NetRegressor(max_epoch=5)
    """

    _estimator_type: ClassVar[str] = "regressor"
    _heads: ClassVar[Mapping[str, Head]] = REGRESSORS
    _default_loss: ClassVar[type[Layer]] = SquareLossLayer

    _flat: bool

    def _default_method(self) -> Method:
        return Adam(lr_policy=LRPolicy.Fixed(0.01))

    def predict(self, X: Any) -> np.ndarray:
        """Values as float64: (num,) if y had one axis, else (num, targets)."""
        out = self._outputs(X).astype(np.float64)
        return out[:, 0] if self._flat else out

    def score(self, X: Any, y: Any) -> float:
        """R^2 = 1 - sum (y - predicted)^2 / sum (y - mean)^2, averaged over the targets.

        A target that is constant counts as 1 if it is predicted exactly, else as 0.
        """
        predicted = self.predict(X)
        true = arrays.values(y, len(predicted), type(self).__name__).reshape(len(predicted), -1)
        return _r2(true, predicted.reshape(true.shape))

    def _targets(self, y: Any, count: int, head: Head) -> Targets:
        y = arrays.values(y, count, type(self).__name__)
        rows = y.reshape(count, -1)
        return Targets({LABEL: rows}, head.columns(rows.shape[1]), np.zeros(count, int), {"_flat": y.ndim == 1})

    def _scored(self, head: Head, targets: Targets, rows: np.ndarray, out: np.ndarray) -> float:
        return _r2(targets.tops[LABEL][rows], out.astype(np.float64))

    def _judges(self, head: Head, blob: str, width: int) -> list[Layer]:
        return []


def _r2(true: np.ndarray, predicted: np.ndarray) -> float:
    """R^2 of arrays (num, targets)."""
    squares = ((true - predicted) ** 2).sum(axis=0)
    spread = ((true - true.mean(axis=0)) ** 2).sum(axis=0)
    constant = np.where(squares == 0, 1.0, 0.0)
    return float(np.where(spread > 0, 1 - squares / np.where(spread > 0, spread, 1), constant).mean())
