"""Weights of the layers that a model is converted to: which parameter names are kept, and which layers share weights.

Layers are named after the modules of their weights. A value computed from a weight, such as the product of a Gemm's
alpha and its matrix, is not what the module's state_dict has under that name, so its layer gets another name. Layers
that read the same weights share them, as a module that PyTorch calls twice; layers_with_one_weight.py is about layers
that have one weight in common.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mochac.base.escaping import unused
from mochac.nets.layers.base import Layer, Parametric
from mochac.nets.layers.config import made_at

Arrays = Mapping[str, np.ndarray]
Roots = Mapping[str, frozenset[str]]

_FREE = ("name", "bottoms", "tops", "neuron", "param_key")
"""Fields in which layers that share weights may differ."""


def with_true_names(
    layers: Sequence[Layer], arrays: Arrays, roots: Roots, weights: Arrays
) -> tuple[tuple[Layer, ...], dict[str, np.ndarray], Roots]:
    """Rename layers whose parameters would have the name of a weight of the model, but other numbers.

    Args:
        arrays: parameters and states by "layer___name".
        roots: the weights of the model that each layer reads, by layer.
        weights: of the model, by name.
    """
    own = by_layer(arrays)
    taken = {layer.name for layer in layers}
    names: dict[str, str] = {}
    for layer in layers:
        if isinstance(layer, Parametric) and _is_misnamed(layer, own.get(layer.name, {}), weights):
            names[layer.name] = unused(f"{layer.name}.{layer.kind.lower()}", taken, "-")
            taken.add(names[layer.name])
    renamed = tuple(changed(layer, name=names[layer.name]) if layer.name in names else layer for layer in layers)
    moved = {f"{names.get(layer, layer)}___{k}": array for layer, mine in own.items() for k, array in mine.items()}
    return renamed, moved, {names.get(layer, layer): found for layer, found in roots.items()}


def with_shared_weights(
    layers: Sequence[Layer], arrays: Arrays, roots: Roots
) -> tuple[tuple[Layer, ...], dict[str, np.ndarray]]:
    """Give layers the param_key of an earlier layer that reads the same weights, and drop their own.

    Weights that are constant, such as scales of 1 and biases of 0, do not count as the same: exporters store equal
    tensors once.

    Args:
        arrays: parameters and states by "layer___name".
        roots: the weights of the model that each layer reads, by layer.
    """
    own = by_layer(arrays)
    owners: dict[object, list[Layer]] = {}
    keys: dict[str, str] = {}
    for layer in layers:
        mine, read = own.get(layer.name, {}), roots.get(layer.name)
        if isinstance(layer, Parametric) and read and any(map(varies, mine.values())):
            candidates = owners.setdefault((layer.kind, read), [])
            owner = next((other for other in candidates if _may_share(layer, other, own)), None)
            if owner is None:
                candidates.append(layer)
            else:
                keys[layer.name] = owner.name
    left = {key: array for key, array in arrays.items() if key.rpartition("___")[0] not in keys}
    return tuple(changed(x, param_key=keys[x.name]) if x.name in keys else x for x in layers), left


def by_layer(arrays: Arrays) -> dict[str, dict[str, np.ndarray]]:
    """Parameters and states by layer and name."""
    own: dict[str, dict[str, np.ndarray]] = {}
    for key, array in arrays.items():
        layer, _, name = key.rpartition("___")
        own.setdefault(layer, {})[name] = array
    return own


def changed(layer: Layer, **fields: Any) -> Layer:
    """The layer with other fields, and the tops that it has."""
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
    if equal(a, b) or equal(a.T, b):
        return True
    (total, squares), (wanted, scale) = (
        (x.sum(dtype=np.float64), np.square(x, dtype=np.float64).sum()) for x in (a, b)
    )
    return abs(squares - scale) <= 1e-6 * scale and abs(total - wanted) <= 1e-5 * np.sqrt(scale * a.size)


def _may_share(layer: Layer, owner: Layer, own: Mapping[str, Arrays]) -> bool:
    """Whether two layers of a kind have equal weights, and equal settings apart from _FREE."""
    mine, others = own[layer.name], own[owner.name]
    fields = (name for name in layer.__dataclass_fields__ if name not in _FREE)
    return all(name in others and equal(others[name], mine[name]) for name in mine) and all(
        getattr(layer, name) == getattr(owner, name) for name in fields
    )


def varies(array: np.ndarray) -> bool:
    """Whether its elements are not all equal."""
    return any(bool((part != part[:1]).any()) for part in (_head(array), array.reshape(-1)))


def equal(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether arrays are equal. The first elements are compared first, since those of different weights differ."""
    return a.shape == b.shape and np.array_equal(_head(a), _head(b)) and np.array_equal(a, b)


def _head(array: np.ndarray) -> np.ndarray:
    """The first elements."""
    return np.asarray(array.flat[:64])
