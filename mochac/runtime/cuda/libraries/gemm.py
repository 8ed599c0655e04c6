"""Gemm: a product of a plan in the terms of BLAS, whose matrices are column-major.

A row-major matrix is its transpose there, so y = x w^T is computed as y^T = w x^T.
"""

from __future__ import annotations

from mochac.base.records import record
from mochac.runtime.cuda.driver import DeviceError
from mochac.runtime.cuda.libraries.library import LibraryCall


@record
class Gemm:
    """C (m, n) = op(A) op(B), column-major.

    Attributes:
        a, b: which of the two operands is A, and which is B.
        turn_a, turn_b: whether op transposes A and B.
    """

    m: int
    n: int
    k: int
    a: int
    b: int
    turn_a: bool
    turn_b: bool

    @property
    def stored_a(self) -> tuple[int, int]:
        """Rows and columns in memory; the number of rows is the leading dimension."""
        return (self.k, self.m) if self.turn_a else (self.m, self.k)

    @property
    def stored_b(self) -> tuple[int, int]:
        """Rows and columns of B as they are stored."""
        return (self.n, self.k) if self.turn_b else (self.k, self.n)


def gemm_of(call: LibraryCall) -> Gemm:
    """The product that a node computes.

        inner_product     y (N,O) = x (N,F) w (O,F)^T     y^T = w x^T
        inner_product_dx  dx (N,F) = dy (N,O) w (O,F)     dx^T = w^T dy^T
        inner_product_dw  dw (O,F) = dy (N,O)^T x (N,F)   dw^T = x^T dy

    >>> from mochac.ir.types import parse_type
    >>> types = tuple(map(parse_type, ("f32[b64,800]", "f32[500,800]", "f32[b64,500]")))
    >>> gemm_of(LibraryCall("cublas.gemm", "inner_product", {}, types))
    Gemm(m=500, n=64, k=800, a=1, b=0, turn_a=True, turn_b=False)
    """
    first, second, out = (call.types[i].shape for i in (0, 1, -1))
    if call.of == "inner_product":
        (n, f), (o, _) = first, second
        return Gemm(o, n, f, 1, 0, True, False)
    if call.of == "inner_product_dx":
        (n, o), (_, f) = first, second
        return Gemm(f, n, o, 1, 0, False, False)
    if call.of != "inner_product_dw":
        raise DeviceError(f"cuBLAS computes no {call.of}")
    n, (o, f) = first[0], out
    return Gemm(f, o, n, 0, 1, False, True)
