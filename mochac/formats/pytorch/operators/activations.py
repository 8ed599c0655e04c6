"""PyTorch's functions of one tensor: neurons of the layer before them, or FunctionLayers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from mochac.formats.importing.formulas import formula, is_number
from mochac.formats.importing.node import BlobTensor, Constant, Tensor
from mochac.formats.importing.picked import log_softmax
from mochac.formats.pytorch.builder import TorchBuilder
from mochac.formats.pytorch.converters import aten
from mochac.formats.pytorch.node import AtenNode
from mochac.formats.pytorch.operators.arithmetic import operand
from mochac.nets.layers.neurons import Neuron, Neurons

_NEURONS: dict[str, Callable[[], Neuron]] = {
    "relu": Neurons.ReLU, "sigmoid": Neurons.Sigmoid, "tanh": Neurons.Tanh, "silu": Neurons.SiLU,
    "mish": Neurons.Mish, "hardswish": Neurons.HardSwish, "hardsigmoid": Neurons.HardSigmoid, "selu": Neurons.SELU,
    "exp": Neurons.Exponential,
}  # fmt: skip
_PI = f"{1 / math.pi!r}"
_FORMULAS = {
    "abs": "abs({0})", "neg": "neg({0})", "sign": "sign({0})", "erf": "erf({0})", "log": "log({0})",
    "sqrt": "sqrt({0})", "square": "square({0})",
    "floor": "floor({0})", "ceil": "ceil({0})", "round": "round({0})", "trunc": "trunc({0})",
    "cos": f"cospi(mul({{0}}, {_PI}))", "sin": f"cospi(sub(mul({{0}}, {_PI}), 0.5))",
    "log2": f"mul(log({{0}}), {1 / math.log(2)!r})", "log10": f"mul(log({{0}}), {1 / math.log(10)!r})",
    "exp2": f"exp(mul({{0}}, {math.log(2)!r}))", "sinh": "mul(sub(exp({0}), exp(neg({0}))), 0.5)",
    "cosh": "mul(add(exp({0}), exp(neg({0}))), 0.5)", "erfc": "sub(1, erf({0}))",
    "log_sigmoid": "neg(softplus(neg({0})))",
    "logical_not": "eq({0}, 0)", "bitwise_not": "eq({0}, 0)",
}  # fmt: skip


def neuron(b: TorchBuilder, node: AtenNode, x: BlobTensor, kind: Neuron) -> None:
    """An activation of blobs that hold samples, in the layer before it if possible."""
    if x.samples:
        b.neuron(node, kind)
    else:
        b.add("Activation", node, [x], x.shape, neuron=kind)


@aten(*_NEURONS)
def activation(b: TorchBuilder, node: AtenNode, x: BlobTensor) -> None:
    """The neuron of the layer before it, or an ActivationLayer."""
    neuron(b, node, x, _NEURONS[node.type]())


@aten(*_FORMULAS)
def function(b: TorchBuilder, node: AtenNode, x: BlobTensor) -> None:
    """FunctionLayers."""
    if node.type == "bitwise_not" and x.element != 9:
        raise node.refused("bits of integers are not supported", "truth values")
    formula(b, node, _FORMULAS[node.type], x)


@aten("rsqrt", "reciprocal")
def reciprocal(b: TorchBuilder, node: AtenNode, x: BlobTensor) -> None:
    """PowerLayer."""
    b.add("Power", node, [x], x.shape, None, x.place, power=-0.5 if node.type == "rsqrt" else -1.0)


@aten("log1p", "expm1")
def near_zero(b: TorchBuilder, node: AtenNode, x: BlobTensor) -> None:
    """As their formulas, which lose digits near 0."""
    formula(b, node, "log(add({0}, 1))" if node.type == "log1p" else "sub(exp({0}), 1)", x)


@aten("gelu")
def gelu(b: TorchBuilder, node: AtenNode, x: BlobTensor, approximate: str = "none") -> None:
    """GELU, exact or by tanh."""
    neuron(b, node, x, Neurons.GELU(approximate=approximate == "tanh"))


@aten("leaky_relu")
def leaky_relu(b: TorchBuilder, node: AtenNode, x: BlobTensor, negative_slope: float = 0.01) -> None:
    """LReLU."""
    neuron(b, node, x, Neurons.LReLU(slope=float(negative_slope)))


@aten("elu")
def elu(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, alpha: float = 1, scale: float = 1, input_scale: float = 1
) -> None:
    """ELU."""
    if scale == input_scale == 1 and alpha > 0:
        neuron(b, node, x, Neurons.ELU(alpha=float(alpha)))
    else:
        low = f"mul(sub(exp(mul(min({{0}}, 0), {input_scale!r})), 1), {alpha * scale!r})"
        formula(b, node, f"add(mul(max({{0}}, 0), {scale!r}), {low})", x)


@aten("celu")
def celu(b: TorchBuilder, node: AtenNode, x: BlobTensor, alpha: float = 1.0) -> None:
    """max(0, x) + min(0, alpha (exp(x / alpha) - 1))."""
    formula(b, node, f"add(max({{0}}, 0), mul(sub(exp(mul(min({{0}}, 0), {1 / alpha!r})), 1), {alpha!r}))", x)


@aten("softplus")
def softplus(b: TorchBuilder, node: AtenNode, x: BlobTensor, beta: float = 1, threshold: float = 20) -> None:
    """log(1 + exp(beta x)) / beta, and x above the threshold."""
    if beta == 1 and threshold >= 40:
        neuron(b, node, x, Neurons.Softplus())
    else:
        soft = f"mul(softplus(mul({{0}}, {beta!r})), {1 / beta!r})"
        formula(b, node, f"select(gt(mul({{0}}, {beta!r}), {threshold!r}), {{0}}, {soft})", x)


@aten("threshold")
def threshold(b: TorchBuilder, node: AtenNode, x: BlobTensor, threshold: float, value: float) -> None:
    """x above a threshold, else a number."""
    formula(b, node, f"select(gt({{0}}, {float(threshold)!r}), {{0}}, {float(value)!r})", x)


@aten("hardtanh", "clamp", "clip", "clamp_min", "clamp_max", "relu6")
def clamp(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, min: Any = None, max: Any = None, min_val: Any = None,
    max_val: Any = None,
) -> None:  # fmt: skip
    """ReLU, or the least and the greatest of two."""
    low, high = (min_val, max_val) if node.type == "hardtanh" else (min, max)
    if node.type == "hardtanh":
        low, high = -1.0 if low is None else low, 1.0 if high is None else high
    if (low, high) == (0, None):
        neuron(b, node, x, Neurons.ReLU())
        return
    if node.type == "relu6":
        low, high = 0.0, 6.0
    operands: list[Tensor] = [x]
    text = "{0}"
    for name, limit in (("max", low), ("min", high)):
        if limit is not None and is_tensor(limit):
            operands.append(operand(limit))
            text = f"{name}({text}, {{{len(operands) - 1}}})"
        elif limit is not None and math.isfinite(limit):
            text = f"{name}({text}, {float(limit)!r})"
    if text == "{0}":
        b.alias(node, x)
    else:
        formula(b, node, text, *operands)


def is_tensor(x: object) -> bool:
    """Whether an argument is a tensor that is not one number."""
    return isinstance(x, BlobTensor) or (isinstance(x, Constant) and not is_number(x))


@aten("prelu", weights=True)
def prelu(b: TorchBuilder, node: AtenNode, x: BlobTensor, weight: Tensor) -> None:
    """PReLULayer, with a slope for each channel or one for all."""
    count = weight.array.size if isinstance(weight, Constant) else math.prod(weight.shape)
    if x.samples and not x.place.moved and not b.lead and isinstance(weight, Constant) and weight.name in b.owned:
        w = b.weights(node, "PReLU", slope=weight)
        if w.arrays or "param_key" in w.fields:
            shared = {"shared": True} if count == 1 else {}
            b.add("PReLU", w.node, [x], x.shape, w.arrays, **shared, **w.fields)
            return
    slope = b.fixed(node, weight)
    if count > 1:
        raise node.refused("slopes of channels are a parameter of its own layer only", "one slope")
    formula(b, node, "select(gt({0}, 0), {0}, mul({0}, {1}))", x, slope)


@aten("softmax", "log_softmax", "_softmax", "_log_softmax")
def softmax(b: TorchBuilder, node: AtenNode, x: BlobTensor, dim: int, half_to_float: bool = False) -> None:
    """SoftmaxLayer, and its logarithm."""
    axis = node.axis(dim, x)
    if node.type.endswith("log_softmax"):
        log_softmax(b, node, x, axis)
    else:
        b.add("Softmax", node, [x], x.shape, None, x.place, **({} if axis == 1 else {"axis": axis}))


@aten("glu")
def glu(b: TorchBuilder, node: AtenNode, x: BlobTensor, dim: int = -1) -> None:
    """The first half times the sigmoid of the second."""
    axis = node.axis(dim, x)
    half = x.shape[axis] // 2
    shape = (*x.shape[:axis], half, *x.shape[axis + 1 :])
    along = {} if axis == 1 else {"axis": axis}
    parts = [
        b.between("Narrow", node, [x], shape, None, x.place, start=k * half, length=half, **along) for k in range(2)
    ]
    formula(b, node, "mul({0}, div(1, add(1, exp(neg({1})))))", *parts)
