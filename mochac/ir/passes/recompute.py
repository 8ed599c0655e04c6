"""recompute: give every reader of a cheap value a copy of its own, so that it need not be stored.

    %d = sub(%x, %m)          %d = sub(%x, %m)
    %s = square(%d)      ->   %s = square(%d)
    %p = mul(%d, %k)          %d.again = sub(%x, %m)
                              %p = mul(%d.again, %k)

An operation is cheap if it takes one instruction, and its operands are broadcast numbers and a value that is stored
anyway because a sum reads it: reading that value costs no more than reading the result. So layers that normalize
compute x - mean in three kernels and never store it. A comparison is cheap if both sides are computed where they are
read; so the mask of attention is never stored. The pipeline runs this before fuse. Results keep their bits.
"""

from __future__ import annotations

from dataclasses import replace

from mochac.ir.graph import Graph, Node, Value
from mochac.ir.names import claimed
from mochac.ir.op import OPS
from mochac.ir.passes import graph_pass

CHEAP = frozenset({"add", "sub", "mul"})
REPEATED = frozenset({"broadcast", "fill"})
COMPARISONS = frozenset({"eq", "ge", "gt", "le", "lt", "ne"})


@graph_pass("recompute")
def recompute(graph: Graph) -> Graph:
    """Copy cheap nodes for each of their readers but the first."""
    uses, results, makers = graph.uses(), graph.results(), graph.producers()
    taken = set(graph.types())
    copies: dict[str, Node] = {}
    for node in graph.nodes:
        name = node.outputs[0].name
        if name not in results and len(uses.get(name, ())) > 1 and _is_cheap(node, makers, uses):
            copies[name] = node
    nodes: list[Node] = []
    seen: set[str] = set()
    for node in graph.nodes:
        inputs: list[str] = []
        for name in node.inputs:
            if name in copies and name in seen:
                again = _copy(copies[name], taken)
                nodes.append(again)
                name = again.outputs[0].name
            elif name in copies:
                seen.add(name)
            inputs.append(name)
        nodes.append(replace(node, inputs=tuple(inputs)))
    return graph.with_(nodes=tuple(nodes))


def _is_cheap(node: Node, makers: dict[str, Node], uses: dict[str, list[Node]]) -> bool:
    if node.op in COMPARISONS:
        return all(name in makers and OPS[makers[name].op].inlined for name in node.inputs)
    if node.op not in CHEAP:
        return False
    full = [name for name in node.inputs if name not in makers or makers[name].op not in REPEATED]
    return len(full) == 1 < len(node.inputs) and any(OPS[r.op].kind == "reduce" for r in uses[full[0]])


def _copy(node: Node, taken: set[str]) -> Node:
    name = claimed(f"{node.outputs[0].name}.again", taken)
    return replace(node, outputs=(Value(name, node.outputs[0].type),))
