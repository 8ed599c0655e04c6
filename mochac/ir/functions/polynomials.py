"""What the transcendental rows share: number formats, Horner's scheme, and the range reduction of the exponential.

Written as instructions through an Emitter, so it is vector code of any width and may be fused anywhere. Called by the
rows beside it only; holds no rows itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from mochac.ir.scalar import Emitter, Reg


@dataclass(frozen=True)
class Format:
    """A binary float format. `shifter` is 1.5 * 2^mantissa: adding it leaves the nearest integer in the low bits."""

    integer: str
    bits: int
    mantissa: int
    bias: int
    shifter: float
    tiny: float
    ln2_high: float
    ln2_low: float
    exp_max: float
    exp_min: float
    exp_terms: tuple[float, ...]
    log_terms: tuple[float, ...]


# exp_terms: (e^r - 1 - r) / r^2 for |r| <= ln(2)/2, interpolated at Chebyshev nodes in 80-bit arithmetic;
# relative error of e^r 1.0e-8 and 1.8e-17. log_terms: FreeBSD msun e_logf.c and e_log.c, for log(1+f) in s = f/(2+f).
FORMATS = {
    "f32": Format(
        integer="i32",
        bits=32,
        mantissa=23,
        bias=127,
        shifter=1.5 * 2.0**23,
        tiny=2.0**-126,
        ln2_high=0.693147182464599609375,
        ln2_low=-1.904654299957767e-9,
        exp_max=88.72283935546875,
        exp_min=-87.33654022216796875,
        exp_terms=(0.5, 0.16666576, 0.041666552, 0.008363233, 0.001392625),
        log_terms=(0.66666662693, 0.40000972152, 0.28498786688, 0.24279078841),
    ),
    "f64": Format(
        integer="i64",
        bits=64,
        mantissa=52,
        bias=1023,
        shifter=1.5 * 2.0**52,
        tiny=2.0**-1022,
        ln2_high=math.log(2.0),
        ln2_low=2.3190468138462996e-17,
        exp_max=709.782712893384,
        exp_min=-708.3964185322641,
        exp_terms=(
            0.5000000000000001,
            0.16666666666666669,
            0.041666666666623824,
            0.008333333333330067,
            0.001388888891736734,
            0.00019841269863091952,
            2.480152105745103e-05,
            2.7557268360560487e-06,
            2.7620201778553566e-07,
            2.5100442538795376e-08,
        ),
        log_terms=(
            6.666666666666735130e-01,
            3.999999999940941908e-01,
            2.857142874366239149e-01,
            2.222219843214978396e-01,
            1.818357216161805012e-01,
            1.531383769920937332e-01,
            1.479819860511658591e-01,
        ),
    ),
}


def horner(e: Emitter, x: Reg, coefficients: tuple[float, ...]) -> Reg:
    """c0 + c1*x + c2*x^2 + ..., one fma per step."""
    result = e.const(coefficients[-1], x.dtype, x.lanes)
    for c in reversed(coefficients[:-1]):
        result = e.intrinsic("fma", result, x, e.const(c, x.dtype, x.lanes))
    return result


def reduced_exp(e: Emitter, x: Reg) -> tuple[Reg, Reg]:
    """Write x = n*ln2 + r with integer n and |r| <= ln(2)/2.

    Returns:
        q = e^r - 1 to within an ulp of q, and n shifted into the exponent field of an integer. No instruction
        here is undefined for NaN or infinities: their garbage is for the caller to replace.
    """
    f = FORMATS[x.dtype]

    def const(value: float) -> Reg:
        return e.const(value, x.dtype, x.lanes)

    shifted = e.intrinsic("fma", x, const(1.0 / math.log(2.0)), const(f.shifter))
    n = e.binary("fsub", shifted, const(f.shifter))
    r = e.intrinsic("fma", n, const(-f.ln2_high), x)
    r = e.intrinsic("fma", n, const(-f.ln2_low), r)
    q = e.intrinsic("fma", e.binary("fmul", r, r), horner(e, r, f.exp_terms), r)
    field = e.binary("shl", e.cast("bitcast", shifted, f.integer), e.const(f.mantissa, f.integer, x.lanes))
    return q, field
