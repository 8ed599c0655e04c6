"""Model: the interface of Slugnet, with its names and defaults, on top of NetClassifier and NetRegressor."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from mochac.api.estimators import samples
from mochac.api.estimators.chain import chain, checked
from mochac.api.estimators.heads import CLASSIFIERS, REGRESSORS, loss_layer
from mochac.api.estimators.inputs import DATA
from mochac.api.estimators.net_estimators import NetClassifier, NetRegressor
from mochac.api.estimators.parameters import Known
from mochac.api.estimators.progress import Metrics
from mochac.api.estimators.validation import ParameterError, not_fitted
from mochac.base.errors import shown
from mochac.base.registry import misspelt
from mochac.nets.layers.base import Layer
from mochac.nets.layers.label_losses import BinaryCrossEntropyLossLayer
from mochac.nets.solvers.method import Method
from mochac.nets.solvers.policies import LRPolicy
from mochac.nets.solvers.sgd import SGD

METRICS = ("loss", "accuracy")


class Model(Known):
    """A net with the interface of Slugnet: add layers, fit, transform.

    As in NetClassifier, layers need neither bottoms nor tops, and an output layer for the loss is added unless the last
    layer is one (for BinaryCrossEntropyLossLayer: InnerProductLayer with a Sigmoid).

    Args:
        lr: learning rate of SGD, if there is no `optimizer`.
        n_epoch: passes over the training set, >= 1.
        batch_size: samples per step, >= 1.
        layers: the first layers; add_layer appends more.
        optimizer: a solver method, with a learning rate of its own; None: SGD(LRPolicy.Fixed(lr)).
        loss: class of a loss layer, or a loss layer without bottoms; None: BinaryCrossEntropyLossLayer. With
            a regressor's loss, such as SquareLossLayer, the model is a regressor, with other losses a classifier.
        validation_split: share of the validation set, which is scored after every epoch, >= 0 and < 1.
        metrics: columns of the table, any of "loss" and "accuracy".
        progress: show a progress bar, and the table every `log_interval` epochs.
        log_interval: epochs between tables, >= 1.
        seed: of initial parameters, split, shuffling and dropout.

    Attributes:
        estimator: the NetClassifier or NetRegressor inside, once compiled.

    >>> Model(n_epoch=10).estimator is None
    True
    """

    def __init__(
        self,
        lr: float = 0.1,
        n_epoch: int = 400000,
        batch_size: int = 32,
        layers: Iterable[Layer] | None = None,
        optimizer: Method | None = None,
        loss: Layer | type[Layer] | None = None,
        validation_split: float = 0.2,
        metrics: Sequence[str] = ("loss",),
        progress: bool = True,
        log_interval: int = 1,
        seed: int = 0,
    ) -> None:
        self.lr, self.n_epoch, self.batch_size = lr, n_epoch, batch_size
        self.layers = list(layers or ())
        self.optimizer, self.loss, self.validation_split = optimizer, loss, validation_split
        self.metrics, self.progress, self.log_interval, self.seed = tuple(metrics), progress, log_interval, seed
        self.estimator: NetClassifier | NetRegressor | None = None
        for name in self.metrics:
            if name not in METRICS:
                hint = misspelt(str(name), METRICS)
                raise ParameterError(
                    "Model has no such metric", expected=" or ".join(METRICS), got=shown(name), hint=hint
                )

    def __repr__(self) -> str:
        return f"Model({len(self.layers)} layers, {'not fitted' if self.estimator is None else repr(self.estimator)})"

    def add_layer(self, layer: Layer) -> None:
        """Append a layer; a compiled model will be compiled again by the next fit()."""
        self.layers.append(layer)
        self.estimator = None

    def compile(self) -> None:
        """Check loss and layers; fit() does it if necessary.

        Raises:
            OptionError, ParameterError: a loss or layer that does not fit.
        """
        loss = self.loss or BinaryCrossEntropyLossLayer
        head = loss_layer(loss, BinaryCrossEntropyLossLayer, {**CLASSIFIERS, **REGRESSORS}, "Model")[1]
        chain(checked(self.layers, "Model"), DATA)
        own_of_values = head.loss not in CLASSIFIERS and head.low == 0.0
        kind = NetRegressor if head.loss in REGRESSORS or own_of_values else NetClassifier
        estimator = kind(
            layers=tuple(self.layers),
            method=self.optimizer or SGD(lr_policy=LRPolicy.Fixed(self.lr)),
            loss=loss,
            batch_size=self.batch_size,
            max_epoch=self.n_epoch,
            validation_split=self.validation_split,
            seed=self.seed,
            verbose=int(self.progress),
            log_interval=self.log_interval if self.progress else self.n_epoch,
        )
        estimator.shown = self.metrics
        self.estimator = estimator

    def fit(self, X: Any, y: Any) -> Metrics:
        """Train on X (num, ...) and y: labels (num,) or (num, 1), one-hot rows (num, classes), or values.

        Returns:
            Metrics of the last epoch: {"train": {"loss": ..., "accuracy": ...}, "val": {...}}; "val" only with a
            validation set, "accuracy" only for classifiers.
        """
        if self.estimator is None:
            self.compile()
        estimator = self.estimator
        assert estimator is not None
        return estimator.fit(X, _labels(y) if isinstance(estimator, NetClassifier) else y).metrics_

    def transform(self, X: Any) -> np.ndarray:
        """The outputs for each sample, (num, outputs): probabilities, values, or distances of hinge losses."""
        estimator = self.estimator
        if estimator is None:
            raise not_fitted(self)
        out = estimator.transform(X)
        head = loss_layer(self.loss, BinaryCrossEntropyLossLayer, {**CLASSIFIERS, **REGRESSORS}, "Model")[1]
        return out if head.says is None else head.says(out).astype(out.dtype)


def _labels(y: Any) -> Any:
    """One-hot rows as class indices, a column as labels (num,)."""
    array = samples.target_array(y, "Model")
    if array.ndim != 2:
        return y
    return array[:, 0] if array.shape[1] == 1 else array.argmax(axis=1)
