"""NetBuilder: collects layers and their parameters while the nodes of a graph are converted in order."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from mochac.formats.importing.layers import LayerBuilder, TakenNames
from mochac.formats.importing.node import (
    ELEMENTS,
    MAX_ELEMENTS,
    UNBATCHED,
    BlobTensor,
    Budget,
    ImportedNode,
    Shape,
    Tensor,
    too_large,
)
from mochac.formats.importing.place import FIRST, LEFT_OUT, BatchPlace
from mochac.nets.layers.base import Layer
from mochac.nets.layers.functions import FunctionLayer
from mochac.nets.layers.neurons import Identity, Neuron
from mochac.nets.layers.regularizers import NoRegu

N = TypeVar("N", bound=ImportedNode)

_RESHAPES = ("Flatten", "Reshape")
_PER_AXIS = frozenset("after before dilation factor kernel output_pad pad pad_end stride".split())
"""Fields with a number for each spatial axis, or one number if all are equal."""
_OF_SCALARS = ("Activation", "Function", "Power", "StopGradient")
"""Layers that take the value of a loss."""


class Top(NamedTuple):
    """A top of a layer that has several.

    Attributes:
        suffix: what its name ends in.
        place: where the graph has the batch; None: as in the bottom.
        output: which output of the node it is; None: an intermediate result.
    """

    suffix: str
    shape: Shape
    place: BatchPlace | None = None
    output: int | None = None


class LayerNames(Protocol):
    """What the layers of nodes are called."""

    def of(self, node: Any) -> list[str]:
        """Names for the layer of a node, the best first; the last one is the node's own."""
        ...

    def owners(self, node: Any) -> list[str]:
        """Modules whose weights the node reads alone."""
        ...


