"""What layers make of arrays, and what comes back: interpreted in NumPy, or compiled for this CPU.

The bottoms are data; gradients are of sum(weights * top), so a test chooses what arrives at the top.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mochac import MemoryDataLayer, Net
from mochac.ir.build import GraphBuilder
from mochac.ir.interp import run
from mochac.ir.pullback import gradients
from mochac.lowering.run_graph import run_graph
from mochac.nets.trace import trace

SHORT = {"float32": "f32", "float64": "f64"}


def values(
    layers: Sequence, feeds: Mapping[str, np.ndarray], top: str, arriving=None, *, dtype="float64", compiled=False
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """The blob `top`, and d sum(arriving * top) / d feed for every feed (none without `arriving`)."""
    batch = len(next(iter(feeds.values())))
    data = MemoryDataLayer(name="feeds", data=list(feeds.values()), batch_size=batch, tops=list(feeds))
    traced = trace(Net("one", [data, *layers]), "train", dtype)
    inputs = {f.value: feeds[f.top].astype(dtype) for f in traced.feeds}
    inputs |= {name: np.asarray(table, dtype) for name, table in traced.tables.items()}
    b = GraphBuilder.extending(traced.graph)
    y = b.values[traced.blobs[top]]
    found = {}
    if arriving is not None:
        weights = b.input("arriving", y.type)
        inputs["arriving"] = np.asarray(arriving, dtype)
        total = b.op("reduce_sum", b.op("mul", y, weights), axes=tuple(range(len(y.type.shape))))
        wrt = {f.top: b.values[f.value] for f in traced.feeds}
        by_name = gradients(b, total, list(wrt.values()))
        found = {name: by_name[v.name] for name, v in wrt.items()}
    graph = b.finish([y, *found.values()])
    result = run_graph(graph, inputs, dtype=SHORT[dtype]) if compiled else run(graph, inputs)
    return result[y.name], {name: result[v.name] for name, v in found.items()}


def slopes(f, x: np.ndarray, arriving: np.ndarray, epsilon: float = 1e-6) -> np.ndarray:
    """d sum(arriving * f(x)) / dx by central differences, element by element."""
    found = np.empty_like(x)
    for at in np.ndindex(x.shape):
        high, low = x.copy(), x.copy()
        high[at] += epsilon
        low[at] -= epsilon
        found[at] = np.sum(arriving * (f(high) - f(low))) / (2 * epsilon)
    return found


def row_slopes(f, x: np.ndarray, arriving: np.ndarray, epsilon: float = 1e-6) -> np.ndarray:
    """d sum(arriving * f(x)) / dx by central differences, column by column; rows of x are samples of their own."""
    found = np.empty_like(x)
    for column in range(x.shape[1]):
        step = epsilon * (np.arange(x.shape[1]) == column)
        found[:, column] = np.sum(arriving * (f(x + step) - f(x - step)), axis=1) / (2 * epsilon)
    return found


TOLERANCE = {"float32": 2e-5, "float64": 1e-11}
