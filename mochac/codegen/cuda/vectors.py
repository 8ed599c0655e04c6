"""Loops run as vectors: copies of 16 bytes at once, between memory and registers of a vector type.

The statement printer asks. A vector loop holds one copy or sets one value; what it reads and writes in memory lies
together and begins at a multiple of 16 bytes, as storage does. It prints no statements.
"""

from __future__ import annotations

from collections.abc import Sequence

from mochac.codegen.cuda.indices import flat
from mochac.codegen.cuda.names import C_TYPES
from mochac.errors import InternalError
from mochac.ir.kernel import Buffer, If, Kernel, Load, Loop, Stmt, Store, access, walk
from mochac.ir.types import DTYPES

BYTES = 16
"""The widest access of a thread."""
TYPES = ("f32", "f64", "i32")
"""Element types that CUDA has vectors of by the same name."""


def type_of(buffer: Buffer, count: int) -> str:
    """float4, double2, ..."""
    return f"{C_TYPES[buffer.type.dtype]}{count}"


def made(buffer: Buffer, elements: Sequence[str]) -> str:
    """A vector of these elements, of the buffer's type."""
    return f"make_{type_of(buffer, len(elements))}({', '.join(elements)})"


def elements(vector: str, count: int) -> list[str]:
    """Those of a vector.

    >>> elements("x", 2)
    ['x.x', 'x.y']
    """
    return [f"{vector}.{member}" for member in "xyzw"[:count]]


def find(kernel: Kernel) -> dict[str, int]:
    """Registers that vector loops use, by the number of elements of a vector: of a vector type, if nothing else uses
    them (`rows` has the others).

    Raises:
        InternalError: a vector loop does more than copy, or not in whole vectors.
    """
    buffers, widths = kernel.buffers(), dict[str, int]()
    for loop in walk(kernel.body):
        if not isinstance(loop, Loop) or loop.run != "vector":
            continue
        *loads, store = loop.body
        if not isinstance(store, Store) or len(loads) > 1 or not all(isinstance(s, Load) for s in loads):
            raise InternalError(f"kernel @{kernel.name}: vector loop {loop.var!r} is not one copy")
        for stmt in loop.body:
            where = access(stmt)
            assert where is not None
            buffer = buffers[where[0]]
            if buffer.space == "register":
                widths[buffer.name] = loop.extent or 0
            elif not _whole(buffer, loop, flat(buffer, where[1]).terms, flat(buffer, where[1]).const):
                raise InternalError(f"kernel @{kernel.name}: vector loop {loop.var!r} of %{buffer.name} is not aligned")
    return widths


def rows(kernel: Kernel) -> frozenset[str]:
    """Registers that vector loops use, whose elements are used one by one too: arrays."""
    alone: set[str] = set()

    def visit(body: tuple[Stmt, ...]) -> None:
        for s in body:
            where = access(s)
            if isinstance(s, (Loop, If)) and not (isinstance(s, Loop) and s.run == "vector"):
                visit(s.body)
            elif where is not None:
                alone.add(where[0])

    visit(kernel.body)
    return frozenset(alone.intersection(find(kernel)))


def _whole(buffer: Buffer, loop: Loop, terms: tuple[tuple[str, int], ...], const: int) -> bool:
    wide, size = loop.extent or 0, DTYPES[buffer.type.dtype].itemsize
    rest = (c for v, c in terms if v != loop.var)
    fits = buffer.type.dtype in TYPES and wide * size in (BYTES // 2, BYTES)
    return fits and dict(terms).get(loop.var) == 1 and not any(c % wide for c in (const, *rest))
