"""ONNX's arithmetic, which broadcasts: of blobs, and of blobs with constants, which become parameters.

Numbers for channels or features become a ScaleLayer or a BiasLayer, which trains; one number is a setting of a layer.
"""

from __future__ import annotations

import math

import numpy as np

from mochac.layers.element_wise import ElementWiseFunctor, ElementWiseFunctors
from mochac.layers.inner_product import InnerProductLayer
from mochac.onnx.builder import NetBuilder
from mochac.onnx.converters import operator
from mochac.onnx.operator import BlobTensor, Given, OnnxNode, Tensor

_FUNCTION = {"Add": "add", "Sub": "sub", "Mul": "mul", "Div": "div", "Max": "max", "Min": "min", "Pow": "pow"}
_OF_BLOBS: dict[str, ElementWiseFunctor] = {
    "Add": ElementWiseFunctors.Add(),
    "Sub": ElementWiseFunctors.Subtract(),
    "Mul": ElementWiseFunctors.Multiply(),
    "Div": ElementWiseFunctors.Divide(),
    "Max": ElementWiseFunctors.Maximum(),
}


@operator("Add", "Sub", "Mul", "Div", "Pow")
def arithmetic(b: NetBuilder, node: OnnxNode) -> None:
    """Two operands: blobs, or a blob and a constant."""
    left, right = node.inputs
    if isinstance(left, BlobTensor) and isinstance(right, BlobTensor):
        _of_blobs(b, node, [left, right])
    elif isinstance(left, BlobTensor) and isinstance(right, Given):
        _with_constant(b, node, left, right)
    elif isinstance(left, Given) and isinstance(right, BlobTensor):
        _constant_first(b, node, left, right)


@operator("Max", "Min", "Sum")
def several(b: NetBuilder, node: OnnxNode) -> None:
    """Any number of operands, two at a time unless they are blobs of one shape."""
    blobs = [x for x in node.inputs if isinstance(x, BlobTensor)]
    kind = "Add" if node.type == "Sum" else node.type
    if len(node.inputs) == 1:
        b.alias(node, node.blob())
    elif len(blobs) == len(node.inputs) and kind in _OF_BLOBS and len({x.shape for x in blobs}) == 1:
        b.add("ElementWise", node, blobs, blobs[0].shape, **_operation(kind))
    else:
        _one_by_one(b, node, _FUNCTION[kind])


def _one_by_one(b: NetBuilder, node: OnnxNode, function: str) -> None:
    operands: list[Tensor] = [x for x in node.inputs if x is not None]
    blobs = [x for x in operands if isinstance(x, BlobTensor)]
    total, *rest = [*blobs, *(x for x in operands if isinstance(x, Given))]
    assert isinstance(total, BlobTensor)
    for k, x in enumerate(rest, 1):
        shape = _together(node, total.shape, x.shape if isinstance(x, BlobTensor) else x.array.shape)
        add = b.add if k == len(rest) else b.between
        total = add("Function", node, [total, _operand(b, node, x)], shape, function=function)


def _operation(kind: str) -> dict[str, ElementWiseFunctor]:
    return {} if kind == "Add" else {"operation": _OF_BLOBS[kind]}


def _of_blobs(b: NetBuilder, node: OnnxNode, blobs: list[BlobTensor]) -> None:
    """ElementWiseLayer, or FunctionLayer if shapes differ."""
    left, right = blobs
    if left.shape == right.shape and node.type in _OF_BLOBS:
        b.add("ElementWise", node, blobs, left.shape, **_operation(node.type))
        return
    shape = _together(node, left.shape, right.shape)
    b.add("Function", node, blobs, shape, function=_FUNCTION[node.type])


