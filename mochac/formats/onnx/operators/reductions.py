"""ONNX's sums, means and extremes over axes, and the places of extremes."""

from __future__ import annotations

from mochac.formats.importing.builder import NetBuilder
from mochac.formats.importing.contraction import cumulated
from mochac.formats.importing.formulas import inner, reshaped
from mochac.formats.importing.node import BlobTensor
from mochac.formats.importing.picked import reduced, taken
from mochac.formats.onnx.operator import OnnxNode, operator

_OPERATIONS = {
    "ReduceSum": "sum", "ReduceMean": "mean", "ReduceL1": "asum", "ReduceSumSquare": "sumsq", "ReduceMax": "max",
    "ReduceMin": "min",
}  # fmt: skip


@operator(*_OPERATIONS, anywhere=True)
def reduce(b: NetBuilder, node: OnnxNode) -> None:
    """ReductionLayer, and a ReshapeLayer where the axes are kept."""
    x = node.blob()
    given = node.integers("axes", at=1)
    if node.type not in ("ReduceMax", "ReduceMin"):
        node.may_not_wrap()
    if node.type == "ReduceMean":
        node.of_reals()
    every = range(len(x.extents))
    if not every or (not given and node.attribute("noop_with_empty_axes", 0)):
        b.alias(node, x)
        return
    axes = sorted({node.axis(a, x) for a in given or every})
    reduced(b, node, x, axes, _OPERATIONS[node.type], keep=bool(node.attribute("keepdims", 1)))


@operator("ReduceProd", anywhere=True)
def product(b: NetBuilder, node: OnnxNode) -> None:
    """One half of an axis times the other, until one element is left."""
    node.may_not_wrap()
    x, given = node.blob(), node.integers("axes", at=1)
    every = range(len(x.extents))
    if not every or (not given and node.attribute("noop_with_empty_axes", 0)):
        b.alias(node, x)
        return
    axes = sorted({node.axis(a, x) for a in given or every})
    left = tuple(extent for a, extent in enumerate(x.shape) if a not in axes)
    place = x.place.without(axes)
    for axis in axes:
        x = _multiplied(b, node, x, axis)
    keep = node.attribute("keepdims", 1)
    reshaped(b, node, x, *((x.shape, x.place) if keep else (left, place)))


def _multiplied(b: NetBuilder, node: OnnxNode, x: BlobTensor, axis: int) -> BlobTensor:
    """The product over an axis, which has extent 1 then."""
    over: list[BlobTensor] = []
    while (extent := x.shape[axis]) > 1:
        half = extent // 2
        parts = [taken(b, node, x, axis, range(k * half, (k + 1) * half), last=False) for k in range(2)]
        over += [taken(b, node, x, axis, range(extent - 1, extent), last=False)] if extent % 2 else []
        x = inner(b, node, "mul({0}, {1})", *parts)
    for rest in over:
        x = inner(b, node, "mul({0}, {1})", x, rest)
    return x


@operator("ArgMax", "ArgMin")
def arg_max(b: NetBuilder, node: OnnxNode) -> None:
    """ArgmaxLayer; the last of equal elements is the first from the other end."""
    x = node.blob()
    axis = node.axis(int(node.attribute("axis", 0)), x)
    x = x if node.type == "ArgMax" else inner(b, node, "neg({0})", x)
    extent, along = x.shape[axis], {} if axis == 1 else {"axis": axis}
    kept, keep = (*x.shape[:axis], 1, *x.shape[axis + 1 :]), bool(node.attribute("keepdims", 1))
    if node.attribute("select_last_index", 0):
        x = taken(b, node, x, axis, range(extent)[::-1], last=False)
        made = inner(b, node, f"add(neg({{0}}), {extent - 1})", b.between("Argmax", node, [x], kept, **along))
        reshaped(b, node, made, kept if keep else (*kept[:axis], *kept[axis + 1 :]))
        return
    made = b.layer(keep, "Argmax", node, [x], kept, **along)
    if not keep:
        reshaped(b, node, made, (*kept[:axis], *kept[axis + 1 :]))


@operator("CumSum")
def cumulate(b: NetBuilder, node: OnnxNode) -> None:
    """A product with a triangular matrix of ones."""
    node.may_not_wrap()
    x = node.blob()
    axis = node.axis(int(node.constant(1, "its axis").reshape(-1)[0]), x)
    cumulated(b, node, x, axis, exclusive=bool(node.attribute("exclusive", 0)),
              backwards=bool(node.attribute("reverse", 0)))  # fmt: skip
