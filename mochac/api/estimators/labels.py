"""Labels and targets, and the weights of labels.

What a classifier learns: one of several classes for each sample, or any number of labels.

Both make targets for the loss, and turn outputs of the net into labels, scores and probabilities.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from numbers import Number
from typing import Any, Protocol

import numpy as np

from mochac.api.estimators import samples as arrays
from mochac.api.estimators.heads import ACCURACY, CLASS, LABEL, Head
from mochac.api.estimators.samples import weighted_mean
from mochac.api.estimators.validation import InputError, ParameterError
from mochac.base.errors import shown
from mochac.base.records import record
from mochac.base.rules import real
from mochac.base.support.places import at
from mochac.nets.layers.base import Layer
from mochac.nets.layers.label_losses import BinaryAccuracyLayer


@record(eq=False)
class OneLabel:
    """Each sample has one of the classes.

    Attributes:
        classes: the labels, sorted.
        loss, head: a loss layer without bottoms, and how it is used.
    """

    classes: np.ndarray
    loss: Layer
    head: Head

    @property
    def width(self) -> int:
        """Number of outputs."""
        return self.head.columns(len(self.classes))

    def codes(self, y: Any, owner: str, learning: bool = False) -> np.ndarray:
        """The class index of each label; -1 for a label that is no class.

        Raises:
            InputError: there is such a label, in `learning`; or only one of labels and classes are text.
        """
        index = {label: k for k, label in enumerate(self.classes.tolist())}
        labels = arrays.labels(y, len(arrays.target_array(y, owner)), owner)
        codes = np.array([index.get(label, -1) for label in labels.tolist()], dtype=np.int64)
        unknown = labels[codes < 0].tolist()
        if unknown and learning:
            expected, got = _listed(self.classes.tolist()), _listed(dict.fromkeys(unknown))
            hint = f"all labels must be in the first call: fit(X, y), or {owner}.partial_fit(X, y, classes=[...])"
            raise InputError("y has labels that are no classes", expected=expected, got=got, hint=hint)
        _require_same_type(labels, self.classes)
        return codes

    def tops(self, codes: np.ndarray) -> dict[str, np.ndarray]:
        """Arrays for the loss and the accuracy, by blob."""
        return {LABEL: self.head.targets(codes, len(self.classes)), CLASS: codes[:, None]}

    def strata(self, codes: np.ndarray) -> np.ndarray:
        """The classes."""
        return codes

    def judges(self, blob: str) -> list[Layer]:
        """The layer that computes the accuracy."""
        return [self.head.accuracy(blob, self.width)]

    def scores(self, out: np.ndarray) -> np.ndarray:
        """decision_function."""
        return self.head.scores(out)

    def probabilities(self, out: np.ndarray) -> np.ndarray:
        """predict_proba; the head has it."""
        assert self.head.probabilities is not None
        return self.head.probabilities(out)[:, : len(self.classes)]

    def predicted(self, out: np.ndarray) -> np.ndarray:
        """The label of each sample."""
        return self.classes[self._predicted(out)]

    def score(self, codes: np.ndarray, out: np.ndarray, weights: np.ndarray | None) -> float:
        """The share of samples whose class is predicted."""
        return weighted_mean(codes == self._predicted(out), weights)

    def _predicted(self, out: np.ndarray) -> np.ndarray:
        scores = self.head.scores(out)
        codes = (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
        return np.minimum(codes, len(self.classes) - 1)


@record(eq=False)
class ManyLabels:
    """Each sample has any number of labels: y has a column of 0 and 1 for each.

    Attributes:
        count: of labels.
        dtype: of y.
        loss, head: a loss layer without bottoms, and how it is used.
    """

    count: int
    dtype: np.dtype
    loss: Layer
    head: Head

    @property
    def classes(self) -> np.ndarray:
        """The labels' columns."""
        return np.arange(self.count)

    @property
    def width(self) -> int:
        """Number of outputs."""
        return self.count

    def codes(self, y: Any, owner: str, learning: bool = False) -> np.ndarray:
        """y itself, checked.

        Raises:
            InputError: another number of columns, or something besides 0 and 1.
        """
        found = arrays.indicators(y, owner)
        if found is None or found.shape[1] != self.count:
            shape = arrays.target_array(y, owner).shape
            raise InputError("y should have a column for each label", expected=f"(num, {self.count})", got=str(shape))
        return found

    def tops(self, codes: np.ndarray) -> dict[str, np.ndarray]:
        """Arrays for the loss and the accuracy, by blob."""
        low = self.head.low
        return {LABEL: np.where(codes != 0, 1.0, 0.0 if low is None else low)}

    def strata(self, codes: np.ndarray) -> np.ndarray:
        """All samples are alike."""
        return np.zeros(len(codes), int)

    def judges(self, blob: str) -> list[Layer]:
        """The layer that computes the share of labels that are right."""
        return [BinaryAccuracyLayer(name=ACCURACY, bottoms=[blob, LABEL], threshold=self.head.threshold)]

    def scores(self, out: np.ndarray) -> np.ndarray:
        """decision_function: positive where the label is predicted."""
        return out - self.head.threshold

    def probabilities(self, out: np.ndarray) -> np.ndarray:
        """predict_proba: of each label by itself; the head has it."""
        return (out if self.head.says is None else self.head.says(out)).astype(np.float64)

    def predicted(self, out: np.ndarray) -> np.ndarray:
        """A row of 0 and 1 for each sample."""
        return (self.scores(out) > 0).astype(self.dtype)

    def score(self, codes: np.ndarray, out: np.ndarray, weights: np.ndarray | None) -> float:
        """The share of samples for which exactly the right labels are predicted."""
        return weighted_mean(((codes != 0) == (self.scores(out) > 0)).all(axis=1), weights)


