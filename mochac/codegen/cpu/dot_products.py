"""Instructions that multiply bytes in words and add the products: what CPUs have, and how LLVM calls it.

"vnni"   x86 with AVX512_VNNI: vpdpbusd, unsigned by signed bytes
"madd"   every other x86: pmaddwd, of even and of odd bytes as numbers of 16 bits, whose sums are exact
"sdot"   AArch64 with dot products: signed by signed bytes
"smlad"  ARM's DSP instructions, a word at a time: two products of numbers of 16 bits, added to a sum
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from mochac.ir.scalar import Reg


class DotInstructions(Protocol):
    """What is needed of the emitter."""

    def declare(self, text: str) -> None: ...
    def emit(self, instruction: str, dtype: str, lanes: int = 1) -> Reg: ...
    def binary(self, opcode: str, a: Reg, b: Reg) -> Reg: ...
    def once(self, key: object, make: Callable[[], Reg]) -> Reg: ...


MADD = {4: "sse2.pmadd.wd", 8: "avx2.pmadd.wd", 16: "avx512.pmaddw.d.512"}
"""Intrinsics by the words of a vector."""


def dot4(e: DotInstructions, how: str, vector_bytes: int, words: tuple[Reg, Reg, Reg], signed: bool) -> Reg | None:
    """c and the products of the bytes of a and b; None if there is no instruction for these vectors.

    Args:
        words: a, b, c.
    """
    lanes = words[2].lanes
    if how == "smlad":
        return _by_words(e, words, signed)
    if lanes not in MADD or 4 * lanes > vector_bytes:
        return None
    if how == "vnni" and not signed:
        return _called(e, f"llvm.x86.avx512.vpdpbusd.{32 * lanes}", words)
    if how == "sdot" and signed and lanes == min(MADD):
        return _called(e, "llvm.aarch64.neon.sdot.v4i32.v16i8", words)
    return _madd(e, words, signed) if how in ("vnni", "madd") else None


def _called(e: DotInstructions, symbol: str, words: tuple[Reg, Reg, Reg]) -> Reg:
    """A call that takes the sums and two vectors of bytes."""
    a, b, c = words
    sums, bytes_ = f"<{c.lanes} x i32>", f"<{4 * c.lanes} x i8>"
    e.declare(f"declare {sums} @{symbol}({sums}, {bytes_}, {bytes_})")
    first, second = (_seen_as(e, x, bytes_, 4 * c.lanes) for x in (a, b))
    return e.emit(
        f"call {sums} @{symbol}({sums} {c.text}, {bytes_} {first.text}, {bytes_} {second.text})", c.dtype, c.lanes
    )


def _by_words(e: DotInstructions, words: tuple[Reg, Reg, Reg], signed: bool) -> Reg:
    """The sums one by one."""
    a, b, c = words
    if c.lanes == 1:
        return _smlad(e, a, b, c, signed)
    whole = Reg("poison", c.dtype, c.lanes)
    for k in range(c.lanes):
        total = _smlad(e, _lane(e, a, k), _lane(e, b, k), _lane(e, c, k), signed)
        vector = f"insertelement <{c.lanes} x i32> {whole.text}, i32 {total.text}, i32 {k}"
        whole = e.emit(vector, c.dtype, c.lanes)
    return whole


def _lane(e: DotInstructions, x: Reg, k: int) -> Reg:
    if x.lanes == 1:
        return x
    return e.once(("lane", x.text, k), lambda: e.emit(f"extractelement <{x.lanes} x i32> {x.text}, i32 {k}", x.dtype))


def _smlad(e: DotInstructions, a: Reg, b: Reg, c: Reg, signed: bool) -> Reg:
    e.declare("declare i32 @llvm.arm.smlad(i32, i32, i32)")
    for odd in (False, True):
        x, y = _bytes(e, a, signed, odd), _bytes(e, b, True, odd)
        c = e.emit(f"call i32 @llvm.arm.smlad(i32 {x.text}, i32 {y.text}, i32 {c.text})", c.dtype)
    return c


def _bytes(e: DotInstructions, word: Reg, signed: bool, odd: bool) -> Reg:
    """The even or the odd bytes of a word as two numbers of 16 bits."""
    symbol = "sxtb16" if signed else "uxtb16"
    e.declare(f"declare i32 @llvm.arm.{symbol}(i32)")
    e.declare("declare i32 @llvm.fshr.i32(i32, i32, i32)")

    def made() -> Reg:
        x = word.text
        if odd:
            x = e.emit(f"call i32 @llvm.fshr.i32(i32 {x}, i32 {x}, i32 8)", word.dtype).text
        return e.emit(f"call i32 @llvm.arm.{symbol}(i32 {x})", word.dtype)

    return e.once(("bytes", word.text, signed, odd), made)


def _madd(e: DotInstructions, words: tuple[Reg, Reg, Reg], signed: bool) -> Reg:
    """Sums of products of even bytes, and of odd ones."""
    a, b, c = words
    first, second = _halves(e, a, signed), _halves(e, b, True)
    for x, y in zip(first, second, strict=True):
        c = e.binary("add", c, _pairs(e, x, y, c.lanes))
    return c


def _pairs(e: DotInstructions, x: Reg, y: Reg, lanes: int) -> Reg:
    symbol, sums, halves = f"llvm.x86.{MADD[lanes]}", f"<{lanes} x i32>", f"<{2 * lanes} x i16>"
    e.declare(f"declare {sums} @{symbol}({halves}, {halves})")
    return e.emit(f"call {sums} @{symbol}({halves} {x.text}, {halves} {y.text})", "i32", lanes)


def _halves(e: DotInstructions, word: Reg, signed: bool) -> tuple[Reg, Reg]:
    """The even and the odd bytes of words, as numbers of 16 bits; those of words that are used again are kept."""
    return (
        e.once(("even bytes", word.text, word.lanes, signed), lambda: _half(e, word, signed, odd=False)),
        e.once(("odd bytes", word.text, word.lanes, signed), lambda: _half(e, word, signed, odd=True)),
    )


def _half(e: DotInstructions, word: Reg, signed: bool, odd: bool) -> Reg:
    count = 2 * word.lanes
    kind = f"<{count} x i16>"
    whole = _seen_as(e, word, kind, count)

    def shifted(opcode: str, x: Reg) -> Reg:
        return e.emit(f"{opcode} {kind} {x.text}, splat (i16 8)", "i16", count)

    if signed:
        return shifted("ashr", whole if odd else shifted("shl", whole))
    return shifted("lshr", whole) if odd else e.emit(f"and {kind} {whole.text}, splat (i16 255)", "i16", count)


def _seen_as(e: DotInstructions, word: Reg, kind: str, lanes: int) -> Reg:
    """The bits of a word as a vector of another type."""
    source = f"<{word.lanes} x i32>"
    return e.once(
        ("seen as", word.text, kind), lambda: e.emit(f"bitcast {source} {word.text} to {kind}", word.dtype, lanes)
    )
