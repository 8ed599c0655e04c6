"""Neurons without transcendental functions: relu, relu_eps, lrelu, prelu, softsign. NaN stays NaN.

Their derivatives, except prelu's, are computed from the output y, as in Mocha's native backpropagation, so the input
need not be kept.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.functions.clip import at_least, within
from mochac.ir.graph import Value
from mochac.ir.scalar import Emitter, Function, Reg, floating, function

Args = tuple[Value, ...]
FAR = 1e30
"""From here on, softsign is 1 in both formats."""


def emit_prelu(e: Emitter, x: Reg, slope: Reg) -> Reg:
    return e.select(e.compare("fcmp", "ogt", x, e.const(0.0, x.dtype, x.lanes)), x, e.binary("fmul", x, slope))


def emit_softsign(e: Emitter, x: Reg) -> Reg:
    x = within(e, x, FAR)
    return e.binary("fdiv", x, e.binary("fadd", e.const(1.0, x.dtype, x.lanes), e.intrinsic("fabs", x)))


def numpy_prelu(x: Any, slope: Any) -> Any:
    x = np.asarray(x)
    with np.errstate(invalid="ignore"):
        return np.where(x > 0, x, x * slope)


def numpy_softsign(x: Any) -> Any:
    x = np.clip(x, -FAR, FAR)
    return x / (1 + np.abs(x))


def passed(b: GraphBuilder, dy: Value, y: Value, floor: Value) -> Value:
    """dy where y > floor, strictly; else 0."""
    return b.op("select", b.op("gt", y, floor), dy, b.const(0.0, dy.type))


def d_relu(b: GraphBuilder, dy: Value, args: Args, y: Value) -> Args:
    return (passed(b, dy, y, b.const(0.0, y.type)),)


def d_relu_eps(b: GraphBuilder, dy: Value, args: Args, y: Value) -> Args:
    above, zero = b.op("gt", y, args[1]), b.const(0.0, dy.type)
    return b.op("select", above, dy, zero), b.op("select", above, zero, dy)


def leaking(b: GraphBuilder, dy: Value, args: Args, positive: Value) -> Args:
    """Gradients to x and slope where x > 0 is known."""
    x, slope = args
    to_slope = b.op("select", positive, b.const(0.0, dy.type), b.op("mul", dy, x))
    return b.op("select", positive, dy, b.op("mul", dy, slope)), to_slope


def d_lrelu(b: GraphBuilder, dy: Value, args: Args, y: Value) -> Args:
    """For slopes >= 0, where y has the sign of x."""
    return leaking(b, dy, args, b.op("gt", y, b.const(0.0, y.type)))


def d_prelu(b: GraphBuilder, dy: Value, args: Args, y: Value) -> Args:
    return leaking(b, dy, args, b.op("gt", args[0], b.const(0.0, y.type)))


def d_softsign(b: GraphBuilder, dy: Value, args: Args, y: Value) -> Args:
    """dy * (1 - |y|)^2, since 1 / (1 + |x|) = 1 - |y|."""
    rest = b.op("sub", b.const(1.0, y.type), b.op("abs", y))
    return (b.op("mul", dy, b.op("square", rest)),)


def leaky_in_onnx(x: float | None, slope: float | None) -> str:
    """LeakyRelu, whose slope is an attribute, or PRelu."""
    return "PRelu({0}, {1})" if slope is None else f"LeakyRelu<alpha={slope!r}>({{0}})"


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
        onnx="Relu({0})",
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
        onnx="Max({0}, {1})",
    )
)
for name, derivative, slopes in (("lrelu", d_lrelu, (0.0, 0.5)), ("prelu", d_prelu, (-0.5, 0.5))):
    function(
        Function(
            name=name,
            arity=2,
            result=floating,
            numpy=numpy_prelu,
            llvm=emit_prelu,
            cuda={"f32": "({0} > 0.0f ? {0} : {0} * {1})", "f64": "({0} > 0.0 ? {0} : {0} * {1})"},
            derivative=derivative,
            domain=((-2.0, 2.0), slopes),
            ulp=1.0,
            onnx=leaky_in_onnx,
        )
    )
function(
    Function(
        name="softsign",
        arity=1,
        result=floating,
        numpy=numpy_softsign,
        llvm=emit_softsign,
        cuda={
            "f32": "(fabsf({0}) > 1e30f ? copysignf(1.0f, {0}) : {0} / (1.0f + fabsf({0})))",
            "f64": "(fabs({0}) > 1e30 ? copysign(1.0, {0}) : {0} / (1.0 + fabs({0})))",
        },
        derivative=d_softsign,
        domain=((-10.0, 10.0),),
        ulp=1.5,
        onnx="Softsign({0})",
    )
)
