"""ONNX's normalizations."""

from __future__ import annotations

import numpy as np

from mochac.importing.builder import NetBuilder
from mochac.importing.formulas import formula, inner
from mochac.importing.reduced import reduced
from mochac.layers.lrn import LRNLayer
from mochac.onnx.converters import operator
from mochac.onnx.operator import OnnxNode


@operator("BatchNormalization")
def batch_norm(b: NetBuilder, node: OnnxNode) -> None:
    """BatchNormLayer. ONNX's momentum is the weight of the old running statistics, mochac's that of the batch."""
    hint = "save the model in evaluation mode (PyTorch: model.eval())"
    node.needs_batch()
    if node.attribute("training_mode", 0):
        raise node.refused("it uses the statistics of the batch at prediction", "training_mode = 0", 1, hint)
    node.only_first_output()
    node.require("spatial", node.attribute("spatial", 1), 1)
    names = ("scale", "shift", "mean", "variance")
    parameters = {name: node.constant(k, f"its {name}") for k, name in enumerate(names, 1)}
    momentum = round(1 - node.attribute("momentum", 0.9), 7)
    b.add(
        "BatchNorm", node, [node.blob()], None, parameters, epsilon=number(node.attribute("epsilon", 1e-5)),
        **({} if momentum == 0.1 else {"momentum": momentum}),
    )  # fmt: skip


@operator("InstanceNormalization")
def instance_norm(b: NetBuilder, node: OnnxNode) -> None:
    """InstanceNormLayer."""
    node.needs_batch()
    parameters = {"scale": node.constant(1, "its scale"), "shift": node.constant(2, "its shift")}
    epsilon = number(node.attribute("epsilon", 1e-5))
    b.add("InstanceNorm", node, [node.blob()], None, parameters, epsilon=epsilon)


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
    b.add("LayerNorm", node, [x], None, parameters, epsilon=epsilon, **fields)
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
    b.add("GroupNorm", node, [x], None, parameters, groups=groups, epsilon=epsilon)


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
