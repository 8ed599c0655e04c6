"""ONNX's activations (neurons of the preceding layer, or layers of their own) and normalizations."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from mochac.formats.importing.builder import NetBuilder
from mochac.formats.importing.formulas import CIRCULAR, applied, formula, inner, reshaped
from mochac.formats.importing.node import REALS, BlobTensor, Constant, Tensor
from mochac.formats.importing.rearranged import log_softmax, reduced
from mochac.formats.onnx.operator import OnnxNode, operator
from mochac.nets.layers.neurons import SELU_ALPHA, SELU_SCALE, Neuron, Neurons


@operator("BatchNormalization")
def batch_norm(b: NetBuilder, node: OnnxNode) -> None:
    """BatchNormLayer. ONNX's momentum is the weight of the old running statistics, mochac's that of the batch. A layer
    decides by itself what it does: training_mode only says what the model was exported for."""
    node.needs_batch()
    node.only_first_output()
    node.require("spatial", node.attribute("spatial", 1), 1)
    names = ("scale", "shift", "mean", "variance")
    parameters = {name: node.constant(k, f"its {name}") for k, name in enumerate(names, 1)}
    momentum = round(1 - node.attribute("momentum", 0.9), 7)
    parameters, plain = _affine(b, node, parameters)
    epsilon = number(node.attribute("epsilon", 1e-5))
    b.add("BatchNorm", node, [node.blob()], None, parameters, epsilon=epsilon, momentum=momentum, **plain)


def _affine(
    b: NetBuilder, node: OnnxNode, parameters: dict[str, np.ndarray]
) -> tuple[dict[str, np.ndarray], dict[str, bool]]:
    """Parameters and fields of a norm: without scale and shift, if these are the 1 and 0 that an exporter writes for a
    module that has none."""
    names = [x.name for x in node.inputs[1:3] if isinstance(x, Constant)]
    if not all(map(b.made, names)) or (parameters["scale"] != 1).any() or parameters["shift"].any():
        return parameters, {}
    return {name: array for name, array in parameters.items() if name not in ("scale", "shift")}, {"affine": False}


@operator("InstanceNormalization")
def instance_norm(b: NetBuilder, node: OnnxNode) -> None:
    """InstanceNormLayer."""
    node.needs_batch()
    parameters = {"scale": node.constant(1, "its scale"), "shift": node.constant(2, "its shift")}
    epsilon = number(node.attribute("epsilon", 1e-5))
    parameters, plain = _affine(b, node, parameters)
    b.add("InstanceNorm", node, [node.blob()], None, parameters, epsilon=epsilon, **plain)


@operator("LayerNormalization", anywhere=True)
def layer_norm(b: NetBuilder, node: OnnxNode) -> None:
    """LayerNormLayer over all axes from `axis` on; mean and deviation apart, if something reads them."""
    x = node.blob()
    rank = len(x.shape)
    axis = node.trailing(int(node.attribute("axis", -1)), x)
    wanted, axes = x.shape[axis:], tuple(range(axis, rank))
    parameters = {"scale": node.constant(1, "its scale")}
    parameters["shift"] = node.constant(2, "its shift") if node.has(2) else 0 * parameters["scale"]
    for name, array in parameters.items():
        if array.shape != wanted:
            raise node.refused(f"its {name} has another shape", str(wanted), array.shape)
    epsilon = number(node.attribute("epsilon", 1e-5))
    parameters, plain = _affine(b, node, parameters)
    along = (-1,) if axis == rank - 1 else axes
    b.add("LayerNorm", node, [x], None, parameters, epsilon=epsilon, axes=along, **plain)
    if any(node.uses[1:]):
        mean = reduced(b, node, x, list(axes), "mean", keep=True, last=False)
        distance = inner(b, node, "sub({0}, {1})", x, mean)
        squares = reduced(b, node, inner(b, node, "square({0})", distance), list(axes), "mean", keep=True, last=False)
        inverse = inner(b, node, f"pow(add({{0}}, {epsilon!r}), -0.5)", squares)
        for k, blob in enumerate((mean, inverse)[: len(node.proto.output) - 1], 1):
            b.output(node, k, blob)


@operator("GroupNormalization")
def group_norm(b: NetBuilder, node: OnnxNode) -> None:
    """GroupNormLayer; before version 21, ONNX had a scale and a shift for each group."""
    node.needs_batch()
    x, groups = node.blob(), int(node.attribute("num_groups"))
    parameters = {"scale": node.constant(1, "its scale"), "shift": node.constant(2, "its shift")}
    if node.opset < 21:
        parameters = {name: array.repeat(x.shape[1] // groups) for name, array in parameters.items()}
    epsilon = number(node.attribute("epsilon", 1e-5))
    parameters, plain = _affine(b, node, parameters)
    b.add("GroupNorm", node, [x], x.shape, parameters, groups=groups, epsilon=epsilon, **plain)


@operator("LpNormalization", anywhere=True)
def lp_norm(b: NetBuilder, node: OnnxNode) -> None:
    """Divided by the sum of absolute values, or by the root of the sum of squares; 0 where that is 0."""
    x, p = node.blob(), int(node.attribute("p", 2))
    node.require("p", p, 1, 2)
    axis = node.axis(int(node.attribute("axis", -1)), x)
    total = reduced(b, node, x, [axis], "asum" if p == 1 else "sumsq", keep=True, last=False)
    root = total if p == 1 else inner(b, node, "sqrt({0})", total)
    formula(b, node, "select({1}, div({0}, {1}), 0)", x, root)


@operator("LRN")
def lrn(b: NetBuilder, node: OnnxNode) -> None:
    """LRNLayer across channels."""
    node.needs_batch()
    fields = {
        "kernel": int(node.attribute("size")),
        "scale": number(node.attribute("alpha", 1e-4)),
        "shift": number(node.attribute("bias", 1.0)),
        "power": number(node.attribute("beta", 0.75)),
    }
    b.add("LRN", node, [node.blob()], **fields)


def number(value: float) -> float:
    """The decimal number that a float32 attribute stands for.

    >>> number(0.009999999776482582)
    0.01
    """
    return float(str(np.float32(value)))


def _of(node: OnnxNode, name: str, default: float) -> float:
    node.of_reals()
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
_FORMULAS = {
    "Abs": "abs({0})",
    "Neg": "neg({0})",
    "Sign": "sign({0})",
    "Erf": "erf({0})",
    "Log": "log({0})",
    "Sqrt": "sqrt({0})",
    "Floor": "floor({0})",
    "Ceil": "ceil({0})",
    "Round": "round({0})",
    **{name.capitalize(): text for name, text in CIRCULAR.items()},
}


@operator(*_NEURONS, anywhere=True)
def activation(b: NetBuilder, node: OnnxNode) -> None:
    """The neuron of the layer before it, or an ActivationLayer."""
    node.of_reals()
    b.neuron(node, _NEURONS[node.type](node))


@operator(*_FORMULAS, anywhere=True)
def function(b: NetBuilder, node: OnnxNode) -> None:
    """FunctionLayers."""
    if node.type == "Neg":
        node.may_not_wrap()
    formula(b, node, _FORMULAS[node.type], node.blob())


@operator("ThresholdedRelu", anywhere=True)
def thresholded(b: NetBuilder, node: OnnxNode) -> None:
    """x above alpha, else 0."""
    alpha = _of(node, "alpha", 1.0)
    formula(b, node, f"select(gt({{0}}, {alpha!r}), {{0}}, 0)", node.blob())


@operator("Shrink", anywhere=True)
def shrink(b: NetBuilder, node: OnnxNode) -> None:
    """Nearer to 0 by a bias, and 0 between -lambd and lambd."""
    node.of_reals()
    bias, lambd = _of(node, "bias", 0.0), _of(node, "lambd", 0.5)
    above = f"select(gt({{0}}, {lambd!r}), add({{0}}, {-bias!r}), 0)"
    formula(b, node, f"select(lt({{0}}, {-lambd!r}), add({{0}}, {bias!r}), {above})", node.blob())


@operator("Reciprocal", anywhere=True)
def reciprocal(b: NetBuilder, node: OnnxNode) -> None:
    """PowerLayer."""
    b.add("Power", node, [x := node.blob()], x.shape, power=-1.0)


@operator("HardSigmoid", anywhere=True)
def hard_sigmoid(b: NetBuilder, node: OnnxNode) -> None:
    """Neurons.HardSigmoid, whose slope is 1/6; others as a PowerLayer and a clip."""
    alpha, beta = node.attribute("alpha", 0.2), node.attribute("beta", 0.5)
    node.of_reals()
    if math.isclose(alpha, 1 / 6, rel_tol=1e-6) and beta == 0.5:
        b.neuron(node, Neurons.HardSigmoid())
        return
    x = node.blob()
    line = b.between("Power", node, [x], x.shape, scale=number(alpha), shift=number(beta))
    _clipped(b, node, line, 0.0, 1.0)


@operator("Clip", anywhere=True)
def clip(b: NetBuilder, node: OnnxNode) -> None:
    """ReLU, or FunctionLayers with max and min."""
    x = node.blob()
    if any(isinstance(limit, BlobTensor) for limit in node.inputs[1:]):
        limits = [
            (how, limit) for how, limit in zip(("max", "min"), node.inputs[1:], strict=False) if limit is not None
        ]
        result: Tensor = x
        for k, (how, limit) in enumerate(limits, 1):
            result = applied(b, node, how, [result, limit], last=k == len(limits))
        return
    low, high = (_limit(node, k, name) for k, name in ((1, "min"), (2, "max")))
    if (low, high) == (0.0, math.inf) and node.element in REALS:
        b.neuron(node, Neurons.ReLU())
        return
    _clipped(b, node, x, low, high)


def _limit(node: OnnxNode, k: int, name: str) -> float:
    none = -math.inf if name == "min" else math.inf
    if node.has(k):
        array = node.constant(k, f"its {name}")
        return float(array.reshape(-1)[0]) if array.size == 1 else none
    found = float(node.attribute(name, none))
    return none if abs(found) >= float(np.finfo(np.float32).max) else found


def _clipped(b: NetBuilder, node: OnnxNode, x: BlobTensor, low: float, high: float) -> None:
    """max(low), then min(high), each if it is finite; ONNX's result is `high` where they contradict each other."""
    text = "{0}" if math.isinf(low) else f"max({{0}}, {low!r})"
    text = text if math.isinf(high) else f"min({text}, {high!r})"
    if text == "{0}":
        b.alias(node, x)
    else:
        formula(b, node, text, x)


