"""X as arrays for the inputs of a net: one array for the blob "data", or several, by their blobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from mochac.api.estimators import samples as arrays
from mochac.api.estimators.validation import InputError
from mochac.base.support.array_like import is_array
from mochac.base.support.log import tell_once
from mochac.nets.doubtful import looks_without_channels, slides
from mochac.nets.layers.base import Layer

DATA = "data"
Inputs: TypeAlias = dict[str, np.ndarray]
"""Arrays (num, ...) by blob."""
Shapes: TypeAlias = dict[str, tuple[int, ...]]
"""Shapes of a sample by blob."""


def inputs(x: Any, dtype: str) -> Inputs:
    """X as arrays of finite numbers: one array, a dict of arrays by blob, or a tuple of arrays, whose blobs are "data",
    "data2", "data3". In a dict or tuple, numbers (num,) become (num, 1).

    Raises:
        InputError: an array cannot be used, or the arrays differ in their number of samples.

    >>> {blob: array.shape for blob, array in inputs((np.zeros((3, 2)), np.ones(3)), "float32").items()}
    {'data': (3, 2), 'data2': (3, 1)}
    """
    several = None if type(x) is np.ndarray else _several(x)
    if several is None:
        return {DATA: arrays.samples(x, dtype)}
    samples = {blob: arrays.samples(_rows(each), dtype, f"X[{blob!r}]") for blob, each in several.items()}
    counts = {blob: len(array) for blob, array in samples.items()}
    if len(set(counts.values())) > 1:
        raise InputError("the arrays of X differ in their number of samples", got=str(counts))
    return samples


def _several(x: Any) -> Mapping[str, Any] | None:
    """The arrays of a dict or tuple by blob; None for a single array."""
    if isinstance(x, tuple) and len(x) > 1 and all(is_array(each) for each in x) and np.ndim(x[0]) > 1:
        return {f"{DATA}{k + 1 if k else ''}": each for k, each in enumerate(x)}
    if not isinstance(x, Mapping) or hasattr(x, "tocsr"):  # a sparse matrix may be a dict, too
        return None
    if not x or not all(isinstance(blob, str) for blob in x):
        raise InputError("X is a dict, but not of arrays by their blobs", expected='such as {"data": X, "length": n}')
    return x


def _rows(x: Any) -> Any:
    return np.reshape(x, (-1, 1)) if is_array(x) and np.ndim(x) == 1 else x


def single(x: Inputs) -> Any:
    """The array if there is one alone, else all."""
    return x[DATA] if len(x) == 1 and DATA in x else x


def rows(x: Inputs, which: np.ndarray) -> Inputs:
    """Copies of some samples."""
    return {blob: array[which] for blob, array in x.items()}


def count(x: Inputs) -> int:
    """The number of samples."""
    return len(next(iter(x.values())))


def shapes(x: Inputs) -> Shapes:
    """The shapes of a sample."""
    return {blob: array.shape[1:] for blob, array in x.items()}


def with_channel(x: Inputs, layers: Sequence[Layer]) -> Inputs:
    """Images (num, height, width) as (num, 1, height, width), if the first layer has a kernel of two axes, or a kernel
    and square images: otherwise, they would be signals with `height` channels."""
    image = x.get(DATA)
    if image is None or image.ndim != 3 or not layers or not layers[0].is_open or not slides(layers[0]):
        return x
    kernel: Any = getattr(layers[0], "kernel", 0)
    if len(kernel) != 2 if isinstance(kernel, tuple) else not looks_without_channels(image.shape[1:]):
        return x
    height, width = image.shape[1:]
    tell_once(
        f"X (num, {height}, {width}) is taken as images of one channel; for signals of {height} channels, give layer "
        f"{layers[0].name!r} a kernel of one axis: kernel=({kernel if isinstance(kernel, int) else kernel[0]},)"
    )
    return {**x, DATA: image[:, None]}


def fitting(x: Inputs, known: Shapes, owner: str) -> Inputs:
    """X with samples of the shapes in fit(); images without the axis of their one channel get it.

    Raises:
        InputError: other inputs, or samples of another shape.
    """
    if len(x) == len(known) and all([known.get(blob) == array.shape[1:] for blob, array in x.items()]):
        return x
    if x.keys() != known.keys():
        raise InputError(f"X does not have the inputs of {owner}", expected=" ".join(known), got=" ".join(x))
    return {blob: _fitted(x[blob], blob, known, owner) for blob in known}


def _fitted(array: np.ndarray, blob: str, known: Shapes, owner: str) -> np.ndarray:
    shape = known[blob]
    if array.shape[1:] == shape:
        return array
    if shape == (1, *array.shape[1:]) and array.ndim == 3:
        return array[:, None]
    if len(known) == len(shape) == 1 and array.ndim == 2:
        raise InputError(f"X has {array.shape[1]} features, but {owner} is expecting {shape[0]} features as input")
    expected, name = f"(num, {', '.join(map(str, shape))})", "X" if list(known) == [DATA] else f"X[{blob!r}]"
    raise InputError(f"{name} does not fit {owner}", expected=expected, got=str(array.shape))
