"""ONNX's Gemm and MatMul with a constant as InnerProductLayers."""

from __future__ import annotations

import numpy as np

from mochac.onnx.builder import NetBuilder
from mochac.onnx.converters import operator
from mochac.onnx.operator import OnnxNode


@operator("Gemm")
def gemm(b: NetBuilder, node: OnnxNode) -> None:
    """InnerProductLayer with a weight of (outputs, features): alpha, beta and transposes are in the parameters."""
    x, weight = node.blob(), node.given(1, "its second factor")
    node.require("transA", node.attribute("transA", 0), 0)
    weight = weight if node.attribute("transB", 0) else weight.T
    parameters = {"weight": weight * weight.dtype.type(node.attribute("alpha", 1.0))}
    if node.has(2):
        beta = node.attribute("beta", 1.0)
        parameters["bias"] = _bias(node, node.given(2, "its third operand"), weight.shape[0]) * weight.dtype.type(beta)
    bias = {} if node.has(2) else {"bias": False}
    b.add("InnerProduct", node, [b.before_flatten(x)], None, parameters, output_dim=weight.shape[0], **bias)


def _bias(node: OnnxNode, given: np.ndarray, width: int) -> np.ndarray:
    """A number for each output."""
    if any(extent != 1 for extent in given.shape[:-1]) or (given.shape[-1:] or (1,)) not in ((1,), (width,)):
        raise node.refused("its third operand differs from sample to sample", f"({width},)", given.shape)
    return np.broadcast_to(given.reshape(-1), (width,)).copy()


@operator("MatMul")
def mat_mul(b: NetBuilder, node: OnnxNode) -> None:
    """InnerProductLayer without bias, of the last axis; an Add behind it may become its bias."""
    x, weight = node.blob(), node.given(1, "its second factor")
    if weight.ndim != 2:
        raise node.refused("its second factor is not a matrix", "2 axes", weight.ndim)
    axis = {} if len(x.shape) == 2 else {"axis": -1}
    b.add("InnerProduct", node, [x], None, {"weight": weight.T}, output_dim=weight.shape[1], bias=False, **axis)
