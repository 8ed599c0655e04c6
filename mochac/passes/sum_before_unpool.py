"""sum_before_unpool: a bias gradient behind max pooling sums the pooled gradient, not the scattered one.

    %d = max_pool_dx(%dy, %index)                 %b = reduce_sum(%dy) {axes = (0,2,3)}
    %b = reduce_sum(%d) {axes = (0,2,3)}     ->

Every window gives its gradient to exactly one pixel, so sums over whole images are the same up to the order of
addition; the image that is not read is as many times larger as the window has cells. The driver runs it after simplify;
it needs and changes nothing else.
"""

from __future__ import annotations

from mochac.ir.graph import BoundNode, Graph, Value
from mochac.ir.rewrite import Rewriter, rewrite, without_dead_nodes
from mochac.passes import graph_pass

IMAGE_AXES = {2, 3}


@graph_pass("sum_before_unpool")
def sum_before_unpool(graph: Graph) -> Graph:
    """Replace sums of max_pool_dx over both image axes."""
    return without_dead_nodes(rewrite(graph, _rule))


def _rule(r: Rewriter, bound: BoundNode) -> tuple[Value, ...] | None:
    if bound.node.op != "reduce_sum":
        return None
    axes = bound.attr["axes"]
    scattered = r.producer(bound.inputs[0])
    if scattered is None or scattered.node.op != "max_pool_dx":
        return None
    if not isinstance(axes, tuple) or not set(axes) >= IMAGE_AXES:
        return None
    return (r.op("reduce_sum", scattered.inputs[0], name=bound.outputs[0].name, axes=axes),)
