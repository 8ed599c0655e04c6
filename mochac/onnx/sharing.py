"""shared: layers that compute with the same weights share them, as modules that PyTorch calls twice.

Weights that are all equal numbers, such as scales of 1 and biases of 0, are not taken for the same ones: exporters
store equal tensors once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mochac.layers.base import Layer, Parametric
from mochac.layers.config import made_at
from mochac.onnx.truthful import equal, head

_OWN = ("name", "bottoms", "tops", "neuron", "param_key")
"""Fields in which layers that share weights may differ."""


def shared(
    layers: Sequence[Layer], arrays: Mapping[str, np.ndarray]
) -> tuple[tuple[Layer, ...], dict[str, np.ndarray]]:
    """The layers, with the param_key of an earlier one that has the same weights, and the parameters that are left.

    Args:
        arrays: parameters and states by "layer___name".
    """
    own: dict[str, dict[str, np.ndarray]] = {}
    for key, array in arrays.items():
        layer, _, name = key.rpartition("___")
        own.setdefault(layer, {})[name] = array
    owners: dict[object, list[Layer]] = {}
    keys: dict[str, str] = {}
    for layer in layers:
        mine = own.get(layer.name, {})
        if isinstance(layer, Parametric) and any(map(_varies, mine.values())):
            heads = ((name, a.shape, head(a).tobytes()) for name, a in mine.items())
            alike = owners.setdefault((layer.kind, *heads), [])
            same = (other for other in alike if _same(own[other.name], mine) and _settings(other) == _settings(layer))
            keys[layer.name] = next((other.name for other in same), "")
            alike += [] if keys[layer.name] else [layer]
    left = {key: array for key, array in arrays.items() if not keys.get(key.rpartition("___")[0])}
    return tuple(_keyed(layer, keys.get(layer.name, "")) for layer in layers), left


def _varies(array: np.ndarray) -> bool:
    return bool(array.size) and bool(np.ptp(head(array)) or np.ptp(array))


def _same(a: Mapping[str, np.ndarray], b: Mapping[str, np.ndarray]) -> bool:
    return all(equal(a[name], b[name]) for name in a)


def _settings(layer: Layer) -> dict[str, object]:
    return {name: getattr(layer, name) for name in layer.__dataclass_fields__ if name not in _OWN}


def _keyed(layer: Layer, key: str) -> Layer:
    if not key:
        return layer
    with made_at(*layer.origin):
        return layer.replace(param_key=key, tops=layer.tops)
