"""sum_factors: take a factor that is the same for all terms out of a sum.

    %s = broadcast(%k) {axes = (1,)}               %t = reduce_sum(%a) {axes = (0,2,3)}
    %p = mul(%a, %s)                          ->   %y = mul(%t, %k)
    %y = reduce_sum(%p) {axes = (0,2,3)}

Gradients of means have this form: those of layers that normalize then need one sum of the gradient, where there were
two. Only the order of rounding changes. The pipeline runs it before simplify, which merges the sums.
"""

from __future__ import annotations

from mochac.ir.graph import BoundNode, Graph, Value
from mochac.ir.rewrite import Rewriter, rewrite, without_dead_nodes
from mochac.passes import graph_pass


@graph_pass("sum_factors")
def sum_factors(graph: Graph) -> Graph:
    """Replace sums of products with a broadcast that is constant along the summed axes."""
    return without_dead_nodes(rewrite(graph, _rule))


def _rule(r: Rewriter, bound: BoundNode) -> tuple[Value, ...] | None:
    if bound.node.op != "reduce_sum":
        return None
    summed = bound.attr["axes"]
    product = r.producer(bound.inputs[0])
    negative = product is not None and product.node.op == "neg"
    if product is not None and negative:
        product = r.producer(product.inputs[0])
    if product is None or product.node.op != "mul" or not isinstance(summed, tuple):
        return None
    for value, other in (product.inputs, product.inputs[::-1]):
        factor = _factor(r, other, set(summed))
        if factor is not None:
            total = r.op("reduce_sum", value, axes=summed)
            scaled = r.op("mul", total, _spread(r, *factor, summed, total))
            return (r.op("neg", scaled) if negative else scaled,)
    return None


def _factor(r: Rewriter, value: Value, summed: set[object]) -> tuple[Value, tuple[int, ...]] | None:
    """What a broadcast repeats along the summed axes, and its axes in the product."""
    made = r.producer(value)
    if made is None or made.node.op != "broadcast" or not made.inputs[0].type.shape:
        return None
    axes = made.attr["axes"]
    assert isinstance(axes, tuple)
    if summed & set(axes):
        return None
    return made.inputs[0], tuple(a for a in axes if isinstance(a, int))


def _spread(r: Rewriter, factor: Value, axes: tuple[int, ...], summed: tuple[object, ...], total: Value) -> Value:
    """The factor in the shape of the sum."""
    if factor.type == total.type:
        return factor
    kept = tuple(a - sum(1 for s in summed if isinstance(s, int) and s < a) for a in axes)
    return r.op("broadcast", factor, shape=total.type.shape, axes=kept, batch=total.type.batch)
