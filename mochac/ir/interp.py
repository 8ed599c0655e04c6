"""The graph interpreter: evaluates a graph node by node in NumPy. It defines what every backend must compute.

Tests, check_gradients and replay call `run`. It ignores layouts: a blocked value is interpreted as its logical array.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from mochac.base.errors import OptionError
from mochac.base.records import record
from mochac.base.support.memory import fits
from mochac.ir.graph import Graph, Input, Node, Value
from mochac.ir.op import OPS, run_reference
from mochac.ir.types import DTYPES, TensorType


@record
class Result:
    """The values of one run: `outputs` by name, `updates` by the name of the updated input, `values` all of them.

    result["loss"] looks in outputs, then updates.
    """

    outputs: dict[str, np.ndarray]
    updates: dict[str, np.ndarray]
    values: dict[str, np.ndarray]

    def __getitem__(self, name: str) -> np.ndarray:
        return self.outputs[name] if name in self.outputs else self.updates[name]

    def __contains__(self, name: str) -> bool:
        return name in self.outputs or name in self.updates


def run(graph: Graph, inputs: Mapping[str, Any], dtype: str | None = None) -> Result:
    """Evaluate a graph.

    Args:
        graph: a verified graph.
        inputs: one array per graph input, of the input's shape; it is converted to the input's dtype.
        dtype: "f64" evaluates every float in float64 (for gradient checks); None keeps the declared types.

    Returns:
        A Result. `inputs` is not changed.

    Raises:
        ValueError: an input is missing, superfluous or has the wrong shape.
        OptionError: the graph's values, or the temporary arrays of a node, do not fit into memory.

    >>> from mochac.ir.text import parse
    >>> g = parse("graph @g(%x: f32[3]) { %y: f32[3] = relu(%x) return %y }")
    >>> run(g, {"x": [-1.0, 0.0, 2.0]})["y"]
    array([0., 0., 2.], dtype=float32)
    """
    if dtype not in (None, "f64"):
        raise ValueError(f"dtype is {dtype!r}, expected None or 'f64'")
    if dtype == "f64":
        graph = widened(graph)
    _check_names(graph, inputs)
    _check_memory(graph)
    values = {i.name: _bind(i, inputs[i.name]) for i in graph.inputs}
    with np.errstate(all="ignore"):
        for node in graph.nodes:
            arrays = tuple(values[n] for n in node.inputs)
            try:
                results = run_reference(OPS[node.op], arrays, node.attr)
            except MemoryError:
                where = f"node %{node.outputs[0].name} of graph @{graph.name}"
                raise OptionError(f"{where} needs more memory than is available") from None
            for out, array in zip(node.outputs, results, strict=True):
                if array.shape != out.type.shape:
                    raise ValueError(f"{node.op} gave %{out.name} shape {array.shape}, declared {out.type}")
                values[out.name] = array.astype(DTYPES[out.type.dtype], copy=False)
    return Result(
        {name: values[name] for name in graph.outputs},
        {target: values[new] for target, new in graph.updates},
        values,
    )


def widened(graph: Graph) -> Graph:
    """The graph with f64 in place of f32 everywhere, in types, attributes and conversions."""

    def wide(type: TensorType) -> TensorType:
        return type.with_(dtype="f64") if type.dtype == "f32" else type

    def widen(node: Node) -> Node:
        return replace(
            node,
            op="to_f64" if node.op == "to_f32" else node.op,
            outputs=tuple(Value(out.name, wide(out.type)) for out in node.outputs),
            attrs=tuple((k, "f64" if (k, v) == ("dtype", "f32") else v) for k, v in node.attrs),
        ).with_bodies(widened)

    inputs = tuple(Input(i.name, wide(i.type), i.role) for i in graph.inputs)
    return graph.with_(inputs=inputs, nodes=tuple(map(widen, graph.nodes)))


def _check_names(graph: Graph, inputs: Mapping[str, Any]) -> None:
    expected, got = {i.name for i in graph.inputs}, set(inputs)
    if expected != got:
        missing = ", ".join(sorted(expected - got)) or "none"
        extra = ", ".join(sorted(got - expected)) or "none"
        raise ValueError(f"inputs of graph @{graph.name}: missing {missing}; not in the graph {extra}")


def _check_memory(graph: Graph) -> None:
    """Check that all values fit into memory, since all of them are kept. Runs before anything is allocated."""
    n_bytes = sum(type.storage_bytes for type in graph.types().values())
    if not fits(n_bytes):
        raise OptionError(f"the values of graph @{graph.name} do not fit into memory", got=f"{n_bytes:,} bytes")


def _bind(declared: Input, array: Any) -> np.ndarray:
    bound = np.array(array, dtype=DTYPES[declared.type.dtype])
    if bound.shape != declared.type.shape:
        raise ValueError(f"input %{declared.name}: expected {declared.type}, got shape {bound.shape}")
    return bound
