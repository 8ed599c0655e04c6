"""The loss of an estimator: a row of heads.py for mochac's own; for a user's loss, what it declares.

A user's loss is tried on small blobs, to see which targets it takes: class indices, which it declares by ctx.label, or
a number for each output, which may be declared as signs by ctx.target.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mochac.api.estimators.errors import ParameterError
from mochac.api.estimators.heads import LOSS, Head
from mochac.base.errors import MochacError
from mochac.base.hints.names import NAMES
from mochac.base.hints.options import LOSS_WORDS
from mochac.base.registry import suggestion
from mochac.nets.declared import FeedInfo
from mochac.nets.layers.base import LAYERS, Layer
from mochac.nets.layers.config import at
from mochac.nets.layers.memory_data import InputLayer
from mochac.nets.net import Net
from mochac.nets.trace import trace

PRED, TARGET = (4, 3), "target"
"""Shape of the predictions, and the name of the blob of targets, that a loss is tried on."""


def loss_layer(loss: Any, default: Layer | type[Layer], heads: Mapping[str, Head], owner: str) -> tuple[Layer, Head]:
    """The loss layer for the `loss` of an estimator (None, a class of loss layers, or a loss layer), and its head.

    Raises:
        ParameterError: anything else, or a loss that this estimator does not support.
    """
    loss = default if loss is None else loss
    made: Any = loss(name=LOSS) if isinstance(loss, type) and issubclass(loss, Layer) else loss
    if isinstance(made, Layer) and made.kind in heads:
        return made, heads[made.kind].of(made)
    if isinstance(made, Layer) and made.kind in LAYERS.foreign and made.is_loss:
        return made, own_head(made, owner)
    known = [f"{kind}Layer" for kind in heads]
    given = type(made).__name__ if isinstance(made, Layer) else repr(made)
    word = given.strip("'")
    close = NAMES[word] if NAMES.get(word) in known else LOSS_WORDS.get(word) or suggestion(word, known)
    hint = f"did you mean {close}?" if close else ""
    expected = f"{', '.join(known)}, or a loss layer of your own"
    raise ParameterError(f"{owner} cannot train with this loss", expected=expected, got=given, hint=hint)


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
