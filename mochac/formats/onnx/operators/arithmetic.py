"""Arithmetic, logic and integers.

ONNX's arithmetic, which broadcasts: of blobs, and of blobs with constants, which become parameters.

Numbers for channels or features become a ScaleLayer or a BiasLayer, which trains; one number is a setting of a layer.
Integers are computed as real numbers, and rounded where ONNX does.
"""

from __future__ import annotations

import numpy as np

from mochac.formats.importing.builder import NetBuilder
from mochac.formats.importing.formulas import applied, divided, formula, same_for_all, together
from mochac.formats.importing.node import BOOL, REALS, SHORT, UNSIGNED, BlobTensor, Constant, Tensor
from mochac.formats.onnx.operator import OnnxNode, operator
from mochac.nets.layers.element_wise import ElementWiseFunctor, ElementWiseFunctors
from mochac.nets.layers.inner_product import InnerProductLayer

_FUNCTION = {"Add": "add", "Sub": "sub", "Mul": "mul", "Div": "div", "Max": "max", "Min": "min", "Pow": "pow"}
_OF_BLOBS: dict[str, ElementWiseFunctor] = {
    "Add": ElementWiseFunctors.Add(),
    "Sub": ElementWiseFunctors.Subtract(),
    "Mul": ElementWiseFunctors.Multiply(),
    "Div": ElementWiseFunctors.Divide(),
    "Max": ElementWiseFunctors.Maximum(),
}


@operator("Add", "Sub", "Mul", "Div", "Pow", anywhere=True)
def arithmetic(b: NetBuilder, node: OnnxNode) -> None:
    """Two operands: blobs, or a blob and a constant."""
    left, right = (x for x in node.inputs if x is not None)
    if node.element not in REALS:
        _of_integers(b, node, left, right)
    elif isinstance(left, BlobTensor) and isinstance(right, BlobTensor):
        _of_blobs(b, node, [left, right])
    elif isinstance(left, BlobTensor) and isinstance(right, Constant):
        _with_constant(b, node, left, right)
    elif isinstance(left, Constant) and isinstance(right, BlobTensor):
        _constant_first(b, node, left, right)


def _of_integers(b: NetBuilder, node: OnnxNode, left: Tensor, right: Tensor) -> None:
    node.may_not_wrap()
    if node.type == "Pow":
        whole = isinstance(right, Constant) and bool((right.array >= 0).all()) and right.array.dtype.kind in "iu"
        if not whole:
            raise node.refused("a power of integers whose exponent is no constant >= 0")
    rounded = {"Div": "trunc(div({0}, {1}))", "Pow": "round(pow({0}, {1}))"}
    formula(b, node, rounded.get(node.type, f"{_FUNCTION[node.type]}({{0}}, {{1}})"), left, right)


@operator("Mod")
def mod(b: NetBuilder, node: OnnxNode) -> None:
    """Remainder, with the sign of the divisor or of the dividend."""
    left, right = (x for x in node.inputs if x is not None)
    divided(b, node, "fmod" if node.attribute("fmod", 0) else "remainder", left, right)


@operator("Max", "Min", "Sum", "Mean", anywhere=True)
def several(b: NetBuilder, node: OnnxNode) -> None:
    """Any number of operands, two at a time unless they are blobs of one shape."""
    operands: list[Tensor] = [x for x in node.inputs if x is not None]
    blobs = [x for x in operands if isinstance(x, BlobTensor)]
    kind = "Add" if node.type in ("Sum", "Mean") else node.type
    if kind == "Add":
        node.of_reals()
    if len(operands) == 1:
        b.alias(node, node.blob())
    elif node.type == "Mean":
        terms = "add(" * (len(operands) - 1) + "{0}" + "".join(f", {{{k}}})" for k in range(1, len(operands)))
        formula(b, node, f"mul({terms}, {1 / len(operands)!r})", *operands)
    elif len(blobs) == len(operands) and kind in _OF_BLOBS and len({(x.shape, x.place) for x in blobs}) == 1:
        b.add("ElementWise", node, blobs, blobs[0].shape, operation=_OF_BLOBS[kind])
    else:
        total, *rest = [*blobs, *(x for x in operands if isinstance(x, Constant))]
        for k, x in enumerate(rest, 1):
            total = applied(b, node, _FUNCTION[kind], [total, x], last=k == len(rest))


