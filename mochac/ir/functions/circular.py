"""Circular functions and their inverses, in vector code without a library.

cospi(x) = cos(pi x), as random_normal needs it, is exact at multiples of 1/2; it uses polynomials of sin(pi t) on |t|
<= 1/2. From cospi and atan, importers compose sine, cosine, tangent, arcsine and arccosine.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.functions.polynomials import FORMATS, horner
from mochac.ir.graph import Value
from mochac.ir.scalar import Emitter, Function, Reg, floating, floats, function

Args = tuple[Value, ...]

TERMS = {"f32": 6, "f64": 11}
"""Number of Taylor terms of sin(pi t) / t in t^2; the first omitted term is below an ulp at t = 1/2."""


def taylor(dtype: str) -> tuple[float, ...]:
    """(-1)^k pi^(2k+1) / (2k+1)!"""
    return tuple((-1) ** k * math.pi ** (2 * k + 1) / math.factorial(2 * k + 1) for k in range(TERMS[dtype]))


def emit_cospi(e: Emitter, x: Reg) -> Reg:
    """sin(pi t) with t = 1/2 - |x - 2 round(x / 2)|, which is exact."""
    half, two = e.const(0.5, x.dtype, x.lanes), e.const(-2.0, x.dtype, x.lanes)
    turns = e.intrinsic("roundeven", e.binary("fmul", x, half))
    t = e.binary("fsub", half, e.intrinsic("fabs", e.intrinsic("fma", turns, two, x)))
    return e.binary("fmul", t, horner(e, e.binary("fmul", t, t), taylor(x.dtype)))


def numpy_cospi(x: Any) -> Any:
    """cos(pi x) by the formula of emit_cospi, so that it is as accurate near its zeros as elsewhere."""
    x = np.asarray(x)
    with np.errstate(invalid="ignore"):
        t = 0.5 - np.abs(x - 2 * np.rint(x / 2))
        return np.sin(np.pi * t).astype(x.dtype)


def derivative_cospi(b: GraphBuilder, dy: Value, args: Args, y: Value) -> Args:
    """-pi sin(pi x) = -pi cos(pi (r - 1/2)) with r = x - 2 round(x / 2), since x - 1/2 is rounded for large x."""
    (x,) = args
    turns = b.op("round", b.scaled(x, 0.5))
    rest = b.op("fma", turns, b.const(-2.0, x.type), x)
    sine = b.op("cospi", b.op("sub", rest, b.const(0.5, x.type)))
    return (b.op("mul", dy, b.scaled(sine, -math.pi)),)


function(
    Function(
        name="cospi",
        arity=1,
        result=floating,
        numpy=numpy_cospi,
        llvm=emit_cospi,
        cuda=floats("cospi~({0})"),
        derivative=derivative_cospi,
        domain=((-4.0, 4.0),),
        ulp=3.0,
    )
)


HALF_PI = {
    "f32": (1.57079637050628662109375, -4.371139000186241e-8),
    "f64": (math.pi / 2, 6.123233995736766e-17),
}
"""pi / 2 as a number of the format and what it lacks."""


def emit_atan(e: Emitter, x: Reg) -> Reg:
    """atan|x| = base + atan(s) with s <= tan(pi/8): base and s are 0 and |x|, pi/4 and (|x| - 1) / (|x| + 1), or pi/2
    and -1 / |x|. Largest error 2.1 / 1.5 ulp."""

    def const(value: float) -> Reg:
        return e.const(value, x.dtype, x.lanes)

    size, one = e.intrinsic("fabs", x), const(1.0)
    middle = e.compare("fcmp", "ogt", size, const(math.tan(math.pi / 8)))
    far = e.compare("fcmp", "ogt", size, const(math.tan(3 * math.pi / 8)))
    above = e.select(far, const(-1.0), e.select(middle, e.binary("fsub", size, one), size))
    below = e.select(far, size, e.select(middle, e.binary("fadd", size, one), one))
    s = e.binary("fdiv", above, below)
    z = e.binary("fmul", s, s)
    near = e.intrinsic("fma", e.binary("fmul", s, z), horner(e, z, FORMATS[x.dtype].atan_terms), s)
    base, rest = (
        e.select(far, const(part), e.select(middle, const(part / 2), const(0.0))) for part in HALF_PI[x.dtype]
    )
    return e.intrinsic("copysign", e.binary("fadd", base, e.binary("fadd", near, rest)), x)


def d_atan(b: GraphBuilder, dy: Value, args: Args, y: Value) -> Args:
    """dy / (1 + x^2)"""
    (x,) = args
    return (b.op("div", dy, b.op("add", b.op("square", x), b.const(1.0, x.type))),)


function(
    Function(
        name="atan",
        arity=1,
        result=floating,
        numpy=np.arctan,
        llvm=emit_atan,
        cuda=floats("atan~({0})"),
        derivative=d_atan,
        domain=((-8.0, 8.0),),
        ulp=2.2,
        onnx="Atan({0})",
    )
)
