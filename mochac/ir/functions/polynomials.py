"""Building blocks of the transcendental rows: number formats, Horner's scheme, and range reduction of exp and log.

They emit instructions through an Emitter, so the result is vector code of any width and can be fused anywhere.
"""

from __future__ import annotations

import math

import numpy as np

from mochac.base.records import record
from mochac.ir.scalar import Emitter, Reg


@record
class Format:
    """A binary float format.

    shifter: 1.5 * 2^mantissa; adding it leaves the nearest integer in the low bits.
    ln2_high + ln2_low: ln 2, with ln2_high rounded to the format; ln2_short + ln2_rest: ln 2, with ln2_short so short
        that its product with an exponent is exact.
    exp_max, exp_min: arguments for which e^x is the largest finite and the smallest normal number.
    """

    integer: str
    bits: int
    mantissa: int
    bias: int
    shifter: float
    tiny: float
    ln2_high: float
    ln2_low: float
    ln2_short: float
    ln2_rest: float
    exp_max: float
    exp_min: float
    exp_terms: tuple[float, ...]
    log_terms: tuple[float, ...]
    log1p_terms: tuple[float, ...]
    atan_terms: tuple[float, ...]


# exp_terms: (e^r - 1 - r) / r^2 for |r| <= ln(2)/2, interpolated at Chebyshev nodes in 80-bit arithmetic; the relative
# error of e^r is 1.0e-8 (f32) and 1.8e-17 (f64). log_terms: FreeBSD msun e_logf.c and e_log.c, for log(1+f) in
# s = f/(2+f). log1p_terms: (atanh(s)/s - 1) / s^2 in s^2 for s <= 1/3, interpolated likewise; the relative error of
# atanh(s) is 1.6e-8 and 5e-18. atan_terms: (atan(s)/s - 1) / s^2 in s^2 for s <= tan(pi/8), likewise; 2.5e-9 and 5e-18.
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
        ln2_short=0.693145751953125,
        ln2_rest=1.42860682030941723212e-6,
        exp_max=88.72283935546875,
        exp_min=-87.33654022216796875,
        exp_terms=(0.5, 0.16666576, 0.041666552, 0.008363233, 0.001392625),
        log_terms=(0.66666662693, 0.40000972152, 0.28498786688, 0.24279078841),
        log1p_terms=(0.33333320168349617, 0.20003780322455603, 0.1411830990265524, 0.13425749011418575),
        atan_terms=(-0.3333333176, 0.1999954048, -0.142639556, 0.1074373149, -0.06451928208),
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
        ln2_short=6.93147180369123816490e-01,
        ln2_rest=1.90821492927058770002e-10,
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
        log1p_terms=(
            0.3333333333333333,
            0.20000000000007292,
            0.1428571428355438,
            0.11111111358713932,
            0.09090894718066429,
            0.07692785032479312,
            0.06657072104827468,
            0.06000536404795356,
            0.04400369243072337,
            0.08082022805971766,
        ),
        atan_terms=(
            -0.3333333333333333,
            0.1999999999999552,
            -0.14285714284666542,
            0.11111111015256361,
            -0.09090904578123903,
            0.07692183190826087,
            -0.06664511447381948,
            0.0585814891280221,
            -0.0508544973794026,
            0.03923165829558719,
            -0.01917688711906226,
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
        q = e^r - 1 to within an ulp of q, and n shifted into the exponent field of an integer. No instruction has an
        undefined result for NaN or infinities; the caller must replace the garbage computed for them.
    """
    f = FORMATS[x.dtype]

    def const(value: float) -> Reg:
        return e.const(value, x.dtype, x.lanes)

    shifted = e.intrinsic("fma", x, const(1.0 / math.log(2.0)), const(f.shifter))
    n = e.binary("fsub", shifted, const(f.shifter))
    high, low = (f.ln2_high, f.ln2_low) if e.fused else (f.ln2_short, f.ln2_rest)
    r = e.intrinsic("fma", n, const(-high), x)
    r = e.intrinsic("fma", n, const(-low), r)
    q = e.intrinsic("fma", e.binary("fmul", r, r), horner(e, r, f.exp_terms), r)
    field = e.binary("shl", e.cast("bitcast", shifted, f.integer), e.const(f.mantissa, f.integer, x.lanes))
    return q, field


def log_parts(e: Emitter, x: Reg) -> tuple[Reg, Reg, Reg, Reg]:
    """Write x = 2^n * m with m in [sqrt(1/2), sqrt(2)); log m by the atanh series of FreeBSD msun.

        f = m - 1,  s = f / (2 + f),  half = f^2/2,  tail = s * (half + s^2 * P(s^2)),  log m = f - half + tail

    Returns:
        n, f (exact), half and tail; log x = n * ln2 + f - half + tail. Garbage unless x is positive and normal.
    """
    form = FORMATS[x.dtype]

    def bits(value: int) -> Reg:
        return e.const(value, form.integer, x.lanes)

    root_half = int(np.array(math.sqrt(0.5), f"f{form.bits // 8}").view(f"i{form.bits // 8}"))
    offset = e.binary("sub", e.cast("bitcast", x, form.integer), bits(root_half))
    n = e.cast("sitofp", e.binary("ashr", offset, bits(form.mantissa)), x.dtype)
    fraction = e.binary("and", offset, bits((1 << form.mantissa) - 1))
    m = e.cast("bitcast", e.binary("add", fraction, bits(root_half)), x.dtype)
    f = e.binary("fsub", m, e.const(1.0, x.dtype, x.lanes))
    s = e.binary("fdiv", f, e.binary("fadd", f, e.const(2.0, x.dtype, x.lanes)))
    s2 = e.binary("fmul", s, s)
    half = e.binary("fmul", e.binary("fmul", f, e.const(0.5, x.dtype, x.lanes)), f)
    tail = e.binary("fmul", s, e.intrinsic("fma", s2, horner(e, s2, form.log_terms), half))
    return n, f, half, tail
