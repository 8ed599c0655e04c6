"""Warns of losses whose bottom certainly holds another kind of numbers than they expect, as far as layers declare it: a
softmax before a loss that includes it, scores where probabilities are expected. If the kind is not known, there is no
warning, and no net is rejected.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from mochac.base.support.log import tell_once
from mochac.nets.layers._convolving import Convolving
from mochac.nets.layers._losses import Loss
from mochac.nets.layers.base import Layer
from mochac.nets.layers.element_wise import ActivationLayer, SoftmaxLayer
from mochac.nets.layers.inner_product import InnerProductLayer
from mochac.nets.layers.neurons import Identity, Sigmoid
from mochac.nets.wiring import Placed, described


def warn(net: str, order: Sequence[Placed]) -> None:
    """Log, once per process, the losses of a net, in the order of its layers, whose bottom is of another kind."""
    makers: dict[str, Layer] = {}
    for placed in order:
        layer = placed.layer
        maker = makers.get(layer.bottoms[0]) if isinstance(layer, Loss) else None
        if isinstance(layer, Loss) and maker is not None and (kind := _kind(maker)) in layer.unsuited:
            words = f"net {net!r}: {described(layer)}: {layer.unsuited[kind]}"
            tell_once(f"{words}; bottom {layer.bottoms[0]!r} is {WORDS[kind]} {maker.name!r}", logging.WARNING)
        makers.update(dict.fromkeys(placed.tops, layer))


WORDS = {"scores": "any numbers, of layer", "softmax": "the softmax of layer", "sigmoid": "the sigmoid of layer"}
"""Descriptions of the kinds, for messages."""


def _kind(layer: Layer) -> str:
    """The kind of numbers in a layer's tops, "" if it is not known."""
    if isinstance(layer, SoftmaxLayer):
        return "softmax"
    neuron = layer.neuron if isinstance(layer, (InnerProductLayer, Convolving, ActivationLayer)) else None
    if isinstance(neuron, Identity) and not isinstance(layer, ActivationLayer):
        return "scores"
    return "sigmoid" if isinstance(neuron, Sigmoid) else ""
