"""ONNX's normalizations."""

from __future__ import annotations

import numpy as np

from mochac.formats.importing.builder import NetBuilder
from mochac.formats.importing.formulas import formula, inner
from mochac.formats.importing.node import Constant
from mochac.formats.importing.picked import reduced
from mochac.formats.onnx.operator import OnnxNode, operator
from mochac.nets.layers.lrn import LRNLayer


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
    b.add(
        "BatchNorm", node, [node.blob()], None, parameters, epsilon=number(node.attribute("epsilon", 1e-5)),
        **({} if momentum == 0.1 else {"momentum": momentum}), **plain,
    )  # fmt: skip


def _affine(
    b: NetBuilder, node: OnnxNode, parameters: dict[str, np.ndarray]
) -> tuple[dict[str, np.ndarray], dict[str, bool]]:
    """Parameters and fields of a norm: without scale and shift, if these are the 1 and 0 that an exporter writes for a
    module that has none."""
    given = [x.name for x in node.inputs[1:3] if isinstance(x, Constant)]
    if not all(map(b.made, given)) or (parameters["scale"] != 1).any() or parameters["shift"].any():
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
    fields = {} if axis == rank - 1 else {"axes": axes}
    epsilon = number(node.attribute("epsilon", 1e-5))
    parameters, plain = _affine(b, node, parameters)
    b.add("LayerNorm", node, [x], None, parameters, epsilon=epsilon, **fields, **plain)
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
    b.add("LRN", node, [node.blob()], **{name: v for name, v in fields.items() if v != getattr(LRNLayer, name, None)})


def number(value: float) -> float:
    """The decimal number that a float32 attribute stands for.

    >>> number(0.009999999776482582)
    0.01
    """
    return float(str(np.float32(value)))
