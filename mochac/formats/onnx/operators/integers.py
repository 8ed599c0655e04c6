"""ONNX's shifts of bits and quantized numbers: whole numbers in blobs of real ones."""

from __future__ import annotations

import numpy as np

from mochac.formats.importing.builder import NetBuilder
from mochac.formats.importing.formulas import formula
from mochac.formats.importing.node import UNSIGNED, BlobTensor, Constant, Tensor
from mochac.formats.onnx.converters import operator
from mochac.formats.onnx.operator import OnnxNode

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
    x, scale, zero = _operands(b, node)
    formula(b, node, f"min(max(add(round(div({{0}}, {{1}})), {{2}}), {low}), {high})", x, scale, zero)


@operator("DequantizeLinear")
def dequantize(b: NetBuilder, node: OnnxNode) -> None:
    """(x - zero point) * scale."""
    x, scale, zero = _operands(b, node)
    formula(b, node, "mul(sub({0}, {2}), {1})", x, scale, zero)


def _operands(b: NetBuilder, node: OnnxNode) -> tuple[BlobTensor, Tensor, Tensor]:
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
