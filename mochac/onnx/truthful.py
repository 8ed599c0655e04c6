"""truthful: no parameter of a net has the name of a weight of the model whose numbers it does not hold.

Layers are named after the modules of their weights. What is computed of a weight, such as the product of a Gemm's alpha
and its matrix, is not what the module's state_dict has under that name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mochac.escaping import unused
from mochac.layers.base import Layer, Parametric
from mochac.layers.config import made_at


def truthful(
    layers: Sequence[Layer], arrays: Mapping[str, np.ndarray], weights: Mapping[str, np.ndarray]
) -> tuple[tuple[Layer, ...], dict[str, np.ndarray]]:
    """The layers and their parameters, with other names where these promise other numbers.

    Args:
        arrays: parameters and states by "layer___name".
        weights: of the model, by name.
    """
    own: dict[str, dict[str, np.ndarray]] = {}
    for key, array in arrays.items():
        layer, _, name = key.rpartition("___")
        own.setdefault(layer, {})[name] = array
    taken = {layer.name for layer in layers}
    renamed: dict[str, str] = {}
    for layer in layers:
        if isinstance(layer, Parametric) and _misnamed(layer, own.get(layer.name, {}), weights):
            renamed[layer.name] = unused(f"{layer.name}.{layer.kind.lower()}", taken, "-")
            taken.add(renamed[layer.name])
    return tuple(_called(layer, renamed) for layer in layers), {
        f"{renamed.get(layer, layer)}___{name}": array
        for layer, arrays in own.items()
        for name, array in arrays.items()
    }


def _misnamed(layer: Parametric, arrays: Mapping[str, np.ndarray], weights: Mapping[str, np.ndarray]) -> bool:
    promised = ((array, weights.get(f"{layer.name}.{layer.torch_name(name)}")) for name, array in arrays.items())
    return any(weight is not None and not _same_numbers(array, weight) for array, weight in promised)


def equal(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether arrays are equal; of different weights, the first elements show at once that they are not."""
    return a.shape == b.shape and np.array_equal(head(a), head(b)) and np.array_equal(a, b)


def head(array: np.ndarray) -> np.ndarray:
    """The first elements."""
    return np.asarray(array.flat[:64])


def _same_numbers(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two arrays hold the same numbers, in any order: by their sum and the sum of their squares, unless one is
    the other, or its transpose."""
    if a.size != b.size:
        return False
    if equal(a, b) or equal(a.T, b):
        return True
    (total, squares), (wanted, scale) = (
        (x.sum(dtype=np.float64), np.square(x, dtype=np.float64).sum()) for x in (a, b)
    )
    return abs(squares - scale) <= 1e-6 * scale and abs(total - wanted) <= 1e-5 * np.sqrt(scale * a.size)


def _called(layer: Layer, renamed: Mapping[str, str]) -> Layer:
    if layer.name not in renamed:
        return layer
    with made_at(*layer.origin):
        return layer.replace(name=renamed[layer.name], tops=layer.tops)
