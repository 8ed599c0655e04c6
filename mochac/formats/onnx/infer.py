"""NodeInference: extents and element types of what a node makes, inferred by the package onnx.

Nodes are taken one by one while a graph is converted, so that everything that the graph computes of constants, such as
the shape for a Reshape, is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mochac.base.files.onnx.read import onnx_package
from mochac.formats.importing.node import BlobTensor, Constant, Shape, Tensor

MOST = 4096
"""Maximum elements of a constant whose numbers inference looks at."""


class NodeInference:
    """Inference for the nodes of a model."""

    def __init__(self, opset: int) -> None:
        self._imports = [onnx_package("helper").make_opsetid("", opset)]
        self._opset = opset

    def outputs(self, node: Any, inputs: Sequence[Tensor | None]) -> tuple[tuple[Shape | None, int], ...]:
        """Extents and element types of the outputs: None and 0 where they are not known."""
        types, data = dict[str, Any](), dict[str, Any]()
        for name, x in zip(node.input, inputs, strict=True):
            if x is not None:
                types[name] = self._type(x)
            if isinstance(x, Constant) and x.array.size <= MOST and x.array.dtype.kind in "fiub":
                data[name] = onnx_package("numpy_helper").from_array(x.array, name)
        found = self._found(node, types, data)
        return tuple(_known(found[name]) if name in found else (None, 0) for name in node.output)

    def _found(self, node: Any, types: dict[str, Any], data: dict[str, Any]) -> dict[str, Any]:
        onnx = onnx_package()
        try:
            schema = onnx.defs.get_schema(node.op_type, self._opset)
            return onnx.shape_inference.infer_node_outputs(schema, node, types, data, opset_imports=self._imports)
        except Exception:  # the package's own, of operands that do not fit; converters say what does not
            return {}

    def _type(self, x: Tensor) -> Any:
        helper = onnx_package("helper")
        if isinstance(x, BlobTensor):
            return helper.make_tensor_type_proto(x.element, x.extents)
        return helper.make_tensor_type_proto(helper.np_dtype_to_tensor_dtype(np.dtype(x.array.dtype)), x.array.shape)


def _known(type: Any) -> tuple[Shape | None, int]:
    tensor = type.tensor_type
    if not tensor.HasField("shape") or not all(d.HasField("dim_value") for d in tensor.shape.dim):
        return None, int(tensor.elem_type)
    return tuple(int(d.dim_value) for d in tensor.shape.dim), int(tensor.elem_type)
