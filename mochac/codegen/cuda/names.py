"""C identifiers for the names in kernels, and C types.

Names are kept wherever C allows it, so that generated code shows the names of layers and operands.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache

from mochac.base.escaping import identifier, unused
from mochac.ir.functions import convert
from mochac.ir.scalar import FUNCTIONS
from mochac.ir.types import PAIRS

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
