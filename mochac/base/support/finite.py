"""Finding NaN and infinities in parameters, solver slots and batches, without copying them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

SMALL = 4096
"""Up to this many elements a BLAS library adds up products in the calling thread."""


class NotFinite(NamedTuple):
    """A NaN or an infinity: the name of its array, the value, and its index."""

    name: str
    value: float
    at: tuple[int, ...]


def all_finite(array: np.ndarray) -> bool:
    """Whether there is no NaN and no infinity."""
    if array.dtype.kind != "f" or not array.size:
        return True
    if array.size == 1:  # a step's loss
        return math.isfinite(array.item())
    if array.size <= SMALL and math.isfinite(np.vdot(array, array)):  # the fastest for few numbers
        return True
    return math.isfinite(array.max()) and math.isfinite(array.min())  # with a NaN, both are NaN


def first_not_finite(arrays: Mapping[str, np.ndarray]) -> NotFinite | None:
    """The first NaN or infinity in the arrays; None if all numbers are finite.

    >>> first_not_finite({"a": np.ones(3), "b": np.array([[1, 2], [np.inf, np.nan]])})
    NotFinite(name='b', value=inf, at=(1, 0))
    """
    for name, array in arrays.items():
        if not all_finite(array):
            at = tuple(int(k) for k in np.argwhere(~np.isfinite(array))[0])
            return NotFinite(name, float(array[at]), at)
    return None
