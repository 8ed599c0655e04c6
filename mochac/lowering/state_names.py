"""state_names: what becomes a parameter or a solver's state is named after it.

plan_graphs.py has a step's graph named so; graphs, kernels and generated code then say `ip1.weight.new` where solvers,
which know no nets, made `add.8`. It knows neither solvers nor ops.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mochac.ir.graph import Graph, Node


def state_names(graph: Graph) -> Graph:
    """The graph with new states named "<input>.new" where a node makes them and nothing else is known by their name.

    >>> from mochac.ir.text import parse
    >>> rows = "graph @step(%w: f32[2] param) {", "%add.8: f32[2] = add(%w, %w)", "return", "update %w = %add.8", "}"
    >>> print(state_names(parse("\\n".join(rows))))
    graph @step(%w: f32[2] param) {
      %w.new: f32[2] = add(%w, %w)
      return
      update %w = %w.new
    }
    <BLANKLINE>
    """
    taken, made = set(graph.types()), graph.producers()
    names: dict[str, str] = {}
    for target, new in graph.updates:
        wanted = f"{target}.new"
        if new in made and new not in names and new not in graph.outputs and wanted not in taken:
            names[new] = wanted
    updates = tuple((target, names.get(new, new)) for target, new in graph.updates)
    return graph.with_(nodes=tuple(_renamed(node, names) for node in graph.nodes), updates=updates)


def _renamed(node: Node, names: Mapping[str, str]) -> Node:
    outputs = tuple(replace(out, name=names.get(out.name, out.name)) for out in node.outputs)
    return replace(node, inputs=tuple(names.get(name, name) for name in node.inputs), outputs=outputs)