def _of_blobs(b: NetBuilder, node: OnnxNode, blobs: list[BlobTensor]) -> None:
    """ElementWiseLayer, or FunctionLayer if shapes differ."""
    left, right = blobs
    same_form = (left.shape, left.place) == (right.shape, right.place)
    if same_form and left.name != right.name and node.type in _OF_BLOBS:
        b.add("ElementWise", node, blobs, left.shape, operation=_OF_BLOBS[node.type])
    else:
        applied(b, node, _FUNCTION[node.type], blobs)


def _with_constant(b: NetBuilder, node: OnnxNode, x: BlobTensor, constant: Constant) -> None:
    """A blob, then a constant."""
    array = x.place.in_blob(same_for_all(b, constant, x).array, len(x.shape))
    if array.size == 1 and array.ndim <= len(x.shape) - b.lead and np.isfinite(array).all():
        _with_number(b, node, x, float(array.reshape(-1)[0]))
    elif node.type == "Add" and _is_bias(b, x, array):
        layer = b.maker(x)
        assert layer is not None
        b.arrays[f"{layer.name}___bias"] = array.reshape(-1)
        b.change(node, x, bias="")
    elif node.type in ("Add", "Sub") and (axes := _span(b, x, array)):
        values = array if node.type == "Add" else -array
        parameters = {"shift": values.reshape(_cut(x, axes))}
        b.add("Bias", node, [x], x.shape, parameters, **_along(axes), **_rate(b, constant, "shift"))
    elif node.type in ("Mul", "Div") and (axes := _span(b, x, array)):
        values = array if node.type == "Mul" else 1 / array
        parameters = {"scale": values.reshape(_cut(x, axes))}
        b.add("Scale", node, [x], x.shape, parameters, **_along(axes), **_rate(b, constant, "scale"))
    else:
        applied(b, node, _FUNCTION[node.type], [x, constant])


def _with_number(b: NetBuilder, node: OnnxNode, x: BlobTensor, value: float) -> None:
    fields = {"Add": {"shift": value}, "Sub": {"shift": -value}, "Mul": {"scale": value}, "Pow": {"power": value}}
    if node.type in fields:
        b.add("Power", node, [x], x.shape, **fields[node.type])
    else:
        b.add("Function", node, [x], x.shape, function="div", constants=(value,))


def _constant_first(b: NetBuilder, node: OnnxNode, constant: Constant, x: BlobTensor) -> None:
    if node.type in ("Add", "Mul"):
        _with_constant(b, node, x, constant)
    elif node.type == "Sub" and constant.array.size == 1 and together(b, node, [constant, x]) == x.shape:
        b.add("Power", node, [x], x.shape, scale=-1.0, shift=float(constant.array.reshape(-1)[0]))
    else:
        applied(b, node, _FUNCTION[node.type], [constant, x])


def _is_bias(b: NetBuilder, x: BlobTensor, array: np.ndarray) -> bool:
    """Whether the numbers are one for each output of the inner product before them, which has no bias yet."""
    layer = b.maker(x)
    wanted = (x.shape[-1],)
    return isinstance(layer, InnerProductLayer) and layer.bias is False and array.shape[-1:] == wanted == (array.size,)


def _span(b: NetBuilder, x: BlobTensor, array: np.ndarray) -> range | None:
    """The axes of x, without the batch, along which a constant has numbers; None if it has others."""
    shape = (1,) * (len(x.shape) - array.ndim) + array.shape
    long = [a for a, extent in enumerate(shape) if extent != 1]
    if array.ndim > len(x.shape) - b.lead or not np.isfinite(array).all() or not long or long[0] == 0:
        return None
    axes = range(long[0], long[-1] + 1)
    return axes if all(shape[a] == x.shape[a] for a in axes) else None


def _cut(x: BlobTensor, axes: range) -> tuple[int, ...]:
    return x.shape[axes.start : axes.stop]


def _along(axes: range) -> dict[str, int]:
    return {"axis": axes.start, "num_axes": len(axes)}


def _rate(b: NetBuilder, constant: Constant, name: str) -> dict[str, float]:
    """What a graph computes is not trained; what it stores as a weight is."""
    return {f"{name}_lr": float(b.trains(constant.name))}


_FUNCTIONS = {
    "Equal": "eq", "Less": "lt", "LessOrEqual": "le", "Greater": "gt", "GreaterOrEqual": "ge",
    "And": "and", "Or": "or", "Not": "not", "Xor": "ne", "IsNaN": "isnan", "Where": "select",
}  # fmt: skip
_WIDER = {2: (2, 4, 12, 13), 3: (3, 5), 4: (4, 12, 13), 5: (5,), 12: (12, 13), 13: (13,)}
"""Short and unsigned types to which a type of TensorProto is converted without wrapping around."""


