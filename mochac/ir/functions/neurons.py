"""Activation functions: sigmoid, tanh, relu and their relatives, hard ones, ELU.

The derivatives of relu, relu_eps, lrelu and softsign are computed from the output y, as in Mocha's native
backpropagation, so the input need not be kept; that of prelu is not. NaN stays NaN.

    hard_sigmoid(x) = x / 6 + 1/2 clamped to 0..1;  hard_swish(x) = x * hard_sigmoid(x)
    elu(x, alpha, scale) = scale * x above 0, scale * alpha * (e^x - 1) below; SELU has published constants

Sources: Howard et al. 2019, "Searching for MobileNetV3" (arXiv:1905.02244), as in PyTorch; Clevert et al. 2015
(arXiv:1511.07289); Klambauer et al. 2017 (arXiv:1706.02515).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.functions.compare import at_least, at_most, within
from mochac.ir.functions.polynomials import FORMATS, reduced_exp
from mochac.ir.graph import Value
from mochac.ir.scalar import Emitter, Function, Reg, floating, floats, function

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
        cuda=floats("({0} < 0.0~ ? 0.0~ : {0})"),
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
            cuda=floats("({0} > 0.0~ ? {0} : {0} * {1})"),
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
        cuda=floats("(fabs~({0}) > 1e30~ ? copysign~(1.0~, {0}) : {0} / (1.0~ + fabs~({0})))"),
        derivative=d_softsign,
        domain=((-10.0, 10.0),),
        ulp=1.5,
        onnx="Softsign({0})",
    )
)


SIXTH = 1 / 6
LOW = -4.0
"""Here and below, hard_sigmoid is 0."""


def emit_hard_sigmoid(e: Emitter, x: Reg) -> Reg:
    """min(max(x / 6 + 1/2, 0), 1), which keeps a NaN."""
    zero, half, one, sixth = (e.const(v, x.dtype, x.lanes) for v in (0.0, 0.5, 1.0, SIXTH))
    return at_most(e, at_least(e, e.intrinsic("fma", x, sixth, half), zero), one)


def emit_hard_swish(e: Emitter, x: Reg) -> Reg:
    return e.binary("fmul", at_least(e, x, e.const(LOW, x.dtype, x.lanes)), emit_hard_sigmoid(e, x))


def numpy_hard_sigmoid(x: Any) -> Any:
    x = np.asarray(x)
    return np.clip(x / x.dtype.type(6) + x.dtype.type(0.5), 0, 1)


def numpy_hard_swish(x: Any) -> Any:
    return np.maximum(x, LOW) * numpy_hard_sigmoid(x)


def d_hard_sigmoid(b: GraphBuilder, dy: Value, args: Args, y: Value) -> Args:
    """dy / 6 where |x| < 3, else 0. At -3, y is not exactly 0."""
    inside = b.op("lt", b.op("abs", args[0]), b.const(3.0, y.type))
    return (b.op("select", inside, b.scaled(dy, SIXTH), b.const(0.0, y.type)),)


def d_hard_swish(b: GraphBuilder, dy: Value, args: Args, y: Value) -> Args:
    """dy * (x / 3 + 1/2) where |x| < 3, dy above, 0 below."""
    (x,) = args
    three, zero = b.const(3.0, y.type), b.const(0.0, y.type)
    slope = b.op("fma", x, b.const(1 / 3, y.type), b.const(0.5, y.type))
    below = b.op("select", b.op("gt", x, b.op("neg", three)), b.op("mul", dy, slope), zero)
    return (b.op("select", b.op("lt", x, three), below, dy),)


function(
    Function(
        name="hard_sigmoid",
        arity=1,
        result=floating,
        numpy=numpy_hard_sigmoid,
        llvm=emit_hard_sigmoid,
        cuda={
            "f32": "({0} < -3.0f ? 0.0f : {0} > 3.0f ? 1.0f : fmaf({0}, 0.166666672f, 0.5f))",
            "f64": "({0} < -3.0 ? 0.0 : {0} > 3.0 ? 1.0 : fma({0}, 0.16666666666666666, 0.5))",
        },
        derivative=d_hard_sigmoid,
        domain=((-2.5, 5.0),),
        ulp=3.0,
        monotone=True,
        onnx="HardSigmoid<alpha=0.16666667, beta=0.5>({0})",
    )
)
function(
    Function(
        name="hard_swish",
        arity=1,
        result=floating,
        numpy=numpy_hard_swish,
        llvm=emit_hard_swish,
        cuda={
            "f32": "({0} < -3.0f ? 0.0f : {0} > 3.0f ? {0} : {0} * fmaf({0}, 0.166666672f, 0.5f))",
            "f64": "({0} < -3.0 ? 0.0 : {0} > 3.0 ? {0} : {0} * fma({0}, 0.16666666666666666, 0.5))",
        },
        derivative=d_hard_swish,
        domain=((-2.5, 5.0),),
        ulp=4.0,
        onnx="HardSwish({0})",
    )
)


def expm1_below(e: Emitter, x: Reg) -> Reg:
    """e^x - 1 for x <= 0, exact near 0 because reduced_exp gives e^r - 1. Clamped to -40, where it is -1."""
    f = FORMATS[x.dtype]
    least = e.const(-40.0, x.dtype, x.lanes)
    x = e.select(e.compare("fcmp", "olt", x, least), least, x)
    q, field = reduced_exp(e, x)
    scale = e.cast("bitcast", e.binary("add", field, e.const(f.bias << f.mantissa, f.integer, x.lanes)), x.dtype)
    return e.intrinsic("fma", scale, q, e.binary("fsub", scale, e.const(1.0, x.dtype, x.lanes)))


def emit(e: Emitter, x: Reg, alpha: Reg, scale: Reg) -> Reg:
    above = e.compare("fcmp", "ogt", x, e.const(0.0, x.dtype, x.lanes))
    return e.binary("fmul", scale, e.select(above, x, e.binary("fmul", alpha, expm1_below(e, x))))


def reference(x: Any, alpha: Any, scale: Any) -> Any:
    x = np.asarray(x)
    with np.errstate(over="ignore", invalid="ignore"):
        return scale * np.where(x > 0, x, alpha * np.expm1(x))


def derivative(b: GraphBuilder, dy: Value, args: Args, y: Value) -> Args:
    """To x, for alpha, scale >= 0, where y has the sign of x: dy * scale above 0, dy * (y + scale * alpha) below."""
    x, alpha, scale = args
    one, zero = b.const(1.0, y.type), b.const(0.0, y.type)
    above = b.op("gt", y, zero)
    slope = b.op("select", above, scale, b.op("add", y, b.op("mul", scale, alpha)))
    to_alpha = b.op("select", above, zero, b.op("elu", x, one, scale))
    return b.op("mul", dy, slope), b.op("mul", dy, to_alpha), b.op("mul", dy, b.op("elu", x, alpha, one))


def in_onnx(x: float | None, alpha: float | None, scale: float | None) -> str:
    """Elu or Selu, whose constants are attributes."""
    if alpha is None or scale is None:
        return "Mul({2}, Where(Greater({0}, 0.0), {0}, Mul({1}, Sub(Exp({0}), 1.0))))"
    return f"Elu<alpha={alpha!r}>({{0}})" if scale == 1.0 else f"Selu<alpha={alpha!r}, gamma={scale!r}>({{0}})"


function(
    Function(
        name="elu",
        arity=3,
        result=floating,
        numpy=reference,
        llvm=emit,
        cuda=floats("({2} * ({0} > 0.0~ ? {0} : {1} * expm1~({0})))"),
        derivative=derivative,
        domain=((-20.0, 20.0), (0.5, 2.0), (0.5, 2.0)),
        ulp=3.0,
        onnx=in_onnx,
    )
)
