"""run_graph: compiles a graph and runs it once, so that tests and check_op can compare it with the interpreter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mochac.ir.graph import STORED, Graph
from mochac.ir.types import DTYPES
from mochac.lowering.backends import open_backend
from mochac.lowering.pipeline import lower
from mochac.options import CompileOptions, Options
from mochac.runtime.backend import Backend
from mochac.runtime.support.aligned import aligned_empty
from mochac.runtime.support.managed_array import ManagedArray


def run_graph(
    graph: Graph,
    inputs: Mapping[str, np.ndarray],
    *,
    threads: int = 1,
    dtype: str = "f32",
    backend: Backend | None = None,
    convolutions: str | None = None,
    **how: Any,
) -> dict[str, np.ndarray]:
    """Compile a graph for a backend (None: the CPU of this machine) and run it once.

    Args:
        inputs: an array per graph input, in logical shape.
        dtype: "f32" or "f64"; determines the number of lanes.
        convolutions: "auto" or "direct"; None: what MOCHAC_CONVOLUTIONS says.
        how: fused=, layout=, chooser= of pipeline.lower.

    Returns:
        the outputs by name, and each updated input's new value under "update <name>".
    """
    backend = backend or open_backend(CompileOptions(backend="cpu"), Options.from_env(), run=True)
    outputs = {name: name for name in graph.outputs}
    how |= {"scalars": {}, "named": outputs, "convolutions": backend.convolutions(convolutions)}
    lowered = lower(graph, backend.generator, dtype=dtype, adviser=backend.adviser, **how)
    kinds = {i.name: i for i in graph.inputs}
    states: dict[str, ManagedArray] = {}
    for i in graph.inputs:
        if i.role in STORED:
            states[i.name] = ManagedArray(aligned_empty(i.type.shape, DTYPES[i.type.dtype]))
            states[i.name].storage[...] = inputs[i.name]
    executor = backend.bind(lowered.plan, backend.objects(lowered.text), states, threads)
    feeds = {
        n: np.asarray(a, DTYPES[kinds[n].type.dtype], order="C") for n, a in inputs.items() if kinds[n].role == "data"
    }
    hyper = {n: a for n, a in inputs.items() if kinds[n].role == "hyper"}
    executor.run(1, [feeds], hyper)
    results = {name: executor.read(name) for name in graph.outputs}
    results.update({f"update {name}": states[name].values.copy() for name, _ in graph.updates})
    executor.close()
    return results
