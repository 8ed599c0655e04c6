"""CONVERTERS: functions that add mochac's layers for an ONNX node to the builder, by operator.

They are in onnx/operators/. A converter raises UnsupportedError for what it cannot express.
"""

from __future__ import annotations

from collections.abc import Callable

from mochac.onnx.builder import NetBuilder
from mochac.onnx.operator import OnnxNode
from mochac.registry import Registry

Convert = Callable[[NetBuilder, OnnxNode], None]

CONVERTERS: Registry[Convert] = Registry("ONNX operator", "mochac.onnx.operators")


def operator(*types: str) -> Callable[[Convert], Convert]:
    """Decorator: register a function that converts nodes of these operators."""

    def add(function: Convert) -> Convert:
        for name in types:
            CONVERTERS.add(name, function)
        return function

    return add
