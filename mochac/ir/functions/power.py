"""Powers, roots and logarithms.

pow(x, y) = e^(y log x), with the logarithm as a sum of two numbers so that the product is accurate.

Special cases are those of C's pow (and np.power): x^0 = 1^y = 1; a negative x requires an integer y, else the result is
NaN; NaN elsewhere stays NaN. Subnormal x count as zero.

log_above(x, least): log(max(x, least)), for the probabilities in losses.

The derivative is 1 / max(x, least) everywhere. That of a clamp would be 0 below `least`, so predictions that are
completely wrong would never improve.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.functions.arith import emit_max
from mochac.ir.functions.polynomials import FORMATS, log_parts
from mochac.ir.functions.transcendental import emit_exp, emit_log, numpy_log
from mochac.ir.graph import Value
from mochac.ir.scalar import Emitter, Function, Reg, floating, function

Args = tuple[Value, ...]


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


def derivative(b: GraphBuilder, dy: Value, args: Args, z: Value) -> Args:
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
        cuda={"f32": "powf({0}, {1})", "f64": "pow({0}, {1})"},
        derivative=derivative,
        domain=((0.01, 100.0), (-3.0, 3.0)),
        ulp=1.6,
        onnx="Pow({0}, {1})",
    )
)


def emit(e: Emitter, x: Reg, least: Reg) -> Reg:
    return emit_log(e, emit_max(e, x, least))


def reference(x: Any, least: Any) -> Any:
    return numpy_log(np.maximum(x, least))


def derivative_log_above(b: GraphBuilder, dy: Value, args: Args, y: Value) -> tuple[Value | None, ...]:
    return b.op("div", dy, b.op("max", *args)), None


function(
    Function(
        name="log_above",
        arity=2,
        result=floating,
        numpy=reference,
        llvm=emit,
        cuda={
            "f32": "logf({0} > {1} || {0} != {0} ? {0} : {1})",
            "f64": "log({0} > {1} || {0} != {0} ? {0} : {1})",
        },
        derivative=derivative_log_above,
        domain=((0.01, 100.0), (1e-6, 1e-3)),
        ulp=1.0,
        onnx="Log(Max({0}, {1}))",
    )
)
