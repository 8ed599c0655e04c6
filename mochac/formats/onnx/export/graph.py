"""The graph of a net in test mode as one of ONNX, with integers and outputs.

plain_net: the same net with one blob for every result, and neurons as layers of their own.

Then a layer is what one ONNX operator computes, and the name of a blob means one tensor.

to_nodes: the layers on which some blobs depend, as ONNX nodes.

The net is traced for prediction. A layer with an `onnx` method is written by that; of others, every operation that is
needed is written by its `onnx` rule. So a layer made of existing operations needs no rule, nor do users' layers.

named_outputs: outputs of a model get the names of their blobs.

Names of tensors in an ONNX graph are unique. Inputs and parameters keep theirs, so the output of a blob with such a
name is called `NAME.output`. Other tensors are renamed if an output needs their name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from mochac.base.errors import MochacError, UnsupportedError, combined
from mochac.base.escaping import unused
from mochac.base.files.onnx_file import onnx_package
from mochac.base.records import record
from mochac.base.support.places import at
from mochac.formats.onnx.export.writer import Writer
from mochac.ir.graph import Node, Value
from mochac.ir.op import OPS
from mochac.nets.declared import FeedInfo
from mochac.nets.layers.base import DataLayer, Layer
from mochac.nets.layers.config import at_origin
from mochac.nets.layers.element_wise import ActivationLayer
from mochac.nets.layers.neurons import Identity
from mochac.nets.net import Net
from mochac.nets.trace import Traced, trace
from mochac.nets.wiring import Placed, place
from mochac.runtime.data.source import checked_use


def plain_net(net: Net) -> Net:
    """An equivalent net in which every blob is one tensor, and neurons are layers of their own.

    A layer that works in place gets a top: the last such layer has the name of the blob, and those before it, with the
    layer that makes the blob, new names. A layer that has a neuron and an `onnx` of its own is followed by an
    ActivationLayer.
    """
    placed = place(net.layers)
    if not any(p.replaces or _carries(p.layer) for p in placed):
        return net
    names = _Names(net, placed)
    return Net(net.name, [part for p in placed for part in _with_neurons(names.renamed(p), names)])


class _Names:
    """The names of blobs while layers are renamed in order."""

    def __init__(self, net: Net, placed: list[Placed]) -> None:
        self._taken = set(net.blobs)
        self._left = Counter(top for p in placed for top in p.tops)
        self._now: dict[str, str] = {}

    def unused(self, name: str) -> str:
        """A name like `name` that no blob has."""
        while name in self._taken:
            name += "'"
        self._taken.add(name)
        return name

    def renamed(self, p: Placed) -> Layer:
        """A layer whose bottoms have their current names, and whose tops have new ones."""
        layer = p.layer
        bottoms = [self._now.get(blob, blob) for blob in layer.bottoms]
        fields: dict[str, object] = {f: getattr(layer, f) for f in layer.blob_fields}
        for f, value in fields.items():
            now = [self._now.get(blob, blob) for blob in layer.named(f)]
            fields[f] = now[0] if isinstance(value, str) and now else now if now else value
        tops = [self._made(top, layer) for top in p.tops]
        if tuple(tops) == tuple(layer.tops) and bottoms == list(layer.bottoms):
            return layer
        with at_origin(*layer.origin):
            return layer.replace(bottoms=bottoms, tops=tops, **fields) if bottoms else layer.replace(tops=tops)

    def _made(self, top: str, layer: Layer) -> str:
        self._left[top] -= 1
        self._now[top] = self.unused(f"{top}.{layer.name}") if self._left[top] else top
        return self._now[top]


def _carries(layer: Layer) -> bool:
    """Whether a layer that writes itself is followed by its neuron; the neuron of RNNLayer is part of the layer."""
    behind = getattr(type(layer), "neuron", None) == Identity()
    return type(layer).onnx is not Layer.onnx and behind and getattr(layer, "neuron", None) != Identity()


def _with_neurons(layer: Layer, names: _Names) -> Iterator[Layer]:
    """The layer, and its neuron for each top if the neuron becomes a layer of its own."""
    if not _carries(layer):
        yield layer
        return
    before = [names.unused(f"{top}.linear") for top in layer.tops]
    with at_origin(*layer.origin):
        yield layer.replace(**{"neuron": Identity(), "tops": before})
        for k, (top, linear) in enumerate(zip(layer.tops, before, strict=True)):
            name = f"{layer.name}.neuron{k or ''}"
            yield ActivationLayer(name=name, neuron=getattr(layer, "neuron"), bottoms=[linear], tops=[top])  # noqa: B009


MOVES = ("Flatten", "Identity", "Reshape", "Squeeze", "Transpose", "Unsqueeze")
"""Operators that rearrange their first operand, whatever its type."""


def integer_inputs(
    nodes: Sequence[Any], inputs: Sequence[str], outputs: Sequence[str]
) -> tuple[list[Any], dict[str, int]]:
    """The nodes without casts of inputs that are only read as integers of one type, and the types of these inputs.

    Args:
        outputs: tensors whose types must stay.
    """
    readers: dict[str, list[Any]] = {}
    for node in nodes:
        for name in node.input:
            readers.setdefault(name, []).append(node)
    found: dict[str, int] = {}
    instead: dict[str, str] = {}
    for name in inputs:
        casts = _casts(name, readers, set(outputs))
        kinds = {node.attribute[0].i for node in casts or ()}
        if casts is not None and len(kinds) == 1 and kinds <= _integers():
            found[name] = kinds.pop()
            instead.update((node.output[0], node.input[0]) for node in casts)
    kept = [node for node in nodes if not (node.op_type == "Cast" and node.output[0] in instead)]
    for node in kept:
        node.input[:] = [instead.get(name, name) for name in node.input]
    return kept, found


def _integers() -> set[int]:
    proto = onnx_package().TensorProto
    return {proto.INT32, proto.INT64}


def _casts(name: str, readers: dict[str, list[Any]], outputs: set[str]) -> list[Any] | None:
    """The casts that read a tensor, directly or after moves; None if anything else reads it."""
    casts: list[Any] = []
    names = [name]
    while names:
        name = names.pop()
        if name in outputs:
            return None
        for node in readers.get(name, ()):
            if node.op_type == "Cast" and node.output[0] not in outputs:
                casts.append(node)
            elif node.op_type in MOVES and node.input[0] == name and list(node.input).count(name) == 1:
                names.append(node.output[0])
            else:
                return None
    return casts or None


@record
class WrittenNodes:
    """A net as ONNX nodes.

    Attributes:
        writer: nodes and constants.
        traced: the net's graph; its values are named as in ONNX, apart from those in `outputs`.
        parameters: graph inputs of parameters and states that nodes read.
        outputs: the ONNX tensor of each blob asked for.
        open: whether the nodes work for any number of samples.
    """

    writer: Writer
    traced: Traced
    parameters: tuple[str, ...]
    outputs: dict[str, str]
    open: bool


def to_nodes(net: Net, blobs: Sequence[str], dtype: str, transformers: bool = True) -> WrittenNodes:
    """Write the layers that `blobs` depend on.

    Args:
        transformers: also write the transformers of the data layers.

    Raises:
        UnsupportedError: layers and transformers that ONNX cannot express, all of them. DataError: a transformer does
            not fit its top.
    """
    plain = plain_net(net)
    return _Export(plain, trace(plain, "test", dtype), dtype).run(blobs, transformers)


def graph_nodes(net: Net, traced: Traced, blobs: Sequence[str], dtype: str) -> WrittenNodes:
    """Write every operation that `blobs` depend on in a net's graph after passes; raises like to_nodes."""
    return _Export(net, traced, dtype, whole_layers=False).run(blobs, transformers=True)


