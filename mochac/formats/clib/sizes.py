"""Sizes: of the code in object files, and of the parts of a library that take most memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mochac.formats.clib.memory import KeptArray
from mochac.formats.clib.plans import CpuPlan
from mochac.formats.clib.request import Request
from mochac.runtime.cpu.perf_map import read_functions

_WASM, _CODE = b"\0asm", 10
MOST = 5
"""How many of the largest are listed."""


def code_bytes(images: Iterable[bytes]) -> int:
    """Bytes of the functions of some objects, each counted once."""
    return sum(_wasm_bytes(i) if i[:4] == _WASM else sum(f.size for f in read_functions(i)) for i in set(images))


def _wasm_bytes(image: bytes) -> int:
    """The size of the section of code."""
    at = len(_WASM) + 4
    while at < len(image):
        kind, (size, begin) = image[at], _number(image, at + 1)
        if kind == _CODE:
            return size
        at = begin + size
    return 0


def _number(image: bytes, at: int) -> tuple[int, int]:
    """A number in LEB128, and where it ends."""
    value = shift = 0
    while True:
        byte = image[at]
        value, shift, at = value | (byte & 127) << shift, shift + 7, at + 1
        if byte < 128:
            return value, at


def largest(sizes: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """The largest of some named sizes, those of one name together.

    >>> largest([("conv1", 5), ("ip1", 9), ("conv1", 6)])
    [('conv1', 11), ('ip1', 9)]
    """
    total: dict[str, int] = {}
    for name, n_bytes in sizes:
        total[name] = total.get(name, 0) + n_bytes
    return sorted(total.items(), key=lambda row: -row[1])[:MOST]


def in_arena(plan: CpuPlan) -> list[tuple[str, int]]:
    """The largest values in the arena of a plan."""
    return largest([(p.name, p.type.storage_bytes) for p in plan.plan.placements if p.place == "arena"])


def weights_of(request: Request, arrays: Sequence[KeptArray]) -> list[tuple[str, int]]:
    """Bytes of the parameters and tables of a library, by layer or name."""
    keys = {p.value: p.key for p in (*request.net.params, *request.net.states)}
    return [(keys.get(k.name, k.name), k.type.storage_bytes) for k in arrays if k.role != "slot"]
