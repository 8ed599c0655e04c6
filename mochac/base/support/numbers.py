"""Arrays of numbers compared, and the first that is not finite."""

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


def difference(a: np.ndarray, b: np.ndarray) -> float:
    """Largest |a - b| in units of the largest |a|; infinite where one is NaN and the other is not.

    >>> difference(np.array([1.0, 4.0]), np.array([1.0, 5.0]))
    0.25
    """
    if a.shape != b.shape:
        return np.inf
    x, y = a.astype(np.float64), b.astype(np.float64)
    with np.errstate(all="ignore"):
        same = (x == y) | (np.isnan(x) & np.isnan(y))
        gap = np.where(same, 0.0, np.abs(x - y))
    if not gap.any():
        return 0.0
    scale = np.abs(x[np.isfinite(x)]).max(initial=0.0)
    return float(np.nan_to_num(gap, nan=np.inf, posinf=np.inf).max() / max(scale, np.finfo(np.float32).tiny))