class _Export:
    """One export: finds what is needed, from the end to the beginning, then writes it in order.

    Args:
        whole_layers: layers with an `onnx` method are written by that.
    """

    def __init__(self, net: Net, traced: Traced, dtype: str, whole_layers: bool = True) -> None:
        self.net, self.traced = net, traced
        self.types = traced.graph.types()
        self.makers = traced.graph.producers()
        self.layers = {layer.name: layer for layer in net.layers}
        self.inputs = _by_layer(net, traced)
        self.writer = Writer({"float32": "f32", "float64": "f64"}[dtype], traced.batch, self.inputs)
        self.names: dict[str, str] = {}
        self.owners: dict[str, Layer] = {}
        if whole_layers:
            self.owners = {traced.blobs[top]: layer for layer in net.layers for top in net.tops[layer.name]}

    def run(self, blobs: Sequence[str], transformers: bool) -> WrittenNodes:
        wanted = {blob: self.traced.blobs[blob] for blob in blobs}
        for i in self.traced.graph.inputs:
            self.writer.reserve(i.name)
            self.names[i.name] = i.name
        for feed in self.traced.feeds:
            self.writer.feeds.append(feed.value)
            self.writer.rows.add(feed.value)
        self.writer.arrays |= {name: table for name, table in self.traced.tables.items()}
        layers, values = self._needed(list(wanted.values()))
        problems: list[MochacError] = []
        for feed in self.traced.feeds if transformers else ():
            if feed.value in values:
                problems += self._transform(feed)
        problems += self._write(layers, values)
        if problems:
            raise combined(problems, f"net {self.net.name!r}")
        whole = {blob: self.writer.whole(self.names[v], self.types[v]) for blob, v in wanted.items()}
        read = {name for node in self.writer.nodes for name in node.input} | set(whole.values())
        kept = tuple(i.name for i in self.traced.graph.inputs if i.role in ("param", "state") and i.name in read)
        self.writer.feeds = [feed for feed in self.writer.feeds if feed in read]
        self.writer.arrays = {name: array for name, array in self.writer.arrays.items() if name in read}
        self.writer.derivations = {
            name: derivation for name, derivation in self.writer.derivations.items() if name in read
        }
        meet = any(value in self.makers and self.makers[value].op == "all_samples" for value in values)
        return WrittenNodes(self.writer, self.traced, kept, whole, not meet)

    def _needed(self, values: list[str]) -> tuple[set[str], set[str]]:
        """Names of the layers to be written whole, and of other values, on which `values` depend."""
        layers: set[str] = set()
        needed: set[str] = set()
        while values:
            value = values.pop()
            owner = self.owners.get(value)
            if value in needed or (owner is not None and owner.name in layers):
                continue
            if owner is not None and self._writes_itself(owner):
                layers.add(owner.name)
                values += [self.traced.blobs[blob] for blob in owner.reads]
            else:
                needed.add(value)
                values += self.makers[value].inputs if value in self.makers else ()
        return layers, needed

    def _transform(self, feed: FeedInfo) -> list[MochacError]:
        """Write the transformers of an input; returns their problems."""
        layer, value, shape = feed.layer, feed.value, self.types[feed.value].shape[1:]
        problems: list[MochacError] = []
        for top, transformer in layer.transformers if isinstance(layer, DataLayer) else ():
            if top != feed.top:
                continue
            stem = f"{value}.{type(transformer).__name__.lower()}"
            self.writer.begin(stem, stem)
            x = self.names[value]
            written = checked_use(layer, top, transformer, lambda t, x=x: t.onnx(self.writer, x, shape))
            if written is None:
                rule = f"ONNX has no operators for its transformer {type(transformer).__name__}"
                where = {"layer": layer.name, "type": layer.kind, "at": at(layer.origin)}
                hint = "mochac.onnx.save(program, path, transformers=False) writes a model of transformed data"
                problems.append(UnsupportedError(rule, hint=hint, **where))
            self.names[value] = written or x
        return problems

    def _writes_itself(self, layer: Layer) -> bool:
        """Whether its `onnx` writes nodes, tried with a temporary writer."""
        if type(layer).onnx is Layer.onnx:
            return False
        trial = Writer(self.writer.dtype, self.writer.batch, self.inputs)
        trial.begin(layer.name, layer.name, self._named_blobs(layer))
        return layer.onnx(trial, self._bottoms(layer)) is not None

    def _bottoms(self, layer: Layer) -> tuple[Value, ...]:
        return tuple(map(self._blob, layer.bottoms))

    def _named_blobs(self, layer: Layer) -> dict[tuple[str, int], Value]:
        return {(f, k): self._blob(blob) for f in layer.blob_fields for k, blob in enumerate(layer.named(f))}

    def _blob(self, blob: str) -> Value:
        value = self.traced.blobs[blob]
        return Value(self.names.get(value, value), self.types[value])

    def _write(self, layers: set[str], values: set[str]) -> list[MochacError]:
        """Write nodes in the order of the graph, and a layer that writes itself at its last node; returns all
        problems."""
        ends = {self.traced.blobs[top]: layer for name in layers for layer in [self.layers[name]] for top in layer.tops}
        problems: list[MochacError] = []
        for node in self.traced.graph.nodes:
            outputs = [out.name for out in node.outputs]
            owner = next((ends[name] for name in outputs if name in ends), None)
            if owner is not None:
                self._write_layer(owner)
            elif values.intersection(outputs):
                problems += self._write_node(node)
        return problems

    def _write_layer(self, layer: Layer) -> None:
        tops = [self.traced.blobs[top] for top in layer.tops]
        if tops[0] in self.names:
            return
        self.writer.begin(layer.name, layer.name, self._named_blobs(layer))
        names = layer.onnx(self.writer, self._bottoms(layer))
        assert names is not None
        self.names.update((top, self._named(name, top)) for top, name in zip(tops, names, strict=True))

    def _write_node(self, node: Node) -> list[MochacError]:
        """Write an operation; returns its problems."""
        layer = self.layers[node.loc[0].layer] if node.loc else self.net.layers[0]
        rule, names = OPS[node.op].onnx, [out.name for out in node.outputs]
        self.names.update((name, name) for name in names)
        if rule is None:
            return [_refused(layer, node)]
        self.writer.begin(layer.name, names[0])
        operands = [self.names[name] for name in node.inputs]
        if OPS[node.op].kind != "elementwise":
            operands = [self.writer.whole(x, self.types[name]) for x, name in zip(operands, node.inputs, strict=True)]
        result = rule(self.writer, node.bound(self.types), *operands)
        written = (result,) if isinstance(result, str) else result
        self.names.update((name, self._named(x, name)) for name, x in zip(names, written, strict=False))
        return []

    def _named(self, tensor: str, value: str) -> str:
        """Give a new tensor the name of the value."""
        return self.writer.rename(tensor, value)