def _require_same_type(labels: np.ndarray, classes: np.ndarray) -> None:
    """Raise InputError, in scikit-learn's words, if one is text and the other numbers: no label could ever be right."""
    kinds = {_kind(labels), _kind(classes)}
    if kinds == {"string", "number"}:
        expected, got = (_listed(dict.fromkeys(part.tolist())) for part in (classes, labels))
        raise InputError("Mix of label input types (string and number)", expected=expected, got=got)


def _kind(labels: np.ndarray) -> str:
    """ "string" or "number"; "" for anything else."""
    if labels.dtype.kind != "O":
        return {"U": "string", "f": "number", "i": "number", "u": "number", "b": "number"}.get(labels.dtype.kind, "")
    for name, kind in (("string", str), ("number", Number)):
        if len(labels) and all(isinstance(label, kind) for label in labels):
            return name
    return ""


def _listed(labels: Iterable[Any]) -> str:
    """Labels, as they are written; the first ten."""
    first = list(islice(labels, 11))
    return ", ".join(map(repr, first[:10])) + (", ..." if len(first) > 10 else "")


def require_many(head: Head, owner: str) -> None:
    """Raise ParameterError for a loss that compares classes with each other."""
    if head.low is None:
        raise ParameterError(
            f"{owner}: y has several labels per sample, which {head.loss}Layer cannot learn",
            expected="BinaryCrossEntropyLossLayer or HingeLossLayer",
            hint="loss=None takes BinaryCrossEntropyLossLayer(logits=True); for one-hot rows: y.argmax(axis=1)",
        )


EXPECTED = "None, 'balanced' or a list with {0: weight, 1: weight} for each label"


