"""choose_library: products and convolutions become calls of cuBLAS and cuDNN where those pay.

    %y = conv2d(%x, %w, %b) {...}   ->   %y.call = call(%x, %w) {function="cudnn.conv_fprop", of="conv2d", ...}
                                         %b.wide = broadcast(%b) {...};  %y = add(%y.call, %b.wide)

The driver calls it before fuse with the libraries at hand; as a named pass it takes both. It wants natural layouts, and
float32 or float64. It knows neither devices nor how a library is called.
"""

from __future__ import annotations

from collections.abc import Collection

from mochac.ir.graph import Attr, Graph, Value
from mochac.ir.op import OPS, BoundNode
from mochac.ir.rewrite import Rewriter, rewrite
from mochac.passes import graph_pass

FUNCTIONS = {
    "inner_product": "cublas.gemm",
    "inner_product_dx": "cublas.gemm",
    "inner_product_dw": "cublas.gemm",
    "conv2d": "cudnn.conv_fprop",
    "conv2d_dx": "cudnn.conv_dgrad",
    "conv2d_dw": "cudnn.conv_wgrad",
}
"""What computes an op; the name before the dot is the library."""
LIBRARIES = tuple(dict.fromkeys(function.partition(".")[0] for function in FUNCTIONS.values()))
LEAST_FLOPS = 2_000_000
"""Below it a generated kernel, fused with its neighbours, is done before a call has begun (a launch takes microseconds,
in which a device does tens of MFLOP). An estimate: no device has confirmed it yet."""


def choose_library(graph: Graph, libraries: Collection[str]) -> Graph:
    """Replace contractions of LEAST_FLOPS and more by calls of the given libraries; none: the graph as it is.

    >>> from mochac.ir.graph import Graph
    >>> choose_library(Graph("empty", (), (), ()), ("cublas",)).nodes
    ()
    """

    def rule(r: Rewriter, bound: BoundNode) -> tuple[Value, ...] | None:
        if bound.node.op not in FUNCTIONS or refusal(bound, libraries):
            return None
        return (call(r, bound, FUNCTIONS[bound.node.op]),)

    return rewrite(graph, rule) if libraries else graph


@graph_pass("choose_library")
def _choose_all(graph: Graph) -> Graph:
    return choose_library(graph, LIBRARIES)


def refusal(bound: BoundNode, libraries: Collection[str]) -> str:
    """Why no library computes an op of FUNCTIONS, in words; "" where one does."""
    library = FUNCTIONS[bound.node.op].partition(".")[0]
    if library not in libraries:
        return f"{library} is not installed, or switched off by libraries="
    return "" if worth_it(bound) else f"too small for a call: {LEAST_FLOPS:,} operations pay one"


def worth_it(bound: BoundNode) -> bool:
    """Whether the node is large enough, and its values lie as libraries want them."""
    rule, values = OPS[bound.node.op].flops, (*bound.inputs, *bound.outputs)
    return rule is not None and rule(bound) >= LEAST_FLOPS and not any(v.type.lanes for v in values)


def call(r: Rewriter, bound: BoundNode, function: str) -> Value:
    """The call; a bias is added after it, by a kernel that other element-wise work may join."""
    attrs: dict[str, Attr] = {"function": function, "of": bound.node.op, **bound.attr}
    out = bound.outputs[0]
    has_bias = len(bound.inputs) == 3
    result = r.op("call", *bound.inputs[:2], name=f"{out.name}.call" if has_bias else out.name, **attrs)
    if not has_bias:
        return result
    wide = r.op("broadcast", bound.inputs[2], shape=out.type.shape, axes=(1,), batch=out.type.batch)
    return r.op("add", result, wide, name=out.name)
