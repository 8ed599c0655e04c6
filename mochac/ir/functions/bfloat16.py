"""pair: two float32 numbers rounded to bfloat16, as one element; dot2: the products of two such pairs, added to a sum.

CPUs with AVX512_BF16 have an instruction for each. The code for others computes the same bits with several. Both rows
are for factors of contractions, and have no gradient: contractions have theirs (passes/pair_factors.py).
"""

from __future__ import annotations

from mochac.ir import bfloat16
from mochac.ir.scalar import Emitter, Function, Reg, function


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
