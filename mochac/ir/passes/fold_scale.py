"""fold_scale: fold sums and products per channel that follow a convolution or product into its weights and bias.

    %y = conv(%x, %w, %b)                        %v = mul(%w, broadcast(%k))
    %d = sub(%y, broadcast(%m) {axes = (1,)})      %a = sub(%b, %m)
    %n = mul(%d, broadcast(%k) {axes = (1,)})  ->  %c = mul(%a, %k)
                                                   %n = conv(%x, %v, %c)

So a BatchNorm costs nothing in prediction, where its mean and factor are fixed: test and predict plans run this pass,
and compute the new weights once per run. A factor stays where it is if there are more weights than results. Results
change by rounding. Notes say what was folded into what.
"""

from __future__ import annotations

from math import prod

from mochac.ir.build import Rewriter, rewrite, without_dead_nodes
from mochac.ir.graph import BoundNode, Graph, Value
from mochac.ir.notes import Folded
from mochac.ir.passes import graph_pass

PRODUCTS = frozenset({"conv", "inner_product"})
"""Ops of (x, weights, perhaps a bias) whose channels are axis 1 of the result and axis 0 of the weights."""


def fold_scale(graph: Graph, constant: bool = False) -> Graph:
    """Fold sums and products with a number for each channel into the products in front of them.

    Args:
        constant: parameters never change, so that changing them costs nothing.
    """
    notes: list[Folded] = []

    def rule(r: Rewriter, bound: BoundNode) -> tuple[Value, ...] | None:
        op, name = bound.node.op, bound.outputs[0].name
        if op not in ("add", "sub", "mul"):
            return None
        for value, other in (bound.inputs, bound.inputs[::-1])[: 1 if op == "sub" else 2]:
            product, numbers = r.producer(value), _numbers(r, other)
            if product is None or numbers is None or product.node.op not in PRODUCTS:
                continue
            if r.is_read_once(value) and (constant or _pays(op, product)):
                operands = _operands(r, op, product, numbers)
                with r.at(*dict.fromkeys((*product.node.loc, *bound.node.loc))):
                    folded = r.op(product.node.op, *operands, name=name, **product.attr)
                notes.append(Folded(name, op, value.name, product.node.op))
                return (folded,)
        return None

    folded = without_dead_nodes(rewrite(graph, rule))
    return folded.with_(notes=(*graph.notes, *notes))


@graph_pass("fold_scale")
def _fold_scale(graph: Graph) -> Graph:
    return fold_scale(graph)


def _numbers(r: Rewriter, value: Value) -> Value | None:
    """The numbers, one for each channel, that `value` repeats."""
    producer = r.producer(value)
    per_channel = producer is not None and producer.node.op == "broadcast" and producer.attr["axes"] == (1,)
    return producer.inputs[0] if producer is not None and per_channel else None


def _pays(op: str, product: BoundNode) -> bool:
    """Whether changing the parameters costs less than changing the results."""
    return op != "mul" or prod(product.inputs[1].type.shape) <= prod(product.outputs[0].type.shape)


def _operands(r: Rewriter, op: str, product: BoundNode, numbers: Value) -> tuple[Value, ...]:
    """The operands of a product that gives op(product, numbers)."""
    x, w, *bias = product.inputs
    if op == "mul":
        rows = (w.type.shape[0], prod(w.type.shape[1:]))
        flat = w if len(w.type.shape) == 2 else r.op("reshape", w, shape=rows)
        scaled = r.op("mul", flat, r.op("broadcast", numbers, shape=rows, axes=(0,)))
        w = scaled if len(w.type.shape) == 2 else r.op("reshape", scaled, shape=w.type.shape)
        return (x, w, *(r.op("mul", b, numbers) for b in bias))
    if bias:
        return x, w, r.op(op, bias[0], numbers)
    return x, w, numbers if op == "add" else r.op("neg", numbers)
