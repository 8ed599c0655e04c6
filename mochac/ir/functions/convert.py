"""Conversions from any dtype (to_f32 to_f64 to_i8 to_u8 to_i16 to_i32 to_u32 to_i64 to_u64), and pairs of bfloat16.

Conversions of floats to integers truncate; the result must fit (it is undefined in C and NumPy otherwise). Index
operands of kernels have dtype i32. The cotangent of a conversion between floats is converted back; no gradient flows
through integers.

`pair` rounds two float32 numbers to bfloat16, as one element; `dot2` adds the products of two such pairs to a sum. CPUs
with AVX512_BF16 have an instruction for each; the code for others computes the same bits with several. Both are for
factors of contractions and have no gradient: contractions have theirs (passes/pair_factors.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mochac.ir import bfloat16
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.ir.scalar import Emitter, Function, Reg, function, to
from mochac.ir.types import DTYPES, FLOATS

C_TYPES = {
    "f32": "float",
    "f64": "double",
    "i8": "signed char",
    "u8": "unsigned char",
    "i16": "short",
    "i32": "int",
    "u32": "unsigned int",
    "i64": "long long",
    "u64": "unsigned long long",
}


def opcode_of(source: str, target: str) -> str:
    """The LLVM cast between two different dtypes; "" if the bits stay the same."""
    unsigned = source[0] in "ub"
    if source in FLOATS and target in FLOATS:
        return "fpext" if target == "f64" else "fptrunc"
    if source in FLOATS:
        return "fptoui" if target[0] == "u" else "fptosi"
    if target in FLOATS:
        return "uitofp" if unsigned else "sitofp"
    before = 0 if source == "bool" else DTYPES[source].itemsize
    after = DTYPES[target].itemsize
    if before == after:
        return ""
    return "trunc" if after < before else ("zext" if unsigned else "sext")


def emitter(target: str) -> Callable[[Emitter, Reg], Reg]:
    def emit(e: Emitter, a: Reg) -> Reg:
        if a.dtype == target:
            return a
        opcode = opcode_of(a.dtype, target)
        return e.cast(opcode, a, target) if opcode else Reg(a.text, target, a.lanes)

    return emit


def definition(target: str) -> Callable[[Any], np.ndarray]:
    return lambda a: np.asarray(a).astype(DTYPES[target])


def derivative(b: GraphBuilder, dy: Value, args: tuple[Value, ...], y: Value) -> tuple[Value | None, ...]:
    source = args[0].type.dtype
    if source not in FLOATS or dy.type.dtype not in FLOATS:
        return (None,)
    return (dy if dy.type.dtype == source else b.op(f"to_{source}", dy),)


for target, c_type in C_TYPES.items():
    function(
        Function(
            name=f"to_{target}",
            arity=1,
            result=to(target),
            numpy=definition(target),
            llvm=emitter(target),
            cuda={"": f"(({c_type}){{0}})"},
            derivative=derivative if target in FLOATS else None,
            domain=((0.0, 100.0),),
        )
    )


def paired(dtypes: tuple[str, ...]) -> str:
    """Dtype rule of pair."""
    if dtypes != ("f32", "f32"):
        raise ValueError(f"operands are {', '.join(dtypes)}, expected f32, f32")
    return "bf16x2"


def multiplied(dtypes: tuple[str, ...]) -> str:
    """Dtype rule of dot2."""
    if dtypes != ("bf16x2", "bf16x2", "f32"):
        raise ValueError(f"operands are {', '.join(dtypes)}, expected bf16x2, bf16x2, f32")
    return "f32"


def emit_pair(e: Emitter, first: Reg, second: Reg) -> Reg:
    """One instruction rounds both halves; see bfloat16.pair."""
    if e.bfloat16:
        return e.paired(first, second)
    low, high = _rounded(e, first), _rounded(e, second)
    high = e.binary("shl", high, e.const(16, "u32", high.lanes))
    return Reg(e.binary("or", low, high).text, "bf16x2", low.lanes)


def _rounded(e: Emitter, x: Reg) -> Reg:
    """See bfloat16.rounded."""

    def word(value: int) -> Reg:
        return e.const(value, "u32", x.lanes)

    bits = e.cast("bitcast", x, "u32")
    last = e.binary("and", e.binary("lshr", bits, word(16)), word(1))
    even = e.binary("add", e.binary("add", bits, word(0x7FFF)), last)
    tiny = e.compare("fcmp", "olt", e.intrinsic("fabs", x), e.const(float(bfloat16.LEAST), "f32", x.lanes))
    even = e.select(tiny, e.binary("and", bits, word(1 << 31)), even)
    quiet = e.select(e.compare("fcmp", "uno", x, x), e.binary("or", bits, word(0x400000)), even)
    return e.binary("lshr", quiet, word(16))


def emit_dot2(e: Emitter, a: Reg, b: Reg, c: Reg) -> Reg:
    """One instruction, or a multiply-add for each half; threads that run kernels treat small numbers as zero anyway."""
    if e.bfloat16:
        return e.dot2(a, b, c)
    (a0, a1), (b0, b1) = _halves(e, a), _halves(e, b)
    return e.intrinsic("fma", a0, b0, e.intrinsic("fma", a1, b1, c))


def _halves(e: Emitter, pairs: Reg) -> tuple[Reg, Reg]:
    words = Reg(pairs.text, "u32", pairs.lanes)
    low = e.binary("shl", words, e.const(16, "u32", pairs.lanes))
    high = e.binary("and", words, e.const(int(bfloat16.UPPER), "u32", pairs.lanes))
    return e.cast("bitcast", low, "f32"), e.cast("bitcast", high, "f32")


function(
    Function(
        name="pair",
        arity=2,
        result=paired,
        numpy=bfloat16.pair,
        llvm=emit_pair,
        cuda={"": "mochac_pair({0}, {1})"},
        domain=((-100.0, 100.0),) * 2,
    )
)
function(
    Function(
        name="dot2",
        arity=3,
        result=multiplied,
        numpy=bfloat16.dot2,
        llvm=emit_dot2,
        cuda={"": "mochac_dot2({0}, {1}, {2})"},
        domain=((-100.0, 100.0),) * 3,
    )
)
