"""Limits on the nodes that an ONNX model may have, and the bytes of its elements.

Even a small file may have functions that expand to many nodes. Ordinary models need a small fraction of the limit.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mochac.base.files.onnx.package import onnx_package

MAX_NODES = 10_000
"""Maximum nodes of a model, with its functions expanded."""
MAX_CALLS = 2_000
"""Maximum calls of functions that are expanded at once: the package onnx takes seconds for these, and the square of the
time for more."""
_STRING = 8
"""TensorProto.DataType of strings, which become Python objects."""


def itemsize(element: int) -> int:
    """Bytes of an element of a type of TensorProto; 8 if it is not known."""
    if element == _STRING:
        return 128
    try:
        return max(1, int(np.dtype(onnx_package("helper").tensor_dtype_to_np_dtype(element)).itemsize))
    except (KeyError, TypeError):
        return 8


def expanded_nodes(model: Any) -> int:
    """How many nodes a model has after the calls of its own functions are replaced by their bodies.

    The checker of the package onnx has found that functions do not call themselves.
    """
    bodies = {(f.domain, f.name, f.overload): f.node for f in model.functions}
    known: dict[tuple[str, str, str], int] = {}

    def count(nodes: Any) -> int:
        return sum(of_node(node) for node in nodes)

    def of_node(node: Any) -> int:
        inner = sum(count(a.g.node) + sum(count(g.node) for g in a.graphs) for a in node.attribute)
        key = (node.domain, node.op_type, node.overload)
        if key not in bodies:
            return 1 + inner
        if key not in known:
            known[key] = count(bodies[key])
        return known[key] + inner

    return count(model.graph.node)
