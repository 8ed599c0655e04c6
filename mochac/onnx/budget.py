"""Budget: limits on the nodes, work and memory that a model may need until it is a net.

Even a small file may have functions that expand to many nodes, or compute huge constants from other constants. Ordinary
models need a small fraction of these limits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from mochac.onnx.files.package import onnx_package
from mochac.onnx.operator import Given, OnnxNode

MAX_NODES = 10_000
"""Maximum nodes of a model, with its functions expanded."""
MAX_BYTES = 1 << 30
"""Maximum memory of computed constants, in addition to what the file stores."""
MAX_WORK = 1 << 32
"""Maximum elementary operations to compute constants: about ten seconds."""
MAX_ELEMENTS = 1 << 28
"""Maximum elements of a sample of a blob."""

_COSTS = {"Erf": 256, "Cast": 8, "CastLike": 8, "Exp": 8, "Log": 8, "Pow": 32, "Sigmoid": 16, "Tanh": 16, "Mod": 16}
"""Operations per element, of expensive operators."""
_STRING = 8
"""TensorProto.DataType of strings, which become Python objects."""
_WITHOUT_BLAS = 32
"""How many times slower a product of integers is than one of floats."""


@dataclass
class Budget:
    """What is left for the constants of one model.

    Attributes:
        bytes: of memory.
        work: elementary operations.
    """

    bytes: int = MAX_BYTES
    work: int = MAX_WORK

    @property
    def exceeded(self) -> bool:
        """Whether a node asked for more than was left."""
        return self.bytes < 0 or self.work < 0

    def take(self, node: OnnxNode, elements: int, itemsize: int) -> None:
        """Subtract the cost of a node that computes `elements` elements of a constant.

        Raises:
            UnsupportedError: too little is left.
        """
        self.bytes -= elements * itemsize
        self.work -= _work(node, elements)
        if self.exceeded:
            what = f"{MAX_BYTES >> 20:,} MiB" if self.bytes < 0 else f"{MAX_WORK:,} operations"
            hint = "store its value in the file: tools such as onnxsim fold constants"
            raise node.refused("the constants of the model take too much to compute", f"at most {what}", hint=hint)


def _work(node: OnnxNode, elements: int) -> int:
    arrays = [x.array for x in node.inputs if isinstance(x, Given)]
    most = max([elements, *(a.size for a in arrays)])
    if node.type in ("MatMul", "Gemm") and arrays[0].ndim:
        summed = arrays[0].shape[0 if node.attribute("transA", 0) else -1]
        return elements * summed * (1 if arrays[0].dtype.kind == "f" else _WITHOUT_BLAS)
    return most * _COSTS.get(node.type, 1)


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


def too_large(extents: tuple[int, ...]) -> bool:
    """Whether a sample of a blob with these extents behind the batch has too many elements."""
    return math.prod(extents) > MAX_ELEMENTS
