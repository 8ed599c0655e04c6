"""pool_first: move a monotone neuron from before max pooling to after it, where there are fewer elements.

    %r = relu(%c)                          %m, %i = max_pool(%c)
    %p, %i = max_pool(%r)           ->     %p = relu(%m)

The largest f(x) is f of the largest x; relu is exact, and sigmoid and tanh round in the same way. Elements that tie in
f(x) may differ in x, so the index may change, but only where f is flat and its gradient almost zero. The pipeline runs
this on forward graphs, before gradients are derived, so that the backward pass masks pooled gradients, too. Values that
are read elsewhere are kept.
"""

from __future__ import annotations

from collections import Counter

from mochac.ir.graph import BoundNode, Graph, Value
from mochac.ir.passes import graph_pass
from mochac.ir.rewrite import Rewriter, rewrite, without_dead_nodes
from mochac.ir.scalar import FUNCTIONS


@graph_pass("pool_first")
def pool_first(graph: Graph) -> Graph:
    """Pool before neurons that only the pool reads."""
    readers = Counter(name for node in graph.nodes for name in node.inputs)
    kept = graph.results()

    def rule(r: Rewriter, bound: BoundNode) -> tuple[Value, ...] | None:
        if bound.node.op != "max_pool":
            return None
        neuron = r.producer(bound.inputs[0])
        if neuron is None or not _is_monotone(neuron.node.op):
            return None
        if readers[bound.inputs[0].name] > 1 or bound.inputs[0].name in kept:
            return None
        result, index = (out.name for out in bound.outputs)
        stem = f"{result}.max_pool"
        pooled, place = r.ops("max_pool", neuron.inputs[0], name=(stem, index), **bound.attr)
        value = r.op(neuron.node.op, pooled, name=result)
        r.add_loc(value, neuron.node.loc)
        return value, place

    changed = rewrite(graph, rule)
    return graph if changed == graph else without_dead_nodes(changed)


def _is_monotone(op: str) -> bool:
    return op in FUNCTIONS and FUNCTIONS[op].monotone
