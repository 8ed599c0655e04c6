"""Caffe's activations, which are layers, PReLU, and Dropout."""

from __future__ import annotations

from mochac.caffe.builder import Builder
from mochac.caffe.converters import converter
from mochac.caffe.layer import CaffeLayer, number
from mochac.caffe.params import slope_fields
from mochac.layers.neurons import Neurons


@converter("ReLU")
def relu(b: Builder, layer: CaffeLayer) -> None:
    """Neurons.ReLU, or LReLU with its negative_slope."""
    slope = number(layer.message.relu_param.negative_slope)
    b.neuron(layer, Neurons.LReLU(slope=slope) if slope else Neurons.ReLU())


@converter("PReLU")
def prelu(b: Builder, layer: CaffeLayer) -> None:
    """PReLULayer."""
    param = layer.message.prelu_param
    shared = {"shared": True} if param.channel_shared else {}
    before, fields = b.bottoms(layer), slope_fields(b, layer, param)
    b.add("PReLU", layer, bottoms=before, tops=b.tops(layer), **shared, **fields)


@converter("ELU")
def elu(b: Builder, layer: CaffeLayer) -> None:
    """Neurons.ELU."""
    alpha = number(layer.message.elu_param.alpha)
    if alpha < 0:
        raise layer.refused("alpha is negative", expected=">= 0", got=alpha)
    b.neuron(layer, Neurons.ELU(alpha=alpha))


@converter("BNLL")
def bnll(b: Builder, layer: CaffeLayer) -> None:
    """Neurons.Softplus, log(1 + e^x)."""
    b.neuron(layer, Neurons.Softplus())


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
