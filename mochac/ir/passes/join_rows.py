"""join_rows: compute the rows of all parts of a batch together, where they lie side by side.

    %x.part0: f32[b2,3] = part(%x) {count = 2, first = 0}
    %x.part1: f32[b2,3] = part(%x) {count = 2, first = 2}
    %y.part0: f32[b2,5] = inner_product(%x.part0, %w)             %y.rows: f32[b4,5] = parts.inner_product(%x, %w)
    %y.part1: f32[b2,5] = inner_product(%x.part1, %w)
    %z.part0: f32[b2,5] = relu(%y.part0)                    ->    %z.rows: f32[b4,5] = relu(%y.rows)
    %z.part1: f32[b2,5] = relu(%y.part1)
    %d.part0: f32[5,3] = inner_product_dw(%x.part0, %z.part0)     %d: f32[5,3] = parts.inner_product_dw(%x, %z.rows)
    %d.part1: f32[5,3] = inner_product_dw(%x.part1, %z.part1)
    %d: f32[5,3] = sum_parts(%d.part0, %d.part1)

So a weight is read once for all parts, and its gradient is stored once. Elementwise work, draws and products are joined
if their samples are natural: parts of natural values are rows of one value. Blocked values stay cut, since other
samples share their blocks. Where a product reads natural parts that were computed one by one, these are copied into one
value (join_parts). Bits do not change: a row does not depend on others, products are computed by the rule that takes
those of one part (`Kernel.parts`), and the parts of a sum are added up as before.

It runs after assign_layout, if cut_batch has made several parts for a rank. Readers of a part of a joined value read a
view of it. As a named pass it joins two parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from mochac.ir.build import without_dead_nodes
from mochac.ir.graph import Graph, Loc, Node, Value, make_attrs
from mochac.ir.kernel_build import Pointwise
from mochac.ir.names import fresh
from mochac.ir.op import OPS, lowering
from mochac.ir.ops.parted import PREFIX
from mochac.ir.passes import graph_pass
from mochac.ir.types import TensorType

ADD, JOIN, VIEW = "sum_parts", "join_parts", "part"
ROWS = ("elementwise", "contraction", "source")
"""Kinds of ops that are joined, besides reshape."""

Work = tuple[object, ...]
"""What a node does for its part; equal for all parts."""
Whole = str | tuple[int, int]
"""The whole of which values are pieces: a value that views show, or the result of the nodes that do the same for each
part."""


def join_rows(graph: Graph, parts: int) -> Graph:
    """Join what is computed for each of these parts.

    Requires: inferred types, layouts. Preserves: the names and meaning of all values but sums of parts.

    >>> join_rows(Graph("empty", (), (), ()), 4).nodes
    ()
    """
    counterparts = _counterparts(graph, parts) if parts > 1 else []
    if not any(one.joined for one in counterparts):
        return graph
    return without_dead_nodes(_Joining(graph, parts, counterparts).graph_of_rows())


@graph_pass("join_rows")
def _two(graph: Graph) -> Graph:
    return join_rows(graph, 2)


@dataclass
class _Counterparts:
    """Nodes that do the same for one part each, by the number of the part, and whether they are to be joined."""

    number: int
    joined: bool
    nodes: dict[int, Node] = field(default_factory=dict)

    @property
    def in_order(self) -> tuple[Node, ...]:
        """The nodes in the order of parts."""
        return tuple(self.nodes[part] for part in sorted(self.nodes))


def _counterparts(graph: Graph, parts: int) -> list[_Counterparts]:
    """What is done for every part."""
    refused: set[str] = set()
    while True:
        found = list(_Search(graph, parts, refused).found.values())
        single = {node.outputs[0].name for one in found if len(one.nodes) < parts for node in one.nodes.values()}
        if not single:
            return found
        refused |= single


class _Search:
    """Finds nodes that do the same, each for one part.

    Attributes:
        found: these nodes, by what they do.
        pieces: for each value of a part, the whole of which it is a piece, and the number of the part.
        rows: the wholes whose pieces lie side by side.
    """

    def __init__(self, graph: Graph, parts: int, refused: set[str]) -> None:
        self.parts = parts
        self.types, self.makers, self.uses = graph.types(), graph.producers(), graph.uses()
        self.results = graph.results()
        self.pieces: dict[str, tuple[Whole, int]] = {}
        self.rows: set[Whole] = set()
        self.found: dict[Work, _Counterparts] = {}
        for node in graph.nodes:
            if node.op == VIEW:
                self._note_view(node)
            elif node.outputs[0].name not in refused:
                self._note(node)

    def _note_view(self, node: Node) -> None:
        x, (count, first) = self.types[node.inputs[0]], _view(node)
        if not x.lanes and count * self.parts == x.shape[0] and first % count == 0:
            self.pieces[node.outputs[0].name] = node.inputs[0], first // count
            self.rows.add(node.inputs[0])

    def _note(self, node: Node) -> None:
        work = self._draw(node) or self._work(node)
        if work is None:
            return
        what, part = work
        match = self.found.setdefault(what, _Counterparts(len(self.found), self._is_joined(node)))
        if part in match.nodes:
            return
        match.nodes[part] = node
        for k, out in enumerate(node.outputs):
            if out.type.batch:
                self.pieces[out.name] = (match.number, k), part
                self.rows |= {(match.number, k)} if match.joined else set()

    def _draw(self, node: Node) -> tuple[Work, int] | None:
        """What a node draws, and for which part; random numbers of a part begin at its first sample."""
        out, first = node.outputs[0].type, node.attr.get("first")
        if OPS[node.op].kind != "source" or not isinstance(first, int) or not out.batch:
            return None
        rest = tuple(item for item in node.attrs if item[0] != "first")
        return (node.op, rest, node.inputs), first // out.shape[0]

    def _work(self, node: Node) -> tuple[Work, int] | None:
        """What a node does with the values of a part, and the number of the part; None if it reads no such values, or
        those of several parts."""
        found = [self.pieces[name] for name in node.inputs if name in self.pieces]
        if len({part for _, part in found}) != 1:
            return None
        if any(self.types[name].batch and name not in self.pieces and not self._repeated(name) for name in node.inputs):
            return None
        wholes = tuple(self.pieces[name][0] if name in self.pieces else name for name in node.inputs)
        return (node.op, node.attrs, wholes), found[0][1]

    def _repeated(self, name: str) -> bool:
        """Whether an operand repeats numbers for every sample, and can do so for more of them."""
        maker = self.makers.get(name)
        if maker is None or not OPS[maker.op].inlined or "shape" not in maker.attr:
            return False
        axes = maker.attr.get("axes", ())
        return isinstance(axes, tuple) and 0 not in (*axes, maker.attr.get("axis"))

    def _is_joined(self, node: Node) -> bool:
        """Whether the nodes that do this for all parts are to be joined."""
        kind, outputs = OPS[node.op].kind, node.outputs
        types = [*(self.types[name] for name in node.inputs), *(out.type for out in outputs)]
        if any(t.lanes for t in types) or any(out.name in self.results for out in outputs):
            return False
        if kind == "contraction":
            return self._is_product(node)
        beside = all(self.pieces[name][0] in self.rows for name in node.inputs if name in self.pieces)
        return (kind in ROWS or node.op == "reshape") and beside and all(out.type.batch for out in outputs)

    def _is_product(self, node: Node) -> bool:
        """Whether a contraction is a product of rows, or a sum over rows that is a part of another sum. Not for a
        user's op: its rules may choose another order of addition for other numbers of rows."""
        (out,) = node.outputs
        if not isinstance(lowering(node), Pointwise) or OPS[node.op].schedules:
            return False
        if not out.type.batch:
            return OPS[node.op].adds and _total(self.uses, node, self.parts) is not None
        samples = [self.types[name] for name in node.inputs if self.types[name].batch]
        return len(samples) == 1 and len(samples[0].shape) == len(out.type.shape) == 2


