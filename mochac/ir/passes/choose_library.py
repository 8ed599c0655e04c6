"""choose_library: replace products and convolutions by calls of cuBLAS and cuDNN where these pay.

    %y = conv(%x, %w, %b) {...}; %z = relu(%y)
        ->   %z = call(%x, %w, %b) {function="cudnn.conv_fprop", of="conv", epilogue="bias_relu", ...}

The call includes a relu if nothing else reads %y. The pipeline runs it on a fused graph, since a kernel that also pools
an image may be faster than a call; the remaining nodes are then fused again. It runs with the available libraries and
with `offers`: whether a library supports a call for these shapes, and by which engine. An unsupported epilogue is
computed by a kernel; a node whose call is not supported even without epilogue is left alone, and a note says why. Where
a device times parts of a graph (`seconds`), a call must be faster than the kernel of its group: the group is timed with
and without it. As a named pass it uses both libraries. Requires natural layouts, and float32 or float64.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field

from mochac.base.options import LIBRARIES
from mochac.base.records import record
from mochac.base.threads import cached_property
from mochac.ir.build import Rewriter, rewrite, without_dead_nodes
from mochac.ir.graph import Attr, BoundNode, Graph, Value
from mochac.ir.notes import Called, NotCalled, Note
from mochac.ir.op import OPS
from mochac.ir.passes import graph_pass
from mochac.ir.passes.fuse_windows import is_pool
from mochac.ir.passes.groups import part_of
from mochac.ir.types import TensorType

FUNCTIONS = {
    "inner_product": "cublas.gemm",
    "inner_product_dx": "cublas.gemm",
    "inner_product_dw": "cublas.gemm",
    "conv": "cudnn.conv_fprop",
    "conv_dx": "cudnn.conv_dgrad",
    "conv_dw": "cudnn.conv_wgrad",
}
"""The library functions that compute an op; the part before the dot is the library."""
MIN_FLOPS = 2_000_000
"""Minimum operations for a call. A smaller generated kernel, fused with its neighbours, has ended before a call would
begin (a launch takes microseconds, in which a GPU does tens of MFLOP). This is an estimate, not measured yet."""
BALANCE = 20
"""Operations that a GPU does in the time in which it moves a byte (H100: 67 TFLOP/s, 3.35 TB/s). A convolution with
fewer operations per byte of its image is memory-bound, and a generated kernel that pools the image never stores it.
This is an estimate, too, used only where nothing is timed."""


@record
class Offer:
    """What a library tells about a call.

    Attributes:
        refused: why it does not support it; "" if it does.
        engine: the fastest of its engines, as a place in its own ranking; None: not timed.
        times: the times of its engines, in words.
    """

    refused: str = ""
    engine: int | None = None
    times: str = ""


Offers = Callable[[Mapping[str, Attr], tuple[TensorType, ...]], Offer]
"""The offer of a library for a call with given attributes and types of operands and result."""
Seconds = Callable[[Graph], float]
"""How long a device takes to run a part of a graph."""


def choose_library(
    graph: Graph,
    libraries: Collection[str],
    how: Mapping[str, Attr] | None = None,
    offers: Offers | None = None,
    seconds: Seconds | None = None,
) -> Graph:
    """Replace contractions of at least MIN_FLOPS by calls of the given libraries. Without libraries, change nothing.

    Args:
        how: attributes that every call gets: `precision` and `deterministic`, unless they have the default values.
        offers: tells what the libraries support; None: everything.
        seconds: times parts of the graph; None: every node that is large enough is called.

    >>> from mochac.ir.graph import Graph
    >>> choose_library(Graph("empty", (), (), ()), ("cublas",)).nodes
    ()
    """
    if not candidates(graph, libraries, timed=seconds is not None):
        return graph
    choice = _Choice(
        graph, libraries, how or {}, offers or (lambda attrs, types: Offer()), seconds, seconds is not None
    )
    return choice.chosen.with_(notes=(*graph.notes, *choice.notes.values()))


@graph_pass("choose_library")
def _choose_all(graph: Graph) -> Graph:
    return choose_library(graph, LIBRARIES)


def candidates(graph: Graph, libraries: Collection[str], *, timed: bool = False) -> tuple[str, ...]:
    """The libraries that may be called for some node, in the order given; `timed`: as for `refusal`."""
    types = graph.types()
    used = set[str]()
    for node in graph.nodes:
        if node.op in FUNCTIONS:
            bound = node.bound(types)
            if not refusal(graph, bound, libraries, timed=timed):
                used.add(library_of(node.op))
    return tuple(name for name in libraries if name in used)


def refusal(graph: Graph, bound: BoundNode, libraries: Collection[str], *, timed: bool = False) -> str:
    """Why no library is considered for a node of an op of FUNCTIONS, in words; "" if a library is.

    Args:
        timed: whether a device measures if a kernel that pools its image is faster.
    """
    library = library_of(bound.node.op)
    if library not in libraries:
        return f"{library} is not installed, or switched off by libraries="
    if not worth_it(bound):
        return f"too small for a call: {MIN_FLOPS:,} operations make one worthwhile"
    if not timed and fused_with_pool(graph, bound) and _flops(bound) < BALANCE * bound.outputs[0].type.storage_bytes:
        return f"its kernel pools the image: {BALANCE} operations per byte make storing it worthwhile"
    return ""


def refused(graph: Graph) -> dict[str, str]:
    """For values that libraries were considered for, by name: why they do not compute them."""
    return {note.value: note.why for note in graph.notes if isinstance(note, NotCalled)}


def timed_calls(graph: Graph) -> dict[str, str]:
    """For values that libraries compute because their calls were the fastest, by name: what was timed."""
    return {note.value: note.times for note in graph.notes if isinstance(note, Called)}


def library_of(op: str) -> str:
    """The library that computes an op of FUNCTIONS.

    >>> library_of("conv")
    'cudnn'
    """
    return FUNCTIONS[op].partition(".")[0]


def worth_it(bound: BoundNode) -> bool:
    """Whether the node is large enough and its values have layouts that libraries support."""
    return _flops(bound) >= MIN_FLOPS and not any(v.type.lanes for v in (*bound.inputs, *bound.outputs))


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
    offers: Offers
    seconds: Seconds | None
    timed: bool
    notes: dict[str, Note] = field(default_factory=dict)
    times: str = ""

    @cached_property
    def chosen(self) -> Graph:
        """The graph with its calls; `notes` then has a remark for every node that a library was considered for."""
        return without_dead_nodes(rewrite(self.graph, self._rule))

    def _rule(self, r: Rewriter, bound: BoundNode) -> tuple[Value, ...] | None:
        if bound.node.op == "relu":
            return self._absorbed(r, bound)
        if bound.node.op not in FUNCTIONS or refusal(self.graph, bound, self.libraries, timed=self.timed):
            return None
        if self.seconds is not None and self._slower(bound, self.seconds):
            return None
        offer = Offer()
        for attrs, operands in self._forms(bound):
            offer = self._offered(attrs, operands, bound.outputs[0].type)
            if not offer.refused:
                return (_call(r, bound, _by(attrs, offer), operands),)
        self._note(bound, NotCalled, offer.refused)
        return None

    def _slower(self, bound: BoundNode, seconds: Seconds) -> bool:
        """Whether the kernel of the node's group takes no longer than the call and what it leaves; notes both."""
        part = part_of(self.graph, bound.node)
        choice = _Choice(part, self.libraries, self.how, self.offers, None, timed=True)
        called = choice.chosen
        if called == part:  # no library supports it
            return False
        ours, theirs = seconds(part), seconds(called)
        rest = " and what it leaves" if len(called.nodes) > 1 else ""
        words = f"generated {_microseconds(ours)}, {FUNCTIONS[bound.node.op]}{rest} {_microseconds(theirs)}"
        self._note(bound, Called if theirs < ours else NotCalled, "; ".join(filter(None, (words, choice.times))))
        return ours <= theirs

    def _note(self, bound: BoundNode, kind: type[Called | NotCalled], words: str) -> None:
        name = bound.outputs[0].name
        self.notes[name] = kind(name, bound.node.op, words)

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
        attrs = {name: value for name, value in maker.attr.items() if name != "engine"} | {"epilogue": "bias_relu"}
        offer = self._offered(attrs, maker.inputs, out.type)
        if offer.refused:
            return None
        with r.at(*dict.fromkeys((*maker.node.loc, *bound.node.loc))):
            return (r.op("call", *maker.inputs, name=out.name, **_by(attrs, offer)),)

    def _offered(self, attrs: Mapping[str, Attr], operands: tuple[Value, ...], result: TensorType) -> Offer:
        offer = self.offers(attrs, (*(v.type for v in operands), result))
        self.times = self.times if offer.refused else offer.times
        return offer

    def _readers(self, name: str) -> int:
        """Number of nodes and graph results that read a value."""
        return sum(name in node.inputs for node in self.graph.nodes) + (name in self.graph.results())


def _by(attrs: dict[str, Attr], offer: Offer) -> dict[str, Attr]:
    """The attributes of a call by the engine that was the fastest."""
    return attrs if offer.engine is None else {**attrs, "engine": offer.engine}


def _microseconds(seconds: float) -> str:
    return f"{1e6 * seconds:.1f} us"


def _call(r: Rewriter, bound: BoundNode, attrs: dict[str, Attr], operands: tuple[Value, ...]) -> Value:
    """The call, followed by the addition of a bias that it does not include, as a kernel that fusion may extend."""
    out = bound.outputs[0]
    rest = bound.inputs[len(operands) :]
    result = r.op("call", *operands, name=f"{out.name}.call" if rest else out.name, **attrs)
    if not rest:
        return result
    wide = r.op("broadcast", rest[0], shape=out.type.shape, axes=(1,), batch=out.type.batch)
    return r.op("add", result, wide, name=out.name)
