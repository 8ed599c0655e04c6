"""ONNX's comparisons, logic, choices and conversions: truth values are 0 and 1, integers are whole numbers."""

from __future__ import annotations

from mochac.formats.importing.builder import NetBuilder
from mochac.formats.importing.formulas import applied, formula
from mochac.formats.importing.node import BOOL, REALS, SHORT, Tensor
from mochac.formats.onnx.converters import operator
from mochac.formats.onnx.operator import OnnxNode

_FUNCTIONS = {
    "Equal": "eq", "Less": "lt", "LessOrEqual": "le", "Greater": "gt", "GreaterOrEqual": "ge",
    "And": "and", "Or": "or", "Not": "not", "Xor": "ne", "IsNaN": "isnan", "Where": "select",
}  # fmt: skip
_WIDER = {2: (2, 4, 12, 13), 3: (3, 5), 4: (4, 12, 13), 5: (5,), 12: (12, 13), 13: (13,)}
"""Short and unsigned types to which a type of TensorProto is converted without wrapping around."""


@operator(*_FUNCTIONS, anywhere=True)
def function(b: NetBuilder, node: OnnxNode) -> None:
    """FunctionLayer."""
    applied(b, node, _FUNCTIONS[node.type], _operands(node))


def _operands(node: OnnxNode) -> list[Tensor]:
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
