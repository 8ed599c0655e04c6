"""split_sums: split the weight gradients of convolutions into partial sums, if a GPU has more threads than elements.

    %dw = conv2d_dw(%x, %dy) {...}   ->   %dw.parts = conv2d_dw_parts(%x, %dy) {..., parts = 16}
                                          %dw = sum_parts(%dw.parts) {axes = (3,2,0,1)}

The pipeline runs it before fuse, with a function of the backend that returns the number of parts. The sums change only
in the order of addition, which is fixed.
"""

from __future__ import annotations

from collections.abc import Callable

from mochac.ir.graph import BoundNode, Graph, Value
from mochac.ir.rewrite import Rewriter, rewrite
from mochac.passes import graph_pass

FILTERS = (3, 2, 0, 1)
"""Axes of a filter's gradient (co, ci, kh, kw) in a part (kh, kw, ci, co)."""


def split_sums(graph: Graph, parts: Callable[[BoundNode], int]) -> Graph:
    """Replace every conv2d_dw for which `parts` returns more than 1.

    >>> from mochac.ir.graph import Graph
    >>> split_sums(Graph("empty", (), (), ()), lambda bound: 4).nodes
    ()
    """

    def rule(r: Rewriter, bound: BoundNode) -> tuple[Value, ...] | None:
        n = parts(bound) if bound.node.op == "conv2d_dw" else 1
        if n <= 1:
            return None
        out = bound.outputs[0].name
        shared = r.op("conv2d_dw_parts", *bound.inputs, name=f"{out}.parts", parts=n, **bound.attr)
        return (r.op("sum_parts", shared, name=out, axes=FILTERS),)

    return rewrite(graph, rule)


@graph_pass("split_sums")
def _split_by_sample(graph: Graph) -> Graph:
    """One part per sample."""
    return split_sums(graph, lambda bound: bound.inputs[0].type.shape[0])