def _view(node: Node) -> tuple[int, int]:
    """How many samples a view shows, and the first of them."""
    count, first = node.attr["count"], node.attr["first"]
    assert isinstance(count, int)
    assert isinstance(first, int)
    return count, first


def _total(uses: Mapping[str, Sequence[Node]], node: Node, parts: int) -> Node | None:
    """The node that adds up the sums of all parts, if it alone reads the sum of this part."""
    readers = uses.get(node.outputs[0].name, ())
    found = readers[0] if len(readers) == 1 and readers[0].op == ADD else None
    return found if found is not None and len(found.inputs) == parts else None


class _Joining:
    """The graph that is being built.

    Attributes:
        joined: for the first result of each joined node, all nodes that are joined with it.
        pieces: for each value that is computed part by part, the values of all parts.
        wholes: what has been joined or copied together, by the name of every piece.
        totals: sums of parts that are computed with the parts.
    """

    def __init__(self, graph: Graph, parts: int, counterparts: Iterable[_Counterparts]) -> None:
        self.graph, self.parts = graph, parts
        self.types, self.makers, self.uses = graph.types(), graph.producers(), graph.uses()
        self.nodes: list[Node] = []
        self.wholes: dict[str, str] = {}
        self.joined: dict[str, tuple[Node, ...]] = {}
        self.pieces: dict[str, tuple[str, ...]] = {}
        for one in counterparts:
            if one.joined:
                self.joined |= dict.fromkeys((node.outputs[0].name for node in one.nodes.values()), one.in_order)
            else:
                self._note_pieces(one.in_order)
        totals = (_total(self.uses, like[0], parts) for like in self.joined.values())
        self.totals = {total.outputs[0].name for total in totals if total is not None}

    def _note_pieces(self, like: Sequence[Node]) -> None:
        for outputs in zip(*(node.outputs for node in like), strict=True):
            names = tuple(out.name for out in outputs)
            self.pieces |= dict.fromkeys(names, names)

    def graph_of_rows(self) -> Graph:
        """The graph with all its nodes."""
        for node in self.graph.nodes:
            name = node.outputs[0].name
            if name not in self.joined and name not in self.totals:
                self._keep(node)
            elif name in self.joined and node is self.joined[name][-1]:
                self._join(self.joined[name])
        return self.graph.with_(nodes=tuple(_in_order(self.nodes)))

    def _keep(self, node: Node) -> None:
        if node.op == VIEW:
            self.wholes[node.outputs[0].name] = node.inputs[0]
        self.nodes.append(node)

    def _join(self, like: Sequence[Node]) -> None:
        """Replace the nodes of all parts by one node."""
        node, op = like[0], like[0].op
        operands, attrs = tuple(map(self._whole, node.inputs)), dict[str, object](node.attr)
        if OPS[op].kind == "source" or op == "reshape":
            attrs["shape"] = self._longer(node.outputs[0].type).shape
        if OPS[op].kind == "contraction":
            op = f"{PREFIX}.{op}"
            samples = tuple(k for k, name in enumerate(operands) if self.types[name].batch)
            attrs |= {"parts": self.parts, "samples": samples}
        total = _total(self.uses, node, self.parts)
        if total is not None:
            self._append(op, operands, total.outputs, attrs, (*like, total))
            return
        outputs = tuple(Value(self._fresh(out.name), self._longer(out.type)) for out in node.outputs)
        self._append(op, operands, outputs, attrs, like)
        for whole, *pieces in zip(outputs, *(one.outputs for one in like), strict=True):
            for part, piece in enumerate(pieces):
                count = piece.type.shape[0]
                self.wholes[piece.name] = whole.name
                self._append(VIEW, (whole.name,), (piece,), {"first": part * count, "count": count}, like)

    def _append(
        self,
        op: str,
        inputs: tuple[str, ...],
        outputs: tuple[Value, ...],
        attrs: Mapping[str, object],
        of: Iterable[Node],
    ) -> None:
        locs: tuple[Loc, ...] = tuple(dict.fromkeys(loc for node in of for loc in node.loc))
        self.nodes.append(Node(op, inputs, outputs, make_attrs(attrs), locs))
        self.types.update((out.name, out.type) for out in outputs)

    def _whole(self, name: str) -> str:
        """The operand for all parts, given that of one part."""
        if name not in self.wholes and self.types[name].batch:
            out, maker = Value(self._fresh(name), self._longer(self.types[name])), self.makers[name]
            pieces = self.pieces.get(name, (name,))
            if name in self.pieces:
                self._append(JOIN, pieces, (out,), {}, (maker,))
            else:
                self._append(maker.op, maker.inputs, (out,), {**maker.attr, "shape": out.type.shape}, (maker,))
            self.wholes |= dict.fromkeys(pieces, out.name)
        return self.wholes.get(name, name)

    def _longer(self, t: TensorType) -> TensorType:
        """The type of all parts of a value."""
        return t.with_(shape=(t.shape[0] * self.parts, *t.shape[1:]))

    def _fresh(self, name: str) -> str:
        """A new name for the whole of which a value is a piece."""
        return fresh(f"{name.partition('.part')[0]}.rows", self.types)


def _in_order(nodes: Sequence[Node]) -> Iterator[Node]:
    """The nodes, each after those that make its operands."""
    makers = {out.name: node for node in nodes for out in node.outputs}
    placed: set[str] = set()
    for node in nodes:
        stack = [node]
        while stack:
            top = stack[-1]
            missing = [maker for x in top.inputs if (maker := makers.get(x)) and maker.outputs[0].name not in placed]
            stack += missing
            if not missing and stack.pop().outputs[0].name not in placed:
                placed.add(top.outputs[0].name)
                yield top
