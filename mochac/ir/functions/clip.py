"""clip(x, low, high): x, at least low and at most high; low <= high. NaN stays NaN.

Functions whose formula is inf - inf or 0 * inf for large x clip it first, to where their results no longer change.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.ir.scalar import Emitter, Function, Reg, floating, function


def at_least(e: Emitter, x: Reg, low: Reg) -> Reg:
    """(x < low ? low : x), one x86 max instruction that keeps a NaN of x."""
    return e.select(e.compare("fcmp", "olt", x, low), low, x)


def at_most(e: Emitter, x: Reg, high: Reg) -> Reg:
    """(x > high ? high : x), one x86 min instruction that keeps a NaN of x."""
    return e.select(e.compare("fcmp", "ogt", x, high), high, x)


def emit(e: Emitter, x: Reg, low: Reg, high: Reg) -> Reg:
    return at_most(e, at_least(e, x, low), high)


def within(e: Emitter, x: Reg, bound: float) -> Reg:
    """x, clipped to +-bound."""
    low, high = (e.const(v, x.dtype, x.lanes) for v in (-bound, bound))
    return emit(e, x, low, high)


def derivative(b: GraphBuilder, dy: Value, args: tuple[Value, ...], y: Value) -> tuple[Value, ...]:
    """dy goes to x between the bounds, elsewhere to the bound that x is clipped to."""
    x, low, high = args
    zero = b.const(0.0, dy.type)
    above, below = b.op("gt", x, high), b.op("lt", x, low)
    to_x = b.op("select", b.op("or", above, below), zero, dy)
    return to_x, b.op("select", below, dy, zero), b.op("select", above, dy, zero)


function(
    Function(
        name="clip",
        arity=3,
        result=floating,
        numpy=np.clip,
        llvm=emit,
        cuda={"": "({0} < {1} ? {1} : {0} > {2} ? {2} : {0})"},
        derivative=derivative,
        domain=((-3.0, 3.0), (-2.0, -0.5), (0.5, 2.0)),
        picks=True,
        onnx="Clip({0}, {1}, {2})",
    )
)
