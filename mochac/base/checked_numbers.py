"""Checks of numbers from users. Each function returns the number, or None for anything that callers refuse."""

from __future__ import annotations

import math
import numbers
import operator
from typing import Any

LARGEST = 2**53
"""Integers up to this are exact in float64; larger ones are mistakes."""


def finite(value: Any) -> float | None:
    """A finite real number as a float; None for NaN, infinities, booleans, and integers beyond the largest float.

    >>> finite(3), finite(0.5), finite(10**400), finite(True), finite("1")
    (3.0, 0.5, None, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def integer(value: Any) -> int | None:
    """An integer as an int; None for booleans and anything else.

    >>> import numpy as np
    >>> integer(np.int32(3)), integer(3.0), integer(True), integer(np.array([1]))
    (3, None, None, None)
    """
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None
