"""Caffe's losses and statistics: Softmax, SoftmaxWithLoss, EuclideanLoss, ..., Accuracy, ArgMax, Silence."""

from __future__ import annotations

import math
from typing import Any

from mochac.base.errors import UnsupportedError
from mochac.base.support.log import LOG
from mochac.formats.caffe.builder import Builder, CaffeLayer, converter, number

_FULL, _VALID, _BATCH_SIZE, _NONE = 0, 1, 2, 3
_L2 = 2


@converter("Softmax")
def softmax(b: Builder, layer: CaffeLayer) -> None:
    """SoftmaxLayer."""
    axis = layer.message.softmax_param.axis
    b.add("Softmax", layer, bottoms=b.bottoms(layer), axis=axis, tops=b.tops(layer))


@converter("SoftmaxWithLoss", bottoms=(2, 2), tops=(0, 1), is_loss=True)
def softmax_loss(b: Builder, layer: CaffeLayer) -> None:
    """SoftmaxLossLayer."""
    bottoms, axis = b.bottoms(layer), layer.message.softmax_param.axis
    factor, fields = _normalized(b, layer, bottoms[0], axis)
    _add_loss(b, layer, "SoftmaxLoss", bottoms, _weight(layer) * factor, **_class_axis(b, layer, axis), **fields)


@converter("HingeLoss", bottoms=(2, 2), tops=(0, 1), is_loss=True)
def hinge_loss(b: Builder, layer: CaffeLayer) -> None:
    """MulticlassHingeLossLayer: all features of a sample are classes; mean over the batch."""
    pred, label = b.bottoms(layer)
    if not _is_flat(b, layer, pred):
        flat = b.unused(f"{layer.name}-flat")
        b.add("Flatten", layer, name=flat, bottoms=[pred], tops=[flat])
        pred = flat
    norm = "L2" if layer.message.hinge_loss_param.norm == _L2 else "L1"
    _add_loss(b, layer, "MulticlassHingeLoss", [pred, label], _weight(layer), norm=norm)


@converter("EuclideanLoss", bottoms=(2, 2), tops=(0, 1), is_loss=True)
def euclidean_loss(b: Builder, layer: CaffeLayer) -> None:
    """SquareLossLayer; both are half the squared distance, averaged over the batch."""
    _add_loss(b, layer, "SquareLoss", b.bottoms(layer), _weight(layer))


@converter("MultinomialLogisticLoss", bottoms=(2, 2), tops=(0, 1), is_loss=True)
def multinomial_logistic_loss(b: Builder, layer: CaffeLayer) -> None:
    """MultinomialLogisticLossLayer."""
    _add_loss(b, layer, "MultinomialLogisticLoss", b.bottoms(layer), _weight(layer))


@converter("SigmoidCrossEntropyLoss", bottoms=(2, 2), tops=(0, 1), is_loss=True)
def sigmoid_cross_entropy_loss(b: Builder, layer: CaffeLayer) -> None:
    """BinaryCrossEntropyLossLayer of logits; both sum over features and average over the batch. Caffe's normalizations
    VALID and FULL average over the features too, NONE sums over the batch."""
    param, bottoms = layer.message.loss_param, b.bottoms(layer)
    _refuse_ignored(layer, param)
    how, factor = _normalization(param, default=_BATCH_SIZE), 1.0
    if how != _BATCH_SIZE:
        batch, *features = b.shape(bottoms[0], layer)
        factor = float(batch) if how == _NONE else 1 / math.prod(features)
    _add_loss(b, layer, "BinaryCrossEntropyLoss", bottoms, _weight(layer) * factor, logits=True)


@converter("ContrastiveLoss", bottoms=(3, 3), tops=(0, 1), is_loss=True)
def contrastive_loss(b: Builder, layer: CaffeLayer) -> None:
    """ContrastiveLossLayer."""
    param = layer.message.contrastive_loss_param
    how = {"margin": number(param.margin), "legacy": param.legacy_version}
    _add_loss(b, layer, "ContrastiveLoss", b.bottoms(layer), _weight(layer), **how)


