"""C identifiers for the names in kernels, and C types.

Names are kept wherever C allows it, so that generated code shows the names of layers and operands.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache

from mochac.escaping import RESERVED_IN_C, unused, words
from mochac.ir.functions import convert
from mochac.ir.scalar import FUNCTIONS

C_TYPES = {**convert.C_TYPES, "bool": "bool"}

_TAKEN = "item threadIdx blockIdx blockDim gridDim warpSize min max dim3".split()


@cache
def _reserved() -> frozenset[str]:
    """Words that cannot name a value: C keywords, and the functions that rows of the scalar table call."""
    called = (re.findall(r"(?<![\w.])[A-Za-z_]\w*", text) for _, row in FUNCTIONS.items() for text in row.cuda.values())
    return RESERVED_IN_C.union(_TAKEN, *called)


class Names:
    """The identifiers of one kernel; each key keeps the identifier it got first."""

    def __init__(self) -> None:
        self._given: dict[object, str] = {}
        self._taken: set[str] = set()

    def of(self, key: object, wanted: str) -> str:
        """The identifier of `key`, close to the name `wanted`.

        >>> names = Names()
        >>> names.of(1, "conv1.dw"), names.of(2, "conv1_dw"), names.of(3, "float"), names.of(1, "other")
        ('conv1_dw', 'conv1_dw_2', 'float_', 'conv1_dw')
        """
        if key not in self._given:
            self._given[key] = self._free(identifier(wanted))
        return self._given[key]

    def _free(self, stem: str) -> str:
        name = unused(stem, self._taken)
        self._taken.add(name)
        return name


def identifier(text: str) -> str:
    """The nearest C identifier.

    >>> identifier("1.x"), identifier("for")
    ('v1_x', 'for_')
    """
    name = words(text, "v")
    name = f"v{name}" if name[0].isdigit() else name
    return f"{name}_" if name in _reserved() else name


def symbol(kernel_name: str, text: str) -> str:
    """The name of a kernel's function: layers and ops, with a digest if characters were dropped, to keep it unique.

    >>> symbol("conv1.conv+relu1", "")
    'mochac_conv1_conv_relu1'
    """
    plain = re.sub(r"[^A-Za-z0-9]+", "_", kernel_name).strip("_")
    if plain and re.fullmatch(r"[\w.+]+", kernel_name, flags=re.ASCII):
        return f"mochac_{plain}"
    digest = hashlib.blake2b((kernel_name + text).encode(), digest_size=4).hexdigest()
    return "_".join(part for part in ("mochac", plain, digest) if part)
