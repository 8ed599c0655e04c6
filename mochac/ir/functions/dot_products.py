"""dot4_u8, dot4_i8: the products of four bytes in a word with four signed bytes in another, added to a sum.

    dot4_u8(a, b, c) = c + sum over k of u8(a, k) * i8(b, k)        byte k of a word: its bits 8 k .. 8 k + 7
    dot4_i8(a, b, c) = c + sum over k of i8(a, k) * i8(b, k)

Sums wrap modulo 2^32. CPUs with VNNI have an instruction for the first, those with NEON's dot products for the second.
Kernels call them, as factors of contractions (ops/integer_conv.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mochac.ir.scalar import Emitter, Function, Reg, function

BYTES = 4
"""Bytes of a word."""


def sums(dtypes: tuple[str, ...]) -> str:
    """Dtype rule: two words, and a sum."""
    if dtypes != ("u32", "u32", "i32"):
        raise ValueError(f"operands are {', '.join(dtypes)}, expected u32, u32, i32")
    return "i32"


def definition(signed: bool) -> Callable[[Any, Any, Any], np.ndarray]:
    def dot4(a: Any, b: Any, c: Any) -> np.ndarray:
        total = np.asarray(c, np.int32)
        with np.errstate(over="ignore"):
            for k in range(BYTES):
                first = (np.asarray(a, np.uint32) >> np.uint32(8 * k)).astype(np.int8 if signed else np.uint8)
                second = (np.asarray(b, np.uint32) >> np.uint32(8 * k)).astype(np.int8)
                total = total + first.astype(np.int32) * second.astype(np.int32)
        return total

    return dot4


def emitter(signed: bool) -> Callable[[Emitter, Reg, Reg, Reg], Reg]:
    def emit(e: Emitter, a: Reg, b: Reg, c: Reg) -> Reg:
        """The CPU's instructions, or a multiplication for each byte."""
        total = e.dot4(a, b, c, signed)
        if total is not None:
            return total
        for k in range(BYTES):
            product = e.binary("mul", byte(e, a, k, signed), byte(e, b, k, True))
            c = e.binary("add", c, product)
        return c

    return emit


def byte(e: Emitter, word: Reg, k: int, signed: bool) -> Reg:
    """Byte k of a word, extended to 32 bits."""
    up = e.const(8 * (BYTES - 1 - k), "u32", word.lanes)
    down = e.const(8 * (BYTES - 1), "u32", word.lanes)
    high = e.binary("shl", word, up) if k < BYTES - 1 else word
    return Reg(e.binary("ashr" if signed else "lshr", high, down).text, "i32", word.lanes)


TERMS = " + ".join(f"({{kind}})({{{{0}}}} >> {8 * k}) * (signed char)({{{{1}}}} >> {8 * k})" for k in range(BYTES))

for _signed, _kind in ((False, "unsigned char"), (True, "signed char")):
    function(
        Function(
            name=f"dot4_{'i8' if _signed else 'u8'}",
            arity=3,
            result=sums,
            numpy=definition(_signed),
            llvm=emitter(_signed),
            cuda={"": f"((int)((unsigned int){{2}} + (unsigned int)({TERMS.format(kind=_kind)})))"},
            domain=((0, 2**31 - 1), (0, 2**31 - 1), (-(2**20), 2**20)),
        )
    )
