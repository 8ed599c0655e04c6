"""Caffe's activations, which are layers, and Dropout."""

from __future__ import annotations

from mochac.caffe.builder import Builder
from mochac.caffe.converters import converter
from mochac.caffe.layer import CaffeLayer, number
from mochac.layers.neurons import Neurons

_LEAK = 0.01


@converter("ReLU")
def relu(b: Builder, layer: CaffeLayer) -> None:
    """Neurons.ReLU, or LReLU for the only slope that Mocha supports."""
    slope = number(layer.message.relu_param.negative_slope)
    if slope not in (0.0, _LEAK):
        raise layer.refused("no counterpart for its negative_slope", expected=f"0 or {_LEAK}", got=slope)
    b.neuron(layer, Neurons.LReLU() if slope else Neurons.ReLU())


@converter("Sigmoid")
def sigmoid(b: Builder, layer: CaffeLayer) -> None:
    """Neurons.Sigmoid."""
    b.neuron(layer, Neurons.Sigmoid())


@converter("TanH")
def tanh(b: Builder, layer: CaffeLayer) -> None:
    """Neurons.Tanh."""
    b.neuron(layer, Neurons.Tanh())


@converter("Exp")
def exp(b: Builder, layer: CaffeLayer) -> None:
    """Neurons.Exponential, which is e^x."""
    param = layer.message.exp_param
    layer.require("base, scale or shift", (param.base, param.scale, param.shift), (-1.0, 1.0, 0.0))
    b.neuron(layer, Neurons.Exponential())


@converter("Dropout")
def dropout(b: Builder, layer: CaffeLayer) -> None:
    """DropoutLayer; in the test phase nothing, or an IdentityLayer if its top has another name than its bottom.

    Source: src/caffe/layers/dropout_layer.cpp, which scales by 1 / (1 - ratio) in training.
    """
    param = layer.message.dropout_param
    layer.require("scale_train", param.scale_train, True)
    if b.options.phase == "train" and param.dropout_ratio:
        b.in_place("Dropout", layer, ratio=number(param.dropout_ratio))
    elif not layer.in_place:
        b.add("Identity", layer, bottoms=b.bottoms(layer), tops=b.tops(layer))
