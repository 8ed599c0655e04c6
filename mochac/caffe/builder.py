"""Builder: layers added one by one in Caffe's order, where a layer may overwrite its bottom.

nets.py makes one per net; converters ask it for the blobs that Caffe's names mean at their place and add layers. Caffe
runs layers in the order of the file, mochac in the order of the blobs: a blob that is overwritten after it was read
becomes two.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from mochac.caffe.fillers import Weights
from mochac.caffe.layer import CaffeLayer
from mochac.errors import MochacError
from mochac.frontend.net import Net
from mochac.layers.base import LAYERS, DataLayer, Layer, Parametric
from mochac.layers.config import made_at
from mochac.layers.neurons import Identity, Neuron

_CARRIERS = ("Convolution", "InnerProduct", "Pooling")


@dataclass(frozen=True)
class ImportOptions:
    """How a net is read.

    Attributes:
        phase: "train" or "test".
        regularization: "L2" or "L1", the solver's regularization_type.
        batch_size: of Input layers; None: as the file says.
        data: data layers to take instead of the file's.
        unread: name files of means instead of reading them, for source code.
        weights: a model file's, instead of what fillers draw; None: the fillers'.
    """

    phase: str
    regularization: str = "L2"
    batch_size: int | None = None
    data: tuple[Layer, ...] = ()
    weights: Weights | None = None
    unread: bool = False


@dataclass
class Builder:
    """The net so far.

    Attributes:
        layers: mochac's layers, in Caffe's order.
        wanted: names of all blobs that some layer of the file takes.
        names: all names of blobs in the file; new ones must differ.
        single: names of parameters that layers share by themselves, without the layers' other parameters.
    """

    options: ImportOptions
    wanted: frozenset[str]
    names: set[str]
    single: frozenset[str] = frozenset()
    layers: list[Layer] = field(default_factory=list)
    _now: dict[str, str] = field(default_factory=dict)
    _made: set[str] = field(default_factory=set)
    _read: set[str] = field(default_factory=set)
    _changed: set[str] = field(default_factory=set)
    _owners: dict[tuple[str, ...], str] = field(default_factory=dict)
    _parameters: dict[str, str] = field(default_factory=dict)

    def bottoms(self, layer: CaffeLayer) -> list[str]:
        """The blobs that its bottoms are at this place."""
        found = [self._current(name) for name in layer.message.bottom]
        self._read.update(found)
        return found

    def _current(self, name: str) -> str:
        return self._now.get(name, name)

    def tops(self, layer: CaffeLayer) -> list[str]:
        """Names for its tops: Caffe's, or new ones where those are blobs already."""
        return [self.top(name, layer) for name in layer.message.top]

    def top(self, name: str, layer: CaffeLayer) -> str:
        """The name of the blob that Caffe calls `name` from here on."""
        return self.rename(name, name if name not in self._made else self.unused(layer.name))

    def rename(self, name: str, new: str) -> str:
        """Let `new` be the blob that Caffe calls `name` from here on; `new` again."""
        self._made.add(new)
        self._now[name] = new
        return new

    def pretend(self, layer: CaffeLayer) -> None:
        """Take the tops of a layer that could not be converted for made, so that later layers are not blamed."""
        for name in layer.message.top:
            if name not in self._now:
                self.top(name, layer)

    def unused(self, name: str) -> str:
        """A name of a blob that the file does not have, made from `name`."""
        while name in self.names or name in self._made:
            name += "'"
        return name

    def add(self, kind: str, layer: CaffeLayer, **fields: Any) -> None:
        """Add mochac's layer of that kind, named like Caffe's unless `name` is among the fields.

        Caffe allows two layers of one name: the second is called name-2.
        """
        name, k, taken = fields.pop("name", layer.name), 2, {other.name for other in self.layers}
        unique = name
        while unique in taken:
            unique, k = f"{name}-{k}", k + 1
        with made_at(layer.path, layer.line):
            self.layers.append(LAYERS[kind](name=unique, **fields))

    def adopt(self, given: Iterable[Layer]) -> None:
        """Add the user's own layers."""
        for layer in given:
            self.layers.append(layer)
            self._made.update(layer.tops)

    def neuron(self, layer: CaffeLayer, neuron: Neuron) -> None:
        """An activation: part of the layer before it where it overwrites that one's top, else a layer of its own."""
        before = self._current(layer.message.bottom[0])
        maker = next((k for k, made in enumerate(self.layers) if before in made.tops), None)
        if layer.in_place and maker is not None and self._may_carry(self.layers[maker], before):
            with made_at(*self.layers[maker].origin):
                self.layers[maker] = self.layers[maker].replace(neuron=neuron)
            return
        self.in_place("Activation", layer, neuron=neuron)

    def in_place(self, kind: str, layer: CaffeLayer, **fields: Any) -> None:
        """A layer that mochac too can do in place: so it is, where Caffe does it and nobody has read the old blob.

        Nor must a blob have the layer's name: mochac would take it for the result.
        """
        before = self._current(layer.message.bottom[0])
        if layer.in_place and before not in self._read and layer.name not in self.names:
            self._changed.add(before)
            self.add(kind, layer, bottoms=[before], **fields)
            return
        bottoms = self.bottoms(layer)
        self.add(kind, layer, bottoms=bottoms, tops=self.tops(layer), **fields)

    def _may_carry(self, maker: Layer, blob: str) -> bool:
        untouched = blob not in self._read and blob not in self._changed
        alone = maker.kind in _CARRIERS and len(maker.tops) == 1
        return alone and untouched and getattr(maker, "neuron", None) == Identity()

    def parameter(self, name: str, layer: CaffeLayer, **fields: Any) -> str:
        """The blob of a parameter that layers share by itself; made by a ParameterLayer when it is first asked for."""
        if name not in self._parameters:
            self._parameters[name] = blob = self.unused(name)
            self._made.add(blob)
            self.add("Parameter", layer, name=blob, tops=[blob], **fields)
        return self._parameters[name]

    def key(self, names: tuple[str, ...], layer: CaffeLayer) -> str:
        """The param_key of a layer whose parameters all bear these names: the first such layer; "" for the first."""
        owner = self._owners.setdefault(names, layer.name)
        return "" if owner == layer.name else owner

    def is_learned(self, name: str) -> bool:
        """Whether what Caffe calls `name` here depends on parameters."""
        return any(isinstance(layer, Parametric) for layer in self._upstream(self._current(name)))

    def shape(self, blob: str, layer: CaffeLayer) -> tuple[int, ...]:
        """Extents of a blob made so far, batch first.

        Raises:
            UnsupportedError: they cannot be known, since something before it is at fault.
        """
        try:
            return Net("so far", self._upstream(blob)).blobs[blob].shape
        except MochacError as error:
            rule = f"the shape of its bottom {blob!r} is not known"
            raise layer.refused(rule, got=str(error).splitlines()[0]) from None

    def _upstream(self, blob: str) -> Sequence[Layer]:
        """The layers that `blob` depends on."""
        needed, kept = {blob}, list[Layer]()
        for layer in reversed(self.layers):
            made = layer.tops or layer.bottoms[:1]
            if needed & set(made):
                kept.append(layer.replace(transformers=[]) if isinstance(layer, DataLayer) else layer)
                needed |= set(layer.reads)
        return kept[::-1]
