"""state_names: names the new values of parameters and solver state after what they update.

Solvers know no nets, so their nodes have names like `add.8`; with this, graphs, kernels and generated code of a step
say `ip1.weight.new`.
"""

from __future__ import annotations

from mochac.ir.graph import Graph


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
    return graph.renamed(names)
