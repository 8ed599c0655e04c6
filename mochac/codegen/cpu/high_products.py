"""The upper halves of products of 32-bit integers, in vectors of x86.

Its products of 64 bits read the even elements of two vectors. LLVM would extend both to vectors of twice the length.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from mochac.ir.scalar import Reg

LANES = (4, 8, 16)
"""Elements of the vectors that this takes."""


class Emits(Protocol):
    """What is needed of the emitter."""

    def emit(self, instruction: str, dtype: str, lanes: int = 1) -> Reg: ...
    def once(self, key: object, make: Callable[[], Reg]) -> Reg: ...


def high_product(e: Emits, a: Reg, b: Reg) -> Reg:
    """The upper 32 bits of a * b, element by element."""
    n = a.lanes // 2
    wide, narrow = f"<{n} x i64>", f"<{a.lanes} x i32>"

    def op(text: str) -> Reg:
        return e.emit(text, "i64", n)

    def factors(x: Reg) -> tuple[Reg, Reg]:
        pairs = e.once(("pairs", x.text), lambda: op(f"bitcast {narrow} {x.text} to {wide}"))
        up = e.once(("even up", x.text), lambda: op(f"shl {wide} {pairs.text}, splat (i64 32)"))
        even = e.once(("even", x.text), lambda: op(f"ashr {wide} {up.text}, splat (i64 32)"))
        return even, e.once(("odd", x.text), lambda: op(f"ashr {wide} {pairs.text}, splat (i64 32)"))

    (a_even, a_odd), (b_even, b_odd) = factors(a), factors(b)
    even, odd = (op(f"mul {wide} {x.text}, {y.text}") for x, y in ((a_even, b_even), (a_odd, b_odd)))
    first, second = (e.emit(f"bitcast {wide} {x.text} to {narrow}", "i32", a.lanes) for x in (even, odd))
    order = ", ".join(f"i32 {a.lanes + k if k % 2 else k + 1}" for k in range(a.lanes))
    mixed = f"shufflevector {narrow} {first.text}, {narrow} {second.text}, <{a.lanes} x i32> <{order}>"
    return e.emit(mixed, "i32", a.lanes)
