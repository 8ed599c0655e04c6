"""Arrays by name from an object that holds weights: a state_dict, an object that has one, nested mappings, an open
.npz.

Tensors of any library are read through their own methods, so none of them is imported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from mochac.base.errors import OptionError
from mochac.base.support.array_like import as_array, widened

WRAPPERS = ("_orig_mod.", "module.")
"""Prefixes that torch.compile and DataParallel put before every name."""
_CHECKPOINTS = ("state_dict", "model_state_dict", "model")


def named_arrays(source: Any) -> dict[str, np.ndarray]:
    """Arrays by dotted name, in the order of `source`; what torch.compile and DataParallel put before names is removed.

    Raises:
        OptionError: `source` is of another kind, or an entry is not an array of real numbers.

    >>> named_arrays({"ip1": {"weight": [[1.0]]}, "ip2.bias": [2.0]})
    {'ip1.weight': array([[1.]]), 'ip2.bias': array([2.])}
    """
    state = source.state_dict() if callable(getattr(source, "state_dict", None)) else source
    if not isinstance(state, Mapping):
        expected = "a file name, a dictionary of arrays, or an object with state_dict()"
        raise OptionError("load: no parameters in this", expected=expected, got=type(source).__name__)
    for name in _CHECKPOINTS:
        inner = state.get(name)
        if isinstance(inner, Mapping) and inner and all("." in str(key) for key in inner):
            got = ", ".join(map(str, state))
            raise OptionError(
                "load: this is a checkpoint, not a state_dict", got=got, hint=f"load(checkpoint[{name!r}])"
            )
    flat = dict(_flat(state))
    for wrapper in WRAPPERS:
        if flat and all(name.startswith(wrapper) for name in flat):
            flat = {name.removeprefix(wrapper): value for name, value in flat.items()}
    return {name: _array(name, value) for name, value in flat.items()}


def _flat(state: Mapping[Any, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in state.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _array(name: str, value: Any) -> np.ndarray:
    """A tensor or array as a NumPy array; half precision and bfloat16, which NumPy may not know, become float32."""
    for step in ("detach", "cpu"):
        value = getattr(value, step)() if callable(getattr(value, step, None)) else value
    try:
        array = as_array(widened(value), f"load: {name}")
    except (TypeError, ValueError) as error:
        raise OptionError(str(error)) from None
    if array.dtype.kind not in "fiub":
        raise OptionError(f"load: {name} is not an array of numbers", got=_kind(value, array))
    return array.astype(np.float32) if array.dtype == np.float16 else array


def _kind(value: Any, array: np.ndarray) -> str:
    return str(array.dtype) if hasattr(value, "dtype") else type(value).__name__
