"""Mocha's neurons: relu, relu_eps, lrelu. NaN stays NaN. (sigmoid, tanh and exp are in transcendental.py.)

Their derivatives are computed from the output y, as in Mocha's native backpropagation, so the input need not be kept.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.ir.scalar import Emitter, Function, Reg, floating, function

Args = tuple[Value, ...]
SLOPE = 0.01


def at_least(e: Emitter, x: Reg, floor: Reg) -> Reg:
    """(x < floor ? floor : x), one x86 max instruction that keeps a NaN of x."""
    return e.select(e.compare("fcmp", "olt", x, floor), floor, x)


def emit_lrelu(e: Emitter, x: Reg) -> Reg:
    zero, slope = (e.const(v, x.dtype, x.lanes) for v in (0.0, SLOPE))
    return e.select(e.compare("fcmp", "ogt", x, zero), x, e.binary("fmul", x, slope))


def numpy_lrelu(x: Any) -> Any:
    x = np.asarray(x)
    return np.where(x > 0, x, x * x.dtype.type(SLOPE))


def passed(b: GraphBuilder, dy: Value, y: Value, floor: Value) -> Value:
    """dy where y > floor, strictly; else 0."""
    return b.op("select", b.op("gt", y, floor), dy, b.const(0.0, dy.type))


def d_relu(b: GraphBuilder, dy: Value, args: Args, y: Value) -> Args:
    return (passed(b, dy, y, b.const(0.0, y.type)),)


def d_relu_eps(b: GraphBuilder, dy: Value, args: Args, y: Value) -> Args:
    above, zero = b.op("gt", y, args[1]), b.const(0.0, dy.type)
    return b.op("select", above, dy, zero), b.op("select", above, zero, dy)


def d_lrelu(b: GraphBuilder, dy: Value, args: Args, y: Value) -> Args:
    positive = b.op("gt", y, b.const(0.0, y.type))
    return (b.op("select", positive, dy, b.scaled(dy, SLOPE)),)


function(
    Function(
        name="relu",
        arity=1,
        result=floating,
        numpy=lambda x: np.where(np.asarray(x) < 0, np.zeros_like(x), x),
        llvm=lambda e, x: at_least(e, x, e.const(0.0, x.dtype, x.lanes)),
        cuda={"f32": "({0} < 0.0f ? 0.0f : {0})", "f64": "({0} < 0.0 ? 0.0 : {0})"},
        derivative=d_relu,
        monotone=True,
    )
)
function(
    Function(
        name="relu_eps",
        arity=2,
        result=floating,
        numpy=lambda x, eps: np.where(np.asarray(x) < eps, eps, x),
        llvm=at_least,
        cuda={"": "({0} < {1} ? {1} : {0})"},
        derivative=d_relu_eps,
        domain=((-2.0, 2.0), (-0.5, 0.5)),
    )
)
function(
    Function(
        name="lrelu",
        arity=1,
        result=floating,
        numpy=numpy_lrelu,
        llvm=emit_lrelu,
        cuda={"f32": "({0} > 0.0f ? {0} : {0} * 0.01f)", "f64": "({0} > 0.0 ? {0} : {0} * 0.01)"},
        derivative=d_lrelu,
        ulp=1.0,
    )
)
