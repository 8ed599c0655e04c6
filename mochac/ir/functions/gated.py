"""Values times a sigmoid: gated(x, g) = x * sigmoid(g), and gelu_tanh, the approximation of gelu by such a product.

gated(x, x) is SiLU; of two halves of a blob it is GLU.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.functions.transcendental import emit_exp
from mochac.ir.graph import Value
from mochac.ir.scalar import Emitter, Function, Reg, floating, function

Args = tuple[Value, ...]
LINEAR = 2 * math.sqrt(2 / math.pi)
CUBIC = 0.044715 * LINEAR
"""The sigmoid's argument in gelu_tanh is LINEAR x + CUBIC x^3."""


def emit_gated(e: Emitter, x: Reg, g: Reg) -> Reg:
    """x / (1 + e^-g)."""
    one = e.const(1.0, x.dtype, x.lanes)
    return e.binary("fdiv", x, e.binary("fadd", one, emit_exp(e, e.unary("fneg", g))))


def numpy_gated(x: Any, g: Any) -> Any:
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        return x / (1 + np.exp(-np.asarray(g)))


def d_gated(b: GraphBuilder, dy: Value, args: Args, y: Value) -> tuple[Value, Value | None]:
    """(dy * s, dy * y * (1 - s)) with s = sigmoid(g); their sum if x is g."""
    share = b.op("sigmoid", args[1])
    slope = b.op("mul", y, b.op("sub", b.const(1.0, y.type), share))
    if args[0] == args[1]:
        return b.op("mul", dy, b.op("add", share, slope)), None
    return b.op("mul", dy, share), b.op("mul", dy, slope)


def emit_gelu_tanh(e: Emitter, x: Reg) -> Reg:
    square = e.binary("fmul", x, x)
    linear, cubic = (e.const(v, x.dtype, x.lanes) for v in (LINEAR, CUBIC))
    return emit_gated(e, x, e.binary("fmul", x, e.intrinsic("fma", square, cubic, linear)))


def numpy_gelu_tanh(x: Any) -> Any:
    x = np.asarray(x)
    kind = x.dtype.type
    with np.errstate(over="ignore"):
        return numpy_gated(x, x * (x * x * kind(CUBIC) + kind(LINEAR)))


def d_gelu_tanh(b: GraphBuilder, dy: Value, args: Args, y: Value) -> Args:
    """dy * (s + y * (1 - s) * (LINEAR + 3 CUBIC x^2)), where s is the sigmoid."""
    square = b.op("square", args[0])
    linear, one = b.const(LINEAR, y.type), b.const(1.0, y.type)
    share = b.op("sigmoid", b.op("mul", args[0], b.op("fma", square, b.const(CUBIC, y.type), linear)))
    slope = b.op("fma", square, b.const(3 * CUBIC, y.type), linear)
    inner = b.op("mul", b.op("mul", y, b.op("sub", one, share)), slope)
    return (b.op("mul", dy, b.op("add", share, inner)),)


function(
    Function(
        name="gated",
        arity=2,
        result=floating,
        numpy=numpy_gated,
        llvm=emit_gated,
        cuda={"f32": "({0} / (1.0f + expf(-{1})))", "f64": "({0} / (1.0 + exp(-{1})))"},
        derivative=d_gated,
        domain=((-30.0, 30.0), (-30.0, 30.0)),
        ulp=2.6,
        onnx="Mul({0}, Sigmoid({1}))",
    )
)
function(
    Function(
        name="gelu_tanh",
        arity=1,
        result=floating,
        numpy=numpy_gelu_tanh,
        llvm=emit_gelu_tanh,
        cuda={
            "f32": f"({{0}} / (1.0f + expf(-{{0}} * fmaf({{0}} * {{0}}, {CUBIC:.9g}f, {LINEAR:.9g}f))))",
            "f64": f"({{0}} / (1.0 + exp(-{{0}} * fma({{0}} * {{0}}, {CUBIC!r}, {LINEAR!r}))))",
        },
        derivative=d_gelu_tanh,
        domain=((-3.0, 10.0),),
        ulp=13.0,
        onnx='Gelu<approximate="tanh">({0})',
    )
)
