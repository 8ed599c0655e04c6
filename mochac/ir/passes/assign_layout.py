"""assign_layout: give batch values a blocked layout, with the batch innermost, and insert conversions where needed.

    %y = conv(%data, %w)   ->   %data.blocked = relayout(%data) {lanes=16}
                                  %y: f32[b64,20,24,24] blocked(16) = conv(%data.blocked, %w)

The pipeline runs it before fuse with the vector width of the target; as a named pass it uses 16 lanes. Requires
inferred types; preserves the name and meaning of every value.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from inspect import signature
from math import prod

from mochac.ir.build import Rewriter, rewrite, without_dead_nodes
from mochac.ir.graph import BoundNode, Graph, Loc, Node, Value, make_attrs
from mochac.ir.names import claimed
from mochac.ir.op import OPS
from mochac.ir.ops._typing import integers
from mochac.ir.passes import graph_pass
from mochac.ir.passes.groups import is_alias
from mochac.ir.types import TensorType

RELAYOUT = "relayout"
FOLLOWS = ("elementwise", "source", "reduce")
"""Kinds of ops that work on natural values in natural layout."""
FOLLOW_ROWS = ("shape", "row")
"""Kinds of ops that do so if a sample has several rows, as in sequences: values move within a sample."""
IDLE = 0.05
"""Share of idle lanes above which products keep their activations in natural layout."""
LARGE_BYTES = 2 << 20
"""Size of the weights above which products also keep activations natural: such weights do not stay in L1 or L2, and
schedules for natural activations read them only once and in order."""
LEAST_ROW = 4
"""Minimum elements of natural rows over which sums go: shorter ones would be summed up one by one."""


def assign_layout(graph: Graph, lanes: int, natural: Collection[str] = ()) -> Graph:
    """Give every batch value that a node computes from values of rank >= 2 the layout blocked(block_of(graph, lanes)).

    Graph inputs and parameters stay natural; so do values computed only from batch inputs of rank 1, and what no
    product or window needs in blocks. Operands listed in `Op.natural` are read in natural layout. There is at most one
    `relayout` per value and layout, where it is first needed. A graph stays natural if lanes is 0, or if it predicts a
    single sample: no other samples would fill the lanes, and columns are the lanes instead. Its strided convolutions
    with filters of one tap become slices and convolutions:

        %y = conv(%x, %w) {stride = (2,2)}   ->   %r = strided_slice(%x) {axis = 2, step = 2}
                                                  %c = strided_slice(%r) {axis = 3, step = 2}
                                                  %y = conv(%c, %w) {stride = (1,1)}

    Args:
        natural: values that are natural in any case; if they are computed in blocks, nodes read these blocks under
            another name.

    >>> from mochac.ir.graph import Graph
    >>> assign_layout(Graph("empty", (), (), ()), 16).nodes
    ()
    """
    if not lanes:
        return graph
    if _predicts_one(graph):
        return rewrite(graph, _without_strides)
    layouts = _Layouts(graph, lanes, block_of(graph, lanes))
    for node in graph.nodes:
        layouts.place(node)
    return without_dead_nodes(graph.with_(nodes=layouts.delivering(natural)))


def _without_strides(r: Rewriter, bound: BoundNode) -> tuple[Value, ...] | None:
    """A strided convolution with filters of one tap, of the elements that it reads."""
    if bound.node.op != "conv" or prod(bound.inputs[1].type.shape[2:]) > 1:
        return None
    stride, pad = integers(bound, "stride"), integers(bound, "pad")
    if set(stride) == {1} or any(pad):
        return None
    (x, *rest), out = bound.inputs, bound.outputs[0]
    for axis, (step, length) in enumerate(zip(stride, out.type.shape[2:], strict=True), 2):
        if step > 1:
            x = r.op("strided_slice", x, axis=axis, start=0, length=length, step=step)
    return (r.op("conv", x, *rest, name=out.name, **{**bound.attr, "stride": (1,) * len(stride)}),)


def block_of(graph: Graph, lanes: int) -> int:
    """Samples of a block: as many as there are lanes, or for a batch of at most half as many, the next power of two.
    Idle lanes would take memory, and time where nothing packs them; schedules fill vectors with the samples of several
    columns instead. If the batch is cut into parts, those of a part count, so that all ranks choose the same.
    """
    types = [*(i.type for i in graph.inputs), *(out.type for node in graph.nodes for out in node.outputs)]
    samples = min((t.shape[0] for t in types if t.batch), default=lanes)
    return min(lanes, max(1, 1 << (samples - 1).bit_length()))


def _predicts_one(graph: Graph) -> bool:
    """Whether a graph computes on one sample, or on parts of one sample, and no gradients of weights."""
    types = [*(i.type for i in graph.inputs), *(out.type for node in graph.nodes for out in node.outputs)]
    batches = {t.shape[0] for t in types if t.batch}
    contractions = (node for node in graph.nodes if OPS[node.op].kind == "contraction")
    return min(batches, default=0) == 1 and all(out.type.batch for node in contractions for out in node.outputs)


@graph_pass("assign_layout")
def _assign_layout_16(graph: Graph) -> Graph:
    return assign_layout(graph, 16)


def _read_naturally(graph: Graph) -> set[str]:
    """The values that only nodes that work on natural values read, up to nodes that read nothing else: products of the
    rows of sequences, loops over time. Also those that nothing connects with blocks."""
    readers: dict[str, list[Node]] = {}
    for node in graph.nodes:
        for name in node.inputs:
            readers.setdefault(name, []).append(node)
    types, follow, naturally_read = graph.types(), dict[str, bool](), set[str]()
    for node in reversed(graph.nodes):
        for out in node.outputs:
            found = readers.get(out.name, [])
            ends = [_reads_natural(reader, types) for reader in found]
            goes_on = [_follows(reader) and all(follow.get(o.name, False) for o in reader.outputs) for reader in found]
            follow[out.name] = not out.type.batch or all(a or b for a, b in zip(ends, goes_on, strict=True))
            if follow[out.name] and (
                any(ends) or any(o.name in naturally_read for reader in found for o in reader.outputs)
            ):
                naturally_read.add(out.name)
    return {name for name in naturally_read if types[name].batch} | _without_blocks(graph)


def _without_blocks(graph: Graph) -> set[str]:
    """The values of samples of regions in which no node needs blocks, and sums go over long enough rows. A region is
    what maps, sums, rows, changes of shape, and products of samples with samples connect."""
    types, region = graph.types(), dict[str, str]()

    def find(name: str) -> str:
        while (found := region.setdefault(name, name)) != name:
            region[name] = name = region[found]
        return name

    needed, summed = set[str](), list[str]()
    for node in graph.nodes:
        inputs = [name for name in node.inputs if types[name].batch]
        names = inputs + [out.name for out in node.outputs if out.type.batch]
        if _follows(node) or _is_among_samples(node, types):
            region.update({find(name): find(names[0]) for name in names})
            summed += inputs if OPS[node.op].kind in ("reduce", "row") else []
        elif not _reads_natural(node, types) and not OPS[node.op].picks_rows:
            needed.update(names)
    longest = {find(name): types[name].shape[-1] for name in sorted(summed, key=lambda name: types[name].elems)}
    blocked = {find(name) for name in needed} | {each for each, length in longest.items() if length < LEAST_ROW}
    return {name for name in region if find(name) not in blocked}


def _reads_natural(node: Node, types: Mapping[str, TensorType]) -> bool:
    """Whether a node always reads natural values."""
    crosses = is_alias(node) and types[node.inputs[0]].batch and not node.outputs[0].type.batch
    return crosses or OPS[node.op].kind == "loop"


def _is_among_samples(node: Node, types: Mapping[str, TensorType]) -> bool:
    """Whether a node multiplies samples by samples. In blocks, it would use no factor twice."""
    every = (*(types[name] for name in node.inputs), *(out.type for out in node.outputs))
    return OPS[node.op].kind == "contraction" and all(t.batch for t in every)


def _follows(node: Node) -> bool:
    return node.op != RELAYOUT and (OPS[node.op].kind in (*FOLLOWS, *FOLLOW_ROWS) or is_alias(node))


class _Layouts:
    """The graph that is being rebuilt: new nodes, the type of each name, and the other layouts of each value. Blocks
    have `lanes` samples, vectors have `vector` lanes."""

    def __init__(self, graph: Graph, vector: int, lanes: int) -> None:
        self.vector, self.lanes = vector, lanes
        self.nodes: list[Node] = []
        self.types = {i.name: i.type for i in graph.inputs}
        self.aliases: dict[str, Node] = {}
        self.inlined: dict[str, Node] = {}
        self.versions: dict[tuple[str, int], str] = {}
        self.natural: set[str] = set()
        self.naturally_read = _read_naturally(graph)
        self.taken = set(graph.types())

    def place(self, node: Node) -> None:
        """Append a node of the old graph, with its operands in the layouts it wants."""
        op, attrs, stays = OPS[node.op], node.attr, node.op != RELAYOUT and self._stays_natural(node)
        if node.op != RELAYOUT and "lanes" in signature(op.infer).parameters and node.outputs[0].type.batch:
            attrs["lanes"] = 0 if stays else self.lanes
        if stays:
            self.natural.update(out.name for out in node.outputs)
        wanted = self._wanted(node, stays)
        inputs = tuple(self.version(n, want, node.loc) for n, want in zip(node.inputs, wanted, strict=True))
        inferred = op.infer(*(self.types[n] for n in inputs), **attrs)
        outputs = tuple(Value(out.name, t) for out, t in zip(node.outputs, inferred, strict=True))
        self._append(replace(node, inputs=inputs, outputs=outputs, attrs=make_attrs(attrs)))
        if node.op == RELAYOUT:
            self.versions[node.inputs[0], outputs[0].type.lanes] = outputs[0].name
            self.versions[outputs[0].name, self.types[node.inputs[0]].lanes] = node.inputs[0]

    def delivering(self, natural: Collection[str]) -> tuple[Node, ...]:
        """All nodes, where values of these names are natural."""
        new: dict[str, str] = {}
        for name in natural:
            if self.types[name].lanes:
                node = next(node for node in self.nodes if name in {out.name for out in node.outputs})
                new[self.version(name, 0, node.loc)] = name
                new[name] = claimed(f"{name}.blocked", self.taken)
        return tuple(node.renamed(new) for node in self.nodes) if new else tuple(self.nodes)

    def _append(self, node: Node) -> None:
        self.nodes.append(node)
        for out in node.outputs:
            self.types[out.name] = out.type
            self.versions[out.name, out.type.lanes] = out.name
        if is_alias(node) and self.types[node.inputs[0]].elems == node.outputs[0].type.elems:
            self.aliases[node.outputs[0].name] = node
        if OPS[node.op].inlined:
            self.inlined[node.outputs[0].name] = node

    def _wanted(self, node: Node, stays: bool) -> list[int]:
        """Lanes that each operand should have (unchanged if the node has no preference)."""
        op = OPS[node.op]
        types = [self.types[n] for n in node.inputs]
        if is_alias(node):
            crosses = types[0].batch and not node.outputs[0].type.batch
            return [0 if crosses else types[0].lanes]
        if node.op == RELAYOUT:
            return [types[0].lanes]
        if stays:
            return [0] * len(types)
        wide = any(out.type.batch and len(out.type.shape) >= 2 for out in node.outputs)
        blocked = wide or any(t.lanes or len(t.shape) >= 2 for t in types if t.batch)
        return [
            self.lanes if t.batch and blocked and position not in op.natural else 0 for position, t in enumerate(types)
        ]

    def _stays_natural(self, node: Node) -> bool:
        """Whether a node works on rows of features whose blocks would have idle lanes, or would be multiplied by large
        weights. Products prefer natural rows, and the elementwise work on their results follows; so does work on
        natural values whose results only go to nodes that always read natural values, and products of samples with
        samples."""
        types = [*(self.types[n] for n in node.inputs), *(o.type for o in node.outputs)]
        rows, kind = [t for t in types if t.batch], OPS[node.op].kind
        if is_alias(node):
            return self._holds_rows(node)
        if kind == "loop":
            return True
        if OPS[node.op].picks_rows:
            return not any(t.lanes for t in rows)
        read = [self.types[name] for name in node.inputs if name not in self.inlined]
        values = [out.name for out in node.outputs if out.type.batch] or [n for n in node.inputs if self.types[n].batch]
        if values and _follows(node) and self.naturally_read.issuperset(values) and not any(t.lanes for t in read):
            return True
        flat = all(1 <= len(t.shape) <= 2 for t in rows)
        wasteful = flat and all(self._wastes_lanes(t.shape[0]) for t in rows)
        follows = not self.natural.isdisjoint(node.inputs)
        if kind == "source":  # it is combined with values of its shape
            follows = any(self.types[name].shape == node.outputs[0].type.shape for name in self.natural)
        if _is_among_samples(node, self.types) and not any(t.lanes for t in read):
            return True
        if not rows or not (flat or follows):
            return False
        if kind == "contraction":
            large = any(not t.batch and t.storage_bytes >= LARGE_BYTES for t in types)
            return (flat and (wasteful or large)) or (follows and (flat or "stride" not in node.attr))
        kinds = FOLLOWS if flat else (*FOLLOWS, *FOLLOW_ROWS)
        return kind in kinds and (wasteful or follows) and not any(t.lanes for t in read)

    def _holds_rows(self, alias: Node) -> bool:
        """Whether a view shows the rows of a product as several rows per sample; work on these follows, too."""
        (x,), y = (self.types[n] for n in alias.inputs), alias.outputs[0].type
        return y.batch and (not x.batch or (len(x.shape) > 2 and alias.inputs[0] in self.natural))

    def _wastes_lanes(self, batch: int) -> bool:
        """Whether more than IDLE of the lanes would be idle if a batch were blocked."""
        return -batch % self.vector > IDLE * batch

    def version(self, name: str, lanes: int, loc: tuple[Loc, ...]) -> str:
        """The value `name` with `lanes`: itself, an earlier copy, a view of one, a second node that costs nothing, or a
        new relayout."""
        if self.types[name].lanes == lanes:
            return name
        if (name, lanes) not in self.versions:
            self._convert(name, lanes, loc)
        return self.versions[name, lanes]

    def _convert(self, name: str, lanes: int, loc: tuple[Loc, ...]) -> None:
        copy = claimed(f"{name}.{'blocked' if lanes else 'natural'}", self.taken)
        new = Value(copy, self.types[name].with_(lanes=lanes))
        alias = self.aliases.get(name)
        source = self.versions.get((alias.inputs[0], lanes)) if alias else None
        if name in self.inlined:
            node = self._again(self.inlined[name], new)
        elif alias and source and self.types[source].batch:
            node = replace(alias, inputs=(source,), outputs=(new,))
        else:
            node = Node(RELAYOUT, (name,), (new,), (("lanes", lanes),), loc)
            self.versions[new.name, self.types[name].lanes] = name  # the value before it was converted
        self._append(node)
        self.versions[name, lanes] = new.name

    def _again(self, node: Node, new: Value) -> Node:
        """A second node, in the layout of `new`, for a node that is computed wherever it is read."""
        lanes = new.type.lanes
        inputs = tuple(self.version(n, lanes, node.loc) if self.types[n].batch else n for n in node.inputs)
        own = {"lanes": lanes} if "lanes" in signature(OPS[node.op].infer).parameters else {}
        return replace(node, inputs=inputs, outputs=(new,), attrs=make_attrs({**node.attr, **own}))