@dataclass
class NetBuilder(LayerBuilder):
    """What has been converted so far.

    Attributes:
        batch: extent of the first axis of all blobs.
        dtype: element type of the net, "float32" or "float64".
        lead: see ImportedNode.
        values: tensors by their names in the graph.
        arrays: parameters and states by "layer___name".
        roots: names of the weights of the model from which a layer has its parameters, by layer.
        outputs: names of the model's outputs, for which blobs are named.
        reserved: names that no other blob may have.
        reads: how many nodes read each blob.
        names: of layers.
        trains: whether an initializer is trained where it is a constant of a formula, by its name; "": none.
        made: whether an initializer is the exporter's own, and no parameter of the module.
        budget: for constants.
    """

    batch: int
    dtype: str
    names: LayerNames
    lead: int = 0
    outputs: frozenset[str] = frozenset()
    reserved: frozenset[str] = frozenset()
    values: dict[str, Tensor] = field(default_factory=dict)
    arrays: dict[str, np.ndarray] = field(default_factory=dict)
    roots: dict[str, frozenset[str]] = field(default_factory=dict)
    reads: Counter[str] = field(default_factory=Counter)
    trains: Callable[[str], bool] = bool
    made: Callable[[str], bool] = operator.not_
    budget: Budget = field(default_factory=Budget)
    _inner: dict[str, tuple[str, int]] = field(default_factory=dict)
    _owned: set[str] = field(default_factory=set)
    _blobs: TakenNames = field(default_factory=TakenNames)
    _makers: dict[str, int] = field(default_factory=dict)
    _bottoms: dict[str, BlobTensor] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._blobs.update(self.reserved)

    def convert(self, node: N, converter: Callable[[NetBuilder, N], None]) -> None:
        """Add the layers of a node, by a function that adds them.

        Raises:
            UnsupportedError: it cannot be expressed, or makes what blobs cannot hold.
        """
        for element in (element for _, element in node.outputs if element and element not in ELEMENTS):
            raise node.refused("its output holds other things than numbers", got=f"element type {element}")
        if not any(isinstance(x, BlobTensor) for x in node.inputs):
            raise node.refused("it computes with constants alone")
        with node.fitting_operands():
            converter(self, node)
        for name, (_, element) in zip(node.tops, node.outputs, strict=True):
            value = self.values.get(name)
            if isinstance(value, BlobTensor) and element:
                self.values[name] = replace(value, element=element)

    def add(
        self,
        kind: str,
        node: ImportedNode,
        bottoms: Sequence[BlobTensor | str],
        shape: Shape | None = None,
        parameters: Mapping[str, np.ndarray] | None = None,
        place: BatchPlace | None = None,
        /,
        **fields: Any,
    ) -> BlobTensor:
        """Add a layer with one top, which becomes the first output of the node; returns it.

        Args:
            shape: of the top; by default the extents of the output in the graph.
            parameters: values of parameters and states by name.
            place: of the batch in the graph's tensor; by default as in that of the first bottom.
        """
        name = self._name(node)
        top = self._top(node, name)
        place = self._place(bottoms) if place is None else place
        if len(bottoms) == 1 and isinstance(bottoms[0], BlobTensor):
            self._bottoms[top] = bottoms[0]
        samples = _have_samples(bottoms)
        if shape is None:
            shape = self.shape_of(node) if samples else self.extents_of(node)
        blob = BlobTensor(top, shape, place=place, samples=samples)
        self._append(kind, node, name, bottoms, [blob], parameters, fields)
        return self._set(node, blob, len(self.layers) - 1)

    def _place(self, bottoms: Sequence[BlobTensor | str]) -> BatchPlace:
        if not _have_samples(bottoms):
            return FIRST
        return next(x.place for x in bottoms if isinstance(x, BlobTensor) and x.samples)

    def _set(self, node: ImportedNode, blob: BlobTensor, place: int) -> BlobTensor:
        """Make the blob of the layer at a place the first output of the node."""
        self.values[node.tops[0]] = blob
        self.reads[blob.name] = node.uses[0]
        self._makers[blob.name] = place
        return blob

    def between(
        self,
        kind: str,
        node: ImportedNode,
        bottoms: Sequence[BlobTensor | str],
        shape: Shape,
        parameters: Mapping[str, np.ndarray] | None = None,
        place: BatchPlace | None = None,
        /,
        **fields: Any,
    ) -> BlobTensor:
        """Add a layer for an intermediate result of the node; returns its top."""
        name = self.layer_name(f"{self._stem(node)}.{kind.lower()}")
        top = self._blob(name)
        place = self._place(bottoms) if place is None else place
        blob = BlobTensor(top, shape, place=place, samples=_have_samples(bottoms))
        blob = blob if shape else replace(blob, place=LEFT_OUT, samples=False)  # the value of a loss
        self._append(kind, node, name, bottoms, [blob], parameters, fields)
        self.reads[top] = 1
        self._inner[top] = node.tops[0], len(self.layers) - 1
        return blob

    def _append(
        self,
        kind: str,
        node: ImportedNode,
        name: str,
        bottoms: Sequence[BlobTensor | str],
        tops: Sequence[BlobTensor],
        parameters: Mapping[str, np.ndarray] | None,
        fields: dict[str, Any],
    ) -> None:
        for top in tops:
            if too_large(top.shape[1:]):
                raise node.refused(
                    "a sample of its output is too large", f"at most {MAX_ELEMENTS:,} elements", top.shape[1:]
                )
        if kind not in _OF_SCALARS and any(isinstance(x, BlobTensor) and not x.shape for x in bottoms):
            raise node.refused("the value of a loss is computed with", "functions of losses")
        reads = [blob if isinstance(blob, str) else blob.name for blob in bottoms]
        for parameter, array in (parameters or {}).items():
            self.arrays[f"{name}___{parameter}"] = np.asarray(array)
        self.roots[name] = node.roots if parameters else frozenset()
        for own in _PER_AXIS.intersection(fields):
            if isinstance(fields[own], Sequence) and len({*fields[own]}) == 1:
                fields[own] = fields[own][0]
        self.append(kind, node.origin, name=name, bottoms=reads, tops=[top.name for top in tops], **fields)

    def layer(
        self,
        last: bool,
        kind: str,
        node: ImportedNode,
        bottoms: Sequence[BlobTensor | str],
        shape: Shape,
        place: BatchPlace | None = None,
        /,
        **fields: Any,
    ) -> BlobTensor:
        """add() for the first output of the node, between() for an intermediate result."""
        make = self.add if last else self.between
        return make(kind, node, bottoms, shape, None, place, **fields)

    def several(
        self,
        kind: str,
        node: ImportedNode,
        bottom: BlobTensor,
        tops: Sequence[Top],
        parameters: Mapping[str, np.ndarray] | None = None,
        /,
        **fields: Any,
    ) -> list[BlobTensor]:
        """Add a layer with several tops; returns them."""
        name, outputs = self._name(node), node.tops
        blobs: list[BlobTensor] = []
        for top in tops:
            own = "" if top.output is None else outputs[top.output]
            label = own if own in self.outputs else self._blob(f"{name}{top.suffix}")
            place = bottom.place if top.place is None else top.place
            blobs.append(BlobTensor(label, top.shape, place=place, samples=bottom.samples))
            self.reads[label] = 1 if top.output is None else node.uses[top.output]
            if own:
                self.values[own] = blobs[-1]
        self._append(kind, node, name, [bottom], blobs, parameters, fields)
        self._makers.update({blob.name: len(self.layers) - 1 for blob in blobs})
        return blobs

    def output(self, node: ImportedNode, k: int, blob: BlobTensor) -> None:
        """Output k of the node is an existing blob."""
        output = node.tops[k]
        if output in self.outputs:
            self.append("Identity", node.origin, name=self.layer_name(output), bottoms=[blob.name], tops=[output])
            blob = replace(blob, name=output)
        self.values[output], self.reads[blob.name] = blob, node.uses[k]

    def alias(self, node: ImportedNode, value: Tensor) -> None:
        """The first output of the node is an existing tensor."""
        out = node.tops[0]
        if isinstance(value, BlobTensor) and self._is_inner(node, value):
            self._promote(node, value)
            return
        if out in self.outputs and isinstance(value, BlobTensor):
            self._name_output(node, value)
            return
        self.values[out] = value
        if isinstance(value, BlobTensor):
            self.reads[value.name] += node.uses[0] - 1

    def _name_output(self, node: ImportedNode, value: BlobTensor) -> None:
        """Make a blob an output of the model: by renaming it if nothing else reads it, else by an IdentityLayer."""
        out, maker = node.tops[0], self.maker(value)
        if maker is None or value.name in self.outputs:
            self.add("Identity", node, [value], value.shape, None, value.place)
            return
        place = self._makers.pop(value.name)
        self.replace(place, tops=[out if top == value.name else top for top in maker.tops])
        self._blobs.discard(value.name)
        self._set(node, replace(value, name=out), place)

    def _is_inner(self, node: ImportedNode, value: BlobTensor) -> bool:
        """Whether a blob is an intermediate result of the node, which no layer reads yet."""
        maker, place = self._inner.get(value.name, ("", 0))
        read = (value.name in layer.reads for layer in self.layers[place + 1 :])
        return maker == node.tops[0] and not any(read)

    def _promote(self, node: ImportedNode, value: BlobTensor) -> None:
        """Make it the first output of the node."""
        _, place = self._inner.pop(value.name)
        name = self._name(node)
        top = self._top(node, name)
        self._rename(place, name, top)
        self._set(node, replace(value, name=top), place)

    def neuron(self, node: ImportedNode, neuron: Neuron) -> None:
        """Add an activation: to the layer that makes its input, if nothing else reads that, else as a layer."""
        x = node.blob()
        maker = self._makers.get(x.name)
        layer = self.layers[maker] if maker is not None else None
        if layer is None or getattr(layer, "neuron", None) != Identity() or not self._private(x):
            self.add("Activation", node, [x], x.shape, neuron=neuron)
            return
        assert maker is not None
        self.change(node, x, neuron=neuron)

    def change(self, node: ImportedNode, x: BlobTensor, **fields: Any) -> None:
        """Change the layer that makes x, so that its top is the output of the node."""
        maker, out = self._makers[x.name], node.tops[0]
        self.roots[self.layers[maker].name] |= node.roots
        tops = {"tops": [out]} if out in self.outputs else {}
        self.replace(maker, node.origin, **fields, **tops)
        self._take_owner(node, maker)
        self._set(node, replace(x, name=self.layers[maker].tops[0]), maker)

    def _take_owner(self, node: ImportedNode, place: int) -> None:
        """Name a layer after the weight that the node adds to it, if it was not named after one."""
        layer = self.layers[place]
        owners = self.names.owners(node)
        if not owners or layer.name in self._owned or owners[0] in self._names:
            return
        top = self._blob(owners[0]) if layer.tops[0] == layer.name else layer.tops[0]
        self._rename(place, self.layer_name(owners[0]), top)
        self._owned.add(owners[0])

    def before_reshape(self, x: BlobTensor, shape: Shape | None = None) -> BlobTensor:
        """The bottom of the FlattenLayer or ReshapeLayer that made x; that layer is removed if only one node reads x.

        Args:
            shape: which it must have; None: any.
        """
        layer = self.maker(x)
        if layer is None or layer.kind not in _RESHAPES or x.name not in self._bottoms:
            return x
        if shape not in (None, self._bottoms[x.name].shape):
            return x
        return self._left_out(layer, x)

    def before_cast(self, x: BlobTensor) -> BlobTensor:
        """x before its cast to integers, for layers that take whole numbers only."""
        layer = self.maker(x)
        cuts = isinstance(layer, FunctionLayer) and layer.function == "trunc"
        return self._left_out(layer, x) if layer is not None and cuts else x

    def _left_out(self, layer: Layer, x: BlobTensor) -> BlobTensor:
        """The bottom of a layer, which is removed, unless its top x is an output of the model."""
        if x.name in self.outputs or x.name not in self._bottoms:
            return x
        self.layers.remove(layer)
        removed = self._makers.pop(x.name)
        self._makers = {name: k - (k > removed) for name, k in self._makers.items()}
        self._names.discard(layer.name)
        self._blobs.discard(x.name)
        return self._bottoms[x.name]

    def maker(self, x: BlobTensor) -> Layer | None:
        """The layer that makes x, if only one node reads x."""
        return self.layers[self._makers[x.name]] if x.name in self._makers and self._private(x) else None

    def _private(self, x: BlobTensor) -> bool:
        return self.reads[x.name] <= 1

    def parameter(self, node: ImportedNode, array: np.ndarray, trained: bool) -> str:
        """A blob with these numbers: a ParameterLayer's."""
        name = self.layer_name(f"{self._stem(node)}.constant")
        top = self._blob(name)
        array = np.asarray(array if array.ndim else array.reshape(1), self.dtype)
        self.arrays[f"{name}___value"], self.roots[name] = array, node.roots
        frozen = {} if trained else {"lr": 0.0, "regu": NoRegu()}
        self.append("Parameter", node.origin, name=name, shape=array.shape, tops=[top], **frozen)
        return top

    def source(self, name: str, x: BlobTensor, step: int, open: bool) -> None:
        """Add an InputLayer, with `step` samples, for an input of the model.

        Args:
            open: axis 1 of the blob, of extent 1, is the model's own batch, which the user's samples lack.
        """
        fed = self._blob(name)
        shape = x.shape[2:] if open else x.shape[1:]
        self.append("Input", None, name=self.layer_name(name), shape=(step, *shape), tops=[fed])
        blob = replace(x, name=fed)
        if open or len(x.shape) == 1:  # an InputLayer's blob has two axes at least
            made = self.layer_name(f"{name}.sample")
            blob = replace(x, name=self._blob(made))
            self.append("Reshape", None, name=made, shape=x.shape[1:], bottoms=[fed], tops=[blob.name])
        self.values[name], self.reads[blob.name] = blob, 2

    def finish(self, name: str, x: BlobTensor) -> None:
        """Add a ReshapeLayer for an output of the model that is x without its axis 1, which has extent 1."""
        made = self.layer_name(f"{name}.sample")
        self.append("Reshape", None, name=made, shape=x.shape[2:], bottoms=[x.name], tops=[name])
        self.values[name] = replace(x, name=name, shape=(x.shape[0], *x.shape[2:]))

    def final(self, name: str, x: BlobTensor) -> None:
        """Make x an output of the model of this name: by renaming it if nothing else reads it, else by an
        IdentityLayer."""
        layer = self.maker(x)
        if layer is None or x.name in self.reserved:
            self.append("Identity", None, name=self.layer_name(name), bottoms=[x.name], tops=[name])
            return
        self.replace(self._makers.pop(x.name), tops=[name if top == x.name else top for top in layer.tops])

    def needed(self, blobs: Iterable[str]) -> tuple[Layer, ...]:
        """The layers on which these blobs depend, and the inputs."""
        inputs = (top for layer in self.layers if layer.kind == "Input" for top in layer.tops)
        return tuple(self.upstream([*blobs, *inputs]))

    def extents_of(self, node: ImportedNode, k: int = 0) -> Shape:
        """The extents of output k in the graph.

        Raises:
            UnsupportedError: they are not known.
        """
        shape = node.outputs[k][0]
        if shape is None:
            raise node.refused("the shape of its output depends on the samples", hint="mochac's shapes are fixed")
        return shape

    def shape_like(self, node: ImportedNode, x: BlobTensor, k: int = 0) -> Shape:
        """The extents of the blob of output k, which has the axes of x."""
        axes, shape = x.place.axes(len(x.shape)), list(x.shape)
        for group, extent in zip(axes, self.extents_of(node, k), strict=True):
            if len(group) == 1 and group[0]:
                shape[group[0]] = extent
        if 0 in shape:
            raise node.refused("its output is empty", got=shape)
        return tuple(shape)

    def shape_of(self, node: ImportedNode) -> Shape:
        """The extents of the blob of the first output.

        Raises:
            UnsupportedError: onnx cannot infer them, or the first is not the batch.
        """
        shape = (*(self.batch for _ in range(self.lead)), *self.extents_of(node))
        if not shape or shape[0] != self.batch:
            hint = f"samples must not mix: axis 0 is the batch; {UNBATCHED}"
            raise node.refused("its output has no samples", f"({self.batch}, ...)", str(shape), hint)
        if 0 in shape:
            raise node.refused("its output is empty", got=shape)
        return shape

    def _name(self, node: ImportedNode) -> str:
        """A name for a layer of the node, taken from now on."""
        names = self.names.of(node)
        name = self.layer_name(next((name for name in names if name not in self._names), names[-1]))
        if name in self.names.owners(node):
            self._owned.add(name)
        return name

    def _stem(self, node: ImportedNode) -> str:
        """What the names of further layers of the node begin with."""
        return self.names.of(node)[-1]

    def _rename(self, place: int, name: str, top: str) -> None:
        """Give a layer with one top, and its parameters, other names."""
        layer = self.layers[place]
        for key in [key for key in self.arrays if key.rpartition("___")[0] == layer.name]:
            self.arrays[f"{name}{key.removeprefix(layer.name)}"] = self.arrays.pop(key)
        self.roots[name] = self.roots.pop(layer.name, frozenset())
        self.replace(place, name=name, tops=[top])
        self._names.discard(layer.name)
        self._blobs.discard(layer.tops[0])

    def _top(self, node: ImportedNode, name: str) -> str:
        """The blob of the first output: an output of the model keeps its name, others have that of the layer."""
        out = node.tops[0]
        return out if out in self.outputs else self._blob(name)

    def _blob(self, name: str) -> str:
        """A name for a blob, which no other has, nor an output of the model."""
        return self._blobs.added_like(name)


def _have_samples(bottoms: Sequence[BlobTensor | str]) -> bool:
    return any(isinstance(x, BlobTensor) and x.samples for x in bottoms)
