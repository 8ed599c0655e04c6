"""What users give as arrays, as NumPy arrays: arrays of any library, lists and tuples.

Data layers, predict(), parameters and estimators call `as_array`. np.asarray alone would ask any object that has a
length for one item after the other, and never end where the items never do. It knows types, not what numbers mean.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

_PLAIN = frozenset({int, float, bool, complex, str, bytes, type(None), *np.sctypeDict.values()})
_PROTOCOLS = ("__array__", "__array_interface__", "__array_struct__")
_MOST_AXES = 64
"""More than this NumPy refuses."""


class NotAnArray(ValueError):
    """What was given is no array; the text names it."""


def as_array(value: Any, what: str = "", dtype: DTypeLike | None = None) -> np.ndarray:
    """`value` as an array, without a copy where there need be none.

    Taken is what has `__array__` (tensors, Series, data frames, HDF5 data sets), what gives access to its memory
    (memoryview, array.array), ranges, numbers and text, and lists and tuples of all these.

    Args:
        what: starts the message: "array 0", "the input"; nothing where the caller's own message names it.

    Raises:
        NotAnArray: another object with a length and items; a tensor that cannot be read; rows of different lengths;
            what is no number of that dtype.

    >>> as_array([1, 2.5], "x").tolist()
    [1.0, 2.5]
    >>> from collections import deque
    >>> as_array(deque([1, 2]), "x")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    mochac...NotAnArray: x is of type deque, not an array; make one of its items, such as np.stack([...])
    """
    if (found := _unknown(value)) is not None:
        head = f"{what} {'is of' if found is value else 'holds objects of'} " if what else ""
        kind = type(found).__name__
        raise NotAnArray(f"{head}type {kind}, not an array; make one of its items, such as np.stack([...])")
    try:
        return np.asarray(value, dtype)
    except (TypeError, ValueError, RuntimeError) as error:  # RuntimeError: PyTorch's, of a tensor with a gradient
        raise NotAnArray(f"{what} cannot be read as an array: {error}" if what else str(error)) from None


def is_array(value: Any) -> bool:
    """Whether it is an array of NumPy's or of a library that NumPy can read."""
    return any(hasattr(value, name) for name in _PROTOCOLS)


def _unknown(value: Any, axes: int = 0) -> Any:
    """The first object in `value` that NumPy would go through item by item; None where there is none."""
    if isinstance(value, (list, tuple)):
        deeper = (v for v in value if type(v) not in _PLAIN) if axes < _MOST_AXES else ()
        return next((bad for v in deeper if (bad := _unknown(v, axes + 1)) is not None), None)
    known = is_array(value) or isinstance(value, (str, bytes, bytearray, range, dict))
    return value if not known and _has_items(value) and not _gives_memory(value) else None


def _has_items(value: Any) -> bool:
    return hasattr(type(value), "__len__") and hasattr(type(value), "__getitem__")


def _gives_memory(value: Any) -> bool:
    try:
        memoryview(value)
    except TypeError:
        return False
    return True