def _together(node: OnnxNode, left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    try:
        return np.broadcast_shapes(left, right)
    except ValueError:
        raise node.refused("its operands do not fit", got=f"{left} and {right}") from None


def _with_constant(b: NetBuilder, node: OnnxNode, x: BlobTensor, constant: Given) -> None:
    """A blob, then a constant."""
    array = constant.array
    if array.size == 1 and array.ndim <= len(x.shape):
        _with_number(b, node, x, float(array.reshape(-1)[0]))
    elif node.type == "Add" and _is_bias(b, x, array):
        layer = b.maker(x)
        assert layer is not None
        b.arrays[f"{layer.name}___bias"] = array.reshape(-1)
        b.change(node, x, bias="")
    elif node.type in ("Add", "Sub") and (axes := _span(x, array)):
        values = array if node.type == "Add" else -array
        parameters = {"shift": values.reshape(_cut(x, axes))}
        b.add("Bias", node, [x], x.shape, parameters, **_along(axes), **_rate(constant, "shift"))
    elif node.type in ("Mul", "Div") and (axes := _span(x, array)):
        values = array if node.type == "Mul" else 1 / array
        parameters = {"scale": values.reshape(_cut(x, axes))}
        b.add("Scale", node, [x], x.shape, parameters, **_along(axes), **_rate(constant, "scale"))
    else:
        shape = _together(node, x.shape, array.shape)
        b.add("Function", node, [x, _parameter(b, node, constant)], shape, function=_FUNCTION[node.type])


def _with_number(b: NetBuilder, node: OnnxNode, x: BlobTensor, value: float) -> None:
    if not math.isfinite(value):
        raise node.refused("its constant is not finite", got=value)
    fields = {"Add": {"shift": value}, "Sub": {"shift": -value}, "Mul": {"scale": value}, "Pow": {"power": value}}
    if node.type in fields:
        b.add("Power", node, [x], x.shape, **fields[node.type])
    else:
        b.add("Function", node, [x], x.shape, function="div", constants=(value,))


def _constant_first(b: NetBuilder, node: OnnxNode, constant: Given, x: BlobTensor) -> None:
    if node.type in ("Add", "Mul"):
        _with_constant(b, node, x, constant)
    elif node.type == "Sub" and constant.array.size == 1 and constant.array.ndim <= len(x.shape):
        b.add("Power", node, [x], x.shape, scale=-1.0, shift=float(constant.array.reshape(-1)[0]))
    else:
        shape = _together(node, constant.array.shape, x.shape)
        b.add("Function", node, [_parameter(b, node, constant), x], shape, function=_FUNCTION[node.type])


def _is_bias(b: NetBuilder, x: BlobTensor, array: np.ndarray) -> bool:
    """Whether the numbers are one for each output of the inner product before them, which has no bias yet."""
    layer = b.maker(x)
    wanted = (x.shape[-1],)
    return isinstance(layer, InnerProductLayer) and layer.bias is False and array.shape[-1:] == wanted == (array.size,)


def _span(x: BlobTensor, array: np.ndarray) -> range | None:
    """The axes of x, without the batch, along which a constant has numbers; None if it has others."""
    shape = (1,) * (len(x.shape) - array.ndim) + array.shape
    long = [a for a, extent in enumerate(shape) if extent != 1]
    if len(shape) > len(x.shape) or not long or long[0] == 0:
        return None
    axes = range(long[0], long[-1] + 1)
    return axes if all(shape[a] == x.shape[a] for a in axes) else None


def _cut(x: BlobTensor, axes: range) -> tuple[int, ...]:
    return x.shape[axes.start : axes.stop]


def _along(axes: range) -> dict[str, int]:
    return {**({} if axes.start == 1 else {"axis": axes.start}), **({} if len(axes) == 1 else {"num_axes": len(axes)})}


def _rate(constant: Given, name: str) -> dict[str, float]:
    """What a graph computes is not trained; what it stores is."""
    return {} if constant.name else {f"{name}_lr": 0.0}


def _operand(b: NetBuilder, node: OnnxNode, x: Tensor) -> BlobTensor | str:
    return x if isinstance(x, BlobTensor) else _parameter(b, node, x)


def _parameter(b: NetBuilder, node: OnnxNode, constant: Given) -> str:
    return b.parameter(node, constant.array if constant.array.ndim else constant.array.reshape(1), bool(constant.name))
