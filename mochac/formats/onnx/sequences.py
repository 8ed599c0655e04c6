"""without_sequences: an ONNX model in which Split makes the tensors that SplitToSequence and SequenceAt make.

PyTorch's new exporter writes torch.split and torch.chunk as sequences unless it optimizes the graph.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mochac.base.files.onnx.read import numbers, onnx_package

_SIZES_ARE_INPUTS = 13
"""The version of ONNX's operators since which Split has its sizes as an input."""


def without_sequences(model: Any, path: str) -> Any:
    """The model, changed where a sequence is split by constant numbers, and all that reads it picks constant elements.
    Other sequences stay as they are."""
    version = next((o.version for o in model.opset_import if o.domain in ("", "ai.onnx")), 0)
    if version < _SIZES_ARE_INPUTS or not any(node.op_type == "SplitToSequence" for node in model.graph.node):
        return model
    made = type(model)()
    made.CopyFrom(model)
    graph, helper = made.graph, onnx_package("helper")
    constants = _constants(graph, path)
    extents = {v.name: v.type.tensor_type.shape.dim for v in (*graph.input, *graph.value_info)}
    for node in graph.node:
        if node.op_type != "SplitToSequence":
            continue
        readers = [other for other in graph.node if node.output[0] in other.input]
        sizes, axis = _sizes(node, constants, extents), _axis(node)
        picked = [_index(other, constants, len(sizes)) for other in readers]
        if not sizes or None in picked or node.output[0] in {o.name for o in graph.output}:
            continue
        names = [f"{node.output[0]}.{k}" for k in range(len(sizes))]
        split = f"{node.output[0]}.sizes"
        graph.initializer.append(onnx_package("numpy_helper").from_array(np.asarray(sizes, np.int64), split))
        for other, k in zip(readers, picked, strict=True):
            other.CopyFrom(_as(other, helper.make_node("Identity", [names[k or 0]], other.output)))
        node.CopyFrom(_as(node, helper.make_node("Split", [node.input[0], split], names, axis=axis)))
    return made


def _as(old: Any, new: Any) -> Any:
    """A node with the name and the module of another one."""
    new.name = old.name
    new.metadata_props.extend(old.metadata_props)
    return new


def _constants(graph: Any, path: str) -> dict[str, np.ndarray]:
    """Integers in initializers and Constant nodes."""
    integer = onnx_package().TensorProto.INT64
    tensors = {tensor.name: tensor for tensor in graph.initializer}
    for node in graph.node:
        if node.op_type == "Constant" and len(node.attribute) == 1 and node.attribute[0].name == "value":
            tensors[node.output[0]] = node.attribute[0].t
    return {name: numbers(tensor, path) for name, tensor in tensors.items() if tensor.data_type == integer}


def _axis(node: Any) -> int:
    return next((a.i for a in node.attribute if a.name == "axis"), 0)


def _sizes(node: Any, constants: Mapping[str, np.ndarray], extents: Mapping[str, Any]) -> list[int]:
    """The extents of the parts along the axis; [] if they are not known, or the axis is left out."""
    split = constants.get(node.input[1]) if len(node.input) > 1 else None
    if split is None:
        return []
    if split.ndim:
        return [int(size) for size in split]
    dims, axis, size = extents.get(node.input[0], ()), _axis(node), int(split)
    extent = int(dims[axis].dim_value) if -len(dims) <= axis < len(dims) else 0
    return [min(size, extent - begin) for begin in range(0, extent, size)] if size > 0 else []


def _index(node: Any, constants: Mapping[str, np.ndarray], count: int) -> int | None:
    """Which element of a sequence a node picks; None if it does something else."""
    index = constants.get(node.input[1]) if node.op_type == "SequenceAt" else None
    if index is None or index.size != 1 or not -count <= int(index.reshape(-1)[0]) < count:
        return None
    return int(index.reshape(-1)[0]) % count
