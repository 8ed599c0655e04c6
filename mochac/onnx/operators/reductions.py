"""ONNX's sums and means over axes."""

from __future__ import annotations

from mochac.onnx.builder import NetBuilder
from mochac.onnx.converters import operator
from mochac.onnx.operator import OnnxNode, Shape
from mochac.onnx.operators.shapes import reshaped

_OPERATIONS = {"ReduceSum": "sum", "ReduceMean": "mean", "ReduceL1": "asum", "ReduceSumSquare": "sumsq"}


@operator(*_OPERATIONS)
def reduce(b: NetBuilder, node: OnnxNode) -> None:
    """ReductionLayer, and a ReshapeLayer where the axes are kept."""
    x = node.blob()
    rank = len(x.shape)
    given = node.integers("axes", at=1)
    if not given and node.attribute("noop_with_empty_axes", 0):
        b.alias(node, x)
        return
    axes = sorted({a % rank for a in given or range(rank)})
    if not axes[0]:
        raise node.refused("samples must not mix: axis 0 is the batch", "axes >= 1", axes)
    kept: Shape = tuple(1 if a in axes else extent for a, extent in enumerate(x.shape))
    left: Shape = tuple(extent for a, extent in enumerate(x.shape) if a not in axes)
    fields = {"operation": _OPERATIONS[node.type], "axes": tuple(axes)}
    if node.attribute("keepdims", 1):
        reshaped(b, node, b.between("Reduction", node, [x], left, **fields), kept)
    else:
        b.add("Reduction", node, [x], left, **fields)
