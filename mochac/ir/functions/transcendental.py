"""Exponentials, logarithms, powers and roots, as polynomials in vector code without a library.

NaN gives NaN. Subnormal arguments and results count as zero, because compiled steps run with FTZ and DAZ. The largest
errors are in ulp, f32 / f64, over 2^22 arguments drawn from the row's domain, against NumPy in longer precision.

pow(x, y) = e^(y log x) has the logarithm as a sum of two numbers, so that the product is accurate. Special cases are as
in C and NumPy: x^0 = 1^y = 1; a negative x requires an integer y, else the result is NaN.

log_above(x, least) = log(max(x, least)) is for the probabilities in losses. Its derivative is 1 / max(x, least)
everywhere. The derivative of a clamp would be 0 below `least`, so completely wrong predictions would never improve.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.functions.arith import emit_max
from mochac.ir.functions.polynomials import FORMATS, horner, log_parts, reduced_exp
from mochac.ir.graph import Value
from mochac.ir.scalar import Emitter, Function, Reg, floating, floats, function

Args = tuple[Value, ...]


def emit_exp(e: Emitter, x: Reg) -> Reg:
    """Largest error 1.06 / 1.05 ulp.

    e^r is in [0.7, 1.42), so adding n to its exponent field never wraps between exp_min and exp_max.
    Above exp_max the result is inf, below exp_min 0; NaN stays NaN (x * inf handles NaN and large x).
    """
    f = FORMATS[x.dtype]
    q, field = reduced_exp(e, x)
    power = e.binary("fadd", q, e.const(1.0, x.dtype, x.lanes))
    y = e.cast("bitcast", e.binary("add", e.cast("bitcast", power, f.integer), field), x.dtype)
    huge = e.binary("fmul", x, e.const(math.inf, x.dtype, x.lanes))
    y = e.select(e.compare("fcmp", "ugt", x, e.const(f.exp_max, x.dtype, x.lanes)), huge, y)
    low = e.compare("fcmp", "olt", x, e.const(f.exp_min, x.dtype, x.lanes))
    return e.select(low, e.const(0.0, x.dtype, x.lanes), y)


def emit_log(e: Emitter, x: Reg) -> Reg:
    """n * ln2 + (f - (half - tail)), in terms of log_parts.

    log(0) = -inf, log of a negative number is NaN, inf and NaN are returned unchanged. Largest error 0.82 / 0.80 ulp.
    """
    form = FORMATS[x.dtype]

    def const(value: float) -> Reg:
        return e.const(value, x.dtype, x.lanes)

    n, f, half, tail = log_parts(e, x)
    tail = e.intrinsic("fma", n, const(form.ln2_low), tail)
    y = e.binary("fsub", f, e.binary("fsub", half, tail))
    y = e.intrinsic("fma", n, const(form.ln2_high), y)
    y = e.select(e.compare("fcmp", "ueq", x, const(math.inf)), x, y)
    y = e.select(e.compare("fcmp", "olt", x, const(form.tiny)), const(-math.inf), y)
    return e.select(e.compare("fcmp", "olt", x, const(0.0)), const(math.nan), y)


def log1p(e: Emitter, u: Reg) -> Reg:
    """log(1 + u) for 0 <= u <= 1: 2 atanh(s) with s = u / (2 + u) <= 1/3, as u - s (u - 2 s^2 P(s^2))."""
    two = e.const(2.0, u.dtype, u.lanes)
    s = e.binary("fdiv", u, e.binary("fadd", u, two))
    z = e.binary("fmul", s, s)
    rest = e.binary("fmul", e.binary("fmul", z, two), horner(e, z, FORMATS[u.dtype].log1p_terms))
    return e.intrinsic("fma", e.unary("fneg", s), e.binary("fsub", u, rest), u)


def emit_tanh(e: Emitter, x: Reg) -> Reg:
    """tanh|x| = t / (t + 2) with t = e^(2|x|) - 1, exact near 0 because reduced_exp gives e^r - 1.

    |x| is clamped to 20, where tanh is 1 in both formats. Largest error 2.4 / 2.5 ulp.
    """
    f = FORMATS[x.dtype]
    one, two, cut = (e.const(v, x.dtype, x.lanes) for v in (1.0, 2.0, 40.0))
    double = e.binary("fmul", e.intrinsic("fabs", x), two)
    double = e.select(e.compare("fcmp", "ogt", double, cut), cut, double)
    q, field = reduced_exp(e, double)
    scale = e.cast("bitcast", e.binary("add", field, e.const(f.bias << f.mantissa, f.integer, x.lanes)), x.dtype)
    t = e.intrinsic("fma", scale, q, e.binary("fsub", scale, one))
    return e.intrinsic("copysign", e.binary("fdiv", t, e.binary("fadd", t, two)), x)


def emit_sigmoid(e: Emitter, x: Reg) -> Reg:
    """1 / (1 + e^-x). Largest error 2.5 / 2.0 ulp."""
    one = e.const(1.0, x.dtype, x.lanes)
    return e.binary("fdiv", one, e.binary("fadd", one, emit_exp(e, e.unary("fneg", x))))


def numpy_exp(x: Any) -> Any:
    with np.errstate(over="ignore", under="ignore"):
        return np.exp(x)


def numpy_log(x: Any) -> Any:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log(x)


def numpy_sigmoid(x: Any) -> Any:
    with np.errstate(over="ignore", under="ignore"):
        return 1 / (1 + np.exp(-x))


def d_tanh(b: GraphBuilder, dy: Value, args: Args, y: Value) -> Args:
    """dy * (1 - y^2), computed from the output as in Mocha."""
    return (b.op("mul", dy, b.op("sub", b.const(1.0, y.type), b.op("square", y))),)


def d_sigmoid(b: GraphBuilder, dy: Value, args: Args, y: Value) -> Args:
    """dy * y * (1 - y), computed from the output as in Mocha."""
    return (b.op("mul", dy, b.op("mul", y, b.op("sub", b.const(1.0, y.type), y))),)


function(
    Function(
        name="exp",
        arity=1,
        result=floating,
        numpy=numpy_exp,
        llvm=emit_exp,
        cuda=floats("exp~({0})"),
        derivative=lambda b, dy, args, y: (b.op("mul", dy, y),),
        domain=((-87.0, 88.0),),
        ulp=1.1,
        onnx="Exp({0})",
    )
)
function(
    Function(
        name="log",
        arity=1,
        result=floating,
        numpy=numpy_log,
        llvm=emit_log,
        cuda=floats("log~({0})"),
        derivative=lambda b, dy, args, y: (b.op("div", dy, args[0]),),
        domain=((1e-6, 100.0),),
        ulp=1.0,
        onnx="Log({0})",
    )
)
function(
    Function(
        name="tanh",
        arity=1,
        result=floating,
        numpy=np.tanh,
        llvm=emit_tanh,
        cuda=floats("tanh~({0})"),
        derivative=d_tanh,
        domain=((-10.0, 10.0),),
        ulp=2.6,
        monotone=True,
        onnx="Tanh({0})",
    )
)
function(
    Function(
        name="sigmoid",
        arity=1,
        result=floating,
        numpy=numpy_sigmoid,
        llvm=emit_sigmoid,
        cuda=floats("(1.0~ / (1.0~ + exp~(-{0})))"),
        derivative=d_sigmoid,
        domain=((-30.0, 30.0),),
        ulp=2.6,
        monotone=True,
        onnx="Sigmoid({0})",
    )
)


def two_sum(e: Emitter, a: Reg, b: Reg) -> tuple[Reg, Reg]:
    """a + b rounded, and its error exactly (Knuth)."""
    total = e.binary("fadd", a, b)
    b_part = e.binary("fsub", total, a)
    a_part = e.binary("fsub", total, b_part)
    return total, e.binary("fadd", e.binary("fsub", a, a_part), e.binary("fsub", b, b_part))


def product_error(e: Emitter, a: Reg, b: Reg, product: Reg) -> Reg:
    """a * b - product exactly, where product is a * b rounded (by Veltkamp and Dekker if there is no fused fma)."""
    if e.fused:
        return e.intrinsic("fma", a, b, e.unary("fneg", product))
    a_high, a_low = _halves(e, a)
    b_high, b_low = _halves(e, b)
    error = e.binary("fsub", e.binary("fmul", a_high, b_high), product)
    error = e.binary("fadd", error, e.binary("fmul", a_high, b_low))
    error = e.binary("fadd", error, e.binary("fmul", a_low, b_high))
    return e.binary("fadd", error, e.binary("fmul", a_low, b_low))


def _halves(e: Emitter, a: Reg) -> tuple[Reg, Reg]:
    """a as a sum of two numbers with half as many digits, whose products are exact."""
    digits = 24 if a.dtype == "f32" else 53
    scaled = e.binary("fmul", a, e.const(2.0 ** ((digits + 1) // 2) + 1.0, a.dtype, a.lanes))
    high = e.binary("fsub", scaled, e.binary("fsub", scaled, a))
    return high, e.binary("fsub", a, high)


def log_pair(e: Emitter, x: Reg) -> tuple[Reg, Reg]:
    """log x as high + low for normal x > 0; -inf for zero, x for inf and NaN (low is meaningless then)."""
    form = FORMATS[x.dtype]

    def const(value: float) -> Reg:
        return e.const(value, x.dtype, x.lanes)

    n, f, half, tail = log_parts(e, x)
    half_error = product_error(e, e.binary("fmul", f, const(0.5)), f, half)
    high, low = two_sum(e, e.binary("fmul", n, const(form.ln2_short)), f)
    high, low2 = two_sum(e, high, e.unary("fneg", half))
    rest = e.binary("fsub", e.intrinsic("fma", n, const(form.ln2_rest), tail), half_error)
    high, low = two_sum(e, high, e.binary("fadd", e.binary("fadd", low, low2), rest))
    high = e.select(e.compare("fcmp", "ueq", x, const(math.inf)), x, high)
    return e.select(e.compare("fcmp", "olt", x, const(form.tiny)), const(-math.inf), high), low


def emit_magnitude(e: Emitter, a: Reg, y: Reg) -> Reg:
    """a^y for a >= 0 except 1: e^p * (1 + error of p); the error is ignored where p is out of range."""
    high, low = log_pair(e, a)
    p = e.binary("fmul", y, high)
    error = e.intrinsic("fma", y, low, product_error(e, y, high, p))
    power = emit_exp(e, p)
    limit = e.const(FORMATS[a.dtype].exp_max, a.dtype, a.lanes)
    within = e.compare("fcmp", "ole", e.intrinsic("fabs", p), limit)
    if e.fused:
        corrected = e.intrinsic("fma", power, error, power)
    else:  # the product power * error alone could be subnormal and be flushed to zero
        corrected = e.binary("fmul", power, e.binary("fadd", error, e.const(1.0, a.dtype, a.lanes)))
    return e.select(within, corrected, power)


def emit_pow(e: Emitter, x: Reg, y: Reg) -> Reg:
    """Largest error over the domain of the row: 1.54 ulp in f32, 1.51 in f64; one ulp more without a fused fma."""

    def const(value: float) -> Reg:
        return e.const(value, x.dtype, x.lanes)

    def fractional(v: Reg) -> Reg:
        return e.compare("fcmp", "one", e.intrinsic("floor", v), v)

    a = e.intrinsic("fabs", x)
    ordered = e.select(e.compare("fcmp", "uno", y, y), y, const(1.0))
    power = e.select(e.compare("fcmp", "oeq", a, const(1.0)), ordered, emit_magnitude(e, a, y))
    broken = fractional(y)
    odd = e.select(broken, e.const(0, "bool", x.lanes), fractional(e.binary("fmul", y, const(0.5))))
    power = e.select(odd, e.intrinsic("copysign", power, x), power)
    negative = e.compare("fcmp", "olt", x, const(0.0))
    finite = e.compare("fcmp", "one", a, const(math.inf))
    undefined = e.binary("and", e.binary("and", negative, finite), broken)
    power = e.select(undefined, const(math.nan), power)
    is_one = e.binary("or", e.compare("fcmp", "oeq", x, const(1.0)), e.compare("fcmp", "oeq", y, const(0.0)))
    return e.select(is_one, const(1.0), power)


def numpy_pow(x: Any, y: Any) -> Any:
    with np.errstate(all="ignore"):
        return np.power(x, y)


def derivative_pow(b: GraphBuilder, dy: Value, args: Args, z: Value) -> Args:
    """(dy * y * x^(y-1), dy * x^y * log x), as in PyTorch: the former is 0 where y is, the latter where x or x^y is.

    The latter is NaN for negative x, where x^y is not differentiable in y.
    """
    x, y = args
    zero, one = b.const(0.0, y.type), b.const(1.0, y.type)
    to_x = b.op("mul", y, b.op("pow", x, b.op("sub", y, one)))
    to_y = b.op("mul", z, b.op("log", x))
    flat = b.op("or", b.op("eq", x, zero), b.op("eq", z, zero))
    to_x, to_y = b.op("select", b.op("eq", y, zero), zero, to_x), b.op("select", flat, zero, to_y)
    return b.op("mul", dy, to_x), b.op("mul", dy, to_y)


function(
    Function(
        name="pow",
        arity=2,
        result=floating,
        numpy=numpy_pow,
        llvm=emit_pow,
        cuda=floats("pow~({0}, {1})"),
        derivative=derivative_pow,
        domain=((0.01, 100.0), (-3.0, 3.0)),
        ulp=1.6,
        onnx="Pow({0}, {1})",
    )
)


def emit_log_above(e: Emitter, x: Reg, least: Reg) -> Reg:
    return emit_log(e, emit_max(e, x, least))


def numpy_log_above(x: Any, least: Any) -> Any:
    return numpy_log(np.maximum(x, least))


def derivative_log_above(b: GraphBuilder, dy: Value, args: Args, y: Value) -> tuple[Value | None, ...]:
    return b.op("div", dy, b.op("max", *args)), None


function(
    Function(
        name="log_above",
        arity=2,
        result=floating,
        numpy=numpy_log_above,
        llvm=emit_log_above,
        cuda=floats("log~({0} > {1} || {0} != {0} ? {0} : {1})"),
        derivative=derivative_log_above,
        domain=((0.01, 100.0), (1e-6, 1e-3)),
        ulp=1.0,
        onnx="Log(Max({0}, {1}))",
    )
)
