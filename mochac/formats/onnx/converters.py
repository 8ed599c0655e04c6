"""CONVERTERS: functions that add mochac's layers for an ONNX node to the builder, by operator.

They are in onnx/operators/. A converter raises UnsupportedError for what it cannot express. Most take the batch as
axis 0 only; those that are registered with `anywhere` know where it is (importing/place.py).
"""

from __future__ import annotations

from collections.abc import Callable

from mochac.base.registry import Registry
from mochac.formats.importing.builder import NetBuilder
from mochac.formats.onnx.operator import OnnxNode

Convert = Callable[[NetBuilder, OnnxNode], None]

CONVERTERS: Registry[Convert] = Registry("ONNX operator", "mochac.formats.onnx.operators")


_ANYWHERE: set[str] = set()


def operator(*types: str, anywhere: bool = False) -> Callable[[Convert], Convert]:
    """Decorator: register a function that converts nodes of these operators.

    Args:
        anywhere: it takes tensors whose batch is another axis than 0, or one with another axis.
    """

    def add(function: Convert) -> Convert:
        for name in types:
            CONVERTERS.add(name, function)
        _ANYWHERE.update(types if anywhere else ())
        return function

    return add


def convert(b: NetBuilder, node: OnnxNode) -> None:
    """Add the layers of a node.

    Raises:
        UnsupportedError: it cannot be expressed.
    """
    converter = CONVERTERS[node.type]
    if node.type not in _ANYWHERE:
        node.needs_batch_first()
    b.convert(node, converter)
