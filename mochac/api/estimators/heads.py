"""Heads: the output layer and targets that each loss needs, and how outputs become scores and probabilities.

To support another loss in the estimators, add a row to CLASSIFIERS or REGRESSORS.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

import numpy as np

from mochac.base.records import record
from mochac.nets.layers.base import Layer
from mochac.nets.layers.classes import AccuracyLayer
from mochac.nets.layers.element_wise import SoftmaxLayer
from mochac.nets.layers.inner_product import InnerProductLayer
from mochac.nets.layers.label_losses import BinaryAccuracyLayer
from mochac.nets.layers.neurons import Identity, Neuron, Sigmoid

INPUT, OUTPUT, LABEL, CLASS, LOSS, ACCURACY = "input", "output", "label", "class", "loss", "accuracy"
"""Names of blobs and layers that estimators add."""


@record
class Head:
    """How estimators use a loss.

    Attributes:
        loss: kind of the loss layer, such as "SoftmaxLoss".
        neuron: of the output layer.
        single: two classes have a single output, compared with the threshold.
        low: target value of "not this class"; None: the target is the class index.
        threshold: between the two classes of a single output.
        probabilities: outputs -> probabilities of the classes; None: the loss has none.
        says: outputs -> what they mean, of the same shape; None: the outputs themselves.
        logits: the head of the loss with logits=True.
        softmax: a SoftmaxLayer follows the output layer.
    """

    loss: str
    neuron: Neuron = field(default_factory=Identity)
    single: bool = False
    low: float | None = None
    threshold: float = 0.0
    probabilities: Callable[[np.ndarray], np.ndarray] | None = None
    softmax: bool = False
    says: Callable[[np.ndarray], np.ndarray] | None = None
    logits: Head | None = None

    def of(self, loss: Layer) -> Head:
        """The head of a loss layer of this kind."""
        return self.logits if self.logits is not None and getattr(loss, "logits", False) else self

    def columns(self, n_classes: int) -> int:
        """Number of outputs."""
        return 1 if self.single and n_classes <= 2 else n_classes

    def targets(self, codes: np.ndarray, n_classes: int) -> np.ndarray:
        """Labels for the loss: class indices (num, 1), or `low` and 1 in (num, columns)."""
        if self.low is None:
            return codes[:, None]
        if self.columns(n_classes) == 1:
            return np.where(codes == 1, 1.0, self.low)[:, None]
        return np.where(codes[:, None] == np.arange(n_classes), 1.0, self.low)

    def scores(self, out: np.ndarray) -> np.ndarray:
        """decision_function: (num,) for two classes, positive for the second; else (num, classes)."""
        if out.shape[1] == 1:
            return out[:, 0] - self.threshold
        return out[:, 1] - out[:, 0] if out.shape[1] == 2 else out

    def layers(self, width: int, last: Layer | None) -> list[Layer]:
        """Layers to add after the user's last layer; none if that is an output layer."""
        added: list[Layer] = []
        if not self._is_output(last, width):
            added.append(InnerProductLayer(name=OUTPUT, output_dim=width, neuron=self.neuron))
        if self.softmax and not isinstance(last, SoftmaxLayer):
            added.append(SoftmaxLayer(name="probabilities"))
        return added

    def accuracy(self, pred: str, width: int) -> Layer:
        """The layer that computes the accuracy."""
        if width == 1 and self.single:
            return BinaryAccuracyLayer(name=ACCURACY, bottoms=[pred, LABEL], threshold=self.threshold)
        return AccuracyLayer(name=ACCURACY, bottoms=[pred, CLASS])

    def _is_output(self, last: Layer | None, width: int) -> bool:
        if isinstance(last, SoftmaxLayer):
            return self.softmax
        return isinstance(last, InnerProductLayer) and (last.output_dim, last.neuron) == (width, self.neuron)


def softmax(out: np.ndarray) -> np.ndarray:
    """exp(x) / sum exp(x) by row, in float64.

    >>> softmax(np.array([[0.0, 0.0]])).tolist()
    [[0.5, 0.5]]
    """
    e = np.exp(out.astype(np.float64) - out.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def sigmoid(out: np.ndarray) -> np.ndarray:
    """1 / (1 + exp(-x)) of each element, in float64.

    >>> sigmoid(np.array([[0.0, -1000.0, 1000.0]])).tolist()
    [[0.5, 0.0, 1.0]]
    """
    return np.exp(-np.logaddexp(0.0, -out.astype(np.float64)))


def shares(out: np.ndarray) -> np.ndarray:
    """Independent probabilities as a distribution: 1 - p and p for one column, else scaled to the sum 1."""
    p = out.astype(np.float64)
    if p.shape[1] == 1:
        return np.hstack([1 - p, p])
    total = p.sum(axis=1, keepdims=True)
    return np.divide(p, total, out=np.full_like(p, 1 / p.shape[1]), where=total > 0)


def shares_of_logits(out: np.ndarray) -> np.ndarray:
    """`shares` of the probabilities that logits mean. A named function, so that estimators can be pickled."""
    return shares(sigmoid(out))


LOGITS = Head("BinaryCrossEntropyLoss", single=True, low=0.0, says=sigmoid, probabilities=shares_of_logits)
CLASSIFIERS = {
    head.loss: head
    for head in (
        Head("SoftmaxLoss", probabilities=softmax, says=softmax),
        Head("MultinomialLogisticLoss", probabilities=shares, softmax=True),
        Head(
            "BinaryCrossEntropyLoss",
            Sigmoid(),
            single=True,
            low=0.0,
            threshold=0.5,
            probabilities=shares,
            logits=LOGITS,
        ),
        Head("HingeLoss", single=True, low=-1.0),
        Head("MulticlassHingeLoss"),
        Head("FocalLoss", probabilities=softmax, says=softmax),
    )
}


def exponential(out: np.ndarray) -> np.ndarray:
    """The means of which a net computes the logarithms."""
    return np.exp(out.astype(np.float64))


LINEAR = ("SquareLoss", "HuberLoss", "L1Loss", "QuantileLoss")
"""Losses of the distance of predictions from targets."""
REGRESSORS = {head.loss: head for head in (*map(Head, LINEAR), Head("PoissonLoss", says=exponential))}
