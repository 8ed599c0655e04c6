"""NetClassifier and NetRegressor: nets with the interfaces of scikit-learn's classifiers and regressors."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from mochac.api.estimators import samples as arrays
from mochac.api.estimators.base import NetEstimator
from mochac.api.estimators.chain import layer_error
from mochac.api.estimators.heads import CLASSIFIERS, LINEAR, REGRESSORS, Head
from mochac.api.estimators.labels import ManyLabels, OneLabel, Values, require_many, weighed
from mochac.api.estimators.parameters import ClassifierMixin, RegressorMixin
from mochac.api.estimators.predictor import Predictor
from mochac.api.estimators.samples import class_weights
from mochac.api.estimators.validation import BY_LOSS, InputError, ParameterError
from mochac.base.support.log import tell_once
from mochac.nets.layers.base import Layer
from mochac.nets.layers.class_losses import SoftmaxLossLayer
from mochac.nets.layers.label_losses import BinaryCrossEntropyLossLayer
from mochac.nets.layers.value_losses import SquareLossLayer
from mochac.nets.solvers.adam import Adam
from mochac.nets.solvers.method import Method
from mochac.nets.solvers.policies import LRPolicy
from mochac.nets.solvers.update import Methods


class NetClassifier(ClassifierMixin, NetEstimator[OneLabel | ManyLabels]):
    """A classifier from a list of layers.

    The layers need neither bottoms nor tops: each takes the output of the one before, and the first takes X. The loss
    is added at the end, and before it an output layer of the right width, unless the last layer is one.

    Args:
        layers: hidden layers; none for a linear model.
        method: a solver method; None: SGD with learning rate 0.01 and momentum 0.9.
        loss: class of a loss layer, or a loss layer without bottoms: SoftmaxLossLayer (the default),
            BinaryCrossEntropyLossLayer, FocalLossLayer, HingeLossLayer, MulticlassHingeLossLayer,
            MultinomialLogisticLossLayer. For several labels per sample: BinaryCrossEntropyLossLayer(logits=True) (the
            default then) or HingeLossLayer. Or a loss of your own.
        batch_size: samples per step, >= 1; at most the number of training samples. Batches wrap around at the end of
            the data, so no sample is left out.
        max_epoch: passes over the training set, >= 1.
        validation_split: share of each class in the validation set, >= 0 and < 1; it is scored after every epoch.
            Ignored if fit() gets validation_data.
        regu_coef: factor of the regularizers of layers, >= 0.
        seed: of initial parameters, split, shuffling and dropout.
        verbose: > 0: show a progress bar, and a table of metrics every `log_interval` epochs.
        class_weight: factors of the losses by class, {class: weight} with 1 for the others; "balanced": in inverse
            proportion to the classes' numbers of samples; None: 1. For several labels per sample: "balanced", or a list
            with {0: weight, 1: weight} for each label.
        log_interval: epochs between measurements, >= 1; the last epoch is always measured.
        early_stopping: stop when the validation set's loss, or its score by `scoring`, has not improved by more than
            `tol` for `n_iter_no_change` epochs in a row, and keep the parameters of the best epoch.
        scoring: what the validation set is scored by after every epoch: "loss" (its loss, the default); None: score();
            a name of scikit-learn's scorers, such as "roc_auc"; or a function (estimator, X, y) of which more is
            better.
        callbacks: coffee breaks, such as TensorBoard("runs"), each run after every epoch, or as (break, n) every n
            iterations.
        random_state: scikit-learn's name for seed, which it overrides: a number, RandomState or Generator.
        warm_start: start fit() from the parameters of the last fit().
        dtype, precision, threads, backend: as in mochac.compile.

    Attributes:
        classes_: the labels, sorted; for several labels per sample, the numbers of y's columns.
        loss_curve_: the mean loss of each epoch's batches, each before its update.
        history_: {"epoch": [...], "train": {"loss": [...], "accuracy": [...]}, "val": {...}}.
        metrics_: the last of these, {"train": {"loss": ..., "accuracy": ...}, "val": {...}}.
        validation_scores_: the validation set's score by `scoring` after every epoch, for "loss" the negative loss;
            None without a validation set.
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

    def __init__(
        self,
        layers: Sequence[Layer] = (),
        method: Methods | None = None,
        loss: Layer | type[Layer] | None = None,
        batch_size: int = 64,
        max_epoch: int = 100,
        validation_split: float = 0.2,
        regu_coef: float = 0.0,
        seed: int = 0,
        verbose: int = 0,
        *,
        class_weight: Mapping[Any, float] | Sequence[Mapping[int, float]] | str | None = None,
        log_interval: int = 10,
        early_stopping: bool = False,
        n_iter_no_change: int = 10,
        tol: float = 1e-4,
        scoring: str | Callable[..., float] | None = BY_LOSS,
        callbacks: Sequence[Any] = (),
        random_state: Any = None,
        warm_start: bool = False,
        dtype: str = "float32",
        precision: str = "float32",
        threads: int | None = None,
        backend: str = "auto",
    ) -> None:
        super().__init__(
            layers, method, loss, batch_size, max_epoch, validation_split, regu_coef, seed, verbose,
            log_interval=log_interval, early_stopping=early_stopping, n_iter_no_change=n_iter_no_change, tol=tol,
            scoring=scoring, callbacks=callbacks,
            random_state=random_state, warm_start=warm_start, dtype=dtype, precision=precision, threads=threads,
            backend=backend,
        )  # fmt: skip
        self.class_weight = class_weight

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Go through these samples once, in their order, continuing from the last call, or from fit().

        There is no validation set. Weights are used as they are, and class_weight may not be "balanced".

        Args:
            classes: all labels, also of later calls; needed in the first call, unless y has a column for each label.

        Raises:
            InputError, ParameterError: as fit(); also if a label is none of the classes, or X has another number of
                columns than before.
        """
        if isinstance(self.class_weight, str):
            hint = "a dictionary {class: weight}, or sample_weight"
            got = repr(self.class_weight)
            raise ParameterError("partial_fit() does not know all samples to balance", got=got, hint=hint)
        begun = self.__sklearn_is_fitted__()
        again = begun and classes is not None
        if again and not np.array_equal(np.sort(arrays.target_array(classes, "")), self.classes_):
            expected = ", ".join(map(str, self.classes_))
            raise InputError(
                "partial_fit: classes differ from those of the first call", expected=expected, got=str(classes)
            )
        return self._learn_some(X, y, lambda y: self._first_aim(y, classes), sample_weight)

    def predict(self, X: Any) -> np.ndarray:
        """The label of each sample, (num,); for several labels, rows of 0 and 1, (num, labels)."""
        out = self._outputs(X)
        return self._aim.predicted(out)

    def decision_function(self, X: Any) -> np.ndarray:
        """Scores of the classes, (num, classes); for two classes (num,), positive for the second. For several labels,
        (num, labels), positive where a label is predicted."""
        out = self._outputs(X)
        return self._aim.scores(out)

    @property
    def predict_proba(self) -> Callable[[Any], np.ndarray]:
        """predict_proba(X): probabilities (num, classes), in the order of classes_; for several labels, of each by
        itself. Not available with hinge losses."""
        self._require_probabilities("predict_proba")

        def predict_proba(X: Any) -> np.ndarray:  # scikit-learn reads its name
            return self._probabilities(X)

        return predict_proba

    @property
    def predict_log_proba(self) -> Callable[[Any], np.ndarray]:
        """predict_log_proba(X): logarithms of predict_proba(X)."""
        self._require_probabilities("predict_log_proba")

        def predict_log_proba(X: Any) -> np.ndarray:
            return np.log(np.maximum(self._probabilities(X), np.finfo(np.float64).tiny))

        return predict_log_proba

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Accuracy: the share of samples whose label is predicted; for several labels, all of whose labels are."""
        return self._score(X, y, sample_weight)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags

    def _probabilities(self, X: Any) -> np.ndarray:
        out = self._outputs(X)
        return self._aim.probabilities(out)

    def _require_probabilities(self, name: str) -> None:
        head = self._aim.head if self.__sklearn_is_fitted__() else self._loss()[1]
        if head.probabilities is None:
            raise AttributeError(f"{type(self).__name__} has no {name} with {head.loss}Layer")

    def _aimed(self, y: Any, classes: Any = None, *, mean_one: bool = True) -> OneLabel | ManyLabels:
        owner = type(self).__name__
        table = arrays.indicators(y, owner)
        if table is not None:
            loss, head = self._loss(BinaryCrossEntropyLossLayer(name="loss", logits=True))
            require_many(head, owner)
            if (table.sum(axis=1) == 1).all():
                words = "y has one 1 in every row and is learnt as several labels; y.argmax(axis=1) makes classes of it"
                tell_once(f"{owner}: {words}")
            if self.class_weight is not None:
                loss = weighed(loss, self.class_weight, table, owner, mean_one=mean_one)
            return ManyLabels(table.shape[1], table.dtype, loss, head)
        labels = arrays.labels(y, len(arrays.target_array(y, owner)), owner)
        if classes is not None:
            labels = arrays.labels(classes, len(arrays.target_array(classes, owner)), owner)
        return OneLabel(arrays.classes(labels)[0], *self._loss())

    def _first_aim(self, y: Any, classes: Any) -> OneLabel | ManyLabels:
        """What to learn in the first call of partial_fit() and in all later ones."""
        if classes is None and arrays.indicators(y, type(self).__name__) is None:
            hint = "all labels that will come: partial_fit(X, y, classes=[...])"
            raise ParameterError("classes must be passed on the first call to partial_fit.", hint=hint)
        return self._aimed(y, classes, mean_one=False)

    def _read(self, y: Any) -> np.ndarray:
        return arrays.raveled(super()._read(y))

    def _learned(self, predictor: Predictor, aim: OneLabel | ManyLabels, names: np.ndarray | None) -> None:
        super()._learned(predictor, aim, names)
        self.classes_ = aim.classes

    def _factors(self, aim: OneLabel | ManyLabels, codes: np.ndarray) -> np.ndarray | None:
        if self.class_weight is None or isinstance(aim, ManyLabels):  # the loss of several labels has their weights
            return None
        return class_weights(self.class_weight, aim.classes, codes, type(self).__name__)


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
