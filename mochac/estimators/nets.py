"""The nets of an estimator: the user's layers with an output layer, then with data and a loss."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mochac.estimators.chain import chain, layer_error, require_free
from mochac.estimators.heads import CLASS, INPUT, LABEL, LOSS
from mochac.estimators.predictor import DATA
from mochac.estimators.targets import Aim
from mochac.estimators.weights import WEIGHT
from mochac.frontend.net import Net
from mochac.layers.base import Layer
from mochac.layers.memory_data import MemoryDataLayer
from mochac.layers.softmax import SoftmaxLayer


@dataclass(frozen=True)
class Made:
    """Wired layers and the blob of their output."""

    layers: list[Layer]
    blob: str


def wired(given: tuple[Layer, ...], aim: Aim, owner: str) -> Made:
    """The chain of the user's layers, with an output layer."""
    last, head = given[-1] if given else None, aim.head
    if isinstance(last, SoftmaxLayer) and not head.softmax:
        rule = f"the {head.loss}Layer of {owner} needs the layer before the softmax"
        raise layer_error(last, rule, "leave out the SoftmaxLayer")
    made, blob = chain(given, DATA)
    added = head.layers(aim.width, last)
    ours = [INPUT, LOSS, *(layer.name for layer in (*added, *aim.judges(blob)))]
    require_free(made, ours, (DATA, LABEL, CLASS, WEIGHT), owner)
    tail, blob = chain(added, blob)
    return Made([*made, *tail], blob)


def net_of(made: Made, aim: Aim, tops: Mapping[str, np.ndarray], rows: np.ndarray, batch: int, owner: str) -> Net:
    """The net for some rows of the arrays, which are those of the training or the validation set."""
    arrays = [a[rows] for a in tops.values()]
    for array in arrays:
        array.flags.writeable = False  # it is our copy; a device may then keep it
    data = MemoryDataLayer(name=INPUT, data=arrays, tops=list(tops), batch_size=batch, shuffle=True)
    weighed = {"sample_weights": WEIGHT} if WEIGHT in tops else {}
    closed = aim.loss.replace(name=LOSS, bottoms=[made.blob, LABEL], **weighed)
    return Net(owner, [data, *made.layers, closed, *aim.judges(made.blob)])
