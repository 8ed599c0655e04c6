"""ONNX's normalizations."""

from __future__ import annotations

import numpy as np

from mochac.layers.lrn import LRNLayer
from mochac.onnx.builder import NetBuilder
from mochac.onnx.converters import operator
from mochac.onnx.operator import OnnxNode


@operator("BatchNormalization")
def batch_norm(b: NetBuilder, node: OnnxNode) -> None:
    """BatchNormLayer. ONNX's momentum is the weight of the old running statistics, mochac's that of the batch."""
    hint = "save the model in evaluation mode (PyTorch: model.eval())"
    if node.attribute("training_mode", 0):
        raise node.refused("it uses the statistics of the batch at prediction", "training_mode = 0", 1, hint)
    node.only_first_output()
    node.require("spatial", node.attribute("spatial", 1), 1)
    names = ("scale", "shift", "mean", "variance")
    parameters = {name: node.given(k, f"its {name}") for k, name in enumerate(names, 1)}
    momentum = round(1 - node.attribute("momentum", 0.9), 7)
    b.add(
        "BatchNorm", node, [node.blob()], None, parameters, epsilon=number(node.attribute("epsilon", 1e-5)),
        **({} if momentum == 0.1 else {"momentum": momentum}),
    )  # fmt: skip


@operator("InstanceNormalization")
def instance_norm(b: NetBuilder, node: OnnxNode) -> None:
    """InstanceNormLayer."""
    parameters = {"scale": node.given(1, "its scale"), "shift": node.given(2, "its shift")}
    epsilon = number(node.attribute("epsilon", 1e-5))
    b.add("InstanceNorm", node, [node.blob()], None, parameters, epsilon=epsilon)


@operator("LayerNormalization")
def layer_norm(b: NetBuilder, node: OnnxNode) -> None:
    """LayerNormLayer over all axes from `axis` on."""
    node.only_first_output()
    x = node.blob()
    rank = len(x.shape)
    axis = int(node.attribute("axis", -1)) % rank
    if not axis:
        raise node.refused("samples must not mix: axis 0 is the batch", "axis >= 1", 0)
    wanted = x.shape[axis:]
    parameters = {"scale": node.given(1, "its scale")}
    parameters["shift"] = node.given(2, "its shift") if node.has(2) else 0 * parameters["scale"]
    for name, array in parameters.items():
        if array.shape != wanted:
            raise node.refused(f"its {name} has another shape", str(wanted), array.shape)
    fields = {} if axis == rank - 1 else {"axes": tuple(range(axis, rank))}
    epsilon = number(node.attribute("epsilon", 1e-5))
    b.add("LayerNorm", node, [x], None, parameters, epsilon=epsilon, **fields)


@operator("GroupNormalization")
def group_norm(b: NetBuilder, node: OnnxNode) -> None:
    """GroupNormLayer; before version 21, ONNX had a scale and a shift for each group."""
    x, groups = node.blob(), int(node.attribute("num_groups"))
    parameters = {"scale": node.given(1, "its scale"), "shift": node.given(2, "its shift")}
    if node.opset < 21:
        parameters = {name: array.repeat(x.shape[1] // groups) for name, array in parameters.items()}
    epsilon = number(node.attribute("epsilon", 1e-5))
    b.add("GroupNorm", node, [x], None, parameters, groups=groups, epsilon=epsilon)


@operator("LRN")
def lrn(b: NetBuilder, node: OnnxNode) -> None:
    """LRNLayer across channels."""
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
