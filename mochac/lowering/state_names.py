"""state_names: names the new values of parameters and solver state after what they update.

Solvers know no nets, so their nodes have names like `add.8`; with this, graphs, kernels and generated code of a step
say `ip1.weight.new`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mochac.ir.graph import Graph, Node


def state_names(graph: Graph) -> Graph:
    """The graph with new states renamed to "<input>.new", if a node makes them and they have no other meaning.

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
