"""buckets: exchange many sums over ranks at once, while kernels run.

    %a.w = rank_sum(%a)         %t0 = exchange_start(%a, %b) {bucket = 0}
    %b.w = rank_sum(%b)    ->   ... all that does not read the sums ...
                                %a.w, %b.w = exchange_wait(%t0) {bucket = 0, late = true, shapes = ...}

A sum is late if no other sum depends on it; gradients and losses are. Late sums go into buckets of about BUCKET_BYTES,
in the order in which the backward pass computes them. Each bucket is sent as soon as its last operand is there, and all
nodes that read a late sum move behind all that do not. The other sums, statistics of the batch, are exchanged where
they are first read. Results keep their bits: elements are added one by one, whatever bucket they are in.

On a device the sum of a bucket is a node of its own, a library call, which runs concurrently with kernels like other
calls. The halves of the exchange are kernels, which copy the operands into one piece of memory, and the sums out of it:

    %t0 = exchange_start(%a, %b) {bucket = 0}
    %t0.all = rank_sum(%t0) {ranks = 2}
    %a.w, %b.w = exchange_wait(%t0.all) {bucket = 0, late = true, shapes = ...}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from mochac.ir.graph import Graph, Loc, Node, Value, make_attrs
from mochac.ir.names import claimed
from mochac.ir.passes import graph_pass
from mochac.ir.plan import EXCHANGE_START, EXCHANGE_WAIT, RANK_SUM
from mochac.ir.types import TensorType

BUCKET_BYTES = 1 << 20
"""A bucket is sent once it has this many bytes. Smaller buckets start earlier, larger ones need fewer messages."""


@dataclass
class _Bucket:
    """The sums of one exchange; `called`: whether a node adds them up."""

    number: int
    late: bool
    called: bool
    sums: list[Node] = field(default_factory=list)

    @property
    def bytes(self) -> int:
        return sum(node.outputs[0].type.storage_bytes for node in self.sums)

    def nodes(self, types: dict[str, TensorType], taken: set[str]) -> tuple[list[Node], Node]:
        """The nodes that replace the sums: those that begin the exchange, and the one that reads its results."""
        operands = [node.inputs[0] for node in self.sums]
        first = types[operands[0]]
        token = Value(claimed(f"bucket{self.number}", taken), TensorType(first.dtype, (self.elems(types),)))
        locs = tuple(dict.fromkeys(loc for node in self.sums for loc in node.loc))
        outputs = tuple(node.outputs[0] for node in self.sums)
        attrs = {"bucket": self.number, "late": self.late, "shapes": tuple(types[name].shape for name in operands)}
        begin = [_node(EXCHANGE_START, operands, (token,), {"bucket": self.number}, locs)]
        if self.called:
            total = Value(claimed(f"{token.name}.all", taken), token.type)
            begin.append(_node(RANK_SUM, [token.name], (total,), self.sums[0].attr, locs))
        return begin, _node(EXCHANGE_WAIT, [begin[-1].outputs[0].name], outputs, attrs, locs)

    def elems(self, types: dict[str, TensorType]) -> int:
        return sum(types[node.inputs[0]].elems for node in self.sums)


def _node(
    op: str, inputs: Iterable[str], outputs: tuple[Value, ...], attrs: Mapping[str, object], locs: tuple[Loc, ...]
):
    return Node(op, tuple(inputs), outputs, make_attrs(attrs), locs)


@graph_pass("buckets")
def _exchanged(graph: Graph) -> Graph:
    return buckets(graph)


def buckets(graph: Graph, called: bool = False) -> Graph:
    """Replace the sums over ranks by exchanges; `called`: whether a library call adds up each bucket."""
    sums = [node for node in graph.nodes if node.op == RANK_SUM]
    if not sums:
        return graph
    late = _late(graph)
    after = _descendants(graph, late)
    before = [node for node in graph.nodes if node.outputs[0].name not in after]
    return _Exchanges(graph, late, called).replaced(
        before, [node for node in graph.nodes if node.outputs[0].name in after]
    )


def _late(graph: Graph) -> set[str]:
    """The sums that no other sum depends on."""
    needed: set[str] = set()
    late: set[str] = set()
    for node in reversed(graph.nodes):
        inside = any(out.name in needed for out in node.outputs)
        if node.op == RANK_SUM and not inside:
            late.add(node.outputs[0].name)
        if inside or node.op == RANK_SUM:
            needed.update(node.inputs)
    return late


def _descendants(graph: Graph, roots: set[str]) -> set[str]:
    """The values that depend on one of these, without these themselves."""
    found: set[str] = set()
    for node in graph.nodes:
        if any(name in found or name in roots for name in node.inputs):
            found.update(out.name for out in node.outputs)
    return found


class _Exchanges:
    """Writes the nodes of the new graph."""

    def __init__(self, graph: Graph, late: set[str], called: bool) -> None:
        self.graph, self.late, self.called = graph, late, called
        self.types = graph.types()
        self.taken = set(self.types)
        self.nodes: list[Node] = []
        self.open: dict[tuple[bool, str], _Bucket] = {}
        self.waits: list[Node] = []
        self.n_buckets = 0

    def replaced(self, before: list[Node], after: list[Node]) -> Graph:
        """The graph whose nodes `before` read no late sum, and whose nodes `after` do."""
        for node in before:
            if node.op == RANK_SUM:
                self._add(node)
                continue
            self._close_before(node)
            self.nodes.append(node)
        for key in list(self.open):
            self._close(key)
        return self.graph.with_(nodes=(*self.nodes, *self.waits, *after))

    def _add(self, node: Node) -> None:
        self._close_before(node)
        late = node.outputs[0].name in self.late
        key = (late, node.outputs[0].type.dtype)
        if key not in self.open:
            self.open[key] = _Bucket(0, late, self.called)
        self.open[key].sums.append(node)
        if late and self.open[key].bytes >= BUCKET_BYTES:
            self._close(key)

    def _close_before(self, node: Node) -> None:
        """Exchange the sums that a node reads."""
        for key, bucket in list(self.open.items()):
            if any(rank_sum.outputs[0].name in node.inputs for rank_sum in bucket.sums):
                self._close(key)

    def _close(self, key: tuple[bool, str]) -> None:
        bucket = replace(self.open.pop(key), number=self.n_buckets)
        self.n_buckets += 1
        begin, wait = bucket.nodes(self.types, self.taken)
        self.nodes += begin
        if bucket.late:
            self.waits.append(wait)
        else:
            self.nodes.append(wait)