@operator("PRelu")
def prelu(b: NetBuilder, node: OnnxNode) -> None:
    """PReLULayer, with a slope for each channel or one for all; others as a choice."""
    x = node.blob()
    if isinstance(node.inputs[1], Constant) and not b.lead:
        slope = node.constant(1, "its slope")
        shape = (1,) * (len(x.shape) - slope.ndim) + slope.shape
        if slope.size == 1 or shape == (1, x.shape[1], *(1 for _ in x.shape[2:])):
            b.add("PReLU", node, [x], x.shape, {"slope": slope.reshape(-1)}, shared=slope.size == 1)
            return
    assert node.inputs[1] is not None
    formula(b, node, "select(lt({0}, 0), mul({0}, {1}), {0})", x, node.inputs[1])


@operator("Softmax", "LogSoftmax", "Hardmax", anywhere=True)
def softmax(b: NetBuilder, node: OnnxNode) -> None:
    """SoftmaxLayer; before version 13, all axes from `axis` on are one."""
    x = node.blob()
    axis = int(node.attribute("axis", 1 if node.opset < 13 else -1))
    if not x.extents or (node.opset < 13 and b.lead and not axis):
        raise node.refused("it is over all of a sample", "axis >= 1", axis)
    axis = node.axis(axis, x) if node.opset >= 13 else node.trailing(axis, x)
    rows = x
    if node.opset < 13 and math.prod(x.shape[axis + 1 :]) > 1:
        rows = reshaped(b, node, x, (*x.shape[:axis], math.prod(x.shape[axis:])), last=False)
    step = b.add if rows is x else b.between
    if node.type == "Softmax":
        result = step("Softmax", node, [rows], rows.shape, axis=axis)
    elif node.type == "LogSoftmax":
        result = log_softmax(b, node, rows, axis, last=rows is x)
    else:
        which = b.between("Argmax", node, [rows], rows.resized(axis, 1), axis=axis)
        result = step("Index2Onehot", node, [which], rows.shape, n_class=rows.shape[axis], axis=axis)
    if rows is not x:
        reshaped(b, node, result, x.shape)


@operator("Dropout", anywhere=True)
def dropout(b: NetBuilder, node: OnnxNode) -> None:
    """DropoutLayer, which does nothing at prediction; training_mode only says what the model was exported for."""
    node.only_first_output()
    value = node.constant(1, "its ratio").reshape(-1)[0] if node.has(1) else node.attribute("ratio", 0.5)
    ratio, x = number(value), node.blob()
    if 0 < ratio < 1:
        b.add("Dropout", node, [x], x.shape, ratio=ratio)
    else:
        b.alias(node, x)
