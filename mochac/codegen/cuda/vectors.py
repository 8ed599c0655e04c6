"""Vector loops: copies of up to 16 bytes at once, between memory and registers of a vector type.

A vector loop holds one copy or sets one value. What it accesses in memory is contiguous and aligned to the size of the
vector: memory begins at a multiple of 16 bytes or, in a loop over time, at a multiple of its own size, which must
therefore be one of the vector's size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mochac.base.errors import InternalError
from mochac.codegen.cuda.indices import flat
from mochac.codegen.cuda.tokens import C_TYPES
from mochac.ir.kernel import Buffer, If, Kernel, Load, Loop, Stmt, Store, access, walk
from mochac.ir.types import DTYPES

BYTES = 16
"""The widest access of a thread, in bytes."""
TYPES = ("f32", "f64", "i32")
"""Element types for which CUDA has vector types."""


def type_of(buffer: Buffer, count: int) -> str:
    """The vector type: float4, double2, ..."""
    return f"{C_TYPES[buffer.type.dtype]}{count}"


def made(buffer: Buffer, elements: Sequence[str]) -> str:
    """A vector of the buffer's type with these elements."""
    return f"make_{type_of(buffer, len(elements))}({', '.join(elements)})"


def elements(vector: str, count: int) -> list[str]:
    """The elements of a vector.

    >>> elements("x", 2)
    ['x.x', 'x.y']
    """
    return [f"{vector}.{member}" for member in "xyzw"[:count]]


def find(kernel: Kernel) -> dict[str, int]:
    """Registers that are declared as vectors, with their number of elements: those only vector loops use.

    `rows` returns the others that vector loops use.

    Raises:
        InternalError: a vector loop is not a copy, or not of whole vectors.
    """
    buffers, widths = kernel.buffers(), dict[str, int]()
    why = misaligned(kernel)
    if why:
        raise InternalError(f"kernel @{kernel.name}: {why}")
    for loop in _loops(kernel):
        *loads, store = loop.body
        if not isinstance(store, Store) or len(loads) > 1 or not all(isinstance(s, Load) for s in loads):
            raise InternalError(f"kernel @{kernel.name}: vector loop {loop.var!r} is not one copy")
        accessed = (where[0] for s in loop.body if (where := access(s)) is not None)
        widths.update({name: loop.extent or 0 for name in accessed if buffers[name].space == "register"})
    return widths


def misaligned(kernel: Kernel) -> str:
    """What vector loops access in memory that is not a whole vector; "" if there is nothing."""
    buffers = kernel.buffers()
    for loop in _loops(kernel):
        for name, index in (where for s in loop.body if (where := access(s)) is not None):
            place = flat(buffers[name], index)
            if buffers[name].space != "register" and not _whole(buffers[name], loop, place.terms, place.const):
                return f"vector loop {loop.var!r} of %{name} is not aligned"
    return ""


def _loops(kernel: Kernel) -> Iterator[Loop]:
    return (s for s in walk(kernel.body) if isinstance(s, Loop) and s.run == "vector")


def rows(kernel: Kernel) -> frozenset[str]:
    """Registers that vector loops use but whose elements are also used one by one: they are arrays."""
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
    fits = buffer.type.dtype in TYPES and wide * size in (BYTES // 2, BYTES) and buffer.type.elems % wide == 0
    return fits and dict(terms).get(loop.var) == 1 and not any(c % wide for c in (const, *rest))