def weighed(loss: Layer, class_weight: Any, codes: np.ndarray, owner: str, *, mean_one: bool) -> Layer:
    """The loss, with `weights` and `pos_weight` of the labels.

    Args:
        class_weight: "balanced": num / (2 * samples without, or with, the label); a list of dictionaries, one for each
            label, with 1 for what one does not name.
        codes: (num, labels), 0 and 1.
        mean_one: scale the weights so that their mean over all samples and labels is 1.

    Raises:
        ParameterError: something else, another number of dictionaries, or a loss without such weights.
    """
    without, there = _balanced(codes) if _is_balanced(class_weight) else _tables(class_weight, codes.shape[1], owner)
    _require_fields(loss, owner)
    if mean_one:
        scale = np.where(codes != 0, there, without).mean()
        without, there = without / scale, there / scale
    return loss.replace(weights=without, pos_weight=there / without)


def _is_balanced(class_weight: Any) -> bool:
    return isinstance(class_weight, str) and class_weight == "balanced"


def _balanced(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    counts = np.stack([(codes == 0).sum(axis=0), (codes != 0).sum(axis=0)])
    weights = np.where(counts, len(codes) / (2 * np.maximum(counts, 1)), 1.0)
    return weights[0], weights[1]


def _tables(class_weight: Any, count: int, owner: str) -> tuple[np.ndarray, np.ndarray]:
    if not isinstance(class_weight, (list, tuple)) or not all(isinstance(each, Mapping) for each in class_weight):
        hint = "class_weight=[{1: 5}, {}, {}] counts samples with the first of three labels five times"
        rule = f"{owner}: class_weight is out of range for samples with several labels"
        raise ParameterError(rule, expected=EXPECTED, got=shown(class_weight), hint=hint)
    if len(class_weight) != count:
        rule = f"{owner}: class_weight has another number of labels than y"
        raise ParameterError(rule, expected=str(count), got=str(len(class_weight)))
    weights = np.ones((2, count))
    for label, each in enumerate(class_weight):
        for key, weight in each.items():
            if key not in (0, 1):
                rule = f"{owner}: class_weight of label {label} names neither 0 nor 1"
                raise ParameterError(rule, expected="0, without it, and 1, with it", got=shown(key))
            weights[int(key), label] = _checked(weight, int(key), label, owner)
    return weights[0], weights[1]


def _checked(weight: Any, key: int, label: int, owner: str) -> float:
    rule = real(0) if key else real(above=0)
    return rule.check(f"the weight of {key} in class_weight of label {label}", weight, owner, ParameterError)


def _require_fields(loss: Layer, owner: str) -> None:
    known = [getattr(loss, name, None) for name in ("weights", "pos_weight")]
    if None in known:
        rule = f"{owner}: class_weight needs a loss with weights and pos_weight"
        hint = "BinaryCrossEntropyLossLayer or HingeLossLayer"
        raise ParameterError(rule, layer=loss.name, type=loss.kind, hint=hint, at=at(loss.origin))
    if any(known):
        rule = f"{owner}: class_weight and weights of the loss are both given"
        raise ParameterError(rule, layer=loss.name, type=loss.kind, hint="leave one of them out", at=at(loss.origin))


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
        values = arrays.values(y, len(arrays.target_array(y, owner)), owner)
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

    def decoded(self, out: np.ndarray) -> np.ndarray:
        """The values that outputs of the net mean, (num, width)."""
        return out.astype(np.float64) if self.head.says is None else self.head.says(out)

    def score(self, codes: np.ndarray, out: np.ndarray, weights: np.ndarray | None) -> float:
        """R^2."""
        return r2(codes, self.decoded(out), weights)


def r2(true: np.ndarray, predicted: np.ndarray, weights: np.ndarray | None = None) -> float:
    """R^2 of arrays (num, targets), averaged over the targets."""
    w = np.ones(len(true)) if weights is None else weights
    squares = w @ (true - predicted) ** 2
    spread = w @ (true - w @ true / w.sum()) ** 2
    constant = np.where(squares == 0, 1.0, 0.0)
    return float(np.where(spread > 0, 1 - squares / np.where(spread > 0, spread, 1), constant).mean())
