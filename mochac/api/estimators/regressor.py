"""NetRegressor: a net with the interface of scikit-learn's regressors."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from mochac.api.estimators import samples as arrays
from mochac.api.estimators.base import NetEstimator
from mochac.api.estimators.chain import layer_error
from mochac.api.estimators.heads import LINEAR, REGRESSORS, Head
from mochac.api.estimators.labels import Values
from mochac.api.estimators.parameters import RegressorMixin
from mochac.base.support.log import tell_once
from mochac.nets.layers.base import Layer
from mochac.nets.layers.value_losses import SquareLossLayer
from mochac.nets.solvers.adam import Adam
from mochac.nets.solvers.method import Method
from mochac.nets.solvers.policies import LRPolicy

FAR = 10.0
"""Means and standard deviations above are far from unit scale; so are standard deviations below 1 / FAR**2."""


class NetRegressor(RegressorMixin, NetEstimator[Values]):
    """A regressor from a list of layers.

    The arguments are those of NetClassifier, except that `method` is Adam with learning rate 0.01 by default, since SGD
    diverges for large values. The loss is SquareLossLayer by default, half the squared distance, or HuberLossLayer,
    L1LossLayer, QuantileLossLayer, PoissonLossLayer (predict() returns means), or a loss of your own. Targets are not
    scaled: a warning says when they should be.

    Attributes:
        validation_scores_, best_validation_score_: as in NetClassifier.
        history_: {"epoch": [...], "train": {"loss": [...]}, "val": {"loss": [...]}}; metrics_: the last of these.
        loss_curve_, n_iter_, n_features_in_, feature_names_in_, program_: as in NetClassifier.

    >>> NetRegressor(max_epoch=5)
    NetRegressor(max_epoch=5)
    """

    _estimator_type: ClassVar[str] = "regressor"
    _heads: ClassVar[Mapping[str, Head]] = REGRESSORS
    _default_loss: ClassVar[type[Layer]] = SquareLossLayer

    def _default_method(self) -> Method:
        return Adam(lr_policy=LRPolicy.Fixed(0.01))

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Go through these samples once, in their order, continuing from the last call, or from fit().

        There is no validation set. Weights are used as they are.

        Raises:
            InputError, ParameterError: as fit(); also if X or y has another number of columns than before.
        """
        return self._learn_some(X, y, self._aimed, sample_weight)

    def predict(self, X: Any) -> np.ndarray:
        """Values as float64: (num,) if y had one axis, else (num, targets)."""
        out = self._outputs(X)  # before _aim, which only a fitted estimator has
        out = self._aim.decoded(out)
        return out[:, 0] if self._aim.flat else out

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R^2 = 1 - sum (y - predicted)^2 / sum (y - mean)^2, averaged over the targets.

        A target that is constant counts as 1 if it is predicted exactly, else as 0.
        """
        return self._score(X, y, sample_weight)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    def _loss(self, default: Layer | type[Layer] | None = None) -> tuple[Layer, Head]:
        loss, head = super()._loss(default)
        if head.loss not in REGRESSORS and head.low is None:
            rule = "NetRegressor cannot train with a loss of class indices"
            raise layer_error(loss, rule, "NetClassifier(loss=...)")
        return loss, head

    def _aimed(self, y: Any) -> Values:
        owner = type(self).__name__
        values = arrays.values(y, len(arrays.target_array(y, owner)), owner)
        loss, head = self._loss()
        if head.loss in LINEAR:
            _warn_of_scale(values, owner)
        return Values(int(np.prod(values.shape[1:])), values.ndim == 1, self.dtype, loss, head)


def _warn_of_scale(values: np.ndarray, owner: str) -> None:
    """Log that targets are far from the scale that initial parameters and learning rates are made for."""
    with np.errstate(over="ignore", invalid="ignore"):
        mean, spread = np.abs(values.mean(axis=0)).max(), values.std(axis=0)
    if len(values) > 1 and (mean > FAR or spread.max() > FAR or 0 < spread.min() < 1 / FAR**2):
        fault = (
            f"y is far from unit scale (mean {mean:.2g}, standard deviation {spread.max():.2g}), which nets learn badly"
        )
        hint = "TransformedTargetRegressor(net, transformer=StandardScaler())"
        tell_once(f"{owner}: {fault}; scale it: {hint}", logging.WARNING)
