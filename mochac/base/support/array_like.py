"""Convert what users pass as an array to a NumPy array: arrays of any library, lists and tuples. np.asarray alone would
read any object that has a length item by item, and never return if the items never end.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

_PLAIN = frozenset({int, float, bool, complex, str, bytes, type(None), *np.sctypeDict.values()})
_PROTOCOLS = ("__array__", "__array_interface__", "__array_struct__")
NO_NUMBERS = {"c": "complex numbers", "U": "text", "S": "bytes", "M": "dates", "m": "durations"}
"""Kinds of arrays that NumPy would convert to numbers that the user does not mean."""
_MOST_AXES = 64
"""NumPy refuses more."""


class NotAnArray(ValueError):
    """The value is not an array; the message says what it is."""


def as_array(value: Any, what: str = "", dtype: DTypeLike | None = None) -> np.ndarray:
    """`value` as an array, without a copy if possible.

    Accepts objects with `__array__` (tensors, Series, data frames, HDF5 datasets) or `__dlpack__` (tensors of any
    library, in memory of the CPU), objects that expose their memory (memoryview, array.array), ranges, numbers and
    text, and lists and tuples of all these.

    Args:
        what: how the message begins, such as "array 0" or "the input"; "" if the caller's own message names it.

    Raises:
        NotAnArray: another object with a length and items; a tensor that cannot be read; rows of different lengths;
            values that are not numbers of that dtype; masked elements, which NumPy would read as what the mask hides.

    >>> as_array([1, 2.5], "x").tolist()
    [1.0, 2.5]
    >>> from collections import deque
    >>> as_array(deque([1, 2]), "x")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    mochac...NotAnArray: x is of type deque, not an array; make one of its items, such as np.stack([...])
    """
    if (unknown := _unknown(value)) is not None:
        if _is_masked(unknown):
            raise NotAnArray(f"{what or 'it'} has {_masked(unknown)} masked elements; fill them, such as a.filled(0)")
        head = f"{what} {'is of' if unknown is value else 'holds objects of'} " if what else ""
        kind = type(unknown).__name__
        raise NotAnArray(f"{head}type {kind}, not an array; make one of its items, such as np.stack([...])")
    try:
        return np.asarray(np.from_dlpack(value) if _only_dlpack(value) else value, dtype)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:  # RuntimeError: of a tensor with a gradient
        raise NotAnArray(f"{what} cannot be read as an array: {error}" if what else str(error)) from None


def widened(value: Any) -> Any:
    """A bfloat16 array or tensor as float32, since NumPy may not know its type; anything else as it is."""
    if "bfloat16" not in str(getattr(value, "dtype", "")):
        return value
    return value.float() if callable(getattr(value, "float", None)) else value.astype(np.float32)


def is_array(value: Any) -> bool:
    """Whether it is a NumPy array, or an array of another library that NumPy can read."""
    return any(hasattr(value, name) for name in (*_PROTOCOLS, "__dlpack__"))


def _only_dlpack(value: Any) -> bool:
    """Whether NumPy can read it only by DLPack."""
    return hasattr(value, "__dlpack__") and not any(hasattr(value, name) for name in _PROTOCOLS)


def _unknown(value: Any, axes: int = 0) -> Any:
    """The first object in `value` that NumPy would read item by item, or through its mask; None if there is none."""
    if isinstance(value, (list, tuple)):
        deeper = (v for v in value if type(v) not in _PLAIN) if axes < _MOST_AXES else ()
        return next((bad for v in deeper if (bad := _unknown(v, axes + 1)) is not None), None)
    if _is_masked(value):
        return value if _masked(value) else None
    known = is_array(value) and not (axes and _only_dlpack(value))
    known = known or isinstance(value, (str, bytes, bytearray, range, dict))
    return value if not known and _has_items(value) and not _gives_memory(value) else None


def _is_masked(value: Any) -> bool:
    """Whether it is a masked array; numpy.ma, which takes as long to import as a tenth of NumPy, is not imported."""
    known = sys.modules.get("numpy.ma")
    return known is not None and isinstance(value, known.MaskedArray)


def _masked(value: Any) -> int:
    """The number of elements that the mask hides."""
    return int(np.ma.count_masked(value))


def _has_items(value: Any) -> bool:
    return hasattr(type(value), "__len__") and hasattr(type(value), "__getitem__")


def _gives_memory(value: Any) -> bool:
    try:
        memoryview(value)
    except TypeError:
        return False
    return True
