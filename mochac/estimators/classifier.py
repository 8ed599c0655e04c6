"""NetClassifier: a net with the interface of scikit-learn's classifiers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from mochac.estimators import samples as arrays
from mochac.estimators.base import NetEstimator, Targets
from mochac.estimators.heads import CLASS, CLASSIFIERS, LABEL, Head
from mochac.layers.base import Layer
from mochac.layers.softmax_loss import SoftmaxLossLayer


class NetClassifier(NetEstimator):
    """A classifier from a list of layers.

    The layers need neither bottoms nor tops: each takes the output of the one before, and the first takes X. The loss
    is added at the end, and before it an output layer of the right width, unless the last layer is one.

    Args:
        layers: hidden layers; none for a linear model.
        method: a solver method; None: SGD with learning rate 0.01 and momentum 0.9.
        loss: class of a loss layer, or a loss layer without bottoms: SoftmaxLossLayer (the default),
            BinaryCrossEntropyLossLayer, FocalLossLayer, HingeLossLayer, MulticlassHingeLossLayer,
            MultinomialLogisticLossLayer.
        batch_size: samples per step, >= 1; at most the number of training samples. Batches wrap around at the end of
            the data, so no sample is left out.
        max_epoch: passes over the training set, >= 1.
        validation_split: share of each class in the validation set, >= 0 and < 1; it is scored after every epoch.
        regu_coef: factor of the regularizers of layers, >= 0.
        seed: of initial parameters, split, shuffling and dropout.
        verbose: > 0: show a progress bar, and a table of metrics every `log_interval` epochs.
        log_interval: epochs between measurements, >= 1; the last epoch is always measured.
        early_stopping: stop when the validation score has not improved by more than `tol` for `n_iter_no_change` epochs
            in a row, and keep the parameters of the best epoch.
        random_state: scikit-learn's name for seed, which it overrides: a number, RandomState or Generator.
        warm_start: start fit() from the parameters of the last fit().
        dtype, threads, backend: as in mochac.compile.

    Attributes:
        classes_: the labels, sorted.
        history_: {"epoch": [...], "train": {"loss": [...], "accuracy": [...]}, "val": {...}}.
        metrics_: the last of these, {"train": {"loss": ..., "accuracy": ...}, "val": {...}}.
        validation_scores_: score() of the validation set after every epoch; None without a validation set.
        best_validation_score_: the highest of these.
        n_iter_: number of epochs. n_features_in_, feature_names_in_: as in scikit-learn.
        program_: the trained net as a Program.

    >>> NetClassifier(batch_size=32)
    NetClassifier(batch_size=32)
    """

    shown: tuple[str, ...] = ("loss", "accuracy")
    classes_: np.ndarray
    _estimator_type: ClassVar[str] = "classifier"
    _heads: ClassVar[Mapping[str, Head]] = CLASSIFIERS
    _default_loss: ClassVar[type[Layer]] = SoftmaxLossLayer

    def predict(self, X: Any) -> np.ndarray:
        """The label of each sample, (num,)."""
        out = self._outputs(X)
        return self.classes_[_codes(self._head, out, len(self.classes_))]

    def decision_function(self, X: Any) -> np.ndarray:
        """Scores of the classes, (num, classes); for two classes (num,), positive for the second."""
        out = self._outputs(X)
        return self._head.scores(out)

    @property
    def predict_proba(self) -> Callable[[Any], np.ndarray]:
        """predict_proba(X): probabilities (num, classes), in the order of classes_. Not available with hinge losses."""
        self._require_probabilities("predict_proba")
        return self._probabilities

    @property
    def predict_log_proba(self) -> Callable[[Any], np.ndarray]:
        """predict_log_proba(X): logarithms of predict_proba(X)."""
        self._require_probabilities("predict_log_proba")
        return lambda X: np.log(np.maximum(self._probabilities(X), np.finfo(np.float64).tiny))

    def score(self, X: Any, y: Any) -> float:
        """Accuracy: the share of samples whose label is predicted."""
        predicted = self.predict(X)
        return float(np.mean(predicted == arrays.labels(y, len(predicted), type(self).__name__)))

    def _probabilities(self, X: Any) -> np.ndarray:
        out = self._outputs(X)
        assert self._head.probabilities is not None
        return self._head.probabilities(out)[:, : len(self.classes_)]

    def _require_probabilities(self, name: str) -> None:
        head = vars(self).get("_head") or self._checked()[1]
        if head.probabilities is None:
            raise AttributeError(f"{type(self).__name__} has no {name} with {head.loss}Layer")

    def _targets(self, y: Any, count: int, head: Head) -> Targets:
        classes, codes = arrays.classes(arrays.labels(y, count, type(self).__name__))
        tops = {LABEL: head.targets(codes, len(classes)), CLASS: codes[:, None]}
        return Targets(tops, head.columns(len(classes)), codes, {"classes_": classes})

    def _scored(self, head: Head, targets: Targets, rows: np.ndarray, out: np.ndarray) -> float:
        codes = _codes(head, out, len(targets.learned["classes_"]))
        return float(np.mean(codes == targets.strata[rows]))

    def _judges(self, head: Head, blob: str, width: int) -> list[Layer]:
        return [head.accuracy(blob, width)]


def _codes(head: Head, out: np.ndarray, n_classes: int) -> np.ndarray:
    """The predicted class indices."""
    scores = head.scores(out)
    codes = (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
    return np.minimum(codes, n_classes - 1)
