"""Integer arithmetic of quantized nets: sums rounded to 8 bits of another scale, and products of bytes in words.

    requantize(x, m, s) = floor(x * m / 2^s + 1/2)        in exact integers; halves are rounded up
    mul_high(x, m)      = floor(x * m / 2^32)
    half_up(x, s)       = floor(x / 2^(s + 1) + 1/2)
    narrow_i8(x)        = x clamped to -128..127

This defines the rounding of quantized nets: every backend computes these bits. The product has 64 bits; the s of
requantize is taken modulo 64 and must be >= 1, and its result is taken modulo 2^32. The s of half_up is at most 31.
From s = 33 on, requantize(x, m, s) = half_up(mul_high(x, m), s - 33), which takes few instructions of 32 bits.

    dot4_u8(a, b, c) = c + sum over k of u8(a, k) * i8(b, k)        byte k of a word: its bits 8 k .. 8 k + 7
    dot4_i8(a, b, c) = c + sum over k of i8(a, k) * i8(b, k)
    word_of(a, b, c, d) = the word of these bytes, a in its bits 0 .. 7

Sums wrap modulo 2^32. CPUs with VNNI have an instruction for the first, CPUs with NEON's dot products for the second.
Kernels call them as factors of contractions (ops/integer.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mochac.ir.functions.arith import less
from mochac.ir.scalar import Emitter, Function, Reg, function, to
from mochac.ir.types import DTYPES


def integers(dtypes: tuple[str, ...]) -> str:
    """Dtype rule: i32 everywhere."""
    if set(dtypes) != {"i32"}:
        raise ValueError(f"operands are {', '.join(dtypes)}, expected i32")
    return "i32"


def narrowed(target: str) -> Callable[[tuple[str, ...]], str]:
    """Dtype rule: i32 in, a narrower one out."""

    def rule(dtypes: tuple[str, ...]) -> str:
        integers(dtypes)
        return to(target)(dtypes)

    return rule


def numpy_requantize(x: Any, multiplier: Any, shift: Any) -> np.ndarray:
    places = np.asarray(shift).astype(np.int64) & 63
    with np.errstate(over="ignore"):
        half = np.left_shift(np.int64(1), (places - 1) & 63)
        product = np.asarray(x).astype(np.int64) * np.asarray(multiplier).astype(np.int64)
        return np.asarray(np.right_shift(product + half, places)).astype(np.int32)


def emit_requantize(e: Emitter, x: Reg, multiplier: Reg, shift: Reg) -> Reg:
    one, mask = (e.const(v, "i64", x.lanes) for v in (1, 63))
    places = e.binary("and", e.cast("zext", shift, "i64"), mask)
    half = e.binary("shl", one, e.binary("and", e.binary("sub", places, one), mask))
    product = e.binary("mul", e.cast("sext", x, "i64"), e.cast("sext", multiplier, "i64"))
    return e.cast("trunc", e.binary("ashr", e.binary("add", product, half), places), "i32")


def numpy_mul_high(x: Any, multiplier: Any) -> np.ndarray:
    return np.asarray((np.asarray(x).astype(np.int64) * np.asarray(multiplier).astype(np.int64)) >> 32).astype(np.int32)


def emit_mul_high(e: Emitter, x: Reg, multiplier: Reg) -> Reg:
    high = e.mul_high(x, multiplier)
    if high is not None:
        return high
    product = e.binary("mul", e.cast("sext", x, "i64"), e.cast("sext", multiplier, "i64"))
    return e.cast("trunc", e.binary("lshr", product, e.const(32, "i64", x.lanes)), "i32")


def numpy_half_up(x: Any, shift: Any) -> np.ndarray:
    halves = np.right_shift(np.asarray(x).astype(np.int64), np.asarray(shift).astype(np.int64))
    return np.asarray((halves + 1) >> 1).astype(np.int32)


def emit_half_up(e: Emitter, x: Reg, shift: Reg) -> Reg:
    """In 32 bits, (h + 1) >> 1 = (h >> 1) + (h & 1) for the halves h."""
    halves, one = e.binary("ashr", x, shift), e.const(1, "i32", x.lanes)
    return e.binary("add", e.binary("ashr", halves, one), e.binary("and", halves, one))


def numpy_narrow(target: str) -> Callable[[Any], np.ndarray]:
    limits = np.iinfo(DTYPES[target])
    return lambda x: np.clip(x, limits.min, limits.max).astype(DTYPES[target])


def emit_narrow(target: str) -> Callable[[Emitter, Reg], Reg]:
    limits = np.iinfo(DTYPES[target])

    def emit(e: Emitter, x: Reg) -> Reg:
        low, high = (e.const(int(v), "i32", x.lanes) for v in (limits.min, limits.max))
        x = e.select(less(e, x, low), low, x)
        return e.cast("trunc", e.select(less(e, high, x), high, x), target)

    return emit


PRODUCT = "(unsigned long long)((long long){0} * (long long){1})"
HALF = "(1ull << (({2} - 1) & 63))"

function(
    Function(
        name="requantize",
        arity=3,
        result=integers,
        numpy=numpy_requantize,
        llvm=emit_requantize,
        cuda={"": f"((int)((long long)({PRODUCT} + {HALF}) >> ({{2}} & 63)))"},
        domain=((-(2**24), 2**24), (2**30, 2**31 - 1), (31, 47)),
    )
)
function(
    Function(
        name="mul_high",
        arity=2,
        result=integers,
        numpy=numpy_mul_high,
        llvm=emit_mul_high,
        cuda={"": "((int)((long long){0} * (long long){1} >> 32))"},
        domain=((-(2**24), 2**24), (2**30, 2**31 - 1)),
        commutative=True,
    )
)
function(
    Function(
        name="half_up",
        arity=2,
        result=integers,
        numpy=numpy_half_up,
        llvm=emit_half_up,
        cuda={"": "((({0} >> {1}) >> 1) + (({0} >> {1}) & 1))"},
        domain=((-(2**30), 2**30), (0, 31)),
    )
)
for _target, _type in (("i8", "signed char"), ("u8", "unsigned char")):
    _limits = np.iinfo(DTYPES[_target])
    _bounds = f"{{0}} < {_limits.min} ? {_limits.min} : {{0}} > {_limits.max} ? {_limits.max} : {{0}}"
    function(
        Function(
            name=f"narrow_{_target}",
            arity=1,
            result=narrowed(_target),
            numpy=numpy_narrow(_target),
            llvm=emit_narrow(_target),
            cuda={"": f"(({_type})({_bounds}))"},
            domain=((-400, 400),),
            monotone=True,
        )
    )


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


def word(dtypes: tuple[str, ...]) -> str:
    """Dtype rule: four bytes of one kind in, a word out."""
    if dtypes not in (("u8",) * BYTES, ("i8",) * BYTES):
        raise ValueError(f"operands are {', '.join(dtypes)}, expected four of i8 or u8")
    return "u32"


def numpy_word(*parts: Any) -> np.ndarray:
    total = np.zeros((), np.uint32)
    for k, x in enumerate(parts):
        total = total | np.asarray(x).astype(np.uint8).astype(np.uint32) << np.uint32(8 * k)
    return np.asarray(total, np.uint32)


def emit_word(e: Emitter, *parts: Reg) -> Reg:
    total = e.cast("zext", parts[0], "u32")
    for k, x in enumerate(parts[1:], 1):
        up = e.binary("shl", e.cast("zext", x, "u32"), e.const(8 * k, "u32", x.lanes))
        total = e.binary("or", total, up)
    return total


function(
    Function(
        name="word_of",
        arity=BYTES,
        result=word,
        numpy=numpy_word,
        llvm=emit_word,
        cuda={"": "(" + " | ".join(f"(unsigned int)(unsigned char){{{k}}} << {8 * k}" for k in range(BYTES)) + ")"},
        domain=((0, 127),) * BYTES,
    )
)
