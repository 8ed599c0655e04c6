"""BoundGraph: a compiled graph with memory for its inputs; run_graph runs one once, so that tests and check_op can
compare it with the interpreter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mochac.base.options import CompileOptions, Options
from mochac.base.support.memory import ManagedArray, aligned_empty
from mochac.ir.graph import STORED, Graph
from mochac.ir.types import DTYPES
from mochac.lowering.backends import open_backend
from mochac.lowering.pipeline import lower
from mochac.runtime.backend import Backend


class BoundGraph:
    """A compiled graph, with the arrays that its stored inputs begin with.

    Args:
        inputs: an array per stored input, in logical shape.
        dtype: "f32" or "f64"; determines the number of lanes.
        backend: None: the CPU of this machine.
        convolutions: "auto" or "direct"; None: what MOCHAC_CONVOLUTIONS says.
        how: fused=, layout=, chooser= of pipeline.lower.
    """

    def __init__(
        self,
        graph: Graph,
        inputs: Mapping[str, np.ndarray],
        *,
        threads: int | None = 1,
        dtype: str = "f32",
        backend: Backend | None = None,
        convolutions: str | None = None,
        **how: Any,
    ) -> None:
        backend = backend or open_backend(CompileOptions(backend="cpu"), Options.from_env(), run=True)
        outputs = {name: name for name in graph.outputs}
        how |= {"scalars": {}, "named": outputs, "convolutions": backend.convolutions(convolutions)}
        lowered = lower(graph, backend.generator, dtype=dtype, adviser=backend.adviser, **how)
        self.graph, self._kinds = graph, {i.name: i for i in graph.inputs}
        self.states: dict[str, ManagedArray] = {}
        for i in graph.inputs:
            if i.role in STORED:
                self.states[i.name] = ManagedArray(aligned_empty(i.type.shape, DTYPES[i.type.dtype]))
                self.states[i.name].storage[...] = inputs[i.name]
        self._executor = backend.bind(lowered.plan, backend.objects(lowered.text), self.states, threads)

    def run(self, inputs: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """The outputs by name, for an array per input that is not stored."""
        kinds = self._kinds
        rest = {n: a for n, a in inputs.items() if kinds[n].role not in STORED}
        feeds = {
            n: np.asarray(a, DTYPES[kinds[n].type.dtype], order="C") for n, a in rest.items() if kinds[n].role == "data"
        }
        hyper = {n: a for n, a in rest.items() if kinds[n].role == "hyper"}
        self._executor.run(1, [feeds], hyper)
        return {name: self._executor.read(name) for name in self.graph.outputs}

    def close(self) -> None:
        """Release code and memory."""
        self._executor.close()


def run_graph(graph: Graph, inputs: Mapping[str, np.ndarray], **how: Any) -> dict[str, np.ndarray]:
    """Compile a graph and run it once.

    Args:
        inputs: an array per graph input, in logical shape.
        how: of BoundGraph.

    Returns:
        the outputs by name, and each updated input's new value under "update <name>".
    """
    bound = BoundGraph(graph, inputs, **how)
    results = bound.run(inputs)
    results.update({f"update {name}": bound.states[name].values.copy() for name, _ in graph.updates})
    bound.close()
    return results
