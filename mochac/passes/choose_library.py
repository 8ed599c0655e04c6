"""choose_library: replace products and convolutions by calls of cuBLAS and cuDNN where these pay.

    %y = conv(%x, %w, %b) {...}; %z = relu(%y)
        ->   %z = call(%x, %w, %b) {function="cudnn.conv_fprop", of="conv", epilogue="bias_relu", ...}

The call includes a relu if nothing else reads %y. The pipeline runs it on a fused graph, since a kernel that also pools
an image may beat a call; what is left is then fused again. It runs with the available libraries and with `ask`, which
tells whether a library supports the call for these shapes. An unsupported epilogue is computed by a
kernel; a node whose call is not supported even without epilogue is left alone, and a note says why. As a named pass it
uses both libraries. Requires natural layouts, and float32 or float64.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field

from mochac.ir.graph import Attr, BoundNode, Graph, Value
from mochac.ir.op import OPS
from mochac.ir.rewrite import Rewriter, rewrite, without_dead_nodes
from mochac.ir.types import TensorType
from mochac.options import LIBRARIES
from mochac.passes import graph_pass
from mochac.passes.windows import is_pool

FUNCTIONS = {
    "inner_product": "cublas.gemm",
    "inner_product_dx": "cublas.gemm",
    "inner_product_dw": "cublas.gemm",
    "conv": "cudnn.conv_fprop",
    "conv_dx": "cudnn.conv_dgrad",
    "conv_dw": "cudnn.conv_wgrad",
}
"""The library functions that compute an op; the part before the dot is the library."""
LEAST_FLOPS = 2_000_000
"""Smallest number of operations for a call. A smaller generated kernel, fused with its neighbours, is done before a
call would have begun (a launch takes microseconds, in which a GPU does tens of MFLOP). An estimate: not measured
yet."""
BALANCE = 20
"""Operations that a GPU does in the time of moving a byte (H100: 67 TFLOP/s, 3.35 TB/s). A convolution with fewer per
byte of its image is memory-bound, and a generated kernel that pools the image never stores it. An estimate, too."""
NOT_CALLED = " not called: "
"""In notes, separates a value from the reason why no library computes it."""

Ask = Callable[[Mapping[str, Attr], tuple[TensorType, ...]], str]
"""Returns why a library does not support a call with given attributes and types of operands and result, or ""."""


def choose_library(
    graph: Graph, libraries: Collection[str], how: Mapping[str, Attr] | None = None, ask: Ask | None = None
) -> Graph:
    """Replace contractions of at least LEAST_FLOPS by calls of the given libraries. Without libraries, change nothing.

    Args:
        how: attributes that every call gets: `precision` and `deterministic`, unless they have the default values.
        ask: tells what the libraries support; None: everything.

    >>> from mochac.ir.graph import Graph
    >>> choose_library(Graph("empty", (), (), ()), ("cublas",)).nodes
    ()
    """
    if not candidates(graph, libraries):
        return graph
    choice = _Choice(graph, libraries, how or {}, ask or (lambda attrs, types: ""))
    chosen = rewrite(graph, choice.rule)
    return without_dead_nodes(chosen).with_(notes=(*graph.notes, *choice.notes))


@graph_pass("choose_library")
def _choose_all(graph: Graph) -> Graph:
    return choose_library(graph, LIBRARIES)


def candidates(graph: Graph, libraries: Collection[str]) -> tuple[str, ...]:
    """The libraries that would be called for some node, in the order given."""
    types = graph.types()
    used = set[str]()
    for node in graph.nodes:
        if node.op in FUNCTIONS:
            bound = node.bound(types)
            if not refusal(graph, bound, libraries):
                used.add(library_of(node.op))
    return tuple(name for name in libraries if name in used)


def refusal(graph: Graph, bound: BoundNode, libraries: Collection[str]) -> str:
    """Why no library is considered for a node of an op of FUNCTIONS, in words; "" if one is."""
    library = library_of(bound.node.op)
    if library not in libraries:
        return f"{library} is not installed, or switched off by libraries="
    if not worth_it(bound):
        return f"too small for a call: {LEAST_FLOPS:,} operations make one worthwhile"
    if fused_with_pool(graph, bound) and _flops(bound) < BALANCE * bound.outputs[0].type.storage_bytes:
        return f"its kernel pools the image: {BALANCE} operations per byte make storing it worthwhile"
    return ""


def refused(graph: Graph) -> dict[str, str]:
    """For values that libraries were considered for, by name: why they do not compute them."""
    notes = (note.partition(NOT_CALLED) for note in graph.notes if NOT_CALLED in note)
    return {what.partition(" ")[0].removeprefix("%"): why for what, _, why in notes}


def library_of(op: str) -> str:
    """The library that computes an op of FUNCTIONS.

    >>> library_of("conv")
    'cudnn'
    """
    return FUNCTIONS[op].partition(".")[0]


def worth_it(bound: BoundNode) -> bool:
    """Whether the node is large enough and its values have layouts that libraries support."""
    return _flops(bound) >= LEAST_FLOPS and not any(v.type.lanes for v in (*bound.inputs, *bound.outputs))


def fused_with_pool(graph: Graph, bound: BoundNode) -> bool:
    """Whether a convolution shares its kernel with a pool, by Node.group."""
    group = bound.node.group
    return group >= 0 and bound.node.op == "conv" and any(n.group == group and is_pool(n) for n in graph.nodes)


def _flops(bound: BoundNode) -> int:
    rule = OPS[bound.node.op].flops
    return rule(bound) if rule else 0


@dataclass
class _Choice:
    graph: Graph
    libraries: Collection[str]
    how: Mapping[str, Attr]
    ask: Ask
    notes: list[str] = field(default_factory=list)

    def rule(self, r: Rewriter, bound: BoundNode) -> tuple[Value, ...] | None:
        if bound.node.op == "relu":
            return self._absorbed(r, bound)
        if bound.node.op not in FUNCTIONS or refusal(self.graph, bound, self.libraries):
            return None
        why = ""
        for attrs, operands in self._forms(bound):
            why = self._asked(attrs, operands, bound.outputs[0].type)
            if not why:
                return (_call(r, bound, attrs, operands),)
        self.notes.append(f"%{bound.outputs[0].name} ({bound.node.op}){NOT_CALLED}{why}")
        return None

    def _forms(self, bound: BoundNode) -> Iterator[tuple[dict[str, Attr], tuple[Value, ...]]]:
        """Calls that can compute a node, best first, as attributes and operands."""
        op = bound.node.op
        attrs: dict[str, Attr] = {"function": FUNCTIONS[op], "of": op, **bound.attr, **self.how}
        if len(bound.inputs) == 3:
            yield {**attrs, "epilogue": "bias"}, bound.inputs
        yield attrs, bound.inputs[:2]

    def _absorbed(self, r: Rewriter, bound: BoundNode) -> tuple[Value, ...] | None:
        """relu as part of a call that ends with a bias, if nothing else reads the call's result."""
        (x,), out = bound.inputs, bound.outputs[0]
        maker = r.producer(x)
        if maker is None or maker.attr.get("epilogue") != "bias" or self._readers(x.name) > 1:
            return None
        attrs = {**maker.attr, "epilogue": "bias_relu"}
        if self._asked(attrs, maker.inputs, out.type):
            return None
        with r.at(*dict.fromkeys((*maker.node.loc, *bound.node.loc))):
            return (r.op("call", *maker.inputs, name=out.name, **attrs),)

    def _asked(self, attrs: Mapping[str, Attr], operands: tuple[Value, ...], result: TensorType) -> str:
        return self.ask(attrs, (*(v.type for v in operands), result))

    def _readers(self, name: str) -> int:
        """Number of nodes and graph results that read a value."""
        return sum(name in node.inputs for node in self.graph.nodes) + (name in self.graph.results())


def _call(r: Rewriter, bound: BoundNode, attrs: dict[str, Attr], operands: tuple[Value, ...]) -> Value:
    """The call, followed by the addition of a bias that it does not include, as a kernel that fusion may extend."""
    out = bound.outputs[0]
    rest = bound.inputs[len(operands) :]
    result = r.op("call", *operands, name=f"{out.name}.call" if rest else out.name, **attrs)
    if not rest:
        return result
    wide = r.op("broadcast", rest[0], shape=out.type.shape, axes=(1,), batch=out.type.batch)
    return r.op("add", result, wide, name=out.name)