@converter("Accuracy", bottoms=(2, 2), tops=(0, 2))
def accuracy(b: Builder, layer: CaffeLayer) -> None:
    """AccuracyLayer. A second top, the accuracy of each class, is left out, since nothing depends on it."""
    param = layer.message.accuracy_param
    if len(layer.message.top) > 1:
        where = f"{layer.path}:{layer.line}: layer {layer.name!r} (Accuracy)"
        LOG.warning("%s: its second top, the accuracy of each class, is left out", where)
    axis = _class_axis(b, layer, param.axis)
    b.add("Accuracy", layer, bottoms=b.bottoms(layer), **axis, top_k=param.top_k, **_ignored(param))


@converter("ArgMax")
def argmax(b: Builder, layer: CaffeLayer) -> None:
    """ArgmaxLayer: one index, over the channels."""
    param = layer.message.argmax_param
    layer.require("top_k", param.top_k, 1)
    layer.require("out_max_val", param.out_max_val, False)
    bottoms = b.bottoms(layer)
    if not param.HasField("axis") and math.prod(b.shape(bottoms[0], layer)[2:]) > 1:
        raise layer.refused("the maximum over several axes is not supported", expected="axis: 1")
    b.add("Argmax", layer, bottoms=bottoms, axis=param.axis or 1, tops=b.tops(layer))


@converter("Silence", bottoms=(1, None), tops=(0, 0))
def silence(b: Builder, layer: CaffeLayer) -> None:
    """Nothing is added, since unused blobs are allowed."""


def _add_loss(b: Builder, layer: CaffeLayer, kind: str, bottoms: list[str], weight: float, **fields: Any) -> None:
    taken = any(top in b.wanted for top in layer.message.top)
    b.add(kind, layer, bottoms=bottoms, weight=weight, **fields, **({"tops": b.tops(layer)} if taken else {}))


def _weight(layer: CaffeLayer) -> float:
    weights = layer.message.loss_weight
    return number(weights[0]) if weights else 1.0


def _normalized(b: Builder, layer: CaffeLayer, pred: str, axis: int) -> tuple[float, dict[str, Any]]:
    """Fields for ignore_label and normalization, and a factor of the loss.

    Caffe's BATCH_SIZE divides by the product of all extents before the axis of classes, which is the batch size if
    `axis` is 1; NONE does not divide. Source: SoftmaxWithLossLayer::get_normalizer of
    src/caffe/layers/softmax_loss_layer.cpp.
    """
    param = layer.message.loss_param
    fields, how = _ignored(param), _normalization(param, default=_VALID)
    if how == _VALID or (how == _FULL and not fields):
        return 1.0, fields
    fields = {**fields, "normalization": "full" if how == _FULL else "batch_size"}
    if how == _FULL or (how == _BATCH_SIZE and axis == 1):
        return 1.0, fields
    shape = b.shape(pred, layer)
    return shape[0] / (math.prod(shape[: axis % len(shape)]) if how == _BATCH_SIZE else 1), fields


def _is_flat(b: Builder, layer: CaffeLayer, blob: str) -> bool:
    """Whether a blob is (batch, features), perhaps followed by axes of extent 1."""
    return _is_product(b, blob) or math.prod(b.shape(blob, layer)[2:]) == 1


def _is_product(b: Builder, blob: str) -> bool:
    return any(other.kind == "InnerProduct" and blob in other.tops for other in b.layers)


def _normalization(param: Any, default: int) -> int:
    """The normalization of a loss; `normalize` is an older field for two of them."""
    if param.HasField("normalization"):
        return param.normalization
    if param.HasField("normalize"):
        return _VALID if param.normalize else _BATCH_SIZE
    return default


def _ignored(param: Any) -> dict[str, int]:
    """The field `ignore_label`, if given."""
    return {"ignore_label": param.ignore_label} if param.HasField("ignore_label") else {}


def _refuse_ignored(layer: CaffeLayer, param: Any) -> None:
    if param.HasField("ignore_label"):
        raise layer.refused("ignore_label is not supported", got=param.ignore_label)


def _class_axis(b: Builder, layer: CaffeLayer, axis: int) -> dict[str, int]:
    """The field `axis` of a layer that reads labels, which must be given where these fit the last axis as well."""
    pred = b.bottoms(layer)[0]
    if axis != 1 or _is_product(b, pred):
        return {} if axis == 1 else {"axis": axis}
    try:
        shape = b.shape(pred, layer)
    except UnsupportedError:  # of an earlier layer, which is reported
        return {}
    return {"axis": 1} if len(shape) == 3 and shape[1] == shape[2] else {}
