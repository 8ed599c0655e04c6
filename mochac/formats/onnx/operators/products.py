"""ONNX's products and reductions.

A product with a constant matrix is an InnerProductLayer, any other an EinsumLayer. Reductions are sums, means and
extremes over axes, and the indices of extremes.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np

from mochac.formats.importing.builder import NetBuilder
from mochac.formats.importing.formulas import LETTERS, contracted, formula, inner, product_letters, reshaped
from mochac.formats.importing.node import BlobTensor, Constant, Tensor
from mochac.formats.importing.place import BatchPlace
from mochac.formats.importing.rearranged import cumulated, reduced, taken
from mochac.formats.onnx.operator import OnnxNode, operator


@operator("Gemm", anywhere=True)
def gemm(b: NetBuilder, node: OnnxNode) -> None:
    """InnerProductLayer with a weight of (outputs, features): alpha, beta and transposes are in the parameters."""
    node.may_not_wrap()
    if b.lead or any(isinstance(x, BlobTensor) for x in node.inputs[1:]):
        _product_and_sum(b, node)
        return
    x, weight = node.blob(), node.constant(1, "its second factor")
    node.require("transA", node.attribute("transA", 0), 0)
    weight = weight if node.attribute("transB", 0) else weight.T
    parameters = {"weight": weight * weight.dtype.type(node.attribute("alpha", 1.0))}
    if node.has(2):
        beta = node.attribute("beta", 1.0)
        bias = _bias(node, node.constant(2, "its third operand"), weight.shape[0])
        parameters["bias"] = bias * weight.dtype.type(beta)
    if not x.place.moved:  # inner products flatten samples themselves
        x = replace(x, name=b.before_reshape(x).name)
    _of_features(b, node, x, parameters, bias="" if node.has(2) else False)


def _of_features(
    b: NetBuilder, node: OnnxNode, x: BlobTensor, parameters: dict[str, np.ndarray], **fields: Any
) -> None:
    """InnerProductLayer of the last axis of x."""
    node.trailing(-1, x)
    width = parameters["weight"].shape[0]
    axis = 1 if len(x.shape) == 2 else -1
    b.add("InnerProduct", node, [x], (*x.shape[:-1], width), parameters, output_dim=width, axis=axis, **fields)


def _product_and_sum(b: NetBuilder, node: OnnxNode) -> None:
    """alpha * left * right + beta * third."""
    left, right = ("ki" if node.attribute("transA", 0) else "ik", "jk" if node.attribute("transB", 0) else "kj")
    x, y, third = (*node.inputs, None)[:3]
    assert x is not None and y is not None
    alpha, beta = (float(node.attribute(name, 1.0)) for name in ("alpha", "beta"))
    plain = third is None and alpha == 1
    result = contracted(b, node, [(x, left), (y, right)], "ij", last=plain)
    if third is not None:
        first, second = (f"mul({{{k}}}, {f!r})" if f != 1 else f"{{{k}}}" for k, f in enumerate((alpha, beta)))
        formula(b, node, f"add({first}, {second})", result, third)
    elif not plain:
        formula(b, node, f"mul({{0}}, {alpha!r})", result)


def _bias(node: OnnxNode, bias: np.ndarray, width: int) -> np.ndarray:
    """A number for each output."""
    if any(extent != 1 for extent in bias.shape[:-1]) or (bias.shape[-1:] or (1,)) not in ((1,), (width,)):
        raise node.refused("its third operand differs from sample to sample", f"({width},)", bias.shape)
    return np.broadcast_to(bias.reshape(-1), (width,)).copy()


@operator("MatMul", anywhere=True)
def mat_mul(b: NetBuilder, node: OnnxNode) -> None:
    """InnerProductLayer without bias, of the last axis, to which an Add behind it may add a bias; EinsumLayer."""
    node.may_not_wrap()
    x, weight = node.inputs
    if isinstance(x, BlobTensor) and isinstance(weight, Constant) and weight.array.ndim == 2 and len(x.shape) > 1:
        _of_features(b, node, x, {"weight": weight.array.T}, bias=False, weight_lr=float(bool(weight.name)))
        return
    if {operand.place for operand in node.inputs if isinstance(operand, BlobTensor)} != {_HEADS}:
        node.needs_batch_first()
    assert x is not None and weight is not None
    left, right, out = product_letters((_rank(b, x), _rank(b, weight)))
    contracted(b, node, [(x, left), (weight, right)], out)


_HEADS = BatchPlace(0, inner=True)
"""Where the batch is in (batch * heads, time, width), whose blobs have an axis of heads."""


def _rank(b: NetBuilder, x: Tensor) -> int:
    return len(x.shape) - b.lead if isinstance(x, BlobTensor) else x.array.ndim


@operator("Einsum")
def einsum(b: NetBuilder, node: OnnxNode) -> None:
    """EinsumLayers, and what its operands are summed and ordered by."""
    node.may_not_wrap()
    operands = [x for x in node.inputs if x is not None]
    text = str(node.attribute("equation", "")).replace(" ", "")
    left, arrow, out = text.partition("->")
    groups = left.split(",")
    if not re.fullmatch(r"[A-Za-z.]*(,[A-Za-z.]*)*", left) or len(groups) != len(operands):
        raise node.refused("its equation does not fit its operands", got=text)
    if not arrow:
        once = sorted(a for a in set(left) - {",", "."} if left.count(a) == 1)
        out = ("..." if "..." in left else "") + "".join(once)
    free = [a for a in LETTERS if a not in text]
    most = max(_rank(b, x) - len(group.replace("...", "")) for x, group in zip(operands, groups, strict=True))
    more = "".join(free[: max(0, most)])
    pairs: list[tuple[Tensor, str]] = []
    for x, group in zip(operands, groups, strict=True):
        own = _rank(b, x) - len(group.replace("...", ""))
        pairs.append((x, group.replace("...", more[len(more) - own :])))
        if len(pairs[-1][1]) != _rank(b, x) or "." in pairs[-1][1]:
            raise node.refused("its equation does not fit its operands", got=text)
    contracted(b, node, pairs, out.replace("...", more))


_OPERATIONS = {
    "ReduceSum": "sum", "ReduceMean": "mean", "ReduceL1": "asum", "ReduceSumSquare": "sumsq", "ReduceMax": "max",
    "ReduceMin": "min",
}  # fmt: skip


@operator(*_OPERATIONS, anywhere=True)
def reduce(b: NetBuilder, node: OnnxNode) -> None:
    """ReductionLayer, and a ReshapeLayer where the axes are kept."""
    x = node.blob()
    if node.type not in ("ReduceMax", "ReduceMin"):
        node.may_not_wrap()
    if node.type == "ReduceMean":
        node.of_reals()
    if axes := _reduced_axes(b, node, x):
        reduced(b, node, x, axes, _OPERATIONS[node.type], keep=bool(node.attribute("keepdims", 1)))


def _reduced_axes(b: NetBuilder, node: OnnxNode, x: BlobTensor) -> list[int]:
    """The axes over which `x` is reduced; if there are none, it is the node's result."""
    listed, every = node.integers("axes", at=1), range(len(x.extents))
    if not every or (not listed and node.attribute("noop_with_empty_axes", 0)):
        b.alias(node, x)
        return []
    return sorted({node.axis(a, x) for a in listed or every})


