"""Weights of the layers that a model is converted to: which parameter names are kept, and which layers share weights.

Layers are named after the modules of their weights. A value computed from a weight, such as the product of a Gemm's
alpha and its matrix, is not what the module's state_dict has under that name, so its layer gets another name. Layers
with the same weights share them, as modules that PyTorch calls twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mochac.escaping import unused
from mochac.layers.base import Layer, Parametric
from mochac.layers.config import made_at

Arrays = Mapping[str, np.ndarray]

_FREE = ("name", "bottoms", "tops", "neuron", "param_key")
"""Fields in which layers that share weights may differ."""


def with_true_names(
    layers: Sequence[Layer], arrays: Arrays, weights: Arrays
) -> tuple[tuple[Layer, ...], dict[str, np.ndarray]]:
    """Rename layers whose parameters would have the name of a weight of the model, but other numbers.

    Args:
        arrays: parameters and states by "layer___name".
        weights: of the model, by name.
    """
    own = _by_layer(arrays)
    taken = {layer.name for layer in layers}
    names: dict[str, str] = {}
    for layer in layers:
        if isinstance(layer, Parametric) and _is_misnamed(layer, own.get(layer.name, {}), weights):
            names[layer.name] = unused(f"{layer.name}.{layer.kind.lower()}", taken, "-")
            taken.add(names[layer.name])
    renamed = tuple(_with(layer, name=names[layer.name]) if layer.name in names else layer for layer in layers)
    return renamed, {
        f"{names.get(layer, layer)}___{k}": array for layer, mine in own.items() for k, array in mine.items()
    }


def with_shared_weights(layers: Sequence[Layer], arrays: Arrays) -> tuple[tuple[Layer, ...], dict[str, np.ndarray]]:
    """Give layers the param_key of an earlier layer with the same weights, and drop their own.

    Weights that are constant, such as scales of 1 and biases of 0, do not count as the same: exporters store equal
    tensors once.

    Args:
        arrays: parameters and states by "layer___name".
    """
    own = _by_layer(arrays)
    owners: dict[object, list[Layer]] = {}
    keys: dict[str, str] = {}
    for layer in layers:
        mine = own.get(layer.name, {})
        if isinstance(layer, Parametric) and any(map(_varies, mine.values())):
            heads = ((name, a.shape, _head(a).tobytes()) for name, a in mine.items())
            candidates = owners.setdefault((layer.kind, *heads), [])
            owner = next((other for other in candidates if _may_share(layer, other, own)), None)
            if owner is None:
                candidates.append(layer)
            else:
                keys[layer.name] = owner.name
    left = {key: array for key, array in arrays.items() if key.rpartition("___")[0] not in keys}
    return tuple(_with(layer, param_key=keys[layer.name]) if layer.name in keys else layer for layer in layers), left


def _by_layer(arrays: Arrays) -> dict[str, dict[str, np.ndarray]]:
    own: dict[str, dict[str, np.ndarray]] = {}
    for key, array in arrays.items():
        layer, _, name = key.rpartition("___")
        own.setdefault(layer, {})[name] = array
    return own


def _with(layer: Layer, **fields: str) -> Layer:
    with made_at(*layer.origin):
        return layer.replace(tops=layer.tops, **fields)


def _is_misnamed(layer: Parametric, arrays: Arrays, weights: Arrays) -> bool:
    pairs = ((array, weights.get(f"{layer.name}.{layer.torch_name(name)}")) for name, array in arrays.items())
    return any(weight is not None and not _same_numbers(array, weight) for array, weight in pairs)


def _same_numbers(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two arrays hold the same numbers, in any order. Arrays that are neither equal nor each other's transpose
    are compared by the sums of their elements and squares."""
    if a.size != b.size:
        return False
    if _equal(a, b) or _equal(a.T, b):
        return True
    (total, squares), (wanted, scale) = (
        (x.sum(dtype=np.float64), np.square(x, dtype=np.float64).sum()) for x in (a, b)
    )
    return abs(squares - scale) <= 1e-6 * scale and abs(total - wanted) <= 1e-5 * np.sqrt(scale * a.size)


def _may_share(layer: Layer, owner: Layer, own: Mapping[str, Arrays]) -> bool:
    """Whether two layers of a kind have equal weights, and equal settings apart from _FREE."""
    mine, others = own[layer.name], own[owner.name]
    fields = (name for name in layer.__dataclass_fields__ if name not in _FREE)
    return all(_equal(others[name], mine[name]) for name in mine) and all(
        getattr(layer, name) == getattr(owner, name) for name in fields
    )


def _varies(array: np.ndarray) -> bool:
    return bool(array.size) and bool(np.ptp(_head(array)) or np.ptp(array))


def _equal(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether arrays are equal. The first elements are compared first, since those of different weights differ."""
    return a.shape == b.shape and np.array_equal(_head(a), _head(b)) and np.array_equal(a, b)


def _head(array: np.ndarray) -> np.ndarray:
    """The first elements."""
    return np.asarray(array.flat[:64])
