"""constant_part: a graph with everything that depends on parameters alone computed, as constants.

A net that is quantized has no parameters any more, such as those of a BatchNormLayer that is folded into a convolution.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mochac.base.records import record
from mochac.ir.graph import STORED, Graph, Input, Node
from mochac.ir.op import OPS, run_reference
from mochac.ir.types import DTYPES


@record
class WithConstants:
    """A graph whose stored inputs all have the role "const", and their arrays."""

    graph: Graph
    arrays: Mapping[str, np.ndarray]


def constant_part(graph: Graph, arrays: Mapping[str, np.ndarray]) -> WithConstants:
    """The graph with the values that depend only on stored inputs in place of what computes them.

    Args:
        arrays: of all stored inputs.
    """
    known = {i.name: np.asarray(arrays[i.name], DTYPES[i.type.dtype]) for i in graph.inputs if i.role in STORED}
    types, fills, nodes = graph.types(), set[str](), list[Node]()
    for node in graph.nodes:
        fill = node.op == "fill"
        if all(name in known for name in node.inputs) and not any(out.type.batch for out in node.outputs):
            operands = tuple(known[name] for name in node.inputs)
            for out, array in zip(node.outputs, run_reference(OPS[node.op], operands, node.attr), strict=True):
                known[out.name] = array.astype(DTYPES[out.type.dtype], copy=False)
                fills |= {out.name} if fill else set()
            if not fill:
                continue
        nodes.append(node)
    read = {name for node in nodes for name in node.inputs} | graph.results()
    given = [i for i in graph.inputs if i.role not in STORED]
    made = [name for name in known if name in read and name not in fills]
    inputs = (*given, *(Input(name, types[name], "const") for name in made))
    kept = tuple(node for node in nodes if any(out.name in read for out in node.outputs))
    return WithConstants(graph.with_(inputs=inputs, nodes=kept), {name: known[name] for name in made})
