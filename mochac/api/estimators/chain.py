"""Chains of layers as nets for estimators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any

import numpy as np

from mochac.api.estimators.heads import CLASS, INPUT, LABEL, LOSS
from mochac.api.estimators.labels import Aim
from mochac.api.estimators.samples import WEIGHT
from mochac.api.estimators.validation import ParameterError
from mochac.base.errors import shown
from mochac.base.hints.names import units
from mochac.base.records import record
from mochac.base.support.places import at
from mochac.nets.layers.base import Layer
from mochac.nets.layers.data import MemoryDataLayer
from mochac.nets.layers.element_wise import SoftmaxLayer
from mochac.nets.net import Net


def checked(layers: Any, owner: str) -> tuple[Layer, ...]:
    """The user's layers as a tuple.

    Raises:
        ParameterError: not a list of layers, or a data layer is in it.
    """
    if isinstance(layers, Layer):
        raise ParameterError(f"{owner}: layers are not a list", got=shown(layers), hint="write layers=[layer]")
    if not isinstance(layers, (list, tuple)):
        raise ParameterError(f"{owner}: layers are not a list", got=shown(layers))
    for k, layer in enumerate(layers):
        if isinstance(layer, type) and issubclass(layer, Layer):
            hint = f"write {layer.__name__}(...)"
            raise ParameterError(f"{owner}: element {k} of layers is a class", got=layer.__name__, hint=hint)
        if not isinstance(layer, Layer):
            raise ParameterError(
                f"{owner}: element {k} of layers is not a layer", got=shown(layer), hint=_hint(layer, k + 1)
            )
        if layer.is_source:
            raise ParameterError(
                f"{owner} needs no data layer: pass the data to fit()",
                layer=layer.name,
                type=layer.kind,
                at=at(layer.origin),
            )
    return tuple(layers)


def _hint(value: Any, number: int) -> str:
    """The hint for a width or the name of a neuron in place of a layer."""
    if isinstance(value, int):
        return units(value, number)
    if isinstance(value, str):
        return "a neuron belongs to a layer: InnerProductLayer(..., neuron=Neurons.ReLU())"
    return ""


def chain(layers: Sequence[Layer], blob: str) -> tuple[list[Layer], str]:
    """The layers with bottoms, and the last blob.

    A layer without bottoms takes the top of the layer before it; the first one takes `blob`. Layers with bottoms are
    not changed, so branches are possible. Layers that have the default name of their type are numbered.

    Raises:
        ParameterError: a layer without bottoms that needs several, or two layers of one name.
    """
    new_layers: list[Layer] = []
    taken: set[str] = set()
    for layer in layers:
        changes: dict[str, Any] = {}
        if layer.name in taken and layer.name == _default_name(layer):
            changes["name"] = _numbered(layer.name, taken)
        elif layer.name in taken:
            raise layer_error(layer, "another layer has this name", "give each its own")
        if layer.is_open:
            if layer.n_bottoms[0] > 1:
                raise layer_error(layer, "needs several bottoms, which a chain cannot guess", "give bottoms=[...]")
            changes["bottoms"] = [blob]
        new = _moved(layer, changes)
        taken.add(new.name)
        new_layers.append(new)
        if new.tops and not new.is_loss and new.reads:
            blob = new.tops[0]
    return new_layers, blob


def require_free(layers: Sequence[Layer], names: Sequence[str], blobs: Sequence[str], owner: str) -> None:
    """Raise ParameterError for a layer with a name of a layer that the estimator adds, or a top of such a blob."""
    for layer in layers:
        if layer.name in names:
            raise layer_error(layer, f"{owner} adds a layer of this name itself", "give yours another name")
        tops = () if layer.in_place else layer.tops
        if clash := [top for top in tops if top in blobs]:
            raise layer_error(layer, f"{owner} makes a blob {clash[0]!r} itself", "give yours another name")


def layer_error(layer: Layer, rule: str, hint: str = "") -> ParameterError:
    """A ParameterError about one layer of a chain."""
    return ParameterError(rule, layer=layer.name, type=layer.kind, hint=hint, at=at(layer.origin))


def _moved(layer: Layer, changes: dict[str, Any]) -> Layer:
    """layer.replace(**changes), with the origin of the layer."""
    if not changes:
        return layer
    new = layer.replace(**changes)
    object.__setattr__(new, "origin", layer.origin)
    return new


def _default_name(layer: Layer) -> str:
    """The default name of layers of this type."""
    default = next(f.default for f in fields(layer) if f.name == "name")  # type: ignore[arg-type]
    return "" if default is MISSING else str(default)


def _numbered(name: str, taken: set[str]) -> str:
    k = 2
    while f"{name}{k}" in taken:
        k += 1
    return f"{name}{k}"


@record
class WiredLayers:
    """Wired layers and the blob of their output."""

    layers: list[Layer]
    blob: str


def wired(layers: tuple[Layer, ...], aim: Aim, inputs: Sequence[str], owner: str) -> WiredLayers:
    """The chain of the user's layers, which begins with the first of the inputs, with an output layer."""
    last, head = layers[-1] if layers else None, aim.head
    if isinstance(last, SoftmaxLayer) and not head.softmax:
        rule = f"the {head.loss}Layer of {owner} needs the layer before the softmax"
        raise layer_error(last, rule, "leave out the SoftmaxLayer")
    own, blob = chain(layers, inputs[0])
    added = head.layers(aim.width, last)
    ours = [INPUT, LOSS, *(layer.name for layer in (*added, *aim.judges(blob)))]
    require_free(own, ours, (*inputs, LABEL, CLASS, WEIGHT), owner)
    tail, blob = chain(added, blob)
    _require_read([*own, *tail], inputs, owner)
    return WiredLayers([*own, *tail], blob)


def _require_read(layers: Sequence[Layer], inputs: Sequence[str], owner: str) -> None:
    """Raise ParameterError for an input that no layer reads, or that has a name of the estimator's own blobs."""
    read = {blob for layer in layers for blob in layer.reads}
    for blob in inputs:
        if blob in (LABEL, CLASS, WEIGHT):
            raise ParameterError(f"{owner} makes a blob {blob!r} itself", hint="give this input of X another name")
        if blob not in read and len(inputs) > 1:
            hint = f"bottoms=[{blob!r}] of a layer"
            raise ParameterError(f"{owner}: no layer reads the input {blob!r} of X", got=" ".join(inputs), hint=hint)


def net_of(wired_layers: WiredLayers, aim: Aim, tops: Mapping[str, np.ndarray], batch: int, owner: str) -> Net:
    """The net for arrays of the training or the validation set, by blob, which are kept."""
    arrays = list(tops.values())
    for array in arrays:
        array.flags.writeable = False  # a device may then keep it
    data = MemoryDataLayer(name=INPUT, data=arrays, tops=list(tops), batch_size=batch, shuffle=True)
    weighed = {"sample_weights": WEIGHT} if WEIGHT in tops else {}
    closed = aim.loss.replace(name=LOSS, bottoms=[wired_layers.blob, LABEL], **weighed)
    return Net(owner, [data, *wired_layers.layers, closed, *aim.judges(wired_layers.blob)])
