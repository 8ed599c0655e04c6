"""cut_batch: compute a step part by part: a batch is cut into equal, contiguous parts, which share code.

    %y: f32[b64,10] = inner_product(%x, %w)            %x.part0: f32[b32,7] = part(%x) {count = 32, first = 0}
    %d.w: f32[10,7] = inner_product_dw(%x, %d.y)       %x.part1: f32[b32,7] = part(%x) {count = 32, first = 32}
                                                       %y.part0: f32[b32,10] = inner_product(%x.part0, %w)
                                                 ->    %y.part1: f32[b32,10] = inner_product(%x.part1, %w)
                                                       %d.w.part0: f32[10,7] = inner_product_dw(%x.part0, %d.y.part0)
                                                       %d.w.part1: f32[10,7] = inner_product_dw(%x.part1, %d.y.part1)
                                                       %d.w: f32[10,7] = sum_parts(%d.w.part0, %d.w.part1)

Whatever an op adds up over the batch (`Op.adds`: gradients of parameters, losses, statistics of a batch) becomes the
sum of the parts' sums, in a fixed order. A rank of a training on several processes has some of the parts and exchanges
the sums:

    %d.w: f32[10,7] = rank_sum(%d.w.own) {ranks = 2}

Where samples meet, each part reads all of them: all_samples joins the parts of all ranks, and own_samples takes rows of
a value that was computed of all samples.

Samples need not lie along axis 0 (sample_axes.py): the rows of all tokens are cut, too, and so are loops over time, in
which every part goes through time by itself.

Everything between two sums is the same code for any number of ranks and gives the same bits: what a rank computes for a
part does not depend on how many other parts the rank has. For the same reason nothing is fused across sum_parts. Once
layouts are known, join_rows.py joins again what several parts can share without changing the order of addition.

The pipeline runs it before layouts are chosen, on a graph in which means are taken over the whole batch. As a named
pass it cuts into two parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from mochac.base.errors import UnsupportedError
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Attr, Graph, Input, Node, Value
from mochac.ir.op import OPS, OpTypeError
from mochac.ir.ops.random import FIRST
from mochac.ir.ops.scan import Parts as Loop
from mochac.ir.passes import graph_pass
from mochac.ir.passes.sample_axes import FOLLOWS, SampleAxis, changed_axis, mixes
from mochac.ir.plan import RANK_SUM
from mochac.ir.types import FLOATS, TensorType

FIRST_SAMPLE = "first_sample"
"""Name of the scalar that is the position, among the samples of all ranks, of the rank's first one."""


def cut_batch(graph: Graph, parts: int, ranks: int = 1) -> Graph:
    """The graph of a rank's parts of the batch, the same for every rank.

    Args:
        parts: how many parts a batch has, on all ranks together: a power of two that divides the batch; 1 changes
            nothing.
        ranks: how many ranks share the parts; a divisor of `parts`.

    Requires: inferred types, natural layouts. Preserves: the names and meaning of values without samples; values with a
    batch that leave the graph hold the rank's samples.

    Raises:
        UnsupportedError: a layer mixes the samples of a batch in another way than in a sum.

    >>> cut_batch(Graph("empty", (), (), ()), 4).nodes
    ()
    """
    batches = [i.type.shape[0] for i in graph.inputs if i.type.batch]
    if parts == 1 or not batches:
        return graph
    carried = next((i.name for i in graph.inputs if i.type.batch and i.role == "slot"), None)
    if carried is not None:
        layer, _, _ = carried.rpartition(".")
        raise UnsupportedError(
            f"layer {layer!r} carries its state from batch to batch, and so cannot train on parts of a batch",
            got=f"parts={parts}",
            hint="train in one process, with parts=1",
        )
    samples = {i.name: SampleAxis.of(i.type, min(batches)) for i in graph.inputs if i.type.batch}
    return _Cut(graph, min(batches), samples, parts, ranks).graph_of_parts()


@graph_pass("cut_batch")
def _in_two(graph: Graph) -> Graph:
    return cut_batch(graph, 2)