@operator(*_FUNCTIONS, anywhere=True)
def function(b: NetBuilder, node: OnnxNode) -> None:
    """FunctionLayer."""
    applied(b, node, _FUNCTIONS[node.type], _operands_logic(node))


def _operands_logic(node: OnnxNode) -> list[Tensor]:
    return [x for x in node.inputs if x is not None]


@operator("IsInf", anywhere=True)
def is_inf(b: NetBuilder, node: OnnxNode) -> None:
    """x equals itself, and x - x is NaN."""
    infinite = "and(eq({0}, {0}), isnan(sub({0}, {0})))"
    signs = bool(node.attribute("detect_positive", 1)), bool(node.attribute("detect_negative", 1))
    side = {(True, True): "eq({0}, {0})", (True, False): "gt({0}, 0)", (False, True): "lt({0}, 0)"}
    formula(b, node, f"and({infinite}, {side.get(signs, 'ne({0}, {0})')})", node.blob())


@operator("Cast", "CastLike", anywhere=True)
def cast(b: NetBuilder, node: OnnxNode) -> None:
    """Nothing between real numbers, which are all of the net's dtype, and to wider integers; real numbers are rounded
    towards 0 to integers."""
    x, wanted = node.blob(), node.element
    if wanted == BOOL and x.element != BOOL:
        formula(b, node, "ne({0}, 0)", x)
    elif x.element in REALS and wanted not in REALS:
        formula(b, node, "trunc({0})", x)
    elif wanted in SHORT and x.element != BOOL and wanted not in _WIDER.get(x.element, ()):
        raise node.refused("unsigned and short integers wrap around", "int32, int64 or real numbers")
    elif wanted == 6 and x.element in (12, 13):
        raise node.refused("large unsigned integers wrap around", "a cast to int64")
    else:
        b.alias(node, x)


_RANGES = {2: (0, 255), 3: (-128, 127), 4: (0, 65535), 5: (-32768, 32767)}
"""Ranges of unsigned and signed 8-bit and 16-bit integers, by type in TensorProto."""


@operator("BitShift")
def shift(b: NetBuilder, node: OnnxNode) -> None:
    """To the right: a division by a power of two, rounded down."""
    node.require("direction", node.attribute("direction"), "RIGHT")
    x, by = node.inputs
    assert x is not None and by is not None
    if node.element not in UNSIGNED:
        raise node.refused("only unsigned integers are shifted", got=f"element type {node.element}")
    two = Constant(np.asarray(2.0))
    formula(b, node, "floor(div({0}, round(pow({2}, {1}))))", x, by, two)


@operator("QuantizeLinear")
def quantize(b: NetBuilder, node: OnnxNode) -> None:
    """x / scale, rounded, plus the zero point, within the range of its type."""
    if node.element not in _RANGES:
        raise node.refused("only integers of 8 or 16 bits are supported", got=f"element type {node.element}")
    low, high = _RANGES[node.element]
    x, scale, zero = _operands_integers(b, node)
    formula(b, node, f"min(max(add(round(div({{0}}, {{1}})), {{2}}), {low}), {high})", x, scale, zero)


@operator("DequantizeLinear")
def dequantize(b: NetBuilder, node: OnnxNode) -> None:
    """(x - zero point) * scale."""
    x, scale, zero = _operands_integers(b, node)
    formula(b, node, "mul(sub({0}, {2}), {1})", x, scale, zero)


def _operands_integers(b: NetBuilder, node: OnnxNode) -> tuple[BlobTensor, Tensor, Tensor]:
    """The numbers, and scale and zero point, which may differ along an axis, along their axis."""
    x = node.blob()
    node.require("block_size", node.attribute("block_size", 0), 0)
    place = int(node.attribute("axis", 1)) % max(1, len(x.shape) - b.lead)

    def along(k: int, what: str) -> Constant:
        if not node.has(k):
            return Constant(np.zeros(()))
        array = node.constant(k, what)
        behind = len(x.shape) - b.lead - place - 1
        return Constant(array.reshape(-1, *(1 for _ in range(behind))) if array.size > 1 else array.reshape(()))

    return x, along(1, "its scale"), along(2, "its zero point")
