"""NetBuilder: collects layers and their parameters while the nodes of an ONNX graph are converted in order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from mochac.layers.base import LAYERS, Layer
from mochac.layers.config import made_at
from mochac.layers.neurons import Identity, Neuron
from mochac.layers.regularizers import NoRegu
from mochac.onnx.operator import ELEMENTS, UNBATCHED, BlobTensor, Given, OnnxNode, Shape, Tensor
from mochac.registry import unused

_SUFFIX = re.compile(r"[./](weight|filter|bias|scale|shift|gamma|beta|slope|kernel)(:0)?$")


@dataclass
class NetBuilder:
    """What has been converted so far.

    Attributes:
        batch: extent of the first axis of all blobs.
        dtype: element type of the net, "float32" or "float64".
        lead: see OnnxNode.
        layers: in order.
        values: tensors by their ONNX names.
        arrays: parameters and states by "layer___name".
        outputs: names of the model's outputs, for which blobs are named.
        reserved: names that no other blob may have.
        reads: how many nodes read each blob.
        owners: names of layers that are those of weights.
    """

    batch: int
    dtype: str
    lead: int = 0
    outputs: frozenset[str] = frozenset()
    reserved: frozenset[str] = frozenset()
    layers: list[Layer] = field(default_factory=list)
    values: dict[str, Tensor] = field(default_factory=dict)
    arrays: dict[str, np.ndarray] = field(default_factory=dict)
    reads: Counter[str] = field(default_factory=Counter)
    owners: frozenset[str] = frozenset()
    _names: set[str] = field(default_factory=set)
    _blobs: set[str] = field(default_factory=set)
    _makers: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._blobs |= self.reserved

    def convert(self, node: OnnxNode, converter: Callable[[NetBuilder, OnnxNode], None]) -> None:
        """Add the layers of a node, by a function that adds them.

        Raises:
            UnsupportedError: it cannot be expressed, or makes what blobs cannot hold.
        """
        for element in (element for _, element in node.outputs if element and element not in ELEMENTS):
            raise node.refused("its output holds other things than numbers", got=f"element type {element}")
        if not any(isinstance(x, BlobTensor) for x in node.inputs):
            raise node.refused("it computes with constants alone")
        try:
            converter(self, node)
        except (ValueError, IndexError, ZeroDivisionError, OverflowError) as error:  # in a model that says nonsense
            raise node.refused("its operands do not fit", got=" ".join(str(error).split())[:200]) from None
        for name, (_, element) in zip(node.proto.output, node.outputs, strict=True):
            value = self.values.get(name)
            if isinstance(value, BlobTensor) and element:
                self.values[name] = replace(value, element=element)

    def add(
        self,
        kind: str,
        node: OnnxNode,
        bottoms: Sequence[BlobTensor | str],
        shape: Shape | None = None,
        parameters: Mapping[str, np.ndarray] | None = None,
        /,
        **fields: Any,
    ) -> BlobTensor:
        """Add a layer with one top, which becomes the first output of the node; returns it.

        Args:
            shape: of the top; by default that which ONNX infers for the output.
            parameters: values of parameters and states by name.
        """
        name = self._name(node)
        top = self._top(node, name)
        self._append(kind, node, name, bottoms, top, parameters, fields)
        return self._set(node, BlobTensor(top, self.shape_of(node) if shape is None else shape))

    def _set(self, node: OnnxNode, blob: BlobTensor) -> BlobTensor:
        self.values[node.proto.output[0]] = blob
        self.reads[blob.name] = node.uses[0]
        self._makers[blob.name] = len(self.layers) - 1
        return blob

    def between(
        self,
        kind: str,
        node: OnnxNode,
        bottoms: Sequence[BlobTensor | str],
        shape: Shape,
        parameters: Mapping[str, np.ndarray] | None = None,
        /,
        **fields: Any,
    ) -> BlobTensor:
        """Add a layer for an intermediate result of the node; returns its top."""
        name = self._unused(f"{self._stem(node)}.{kind.lower()}")
        top = self._blob(name)
        self._append(kind, node, name, bottoms, top, parameters, fields)
        self.reads[top] = 1
        return BlobTensor(top, shape)

    def _append(
        self,
        kind: str,
        node: OnnxNode,
        name: str,
        bottoms: Sequence[BlobTensor | str],
        top: str,
        parameters: Mapping[str, np.ndarray] | None,
        fields: dict[str, Any],
    ) -> None:
        reads = [blob if isinstance(blob, str) else blob.name for blob in bottoms]
        for parameter, array in (parameters or {}).items():
            self.arrays[f"{name}___{parameter}"] = np.asarray(array)
        with made_at(node.path, 0):
            self.layers.append(_made(kind, name=name, bottoms=reads, tops=[top], **fields))

    def layer(
        self, last: bool, kind: str, node: OnnxNode, bottoms: Sequence[BlobTensor | str], shape: Shape, /, **fields: Any
    ) -> BlobTensor:
        """add() for the first output of the node, between() for an intermediate result."""
        if last:
            return self.add(kind, node, bottoms, shape, **fields)
        return self.between(kind, node, bottoms, shape, **fields)

    def several(self, kind: str, node: OnnxNode, bottom: BlobTensor, shapes: Sequence[Shape], **fields: Any) -> None:
        """Add a layer with a top for each output of the node."""
        name = self._name(node)
        tops = [out if out in self.outputs else self._blob(f"{name}.{k}") for k, out in enumerate(node.proto.output)]
        with made_at(node.path, 0):
            self.layers.append(_made(kind, name=name, bottoms=[bottom.name], tops=tops, **fields))
        for output, top, shape, uses in zip(node.proto.output, tops, shapes, node.uses, strict=False):
            self.values[output] = BlobTensor(top, shape)
            self.reads[top] = uses

    def others(self, node: OnnxNode, *blobs: BlobTensor) -> None:
        """The further outputs of a node."""
        for output, blob, uses in zip(node.proto.output[1:], blobs, node.uses[1:], strict=False):
            if output in self.outputs:
                with made_at(node.path, 0):
                    made = _made("Identity", name=self._unused(output), bottoms=[blob.name], tops=[output])
                self.layers.append(made)
                blob = replace(blob, name=output)
            self.values[output], self.reads[blob.name] = blob, uses

    def alias(self, node: OnnxNode, value: Tensor) -> None:
        """The first output of the node is a tensor that is there."""
        out = node.proto.output[0]
        if out in self.outputs and isinstance(value, BlobTensor):
            self.add("Identity", node, [value], value.shape)
            return
        self.values[out] = value
        if isinstance(value, BlobTensor):
            self.reads[value.name] += node.uses[0] - 1

    def neuron(self, node: OnnxNode, neuron: Neuron) -> None:
        """Add an activation: to the layer that makes its input, if nothing else reads that, else as a layer."""
        x = node.blob()
        maker = self._makers.get(x.name)
        layer = self.layers[maker] if maker is not None else None
        if layer is None or getattr(layer, "neuron", None) != Identity() or not self._private(x):
            self.add("Activation", node, [x], x.shape, neuron=neuron)
            return
        assert maker is not None
        self.change(node, x, neuron=neuron)

    def change(self, node: OnnxNode, x: BlobTensor, **fields: Any) -> None:
        """Change the layer that makes x, so that its top is the output of the node."""
        maker, out = self._makers[x.name], node.proto.output[0]
        tops = {"tops": [out]} if out in self.outputs else {}
        with made_at(node.path, 0):
            self.layers[maker] = self.layers[maker].replace(**fields, **tops)
        blob = BlobTensor(self.layers[maker].tops[0], x.shape)
        self.values[out], self._makers[blob.name], self.reads[blob.name] = blob, maker, node.uses[0]

    def before_flatten(self, x: BlobTensor) -> BlobTensor:
        """What a FlattenLayer made x of, which is then left out: inner products flatten samples themselves."""
        layer = self.maker(x)
        if layer is None or layer.kind != "Flatten":
            return x
        self.layers.remove(layer)
        removed = self._makers.pop(x.name)
        self._makers = {name: k - (k > removed) for name, k in self._makers.items()}
        (bottom,) = layer.bottoms
        return BlobTensor(bottom, x.shape)

    def maker(self, x: BlobTensor) -> Layer | None:
        """The layer that makes x, if only one node reads x."""
        return self.layers[self._makers[x.name]] if x.name in self._makers and self._private(x) else None

    def _private(self, x: BlobTensor) -> bool:
        return self.reads[x.name] <= 1

    def parameter(self, node: OnnxNode, array: np.ndarray, trained: bool) -> str:
        """A blob with these numbers: a ParameterLayer's."""
        name = self._unused(f"{self._stem(node)}.constant")
        top = self._blob(name)
        array = np.asarray(array if array.ndim else array.reshape(1), self.dtype)
        self.arrays[f"{name}___value"] = array
        frozen = {} if trained else {"lr": 0.0, "regu": NoRegu()}
        with made_at(node.path, 0):
            self.layers.append(_made("Parameter", name=name, shape=array.shape, tops=[top], **frozen))
        return top

    def source(self, name: str, x: BlobTensor, step: int, open: bool) -> None:
        """Add an InputLayer, with `step` samples, for an input of the model.

        Args:
            open: axis 1 of the blob, of extent 1, is the model's own batch, which the user's samples lack.
        """
        fed = self._blob(name)
        shape = x.shape[2:] if open else x.shape[1:]
        self.layers.append(_made("Input", name=self._unused(name), shape=(step, *shape), tops=[fed]))
        blob = replace(x, name=fed)
        if open or len(x.shape) == 1:  # an InputLayer's blob has two axes at least
            made = self._unused(f"{name}.sample")
            blob = replace(x, name=self._blob(made))
            self.layers.append(_made("Reshape", name=made, shape=x.shape[1:], bottoms=[fed], tops=[blob.name]))
        self.values[name], self.reads[blob.name] = blob, 2

    def finish(self, name: str, x: BlobTensor) -> None:
        """Add a ReshapeLayer for an output of the model that is x without its axis 1, which has extent 1."""
        made = self._unused(f"{name}.sample")
        self.layers.append(_made("Reshape", name=made, shape=x.shape[2:], bottoms=[x.name], tops=[name]))
        self.values[name] = BlobTensor(name, (x.shape[0], *x.shape[2:]), x.element)

    def needed(self, blobs: Iterable[str]) -> tuple[Layer, ...]:
        """The layers on which these blobs depend, and the inputs."""
        wanted, kept = set(blobs), list[Layer]()
        for layer in reversed(self.layers):
            if layer.kind == "Input" or wanted.intersection(layer.tops):
                kept.append(layer)
                wanted.update(layer.bottoms)
                wanted.update(name for field in layer.blob_fields if isinstance(name := getattr(layer, field), str))
        return tuple(reversed(kept))

    def shape_of(self, node: OnnxNode, k: int = 0) -> Shape:
        """The extents of the blob of output k.

        Raises:
            UnsupportedError: onnx cannot infer them, or the first is not the batch.
        """
        shape = node.outputs[k][0]
        if shape is None:
            raise node.refused("the shape of its output depends on the samples", hint="mochac's shapes are fixed")
        shape = (*(self.batch for _ in range(self.lead)), *shape)
        if not shape or shape[0] != self.batch:
            hint = f"samples must not mix: axis 0 is the batch; {UNBATCHED}"
            raise node.refused("its output has no samples", f"({self.batch}, ...)", str(shape), hint)
        if 0 in shape:
            raise node.refused("its output is empty", got=shape)
        return shape

    def _name(self, node: OnnxNode) -> str:
        return self._unused(self._stem(node))

    def _stem(self, node: OnnxNode) -> str:
        """A name for the layer of a node: of its weights (conv1.weight), or its own without path and operator."""
        for value in node.inputs:
            if isinstance(value, Given) and (found := _SUFFIX.search(value.name)):
                return value.name[: found.start()].strip("/") or node.type.lower()  # as in `owners`
        parts = [part for part in re.split(r"/", node.proto.name) if part]
        while len(parts) > 1 and re.fullmatch(rf"{re.escape(node.type)}(_\d+)?", parts[-1]):
            parts.pop()
        stem = parts[-1] if parts else node.type.lower()
        return f"{stem}.{node.type.lower()}" if stem in self.owners else stem

    def _top(self, node: OnnxNode, name: str) -> str:
        """The blob of the first output: an output of the model keeps its name, others have that of the layer."""
        out = node.proto.output[0]
        return out if out in self.outputs else self._blob(name)

    def _blob(self, name: str) -> str:
        """A name for a blob, which no other has, nor an output of the model."""
        return _added(name, self._blobs)

    def _unused(self, name: str) -> str:
        """A name for a layer."""
        return _added(name, self._names)


def _added(name: str, taken: set[str]) -> str:
    """A name like `name`, which is taken from now on."""
    new = unused(name or "x", taken, "-")
    taken.add(new)
    return new


def _made(kind: str, **fields: Any) -> Layer:
    """A layer of the registry."""
    return LAYERS[kind](**fields)


def weight_owners(names: Iterable[str]) -> frozenset[str]:
    """The layers whose weights have these names.

    >>> sorted(weight_owners(["conv1.weight", "conv1.bias", "onnx::Conv_7"]))
    ['conv1']
    """
    found = ((name, _SUFFIX.search(name)) for name in names)
    return frozenset(name[: match.start()].strip("/") for name, match in found if match)
