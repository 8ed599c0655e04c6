"""Constants as C literals that nvcc and NVRTC accept without an include.

Floats are written with the fewest digits that round-trip, infinities and NaN by their bits.
"""

from __future__ import annotations

import math

import numpy as np

from mochac.ir.kernel import Const
from mochac.ir.types import DTYPES

_SUFFIX = {"u32": "u", "i64": "ll", "u64": "ull"}
_SPECIAL = {
    "f32": ("__int_as_float(0x7f800000)", "__int_as_float(0x7fffffff)"),
    "f64": ("__longlong_as_double(0x7ff0000000000000ll)", "__longlong_as_double(0x7fffffffffffffffll)"),
}


def literal(const: Const) -> str:
    """A C expression; negative ones are in parentheses.

    >>> [literal(Const(v, "f32")) for v in (0.1, -2, 1e-20)], literal(Const(-128, "i8"))
    (['0.1f', '(-2.0f)', '1e-20f'], '(-128)')
    """
    if const.dtype == "bool":
        return "true" if const.value else "false"
    text = _float(float(const.value), const.dtype) if const.dtype in _SPECIAL else _integer(const)
    return f"({text})" if text.startswith("-") else text


def _float(value: float, dtype: str) -> str:
    infinity, nan = _SPECIAL[dtype]
    if math.isnan(value):
        return nan
    with np.errstate(over="ignore"):
        rounded = DTYPES[dtype].type(value)
    if np.isinf(rounded):
        return infinity if value > 0 else f"-{infinity}"
    return str(rounded) + ("f" if dtype == "f32" else "")


def _integer(const: Const) -> str:
    value, suffix = int(const.value), _SUFFIX.get(const.dtype, "")
    info = np.iinfo(DTYPES[const.dtype])
    if value == info.min and info.bits >= 32 and value < 0:
        return f"-{-(value + 1)}{suffix} - 1"  # C has no negative literals, and 2147483648 is not an int
    return f"{value}{suffix}"