@operator("ReduceProd", anywhere=True)
def product(b: NetBuilder, node: OnnxNode) -> None:
    """One half of an axis times the other, until one element is left."""
    node.may_not_wrap()
    x = node.blob()
    axes = _reduced_axes(b, node, x)
    if not axes:
        return
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
    extent, kept, keep = x.shape[axis], x.resized(axis, 1), bool(node.attribute("keepdims", 1))
    left = kept if keep else x.resized(axis)
    if node.attribute("select_last_index", 0):
        x = taken(b, node, x, axis, range(extent)[::-1], last=False)
        result = inner(b, node, f"add(neg({{0}}), {extent - 1})", b.between("Argmax", node, [x], kept, axis=axis))
        reshaped(b, node, result, left)
        return
    result = b.layer(keep, "Argmax", node, [x], kept, axis=axis)
    if not keep:
        reshaped(b, node, result, left)


@operator("CumSum")
def cumulate(b: NetBuilder, node: OnnxNode) -> None:
    """Products with triangular matrices of ones."""
    node.may_not_wrap()
    x = node.blob()
    axis = node.axis(int(node.constant(1, "its axis").reshape(-1)[0]), x)
    cumulated(b, node, x, axis, exclusive=bool(node.attribute("exclusive", 0)),
              backwards=bool(node.attribute("reverse", 0)))  # fmt: skip
