"""Converters of Caffe's layers with one bottom and one top: activations, Dropout, normalization, scales and shifts.

Caffe's BatchNorm only normalizes; a Scale layer after it has the learnt scale and shift.
"""

from __future__ import annotations

import math
from typing import Any

from mochac.formats.caffe.builder import Builder, CaffeLayer, converter, number
from mochac.formats.caffe.params import loaded_or, own_fields
from mochac.nets.layers.initializers import ConstantInitializer
from mochac.nets.layers.neurons import Neurons


@converter("ReLU")
def relu(b: Builder, layer: CaffeLayer) -> None:
    """Neurons.ReLU, or LReLU with its negative_slope."""
    slope = number(layer.message.relu_param.negative_slope)
    b.neuron(layer, Neurons.LReLU(slope=slope) if slope else Neurons.ReLU())


@converter("PReLU")
def prelu(b: Builder, layer: CaffeLayer) -> None:
    """PReLULayer."""
    param = layer.message.prelu_param
    before, fields = b.bottoms(layer), own_fields(b, layer, slope=(param.filler, 0.25))
    b.add("PReLU", layer, bottoms=before, tops=b.tops(layer), shared=param.channel_shared, **fields)


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


@converter("AbsVal")
def absolute(b: Builder, layer: CaffeLayer) -> None:
    """FunctionLayer, abs."""
    b.add("Function", layer, function="abs", bottoms=b.bottoms(layer), tops=b.tops(layer))


@converter("Threshold")
def threshold(b: Builder, layer: CaffeLayer) -> None:
    """FunctionLayer: 1 where x > threshold, else 0."""
    limit = [number(layer.message.threshold_param.threshold)]
    b.add("Function", layer, function="gt", constants=limit, bottoms=b.bottoms(layer), tops=b.tops(layer))


@converter("Clip")
def clip(b: Builder, layer: CaffeLayer) -> None:
    """Two FunctionLayers, min and max."""
    param = layer.message.clip_param
    if not (param.HasField("min") and param.HasField("max")):
        raise layer.refused("min and max must be given")
    least, most = number(param.min), number(param.max)
    below = _inside(b, layer, "below", "Function", function="min", constants=[most], bottoms=b.bottoms(layer))
    b.add("Function", layer, function="max", constants=[least], bottoms=below, tops=b.tops(layer))


@converter("Log")
def log(b: Builder, layer: CaffeLayer) -> None:
    """FunctionLayer, log, between PowerLayers for a scale, shift or base: log(shift + scale x) / log(base)."""
    param = layer.message.log_param
    base, scale, shift = number(param.base), number(param.scale), number(param.shift)
    if base != -1 and (base <= 0 or base == 1):
        raise layer.refused("base is not the base of a logarithm", "> 0 and not 1, or -1 for e", base)
    x, top = b.bottoms(layer), b.tops(layer)
    if (scale, shift) != (1, 0):
        x = _inside(b, layer, "linear", "Power", bottoms=x, scale=scale, shift=shift)
    if base == -1:
        b.add("Function", layer, function="log", bottoms=x, tops=top)
        return
    x = _inside(b, layer, "log", "Function", bottoms=x, function="log")
    b.add("Power", layer, bottoms=x, scale=1 / math.log(base), tops=top)


@converter("Swish")
def swish(b: Builder, layer: CaffeLayer) -> None:
    """Neurons.SiLU; with a beta other than 1, a FunctionLayer, x sigmoid(beta x)."""
    beta = number(layer.message.swish_param.beta)
    if beta == 1:
        b.neuron(layer, Neurons.SiLU())
        return
    bottoms = b.bottoms(layer)
    steeper = _inside(b, layer, "beta", "Power", bottoms=bottoms, scale=beta)
    b.add("Function", layer, function="gated", bottoms=[*bottoms, *steeper], tops=b.tops(layer))


def _inside(b: Builder, layer: CaffeLayer, part: str, kind: str, **fields: Any) -> list[str]:
    """Add a layer for a part of Caffe's; returns its top."""
    top = b.unused(f"{layer.name}-{part}")
    b.add(kind, layer, name=top, **fields, tops=[top])
    return [top]


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


@converter("BatchNorm")
def batch_norm(b: Builder, layer: CaffeLayer) -> None:
    """BatchNormLayer without parameters. Source: src/caffe/layers/batch_norm_layer.cpp.

    Caffe keeps sums, to which every step adds a batch after multiplying them by moving_average_fraction f, and a
    divisor; mochac keeps the means, which move towards those of a batch by 1 - f. After many steps these are the same.
    """
    param = layer.message.batch_norm_param
    is_set, testing = param.HasField("use_global_stats"), b.options.phase == "test"
    if testing and is_set and not param.use_global_stats:
        raise layer.refused("a net for the test phase normalizes by the batch", "use_global_stats: true", "false")
    b.add(
        "BatchNorm",
        layer,
        bottoms=b.bottoms(layer),
        affine=False,
        epsilon=number(param.eps),
        momentum=round(1 - number(param.moving_average_fraction), 12),
        frozen_statistics=is_set and not testing and param.use_global_stats,
        mean_init=loaded_or(b, layer, "mean", ConstantInitializer(0.0)),
        variance_init=loaded_or(b, layer, "variance", ConstantInitializer(1.0)),
        tops=b.tops(layer),
    )


@converter("Scale", bottoms=(1, 2))
def scale(b: Builder, layer: CaffeLayer) -> None:
    """ScaleLayer; with two bottoms, only its shift is learnt."""
    param, bottoms = layer.message.scale_param, b.bottoms(layer)
    learnt: dict[str, Any] = {"scale": (param.filler, 1.0)} if len(bottoms) == 1 else {}
    learnt |= {"shift": (param.bias_filler, 0.0)} if param.bias_term else {}
    fields = own_fields(b, layer, **learnt) if learnt else {}
    fields |= {"axis": param.axis, "num_axes": param.num_axes, "shifted": param.bias_term}
    b.add("Scale", layer, bottoms=bottoms, **fields, tops=b.tops(layer))


@converter("Bias", bottoms=(1, 2))
def bias(b: Builder, layer: CaffeLayer) -> None:
    """BiasLayer."""
    param, bottoms = layer.message.bias_param, b.bottoms(layer)
    fields = own_fields(b, layer, shift=(param.filler, 0.0)) if len(bottoms) == 1 else {}
    sizes = {"axis": param.axis, "num_axes": param.num_axes}
    b.add("Bias", layer, bottoms=bottoms, **sizes, **fields, tops=b.tops(layer))
