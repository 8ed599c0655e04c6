"""The nets of an estimator: the user's layers with an output layer, then with data and a loss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mochac.api.estimators.chain import chain, layer_error, require_free
from mochac.api.estimators.errors import ParameterError
from mochac.api.estimators.heads import CLASS, INPUT, LABEL, LOSS
from mochac.api.estimators.targets import Aim
from mochac.api.estimators.weights import WEIGHT
from mochac.base.records import record
from mochac.nets.layers.base import Layer
from mochac.nets.layers.element_wise import SoftmaxLayer
from mochac.nets.layers.memory_data import MemoryDataLayer
from mochac.nets.net import Net


@record
class Made:
    """Wired layers and the blob of their output."""

    layers: list[Layer]
    blob: str


def wired(given: tuple[Layer, ...], aim: Aim, inputs: Sequence[str], owner: str) -> Made:
    """The chain of the user's layers, which begins with the first of the inputs, with an output layer."""
    last, head = given[-1] if given else None, aim.head
    if isinstance(last, SoftmaxLayer) and not head.softmax:
        rule = f"the {head.loss}Layer of {owner} needs the layer before the softmax"
        raise layer_error(last, rule, "leave out the SoftmaxLayer")
    made, blob = chain(given, inputs[0])
    added = head.layers(aim.width, last)
    ours = [INPUT, LOSS, *(layer.name for layer in (*added, *aim.judges(blob)))]
    require_free(made, ours, (*inputs, LABEL, CLASS, WEIGHT), owner)
    tail, blob = chain(added, blob)
    _require_read([*made, *tail], inputs, owner)
    return Made([*made, *tail], blob)


def _require_read(layers: Sequence[Layer], inputs: Sequence[str], owner: str) -> None:
    """Raise ParameterError for an input that no layer reads, or that has a name of the estimator's own blobs."""
    read = {blob for layer in layers for blob in layer.reads}
    for blob in inputs:
        if blob in (LABEL, CLASS, WEIGHT):
            raise ParameterError(f"{owner} makes a blob {blob!r} itself", hint="give this input of X another name")
        if blob not in read and len(inputs) > 1:
            hint = f"bottoms=[{blob!r}] of a layer"
            raise ParameterError(f"{owner}: no layer reads the input {blob!r} of X", got=" ".join(inputs), hint=hint)


def net_of(made: Made, aim: Aim, tops: Mapping[str, np.ndarray], batch: int, owner: str) -> Net:
    """The net for arrays of the training or the validation set, by blob, which are kept."""
    arrays = list(tops.values())
    for array in arrays:
        array.flags.writeable = False  # a device may then keep it
    data = MemoryDataLayer(name=INPUT, data=arrays, tops=list(tops), batch_size=batch, shuffle=True)
    weighed = {"sample_weights": WEIGHT} if WEIGHT in tops else {}
    closed = aim.loss.replace(name=LOSS, bottoms=[made.blob, LABEL], **weighed)
    return Net(owner, [data, *made.layers, closed, *aim.judges(made.blob)])
