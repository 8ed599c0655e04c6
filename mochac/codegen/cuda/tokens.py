"""The words of CUDA C: identifiers for the names in kernels, types, and constants.

Names are kept wherever C allows it, so that generated code shows the names of layers and operands. Constants are
literals that nvcc and NVRTC accept without an include: floats with the fewest digits that round-trip, infinities and
NaN by their bits.
"""

from __future__ import annotations

import hashlib
import math
import re
from functools import cache

import numpy as np

from mochac.base.escaping import identifier, unused
from mochac.ir.functions import convert
from mochac.ir.kernel import Const
from mochac.ir.scalar import FUNCTIONS
from mochac.ir.types import DTYPES, PAIRS

C_TYPES = {**convert.C_TYPES, "bool": "bool", PAIRS: "unsigned int"}

_TAKEN = "item threadIdx blockIdx blockDim gridDim warpSize min max dim3".split()


@cache
def _reserved() -> frozenset[str]:
    """Words that cannot name a value: CUDA's, and the functions that rows of the scalar table call."""
    called = (re.findall(r"(?<![\w.])[A-Za-z_]\w*", text) for _, row in FUNCTIONS.items() for text in row.cuda.values())
    return frozenset(_TAKEN).union(*called)


_WORD = "[A-Za-z0-9]+(?:_[A-Za-z0-9]+)*"
_DISTINCT = re.compile(rf"{_WORD}(?:\.(?:map\.)?{_WORD})?(?:\.\d+)?(?:\+{_WORD})*(?:\.\d+)?(?:\.parts)?")
"""Names of kernels of layers without dots and double underscores."""
LONGEST = 200
"""Characters of a function's name without its digest; ptxas cuts long names."""


class Names:
    """The identifiers of one kernel; each key keeps the identifier it got first."""

    def __init__(self) -> None:
        self._identifiers: dict[object, str] = {}
        self._taken: set[str] = set()

    def of(self, key: object, wanted: str) -> str:
        """The identifier of `key`, close to the name `wanted`.

        >>> names = Names()
        >>> names.of(1, "conv1.dw"), names.of(2, "conv1_dw"), names.of(3, "float"), names.of(1, "other")
        ('conv1_dw', 'conv1_dw_2', 'float_', 'conv1_dw')
        """
        if key not in self._identifiers:
            name = identifier(wanted, "v")
            self._identifiers[key] = self._free(f"{name}_" if name in _reserved() else name)
        return self._identifiers[key]

    def _free(self, stem: str) -> str:
        name = unused(stem, self._taken)
        self._taken.add(name)
        return name


def symbol(kernel_name: str, text: str) -> str:
    """The name of a kernel's function: layers and ops, with a digest where names of two kernels could become one.

    >>> symbol("conv1.conv+relu1", ""), symbol("conv.1.conv+relu1", "")
    ('mochac_conv1_conv_relu1', 'mochac_conv_1_conv_relu1_42afa902')
    """
    plain = re.sub(r"[^A-Za-z0-9]+", "_", kernel_name).strip("_")[:LONGEST]
    if _DISTINCT.fullmatch(kernel_name) and len(kernel_name) < LONGEST:
        return f"mochac_{plain}"
    digest = hashlib.blake2b((kernel_name + text).encode(), digest_size=4).hexdigest()
    return "_".join(part for part in ("mochac", plain, digest) if part)


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
