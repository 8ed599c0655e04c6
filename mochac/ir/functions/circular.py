"""cospi: cos(pi x), as random_normal needs it; exact at multiples of 1/2.

It uses polynomials of sin(pi t) on |t| <= 1/2, so it is vector code that needs no library.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.functions.polynomials import horner
from mochac.ir.graph import Value
from mochac.ir.scalar import Emitter, Function, Reg, floating, function

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


def derivative(b: GraphBuilder, dy: Value, args: tuple[Value, ...], y: Value) -> tuple[Value | None, ...]:
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
        cuda={"f32": "cospif({0})", "f64": "cospi({0})"},
        derivative=derivative,
        domain=((-4.0, 4.0),),
        ulp=3.0,
    )
)
