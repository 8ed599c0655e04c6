"""Instructions that the printer chooses itself, where LLVM would choose slow ones.

dot4: instructions that multiply bytes in words and add the products: what CPUs have, and how LLVM calls it.

"vnni"   x86 with AVX512_VNNI: vpdpbusd, unsigned by signed bytes
"madd"   every other x86: pmaddwd, of even and of odd bytes as numbers of 16 bits, whose sums are exact
"sdot"   AArch64 with dot products: signed by signed bytes
"smlad"  ARM's DSP instructions, a word at a time: two products of numbers of 16 bits, added to a sum

high_product: the upper halves of products of 32-bit integers, in vectors of x86. Its products of 64 bits read the even
elements of two vectors. LLVM would extend both to vectors of twice the length.

replaced: instructions in place of intrinsics that a CPU lacks. LLVM would call functions of a mathematical library.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from mochac.ir.scalar import Emitter, Reg


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


ROUNDINGS = ("floor", "ceil", "trunc", "roundeven")
WHOLE = {"f32": 2.0**23, "f64": 2.0**52}
"""From this magnitude on, every number is an integer."""


def replaced(e: Emitter, name: str, args: tuple[Reg, ...]) -> Reg:
    """The value of an intrinsic: of a rounding, or of fma, which is rounded twice then."""
    if name == "fma":
        return e.binary("fadd", e.binary("fmul", args[0], args[1]), args[2])
    (x,) = args
    size = e.intrinsic("fabs", x)
    nearest = _nearest(e, size if name == "trunc" else x)
    one, zero = (e.const(value, x.dtype, x.lanes) for value in (1.0, 0.0))
    if name in ("floor", "trunc"):
        above = e.compare("fcmp", "ogt", nearest, size if name == "trunc" else x)
        nearest = e.binary("fsub", nearest, e.select(above, one, zero))
    elif name == "ceil":
        nearest = e.binary("fadd", nearest, e.select(e.compare("fcmp", "olt", nearest, x), one, zero))
    small = e.compare("fcmp", "olt", size, e.const(WHOLE[x.dtype], x.dtype, x.lanes))
    return e.select(small, e.intrinsic("copysign", nearest, x), x)


def _nearest(e: Emitter, x: Reg) -> Reg:
    """The nearest integer, the even one of two, of a number below WHOLE: adding WHOLE rounds all fractions away."""
    whole = e.intrinsic("copysign", e.const(WHOLE[x.dtype], x.dtype, x.lanes), x)
    return e.binary("fsub", e.binary("fadd", x, whole), whole)
