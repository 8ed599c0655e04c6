"""qdq_model: a quantized net as an ONNX model with QuantizeLinear and DequantizeLinear.

This is the form that ONNX's tools make of float models: runtimes compute in integers what lies between these operators.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mochac.formats.onnx.export.graph import graph_nodes
from mochac.formats.onnx.export.save import model_of
from mochac.formats.quantization.quantized import DTYPE, QuantizedNet


def qdq_model(made: QuantizedNet) -> Any:
    """An onnx.ModelProto, whose inputs are raw data, as those of mochac.onnx.save().

    Raises:
        OptionError: the package onnx is not installed. UnsupportedError: layers that ONNX cannot express.
    """
    traced, simulated = made.simulated(made.net.batch)
    whole = replace(traced, graph=simulated.graph, tables=simulated.arrays, params=(), states=())
    written = graph_nodes(made.net, whole, made.outputs, DTYPE)
    return model_of(written, list(made.outputs), made.net.name, {})
