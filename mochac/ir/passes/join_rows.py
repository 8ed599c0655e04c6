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


def join_rows(graph: Graph, parts: int) -> Graph:
    """Join what is computed for each of these parts.

    Requires: inferred types, layouts. Preserves: the names and meaning of all values but sums of parts.

    >>> join_rows(Graph("empty", (), (), ()), 4).nodes
    ()
    """
    refused: set[str] = set()
    while single := (search := _Search(graph, parts, refused)).single():
        refused |= single
    joining = _Joining(search)
    return without_dead_nodes(joining.graph_of_rows()) if joining.joined else graph


@graph_pass("join_rows")
def _two(graph: Graph) -> Graph:
    return join_rows(graph, 2)


class _Search:
    """Finds nodes that do the same, each for one part. What they compute are pieces of a whole.

    Attributes:
        found: these nodes, by what they do and by the number of the part.
        pieces: for each value of a part, the whole of which it is a piece, and the number of the part. A whole is the
            value that views show, or goes by the name of its first piece.
        rows: the wholes whose pieces lie side by side, now or when they are joined.
    """

    def __init__(self, graph: Graph, parts: int, refused: set[str]) -> None:
        self.graph, self.parts = graph, parts
        self.types, self.makers, self.uses = graph.types(), graph.producers(), graph.uses()
        self.results = graph.results()
        self.pieces: dict[str, tuple[str, int]] = {}
        self.rows: set[str] = set()
        self.found: dict[Work, dict[int, Node]] = {}
        for node in graph.nodes:
            if node.op == VIEW:
                self._note_view(node)
            elif parts > 1 and node.outputs[0].name not in refused:
                self._note(node)

    def single(self) -> set[str]:
        """The results of nodes that do something that is not done for every part."""
        return {n.outputs[0].name for like in self.found.values() if len(like) < self.parts for n in like.values()}

    def total(self, node: Node) -> Node | None:
        """The node that adds up the sums of all parts, if it alone reads the sum of this part."""
        readers = self.uses.get(node.outputs[0].name, ())
        return next((r for r in readers if len(readers) == 1 and r.op == ADD and len(r.inputs) == self.parts), None)

    def _note_view(self, node: Node) -> None:
        x, (count, first) = self.types[node.inputs[0]], (node.attr["count"], node.attr["first"])
        assert isinstance(count, int)
        assert isinstance(first, int)
        if not x.lanes and count * self.parts == x.shape[0] and first % count == 0:
            self.pieces[node.outputs[0].name] = node.inputs[0], first // count
            self.rows.add(node.inputs[0])

    def _note(self, node: Node) -> None:
        found = self._draw(node) or self._work(node)
        if found is None:
            return
        like, part = self.found.setdefault(found[0], {}), found[1]
        if not like and self._is_joined(node):
            self.rows.update(out.name for out in node.outputs)
        if like.setdefault(part, node) is node:
            first = next(iter(like.values()))
            pairs = zip(node.outputs, first.outputs, strict=True)
            self.pieces.update((out.name, (whole.name, part)) for out, whole in pairs if out.type.batch)

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
        others = [name for name in node.inputs if name not in self.pieces and self.types[name].batch]
        if len({part for _, part in found}) != 1 or not all(map(self._repeats, others)):
            return None
        wholes = tuple(self.pieces[name][0] if name in self.pieces else name for name in node.inputs)
        return (node.op, node.attrs, wholes), found[0][1]

    def _repeats(self, name: str) -> bool:
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
            return OPS[node.op].adds and self.total(node) is not None
        samples = [self.types[name] for name in node.inputs if self.types[name].batch]
        return len(samples) == 1 and len(samples[0].shape) == len(out.type.shape) == 2


class _Joining:
    """The graph that is being built.

    Attributes:
        joined: for the first result of each joined node, all nodes that are joined with it.
        pieces: for each value that is computed part by part, the values of all parts.
        wholes: what has been joined or copied together, by the name of every piece.
        totals: sums of parts that are computed with the parts.
    """

    def __init__(self, search: _Search) -> None:
        self.search, self.parts, self.types, self.makers = search, search.parts, search.types, search.makers
        self.nodes: list[Node] = []
        self.wholes: dict[str, str] = {}
        self.joined: dict[str, tuple[Node, ...]] = {}
        self.pieces: dict[str, tuple[str, ...]] = {}
        self.totals: set[str] = set()
        for found in search.found.values():
            like, first = tuple(found[part] for part in sorted(found)), next(iter(found.values())).outputs[0].name
            if first in search.rows:
                self.joined |= dict.fromkeys((node.outputs[0].name for node in like), like)
                self.totals.update(total.outputs[0].name for total in [search.total(like[0])] if total is not None)
                continue
            for outputs in zip(*(node.outputs for node in like), strict=True):
                names = tuple(out.name for out in outputs)
                self.pieces |= dict.fromkeys(names, names)

    def graph_of_rows(self) -> Graph:
        """The graph with all its nodes."""
        for node in self.search.graph.nodes:
            name = node.outputs[0].name
            like = self.joined.get(name)
            if like is not None and node is like[-1]:
                self._join(like)
            elif like is None and name not in self.totals:
                self.wholes |= {name: node.inputs[0]} if node.op == VIEW else {}
                self.nodes.append(node)
        return self.search.graph.with_(nodes=tuple(_in_order(self.nodes)))

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
        total = self.search.total(node)
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
        """The operand for all parts, by that of one part."""
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
