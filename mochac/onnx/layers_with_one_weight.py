"""with_parameter_layers: layers that read one weight of a model, such as an embedding and a decoder that are tied.

Layers of one kind whose weights are all the same share them by param_key (layer_weights.py). Others use the blob of a
ParameterLayer, which has the name of the weight.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from mochac.escaping import unused
from mochac.layers.base import Layer, Parametric
from mochac.layers.config import made_at
from mochac.layers.parameter import ParameterLayer
from mochac.onnx.layer_weights import Arrays, Roots, by_layer, changed, equal, varies
from mochac.onnx.names import owner
from mochac.onnx.trained import learns, rate_of
from mochac.runtime.support.log import LOG, ensure_handler


@dataclass(frozen=True)
class Use:
    """A parameter that a layer reads from a weight of the model.

    Attributes:
        layer, name: the layer and its name for the parameter.
        array: its numbers.
    """

    layer: Parametric
    name: str
    array: np.ndarray

    @property
    def can_be_blob(self) -> bool:
        """Whether the layer takes the parameter from a blob, or is a ParameterLayer."""
        return self.name in self.layer.blob_fields or self.layer.kind == "Parameter"


def with_parameter_layers(
    layers: Sequence[Layer], arrays: Arrays, roots: Roots, weights: Arrays
) -> tuple[tuple[Layer, ...], dict[str, np.ndarray]]:
    """Let layers that read the same weight use the blob of one ParameterLayer, and warn of those that cannot.

    Args:
        arrays: parameters and states by "layer___name".
        roots: the weights of the model that each layer reads, by layer.
        weights: of the model, by name.
    """
    found, left = {layer.name: layer for layer in layers}, dict(arrays)
    blobs = {*found, *(top for layer in layers for top in layer.tops)}
    added: dict[str, Layer] = {}
    for weight, every in _readers(layers, arrays, roots).items():
        readers = _sharing(weight, every, roots, weights) if weight in weights and varies(weights[weight]) else []
        own = by_layer(left)
        if len(readers) < 2 or not any(learns(layer, own.get(layer.name, ())) for layer in readers):
            continue
        uses = [use for layer in readers for use in _uses(layer, own.get(layer.name, {}), weights[weight])]
        same = [use for use in uses if use.can_be_blob and equal(use.array, uses[0].array)]
        if {use.layer.name for use in same} != {layer.name for layer in readers}:
            _warn(weight, [layer.name for layer in readers])
            continue
        maker = next((use.layer for use in same if use.layer.kind == "Parameter"), None)
        if maker is None:
            maker = _parameter(unused(weight, blobs, "-"), same)
            added[same[0].layer.name] = maker
            blobs.add(maker.name)
            left[f"{maker.name}___value"] = same[0].array
        for use in same:
            if use.layer is not maker:
                del left[f"{use.layer.name}___{use.name}"]
                sharers = [name for name, x in found.items() if isinstance(x, Parametric) and x.key == use.layer.name]
                blob = {use.name: maker.tops[0], **_plain(use)}
                found |= {name: changed(found[name], **blob) for name in sharers}
    return tuple(_with_makers(layers, found, added)), left


def _with_makers(layers: Sequence[Layer], found: dict[str, Layer], added: dict[str, Layer]) -> Iterator[Layer]:
    for layer in layers:
        if layer.name in added:
            yield added[layer.name]
        yield found[layer.name]


def _readers(layers: Sequence[Layer], arrays: Arrays, roots: Roots) -> dict[str, list[Parametric]]:
    """The layers with parameters of their own that read each weight."""
    own = by_layer(arrays)
    readers: dict[str, list[Parametric]] = {}
    for layer in layers:
        if isinstance(layer, Parametric) and layer.name in own:
            for weight in roots.get(layer.name, ()):
                readers.setdefault(weight, []).append(layer)
    return readers


def _sharing(weight: str, readers: Sequence[Parametric], roots: Roots, weights: Arrays) -> list[Parametric]:
    """Those that share a weight. PyTorch's old exporter stores equal weights once: layers of one kind that have other
    names for it, or read it under a name that says no module, are copies that are equal so far."""
    apart = not owner(weight) or any(roots[layer.name] - weights.keys() for layer in readers)
    return list({layer.kind: layer for layer in reversed(readers)}.values())[::-1] if apart else list(readers)


def _uses(layer: Parametric, own: Arrays, weight: np.ndarray) -> Iterator[Use]:
    """The parameter of a layer that has the numbers of a weight, as they are or transposed."""
    for name, array in own.items():
        if equal(array, weight) or (weight.ndim == 2 and equal(array, weight.T)):
            yield Use(layer, name, array)
            return


def _parameter(name: str, uses: Sequence[Use]) -> Parametric:
    """A ParameterLayer for a parameter of these layers."""
    first = uses[0]
    with made_at(*first.layer.origin):
        return ParameterLayer(name=name, shape=first.array.shape)


def _rate(use: Use) -> float:
    return getattr(use.layer, rate_of(use.layer, use.name))


def _plain(use: Use) -> dict[str, float]:
    """The default rate again, which a layer has whose parameter is a blob."""
    rate = rate_of(use.layer, use.name)
    return {} if _rate(use) else {rate: use.layer.__dataclass_fields__[rate].default}


def _warn(weight: str, readers: Sequence[str]) -> None:
    ensure_handler()
    LOG.warning(
        "onnx.load: weight %r is read by layers %s, which train copies of their own", weight, ", ".join(readers)
    )
