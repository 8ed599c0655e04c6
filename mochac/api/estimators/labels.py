"""What a classifier learns: one of several classes for each sample, or any number of labels.

Both make targets for the loss, and turn outputs of the net into labels, scores and probabilities.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from numbers import Number
from typing import Any

import numpy as np

from mochac.api.estimators import samples as arrays
from mochac.api.estimators.errors import InputError, ParameterError
from mochac.api.estimators.heads import ACCURACY, CLASS, LABEL, Head
from mochac.api.estimators.weights import weighted_mean
from mochac.base.records import record
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
        labels = arrays.labels(y, len(arrays.given(y, owner)), owner)
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
            shape = arrays.given(y, owner).shape
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
