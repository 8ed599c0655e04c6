"""with_parameter_layers: layers that read one weight of a model, such as an embedding and a decoder that are tied.

Layers of one kind whose weights are all the same share them by param_key (trained.py). Others use the blob of a
ParameterLayer, which has the name of the weight.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from mochac.base.escaping import unused
from mochac.base.records import record
from mochac.base.support.log import LOG, ensure_handler
from mochac.formats.onnx.operator import owner
from mochac.formats.onnx.trained import Arrays, Roots, Trained, by_layer, changed, equal, learns, rate_of, varies
from mochac.nets.layers.base import Layer, Parametric
from mochac.nets.layers.config import at_origin
from mochac.nets.layers.ends import ParameterLayer


@record
class WeightUse:
    """A parameter that a layer reads from a weight of the model.

    Attributes:
        layer, name: the layer and its name for the parameter.
        array: its numbers.
    """

    layer: Parametric
    name: str
    array: np.ndarray

    @property
    def is_free(self) -> bool:
        """Whether PyTorch has no module for the layer."""
        return self.layer.kind in ("Bias", "Parameter", "Scale")

    @property
    def called(self) -> str:
        """Its name in a state_dict."""
        return f"{self.layer.key}.{self.layer.torch_name(self.name)}".strip(".")

    @property
    def can_be_blob(self) -> bool:
        """Whether the layer takes the parameter from a blob, or is a ParameterLayer."""
        return self.name in self.layer.blob_fields or self.layer.kind == "Parameter"


def with_parameter_layers(
    layers: Sequence[Layer], arrays: Arrays, roots: Roots, weights: Arrays, info: Trained
) -> tuple[tuple[Layer, ...], dict[str, np.ndarray]]:
    """Let layers that read the same weight use the blob of one ParameterLayer, and warn of those that cannot. A layer
    whose parameter cannot have the name that the weight has in PyTorch uses one, too.

    Args:
        arrays: parameters and states by "layer___name".
        roots: the weights of the model that each layer reads, by layer.
        weights: weights of the model, by name.
        info: information about them in the file.
    """
    result = _ParameterLayers(layers, arrays)
    for weight, every in _readers(layers, arrays, roots).items():
        array, own = weights.get(weight), by_layer(result.arrays)
        if array is None or not any(learns(layer, own.get(layer.name, ())) for layer in every):
            continue
        readers = _sharing(weight, every, roots, weights) if varies(array) or len(every) == 1 else []
        uses = [use for layer in readers for use in _uses(layer, own.get(layer.name, {}), array)]
        same = [use for use in uses if use.can_be_blob and equal(use.array, uses[0].array)]
        if len(readers) > 1 and len(same) < len(readers):
            _warn(weight, [layer.name for layer in readers])
        elif len(readers) > 1:
            result.share(weight, same)
        elif same and info.names_parameter(weight, free=same[0].is_free) and same[0].called != weight:
            result.share(weight, same)
    return result.layers, result.arrays


class _ParameterLayers:
    """Layers and their parameters, to which ParameterLayers are added."""

    def __init__(self, layers: Sequence[Layer], arrays: Arrays) -> None:
        self.arrays = dict(arrays)
        self._found = {layer.name: layer for layer in layers}
        self._names = {*self._found, *(top for layer in layers for top in layer.tops)}
        self._added: dict[str, list[Layer]] = {}

    @property
    def layers(self) -> tuple[Layer, ...]:
        """All layers in order; a ParameterLayer precedes the first layer that uses it."""
        return tuple(x for name, layer in self._found.items() for x in (*self._added.get(name, ()), layer))

    def share(self, weight: str, uses: Sequence[WeightUse]) -> None:
        """Replace parameters of layers by the blob of one ParameterLayer with the weight's name: a new one, or one of
        the layers."""
        maker = next((use.layer for use in uses if use.layer.kind == "Parameter"), None)
        name = unused(weight, self._names, "-")
        self._names.add(name)
        if maker is None:
            with at_origin(*uses[0].layer.origin):
                added = ParameterLayer(name=name, shape=uses[0].array.shape)
            self._added.setdefault(uses[0].layer.name, []).append(added)
            self.arrays[f"{name}___value"], top = uses[0].array, added.tops[0]
        else:
            self._change(maker, param_key=name)
            self.arrays[f"{name}___value"], top = self.arrays.pop(f"{maker.name}___value"), maker.tops[0]
        for use in uses:
            if use.layer is not maker:
                del self.arrays[f"{use.layer.name}___{use.name}"]
                rate = rate_of(use.layer, use.name)  # by default, as in every layer whose parameter is a blob
                self._change(use.layer, **{use.name: top, rate: use.layer.__dataclass_fields__[rate].default})

    def _change(self, owner: Parametric, **fields: Any) -> None:
        """Change a layer and those that share its parameters."""
        sharers = [x for x in self._found.values() if isinstance(x, Parametric) and x.key == owner.key]
        self._found |= {layer.name: changed(layer, **fields) for layer in sharers}


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
    """The readers that share a weight. PyTorch's old exporter stores equal weights once: layers of one kind that have
    other names for it, or read it under a name that says no module, are copies that are equal so far."""
    separate = not owner(weight) or any(roots[layer.name] - weights.keys() for layer in readers)
    return list({layer.kind: layer for layer in reversed(readers)}.values())[::-1] if separate else list(readers)


def _uses(layer: Parametric, own: Arrays, weight: np.ndarray) -> Iterator[WeightUse]:
    """The parameter of a layer whose numbers are those of a weight, perhaps transposed."""
    for name, array in own.items():
        if equal(_squeezed(array), _squeezed(weight)) or (weight.ndim == 2 and equal(array, weight.T)):
            yield WeightUse(layer, name, array)
            return


def _squeezed(array: np.ndarray) -> np.ndarray:
    """Without axes of extent 1."""
    return array.reshape([extent for extent in array.shape if extent != 1])


def _warn(weight: str, readers: Sequence[str]) -> None:
    ensure_handler()
    LOG.warning(
        "onnx.load: weight %r is read by layers %s, which train copies of their own", weight, ", ".join(readers)
    )
