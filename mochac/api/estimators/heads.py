"""Heads of estimators: the layers behind a chain, and their losses.

Heads: the output layer and targets that each loss needs, and how outputs become scores and probabilities.

To support another loss in the estimators, add a row to CLASSIFIERS or REGRESSORS.

The loss of an estimator: a row of heads.py for mochac's own; for a user's loss, what it declares.

A user's loss is tried on small blobs, to see which targets it takes: class indices, which it declares by ctx.label, or
a number for each output, which may be declared as signs by ctx.target.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

import numpy as np

from mochac.api.estimators.validation import ParameterError
from mochac.base.errors import MochacError
from mochac.base.hints.calls import LOSS_WORDS
from mochac.base.hints.names import NAMES
from mochac.base.records import record
from mochac.base.registry import suggestion
from mochac.base.support.places import at
from mochac.nets.declared import FeedInfo
from mochac.nets.layers.base import LAYERS, Layer
from mochac.nets.layers.classes import AccuracyLayer
from mochac.nets.layers.data import InputLayer
from mochac.nets.layers.element_wise import SoftmaxLayer
from mochac.nets.layers.inner_product import InnerProductLayer
from mochac.nets.layers.label_losses import BinaryAccuracyLayer
from mochac.nets.layers.neurons import Identity, Neuron, Sigmoid
from mochac.nets.net import Net
from mochac.nets.trace import trace

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


PRED, TARGET = (4, 3), "target"
"""Shape of the predictions, and the name of the blob of targets, that a loss is tried on."""


def loss_layer(loss: Any, default: Layer | type[Layer], heads: Mapping[str, Head], owner: str) -> tuple[Layer, Head]:
    """The loss layer for the `loss` of an estimator (None, a class of loss layers, or a loss layer), and its head.

    Raises:
        ParameterError: anything else, or a loss that this estimator does not support.
    """
    loss = default if loss is None else loss
    layer: Any = loss(name=LOSS) if isinstance(loss, type) and issubclass(loss, Layer) else loss
    if isinstance(layer, Layer) and layer.kind in heads:
        return layer, heads[layer.kind].of(layer)
    if isinstance(layer, Layer) and layer.kind in LAYERS.foreign and layer.is_loss:
        return layer, own_head(layer, owner)
    known = [f"{kind}Layer" for kind in heads]
    name = type(layer).__name__ if isinstance(layer, Layer) else repr(layer)
    word = name.strip("'")
    close = NAMES[word] if NAMES.get(word) in known else LOSS_WORDS.get(word) or suggestion(word, known)
    hint = f"did you mean {close}?" if close else ""
    expected = f"{', '.join(known)}, or a loss layer of your own"
    raise ParameterError(f"{owner} cannot train with this loss", expected=expected, got=name, hint=hint)


def own_head(loss: Layer, owner: str) -> Head:
    """How an estimator uses a loss that a user wrote.

    Raises:
        ParameterError: it takes neither class indices (batch, 1) nor a number for each output.
    """
    problems: list[MochacError] = []
    for shape in (PRED, (PRED[0], 1)):
        try:
            target = _tried(loss, shape)
        except MochacError as error:
            problems.append(error)
            continue
        if target.classes is None and shape == PRED:
            return _head(loss, -1.0 if "sign" in target.targets else 0.0)
        if target.classes is not None and shape != PRED:
            return _head(loss, None)
    why = [line for problem in problems[:1] for line in problem.report.splitlines()]
    raise ParameterError(
        f"{owner} cannot train with this loss: it takes neither class indices nor a number for each output",
        layer=loss.name,
        type=loss.kind,
        expected="bottoms (batch, outputs) and (batch, 1), a class declared by ctx.label; or twice (batch, outputs)",
        details=[f"tried on {PRED} and {PRED}: {why[0]}", *why[1:]] if why else [],
        hint="train a net of your own: Net(...), mochac.compile(net).train(...)",
        at=at(loss.origin),
    )


def _tried(loss: Layer, shape: tuple[int, ...]) -> FeedInfo:
    """What the loss declared of targets of this shape."""
    inputs = [InputLayer(name=name, shape=s) for name, s in (("pred", PRED), (TARGET, shape))]
    net = Net("a loss", [*inputs, loss.replace(name=LOSS, bottoms=["pred", TARGET])])
    return next(feed for feed in trace(net, "train", "float32", seed=0).feeds if feed.top == TARGET)


def _head(loss: Layer, low: float | None) -> Head:
    says = getattr(loss, "probabilities", None)
    threshold = getattr(loss, "threshold", 0.5 if low == 0.0 else 0.0)
    return Head(loss.kind, low=low, threshold=threshold, probabilities=says, says=says)


def require_sample_weights(loss: Layer, owner: str, why: str) -> None:
    """Raise ParameterError unless the loss takes weights of samples."""
    if not hasattr(loss, "sample_weights"):
        rule = f"{owner}: {why}, which this loss does not take"
        hint = "derive it from mochac.nets.layers.Loss, which has sample_weights"
        raise ParameterError(rule, layer=loss.name, type=loss.kind, hint=hint, at=at(loss.origin))
