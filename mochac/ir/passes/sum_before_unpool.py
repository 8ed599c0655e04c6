"""sum_before_unpool: compute a bias gradient after max pooling from the pooled gradient, not from the scattered one.

    %d = max_pool_dx(%dy, %index)                 %b = reduce_sum(%dy) {axes = (0,2,3)}
    %b = reduce_sum(%d) {axes = (0,2,3)}     ->

Every window passes its gradient to exactly one pixel, so sums over whole images change only in the order of addition.
The pooled gradient is smaller by a factor of the cells of a window. The pipeline runs this after simplify.
"""

from __future__ import annotations

from mochac.ir.graph import BoundNode, Graph, Value
from mochac.ir.passes import graph_pass
from mochac.ir.rewrite import Rewriter, rewrite, without_dead_nodes


@graph_pass("sum_before_unpool")
def sum_before_unpool(graph: Graph) -> Graph:
    """Replace sums of max_pool_dx over whole images."""
    return without_dead_nodes(rewrite(graph, _rule))


def _rule(r: Rewriter, bound: BoundNode) -> tuple[Value, ...] | None:
    if bound.node.op != "reduce_sum":
        return None
    axes = bound.attr["axes"]
    scattered = r.producer(bound.inputs[0])
    if scattered is None or scattered.node.op != "max_pool_dx":
        return None
    if not isinstance(axes, tuple) or not set(axes) >= set(range(2, len(bound.inputs[0].type.shape))):
        return None
    return (r.op("reduce_sum", scattered.inputs[0], name=bound.outputs[0].name, axes=axes),)
