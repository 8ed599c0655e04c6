"""Finding NaN and infinities in parameters, solver slots and batches, without a copy of them.

The training loop, snapshots, readers of data and MOCHAC_CHECK=nan ask. It knows arrays by name.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np


class NotFinite(NamedTuple):
    """A number in an array: the array's name, the value, and its index."""

    name: str
    value: float
    at: tuple[int, ...]


def first_not_finite(arrays: Mapping[str, np.ndarray]) -> NotFinite | None:
    """Where the first of the arrays that holds a NaN or an infinity holds it; None where all numbers are finite.

    >>> first_not_finite({"a": np.ones(3), "b": np.array([[1, 2], [np.inf, np.nan]])})
    NotFinite(name='b', value=inf, at=(1, 0))
    """
    for name, array in arrays.items():
        if not _is_finite(array):
            at = tuple(int(k) for k in np.argwhere(~np.isfinite(array))[0])
            return NotFinite(name, float(array[at]), at)
    return None


def _is_finite(array: np.ndarray) -> bool:
    """Both ends of the range tell: a NaN is both."""
    if not array.size or array.dtype.kind != "f":
        return True
    return math.isfinite(array.max()) and math.isfinite(array.min())