def _refused(layer: Layer, node: Node) -> UnsupportedError:
    rule = f"ONNX has no operators for its operation {node.op!r}"
    hint = "save a blob in front of it: mochac.onnx.save(program, path, blobs=[...])"
    return UnsupportedError(rule, layer=layer.name, type=layer.kind, hint=hint, at=at(layer.origin))


def _by_layer(net: Net, traced: Traced) -> dict[tuple[str, str], str]:
    """Graph inputs of parameters and states by layer and name."""
    infos = [*traced.params, *traced.states]
    return {(layer, info.name): info.value for info in infos for layer in info.sharers}


@record
class NamedOutputs:
    """The nodes of a model with named outputs.

    Attributes:
        names: of the output of each blob.
        renamed: new names of tensors by the old ones, also of initializers.
    """

    nodes: list[Any]
    names: dict[str, str]
    renamed: dict[str, str]


def named_outputs(written: WrittenNodes, blobs: Sequence[str]) -> NamedOutputs:
    """Name the tensors of these blobs after them; Identity copies a tensor that also has another name."""
    writer, tensors = written.writer, written.outputs
    outputs = {name for node in writer.nodes for name in node.output}
    fixed = {*writer.feeds, *written.parameters}
    inner = {*outputs, *writer.arrays, *writer.derivations}
    taken = {*inner, *fixed, *blobs}
    names = {blob: unused(f"{blob}.output", taken) if blob in fixed else blob for blob in blobs}
    renamed: dict[str, str] = {}
    for blob in sorted(blobs, key=lambda blob: tensors[blob] != blob):  # a blob with the name of its tensor comes first
        if tensors[blob] in outputs:
            renamed.setdefault(tensors[blob], names[blob])
    for name in names.values():
        if name in inner and name not in renamed:
            renamed[name] = unused(f"{name}.inner", taken)
            taken.add(renamed[name])
    for node in writer.nodes:
        for tensors_of_node in (node.input, node.output):
            tensors_of_node[:] = [renamed.get(name, name) for name in tensors_of_node]
    nodes = list(writer.nodes)
    for blob, name in names.items():
        tensor = renamed.get(tensors[blob], tensors[blob])
        if tensor != name:
            nodes.append(onnx_package("helper").make_node("Identity", [tensor], [name], name=name))
    return NamedOutputs(nodes, names, renamed)
