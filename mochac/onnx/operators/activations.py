"""ONNX's activations: neurons of the layer before them, or layers."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from mochac.layers.neurons import SELU_ALPHA, SELU_SCALE, Neuron, Neurons
from mochac.onnx.builder import NetBuilder
from mochac.onnx.converters import operator
from mochac.onnx.operator import BlobTensor, OnnxNode
from mochac.onnx.operators.norms import number


def _of(node: OnnxNode, name: str, default: float) -> float:
    return number(node.attribute(name, default))


def _selu(node: OnnxNode) -> Neuron:
    for name, known in (("alpha", SELU_ALPHA), ("gamma", SELU_SCALE)):
        if not math.isclose(node.attribute(name, known), known, rel_tol=1e-6):
            raise node.refused(f"{name} is not supported", f"{known:.6g}", node.attribute(name))
    return Neurons.SELU()


def _gelu(node: OnnxNode) -> Neuron:
    node.require("approximate", how := node.attribute("approximate", "none"), "none", "tanh")
    return Neurons.GELU(approximate=how == "tanh")


_NEURONS: dict[str, Callable[[OnnxNode], Neuron]] = {
    "Relu": lambda node: Neurons.ReLU(),
    "LeakyRelu": lambda node: Neurons.LReLU(slope=_of(node, "alpha", 0.01)),
    "Sigmoid": lambda node: Neurons.Sigmoid(),
    "Tanh": lambda node: Neurons.Tanh(),
    "Elu": lambda node: Neurons.ELU(alpha=_of(node, "alpha", 1.0)),
    "Selu": _selu,
    "Gelu": _gelu,
    "Softplus": lambda node: Neurons.Softplus(),
    "Softsign": lambda node: Neurons.Softsign(),
    "HardSwish": lambda node: Neurons.HardSwish(),
    "Mish": lambda node: Neurons.Mish(),
    "Exp": lambda node: Neurons.Exponential(),
}
_FUNCTIONS = {"Abs": "abs", "Erf": "erf", "Log": "log", "Neg": "neg", "Sign": "sign", "Sqrt": "sqrt"}


@operator(*_NEURONS)
def activation(b: NetBuilder, node: OnnxNode) -> None:
    """The neuron of the layer before it, or an ActivationLayer."""
    b.neuron(node, _NEURONS[node.type](node))


@operator(*_FUNCTIONS)
def function(b: NetBuilder, node: OnnxNode) -> None:
    """FunctionLayer."""
    b.add("Function", node, [x := node.blob()], x.shape, function=_FUNCTIONS[node.type])


@operator("Reciprocal")
def reciprocal(b: NetBuilder, node: OnnxNode) -> None:
    """PowerLayer."""
    b.add("Power", node, [x := node.blob()], x.shape, power=-1.0)


@operator("HardSigmoid")
def hard_sigmoid(b: NetBuilder, node: OnnxNode) -> None:
    """Neurons.HardSigmoid, whose slope is 1/6; others as a PowerLayer and a clip."""
    alpha, beta = node.attribute("alpha", 0.2), node.attribute("beta", 0.5)
    if math.isclose(alpha, 1 / 6, rel_tol=1e-6) and beta == 0.5:
        b.neuron(node, Neurons.HardSigmoid())
        return
    x = node.blob()
    line = b.between("Power", node, [x], x.shape, scale=number(alpha), shift=number(beta))
    _clipped(b, node, line, 0.0, 1.0)


@operator("Clip")
def clip(b: NetBuilder, node: OnnxNode) -> None:
    """ReLU, or FunctionLayers with max and min."""
    x = node.blob()
    low, high = (_limit(node, k, name) for k, name in ((1, "min"), (2, "max")))
    if (low, high) == (0.0, math.inf):
        b.neuron(node, Neurons.ReLU())
        return
    _clipped(b, node, x, low, high)


def _limit(node: OnnxNode, k: int, name: str) -> float:
    none = -math.inf if name == "min" else math.inf
    if node.has(k):
        array = node.given(k, f"its {name}")
        return float(array.reshape(-1)[0]) if array.size == 1 else none
    found = float(node.attribute(name, none))
    return none if abs(found) >= float(np.finfo(np.float32).max) else found


def _clipped(b: NetBuilder, node: OnnxNode, x: BlobTensor, low: float, high: float) -> None:
    """max(low), then min(high), each if it is finite; ONNX's result is `high` where they contradict each other."""
    if math.isinf(low) and math.isinf(high):
        b.alias(node, x)
    elif math.isinf(high):
        b.add("Function", node, [x], x.shape, function="max", constants=(low,))
    else:
        inner = x if math.isinf(low) else b.between("Function", node, [x], x.shape, function="max", constants=(low,))
        b.add("Function", node, [inner], x.shape, function="min", constants=(high,))


@operator("PRelu")
def prelu(b: NetBuilder, node: OnnxNode) -> None:
    """PReLULayer, with a slope for each channel or one for all."""
    x, slope = node.blob(), node.given(1, "its slope")
    shape = (1,) * (len(x.shape) - slope.ndim) + slope.shape
    channels = (1, x.shape[1], *(1 for _ in x.shape[2:]))
    if slope.size != 1 and shape != channels:
        raise node.refused("its slope differs within a channel", str(channels), slope.shape)
    shared = {"shared": True} if slope.size == 1 else {}
    b.add("PReLU", node, [x], x.shape, {"slope": slope.reshape(-1)}, **shared)


@operator("Softmax", "LogSoftmax")
def softmax(b: NetBuilder, node: OnnxNode) -> None:
    """SoftmaxLayer; before version 13, all axes from `axis` on are one."""
    x = node.blob()
    rank = len(x.shape)
    axis = int(node.attribute("axis", 1 if node.opset < 13 else -1)) % rank
    if not axis or (node.opset < 13 and math.prod(x.shape[axis + 1 :]) > 1):
        raise node.refused("it is over several axes, or over the batch", f"axis {rank - 1}", axis)
    along = {} if axis == 1 else {"axis": axis}
    if node.type == "Softmax":
        b.add("Softmax", node, [x], x.shape, **along)
    else:
        shares = b.between("Softmax", node, [x], x.shape, **along)
        b.add("Function", node, [shares], x.shape, function="log")


@operator("Dropout")
def dropout(b: NetBuilder, node: OnnxNode) -> None:
    """DropoutLayer, which does nothing at prediction."""
    node.only_first_output()
    if node.has(2) and bool(node.given(2, "training_mode")):
        raise node.refused("it drops units at prediction", "training_mode = false", "true")
    given = node.given(1, "its ratio").reshape(-1)[0] if node.has(1) else node.attribute("ratio", 0.5)
    ratio, x = number(given), node.blob()
    if 0 < ratio < 1:
        b.add("Dropout", node, [x], x.shape, ratio=ratio)
    else:
        b.alias(node, x)