class _Cut:
    """The graph that is being built.

    Args:
        count: samples of a batch.
        samples: where samples lie in the inputs that hold some.
        inside: whether it is the body of a loop over time, which has one part.

    Attributes:
        own: how many parts the rank has.
        samples, pieces: where samples lie in each value that holds some, and its parts.
    """

    def __init__(
        self, graph: Graph, count: int, samples: Mapping[str, SampleAxis], parts: int, ranks: int, inside: bool = False
    ) -> None:
        self.graph, self.count, self.parts, self.ranks, self.inside = graph, count, parts, ranks, inside
        self.own = parts // ranks
        self.types, self.makers = graph.types(), graph.producers()
        self.b = GraphBuilder(graph.name)
        self.b.values = {name: Value(name, t) for name, t in self.types.items()}  # these names are taken
        self.samples = dict(samples)
        self.pieces: dict[str, tuple[Value, ...]] = {}
        self.firsts: dict[int, Value] = {}
        self.places: Value | None = None
        self.cut: dict[tuple[str, SampleAxis], Value] = {}
        self.b.inputs = [self._shared(i) for i in graph.inputs]
        self.b.values.update((i.name, Value(i.name, i.type)) for i in self.b.inputs)
        for name in samples:
            self.pieces[name] = tuple(self._parts_of_input(self.b.values[name]))

    def graph_of_parts(self) -> Graph:
        """The graph with all its nodes."""
        for node in self.graph.nodes:
            with self.b.at(*node.loc):
                self._place(node)
        for name in dict.fromkeys(self.graph.outputs):
            if name in self.pieces and not self.inside:
                self._join(name)
        return self.b.finish(self.graph.outputs).with_(updates=self.graph.updates, notes=self.graph.notes)

    def _join(self, name: str) -> None:
        """Make a result of the rank's samples."""
        if not self.types[name].batch:
            raise self._refused(self.makers[name], f"makes %{name}, which has samples behind another axis")
        if self.own > 1:
            self._ops("join_parts", *self.pieces[name], names=(name,))

    def _shared(self, i: Input) -> Input:
        """An input with the rank's samples."""
        found = self.samples.get(i.name)
        return i if found is None else replace(i, type=i.type.with_(shape=found.part(i.type.shape, self.ranks)))

    def _parts_of_input(self, value: Value) -> Iterator[Value]:
        if self.own == 1:
            yield value
            return
        count = value.type.shape[0] // self.own
        for p in range(self.own):
            yield self.b.op("part", value, name=f"{value.name}.part{p}", first=p * count, count=count)

    def _place(self, node: Node) -> None:
        """Append the nodes that replace a node of the old graph."""
        reads = any(name in self.pieces for name in node.inputs)
        if node.op == "all_samples":
            self._gather(node)
        elif node.op == "own_samples":
            self._share_out(node)
        elif node.bodies and (reads or any(i.type.batch for i in Loop.of(node).body.inputs)):
            self._loop(node)
        elif reads:
            self._work(node)
        elif any(out.type.batch for out in node.outputs):
            self._source(node)
        else:
            self.b.nodes.append(node)
            self.b.values.update((out.name, out) for out in node.outputs)

    # -- one node

    def _source(self, node: Node) -> None:
        """A node that makes values with a batch from values without: once for each part, or once for all if that costs
        nothing."""
        found = [SampleAxis.of(out.type, self.count) for out in node.outputs]
        operands, attrs = [self.b.values[name] for name in node.inputs], dict(node.attr)
        if "shape" not in attrs:
            raise self._meeting(node)
        rows, *_ = attrs["shape"] = found[0].part(node.outputs[0].type.shape, self.parts)
        draws = OPS[node.op].kind == "source" and not OPS[node.op].inlined
        if draws and self.inside:
            raise self._refused(node, f"draws random numbers in a loop over time ({node.op})")
        operands += self._first_sample(node) if draws else []
        self._types(node, operands, attrs)
        values: list[tuple[Value, ...]] = []
        for p in range(self.own if draws else 1):
            first = {"first": p * rows} if draws else {}
            values.append(self._ops(node.op, *operands, names=self._names(node, p if draws else ""), **attrs, **first))
        self._note_parts(node, found, values if draws else values * self.own)

    def _work(self, node: Node) -> None:
        """A node that reads samples: it works on each of them, or adds them up."""
        for position, name in enumerate(node.inputs):
            if name in self.samples and mixes(node, position, self.types[name], self.samples[name]):
                raise self._meeting(node)
        attrs = self._attrs(node)
        operands = [self._operands(node, p) for p in range(self.own)]
        part = self._types(node, operands[0], attrs)
        axes = [changed_axis(out.type.shape, t.shape, self.parts) for out, t in zip(node.outputs, part, strict=True)]
        if set(axes) == {-1} and OPS[node.op].adds and not self.inside:
            self._sum(node, operands, attrs)
        elif all(axis is not None and axis >= 0 for axis in axes):
            values = [self._ops(node.op, *operands[p], names=self._names(node, p), **attrs) for p in range(self.own)]
            found = [self._samples_of(node, out, axis or 0) for out, axis in zip(node.outputs, axes, strict=True)]
            self._note_parts(node, found, values)
        else:
            raise self._meeting(node)

    def _sum(self, node: Node, operands: Sequence[Sequence[Value]], attrs: Mapping[str, Attr]) -> None:
        """A node that adds up over samples: a sum for each part, and the sum of these."""
        stem = ".own" if self.own == 1 else ".part"
        names = [[f"{out.name}{stem}{p if self.own > 1 else ''}" for out in node.outputs] for p in range(self.own)]
        values = [self._ops(node.op, *operands[p], names=names[p], **attrs) for p in range(self.own)]
        for out, column in zip(node.outputs, zip(*values, strict=True), strict=True):
            if self.ranks == 1:
                self._ops("sum_parts", *column, names=(out.name,))
                continue
            total = column[0] if self.own == 1 else self.b.op("sum_parts", *column, name=f"{out.name}.own")
            self._ops(RANK_SUM, total, names=(out.name,), ranks=self.ranks)

    def _loop(self, node: Node) -> None:
        """A loop over time: one for each part."""
        loop = Loop.of(node)
        samples: dict[str, SampleAxis] = {}
        for i, name in zip(loop.body.inputs, node.inputs, strict=True):
            found = SampleAxis.of(i.type, self.count) if i.type.batch else self.samples.get(name)
            if found is not None:
                samples[i.name] = found
        cut = _Cut(loop.body, self.count, samples, self.parts, self.parts, inside=True)
        body = cut.graph_of_parts()
        results = [cut.samples.get(name) for name in loop.body.outputs]
        n = loop.carried
        found = [*results[:n], *results[:n], *results[:n], *results[n:]]
        attrs = {**node.attr, "body": body}
        values = []
        for p in range(self.own):
            pairs = zip(loop.body.inputs, node.inputs, strict=True)
            operands = [
                self._piece(node, name, p, samples[i.name]) if i.name in samples else self.b.values[name]
                for i, name in pairs
            ]
            values.append(self._ops(node.op, *operands, names=self._names(node, p), **attrs))
        self._note_parts(node, found, values)

    # -- samples that meet

    def _gather(self, node: Node) -> None:
        """All samples of the batch, from their parts on all ranks."""
        (name,) = node.inputs
        if self.inside:
            raise self._meeting(node)
        pieces, output = self.pieces[name], node.outputs[0]
        own = pieces[0] if self.own == 1 else self.b.op("join_parts", *pieces, name=f"{name}.joined")
        if self.ranks == 1:
            self._ops("all_samples", own, names=(output.name,))
            return
        rows = self.b.op("reshape", own, shape=self._as_rows(node, own.type))
        placed = self.b.op("gather_dx", rows, self._places(), rows=self.count)
        total = self.b.op(RANK_SUM, placed, ranks=self.ranks)
        self._ops("reshape", total, names=(output.name,), shape=output.type.shape)

    def _share_out(self, node: Node) -> None:
        """The rows of the rank's samples, in parts."""
        (out,), (name,) = node.outputs, node.inputs
        if self.inside:
            raise self._meeting(node)
        whole = self.b.values[name]
        if self.ranks == 1:
            own = self.b.op("own_samples", whole, name=f"{name}.marked")
        else:
            table = self.b.op("reshape", whole, shape=self._as_rows(node, whole.type))
            rows = self.b.op("gather", table, self._places())
            own = self.b.op("reshape", rows, shape=(rows.type.shape[0], *whole.type.shape[1:]))
        parts = [(part,) for part in self._parts_of_input(own)]
        self._note_parts(node, [SampleAxis.of(out.type, self.count)], parts)

    def _as_rows(self, node: Node, t: TensorType) -> tuple[int, int]:
        """The shape with one axis for the elements of a sample; ranks exchange only floats."""
        if t.dtype not in FLOATS:
            raise self._refused(node, f"reads {t.dtype} of all samples ({node.op}), and ranks exchange floats")
        return (t.shape[0], t.elems // t.shape[0])

    def _places(self) -> Value:
        """The positions of the rank's samples among those of all ranks."""
        if self.places is None:
            own = (self.count // self.ranks,)
            first = self.b.op("broadcast", self._first_row(1), shape=own, axes=())
            place = self.b.op("position", axis=0, dtype=FIRST.dtype, shape=own)
            self.places = self.b.op("own_samples", self.b.op("add", place, first))
        return self.places

    # -- operands, attributes, results

    def _operands(self, node: Node, p: int) -> list[Value]:
        """The operands of a node for a part."""
        whole = next((self.samples[name], self.types[name].shape) for name in node.inputs if name in self.samples)
        follows = OPS[node.op].kind in FOLLOWS
        return [
            self._piece(node, name, p, whole[0])
            if name in self.pieces or (follows and self.types[name].shape == whole[1])
            else self.b.values[name]
            for name in node.inputs
        ]

    def _piece(self, node: Node, name: str, p: int, samples: SampleAxis) -> Value:
        """A part of an operand; of what repeats numbers, a smaller repetition."""
        if name in self.pieces:
            return self.pieces[name][p]
        if (name, samples) not in self.cut:
            maker, t = self.makers.get(name), self.types[name]
            attrs = maker.attr if maker is not None else {}
            axis = samples.axis(t.shape)
            named = (*_integers(attrs.get("axes", ())), attrs.get("axis"))
            if maker is None or not OPS[maker.op].inlined or "shape" not in attrs or axis in named:
                raise self._meeting(node)
            operands = [self.b.values[x] for x in maker.inputs]
            attrs["shape"] = samples.part(t.shape, self.parts)
            self.cut[name, samples] = self.b.op(maker.op, *operands, name=f"{name}.part", **attrs)
        return self.cut[name, samples]

    def _attrs(self, node: Node) -> dict[str, Attr]:
        """The attributes of a node, with the shape of a part where they hold that of a result with samples."""
        attrs, out = node.attr, node.outputs[0].type
        if attrs.get("shape") == out.shape:
            name = next(name for name in node.inputs if name in self.samples)
            axis = self.samples[name].axis(self.types[name].shape)
            if node.op == "broadcast":
                axis = _integers(attrs["axes"])[axis]
            if axis < len(out.shape):
                attrs["shape"] = self._samples_of(node, node.outputs[0], axis).part(out.shape, self.parts)
        return attrs

    def _samples_of(self, node: Node, out: Value, axis: int) -> SampleAxis:
        """Where samples lie in a result that has them along `axis`."""
        if out.type.batch:
            return SampleAxis.of(out.type, self.count)
        name = next(name for name in node.inputs if name in self.samples)
        if node.op == "reshape":
            return self.samples[name]
        return self.samples[name].in_result(self.types[name].shape, out.type.shape, axis)

    def _note_parts(self, node: Node, found: Sequence[SampleAxis | None], values: Sequence[Sequence[Value]]) -> None:
        """Note the parts of a node's results."""
        for out, samples, column in zip(node.outputs, found, zip(*values, strict=True), strict=True):
            if samples is None or samples.axis(out.type.shape) < 0:
                raise self._meeting(node)
            wanted = out.type.with_(shape=samples.part(out.type.shape, self.parts))
            if any(v.type != wanted for v in column):
                raise self._meeting(node)
            self.samples[out.name], self.pieces[out.name] = samples, tuple(column)

    def _names(self, node: Node, p: int | str) -> list[str]:
        """Names of the results for a part."""
        return [out.name if self.own == 1 else f"{out.name}.part{p}" for out in node.outputs]

    def _types(self, node: Node, operands: Sequence[Value], attrs: Mapping[str, Attr]) -> tuple[TensorType, ...]:
        """The types of a node's results for a part."""
        try:
            return OPS[node.op].infer(*(v.type for v in operands), **attrs)
        except OpTypeError as error:
            raise self._refused(node, f"does not fit a part of a batch ({node.op}: {error})") from None

    def _ops(self, op: str, *operands: Value, names: Sequence[str], **attrs: object) -> tuple[Value, ...]:
        """Append a node whose results may have names of the old graph."""
        for name in names:
            self.b.values.pop(name, None)
        return self.b.ops(op, *operands, name=tuple(names), **attrs)

    def _first_sample(self, node: Node) -> list[Value]:
        """The operand of random numbers that is the position of the rank's first row; none in a single process."""
        return [] if self.ranks == 1 else [self._first_row(node.outputs[0].type.shape[0] // self.count)]

    def _first_row(self, rows: int) -> Value:
        """The position of the rank's first row, in a value with `rows` rows for each sample."""
        if rows not in self.firsts:
            first = self.b.input(FIRST_SAMPLE, FIRST, "hyper")
            self.firsts[rows] = first if rows == 1 else self.b.op("mul", first, self.b.const(rows, first.type))
        return self.firsts[rows]

    # -- errors

    def _meeting(self, node: Node) -> UnsupportedError:
        return self._refused(node, f"lets the samples of a batch meet ({node.op})")

    def _refused(self, node: Node, why: str) -> UnsupportedError:
        loc = node.loc[0] if node.loc else None
        return UnsupportedError(
            f"layer {loc.layer!r} {why}" if loc else f"%{node.outputs[0].name} {why}",
            expected="layers that compute each sample by itself, or sums over the batch",
            got=f"parts={self.parts}",
            hint="train in one process, with parts=1",
            at=f"{loc.file}:{loc.line}" if loc and loc.file else "",
        )


def _integers(attr: Attr) -> tuple[int, ...]:
    return tuple(n for n in attr if isinstance(n, int)) if isinstance(attr, tuple) else ()
