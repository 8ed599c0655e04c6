"""Caffe's losses and what it only counts: Softmax, SoftmaxWithLoss, EuclideanLoss, ..., Accuracy, ArgMax, Silence."""

from __future__ import annotations

import math
from typing import Any

from mochac.frontend.caffe.builder import Builder
from mochac.frontend.caffe.layer import CaffeLayer, converter, number
from mochac.runtime.log import LOG

_FULL, _VALID, _BATCH_SIZE = 0, 1, 2


@converter("Softmax")
def softmax(b: Builder, layer: CaffeLayer) -> None:
    """SoftmaxLayer."""
    axis = _axis(layer.message.softmax_param.axis)
    b.add("Softmax", layer, bottoms=b.bottoms(layer), **axis, tops=b.tops(layer))


@converter("SoftmaxWithLoss", bottoms=(2, 2), tops=(0, 1), is_loss=True)
def softmax_loss(b: Builder, layer: CaffeLayer) -> None:
    """SoftmaxLossLayer: the mean over all positions is Caffe's normalization VALID and FULL."""
    _refuse_ignored(layer, layer.message.loss_param)
    bottoms = b.bottoms(layer)
    weight = _weight(layer) * _positions(b, layer, bottoms[0])
    _add_loss(b, layer, "SoftmaxLoss", bottoms, weight, **_axis(layer.message.softmax_param.axis))


@converter("EuclideanLoss", bottoms=(2, 2), tops=(0, 1), is_loss=True)
def euclidean_loss(b: Builder, layer: CaffeLayer) -> None:
    """SquareLossLayer: half the squared distance, mean over the batch, in both."""
    _add_loss(b, layer, "SquareLoss", b.bottoms(layer), _weight(layer))


@converter("MultinomialLogisticLoss", bottoms=(2, 2), tops=(0, 1), is_loss=True)
def multinomial_logistic_loss(b: Builder, layer: CaffeLayer) -> None:
    """MultinomialLogisticLossLayer."""
    _add_loss(b, layer, "MultinomialLogisticLoss", b.bottoms(layer), _weight(layer))


@converter("SigmoidCrossEntropyLoss", bottoms=(2, 2), tops=(0, 1), is_loss=True)
def sigmoid_cross_entropy_loss(b: Builder, layer: CaffeLayer) -> None:
    """BinaryCrossEntropyLossLayer of logits: the sum over features, mean over the batch, in both. Caffe's normalization
    VALID and FULL is the mean over the features too."""
    _refuse_ignored(layer, layer.message.loss_param)
    bottoms = b.bottoms(layer)
    features = 1 if _by_samples(layer, default=True) else math.prod(b.shape(bottoms[0], layer)[1:])
    _add_loss(b, layer, "BinaryCrossEntropyLoss", bottoms, _weight(layer) / features, logits=True)


@converter("Accuracy", bottoms=(2, 2), tops=(0, 2))
def accuracy(b: Builder, layer: CaffeLayer) -> None:
    """AccuracyLayer; accuracies of another kind are left out, since nothing depends on them."""
    param = layer.message.accuracy_param
    if param.top_k != 1 or param.HasField("ignore_label") or len(layer.message.top) > 1:
        what = f"top_k {param.top_k}" if param.top_k != 1 else "ignore_label or a second top"
        LOG.warning(
            "%s:%d: layer %r (Accuracy) is left out: no counterpart for %s", layer.path, layer.line, layer.name, what
        )
        return
    b.add("Accuracy", layer, bottoms=b.bottoms(layer), **_axis(param.axis))


@converter("ArgMax")
def argmax(b: Builder, layer: CaffeLayer) -> None:
    """ArgmaxLayer: one index, along the channels."""
    param = layer.message.argmax_param
    layer.require("top_k", param.top_k, 1)
    layer.require("out_max_val", param.out_max_val, False)
    bottoms = b.bottoms(layer)
    if not param.HasField("axis") and math.prod(b.shape(bottoms[0], layer)[2:]) > 1:
        raise layer.refused("the maximum over several axes is not supported", expected="axis: 1")
    b.add("Argmax", layer, bottoms=bottoms, **_axis(param.axis or 1), tops=b.tops(layer))


@converter("Silence", bottoms=(1, None), tops=(0, 0))
def silence(b: Builder, layer: CaffeLayer) -> None:
    """Nothing: blobs that no layer takes are allowed."""


def _add_loss(b: Builder, layer: CaffeLayer, kind: str, bottoms: list[str], weight: float, **fields: Any) -> None:
    fields.update({} if weight == 1 else {"weight": weight})
    taken = any(top in b.wanted for top in layer.message.top)
    b.add(kind, layer, bottoms=bottoms, **fields, **({"tops": b.tops(layer)} if taken else {}))


def _weight(layer: CaffeLayer) -> float:
    weights = layer.message.loss_weight
    return number(weights[0]) if weights else 1.0


def _positions(b: Builder, layer: CaffeLayer, pred: str) -> float:
    """Factor from a mean over positions to Caffe's normalization."""
    return float(math.prod(b.shape(pred, layer)[2:])) if _by_samples(layer, default=False) else 1.0


def _by_samples(layer: CaffeLayer, *, default: bool) -> bool:
    """Whether the sum of losses is divided by the number of samples only, as BATCH_SIZE says."""
    param = layer.message.loss_param
    if not param.HasField("normalization"):
        return not param.normalize if param.HasField("normalize") else default
    if param.normalization not in (_FULL, _VALID, _BATCH_SIZE):
        raise layer.refused("normalization NONE is not supported", expected="FULL, VALID or BATCH_SIZE")
    return param.normalization == _BATCH_SIZE


def _refuse_ignored(layer: CaffeLayer, param: Any) -> None:
    if param.HasField("ignore_label"):
        raise layer.refused("ignore_label is not supported", got=param.ignore_label)


def _axis(axis: int) -> dict[str, int]:
    """The field `axis` where it is not the default."""
    return {} if axis == 1 else {"axis": axis}
