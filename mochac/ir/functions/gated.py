"""Gates and sums of exponentials: gated, silu, gelu_tanh, softplus, mish, sigmoid_cross_entropy.

    gated(x, g) = x * sigmoid(g)               as in GLU
    silu(x)     = x * sigmoid(x)
    gelu_tanh   approximates gelu by such a product
    softplus(x) = log(1 + e^x)                 does not overflow
    mish(x)     = x * tanh(softplus(x))        Misra 2019 (arXiv:1908.08681)
    sigmoid_cross_entropy(x, t) = -t log(sigmoid(x)) - (1 - t) log(1 - sigmoid(x))      of a logit x, a probability t

BinaryCrossEntropyLossLayer(logits=True) uses the last. No sigmoid is rounded to 0 or 1 on the way: the value is finite
for all finite logits, and the derivative sigmoid(x) - t is not 0 when x is on the wrong side.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.functions.compare import at_least, at_most
from mochac.ir.functions.transcendental import emit_exp, log1p
from mochac.ir.graph import Value
from mochac.ir.scalar import Emitter, Function, Reg, floating, floats, function

Args = tuple[Value, ...]
LINEAR = 2 * math.sqrt(2 / math.pi)
CUBIC = 0.044715 * LINEAR
"""The sigmoid's argument in gelu_tanh is LINEAR x + CUBIC x^3."""
FAR = 1000.0
"""At +-FAR and beyond, the sigmoids of silu and gelu_tanh are 0 and 1 in both formats."""


def emit_gated(e: Emitter, x: Reg, g: Reg) -> Reg:
    """x / (1 + e^-g)."""
    one = e.const(1.0, x.dtype, x.lanes)
    return e.binary("fdiv", x, e.binary("fadd", one, emit_exp(e, e.unary("fneg", g))))


def numpy_gated(x: Any, g: Any) -> Any:
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        return x / (1 + np.exp(-np.asarray(g)))


def d_gated(b: GraphBuilder, dy: Value, args: Args, y: Value) -> Args:
    """(dy * s, dy * y * (1 - s)) with s = sigmoid(g)."""
    share = b.op("sigmoid", args[1])
    slope = b.op("mul", y, b.op("sub", b.const(1.0, y.type), share))
    return b.op("mul", dy, share), b.op("mul", dy, slope)


def above_low(e: Emitter, x: Reg) -> Reg:
    """x, but -inf becomes a number, so that its product with a sigmoid of 0 is 0."""
    return at_least(e, x, e.const(-FAR, x.dtype, x.lanes))


def clipped(b: GraphBuilder, x: Value) -> Value:
    """x in +-FAR, where the slopes of silu and gelu_tanh are 0 and 1 and no term of them overflows."""
    return b.op("clip", x, b.const(-FAR, x.type), b.const(FAR, x.type))


def emit_silu(e: Emitter, x: Reg) -> Reg:
    return emit_gated(e, above_low(e, x), x)


def numpy_silu(x: Any) -> Any:
    return numpy_gated(np.maximum(x, -FAR), x)


def d_silu(b: GraphBuilder, dy: Value, args: Args, y: Value) -> Args:
    """dy * s * (1 + x * (1 - s)) with s = sigmoid(x), which shares its exponential with the value."""
    x, one = clipped(b, args[0]), b.const(1.0, y.type)
    share = b.op("sigmoid", args[0])
    return (b.op("mul", dy, b.op("mul", share, b.op("fma", x, b.op("sub", one, share), one))),)


def emit_gelu_tanh(e: Emitter, x: Reg) -> Reg:
    square = e.binary("fmul", x, x)
    linear, cubic = (e.const(v, x.dtype, x.lanes) for v in (LINEAR, CUBIC))
    return emit_gated(e, above_low(e, x), e.binary("fmul", x, e.intrinsic("fma", square, cubic, linear)))


def numpy_gelu_tanh(x: Any) -> Any:
    x = np.asarray(x)
    kind = x.dtype.type
    with np.errstate(over="ignore"):
        return numpy_gated(np.maximum(x, -FAR), x * (x * x * kind(CUBIC) + kind(LINEAR)))


def d_gelu_tanh(b: GraphBuilder, dy: Value, args: Args, y: Value) -> Args:
    """dy * s * (1 + x * (1 - s) * (LINEAR + 3 CUBIC x^2)), where s is the sigmoid."""
    linear, one = b.const(LINEAR, y.type), b.const(1.0, y.type)
    steep = b.op("fma", b.op("square", args[0]), b.const(CUBIC, y.type), linear)
    share = b.op("sigmoid", b.op("mul", args[0], steep))
    x = clipped(b, args[0])
    slope = b.op("fma", b.op("square", x), b.const(3 * CUBIC, y.type), linear)
    rise = b.op("fma", b.op("mul", x, b.op("sub", one, share)), slope, one)
    return (b.op("mul", dy, b.op("mul", share, rise)),)


function(
    Function(
        name="gated",
        arity=2,
        result=floating,
        numpy=numpy_gated,
        llvm=emit_gated,
        cuda=floats("({0} / (1.0~ + exp~(-{1})))"),
        derivative=d_gated,
        domain=((-30.0, 30.0), (-30.0, 30.0)),
        ulp=2.6,
        onnx="Mul({0}, Sigmoid({1}))",
    )
)
function(
    Function(
        name="silu",
        arity=1,
        result=floating,
        numpy=numpy_silu,
        llvm=emit_silu,
        cuda=floats("(({0} < -1e3~ ? -1e3~ : {0}) / (1.0~ + exp~(-{0})))"),
        derivative=d_silu,
        domain=((-30.0, 30.0),),
        ulp=2.6,
        onnx="Mul({0}, Sigmoid({0}))",
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
            "f32": "(({0} < -1e3f ? -1e3f : {0}) / "
            f"(1.0f + expf(-{{0}} * fmaf({{0}} * {{0}}, {CUBIC:.9g}f, {LINEAR:.9g}f))))",
            "f64": f"(({{0}} < -1e3 ? -1e3 : {{0}}) / (1.0 + exp(-{{0}} * fma({{0}} * {{0}}, {CUBIC!r}, {LINEAR!r}))))",
        },
        derivative=d_gelu_tanh,
        domain=((-3.0, 10.0),),
        ulp=13.0,
        onnx='Gelu<approximate="tanh">({0})',
    )
)


LOW, FAR_SOFTPLUS = -1000.0, 20.0
"""Below and above, tanh(softplus(x)) is 0 and 1 in both formats."""


def emit_softplus(e: Emitter, x: Reg) -> Reg:
    """max(x, 0) + log(1 + e^-|x|)."""
    above = at_least(e, x, e.const(0.0, x.dtype, x.lanes))
    return e.binary("fadd", above, log1p(e, emit_exp(e, e.unary("fneg", e.intrinsic("fabs", x)))))


def numpy_softplus(x: Any) -> Any:
    x = np.asarray(x)
    with np.errstate(under="ignore"):
        return np.logaddexp(x.dtype.type(0), x)


def d_softplus(b: GraphBuilder, dy: Value, args: Args, y: Value) -> Args:
    return (b.op("mul", dy, b.op("sigmoid", args[0])),)


def emit_mish(e: Emitter, x: Reg) -> Reg:
    """x w / (w + 2) with w = e^x (e^x + 2); the quotient is tanh(softplus(x))."""
    low, far, two = (e.const(v, x.dtype, x.lanes) for v in (LOW, FAR_SOFTPLUS, 2.0))
    x = at_least(e, x, low)
    power = emit_exp(e, at_most(e, x, far))
    w = e.binary("fmul", power, e.binary("fadd", power, two))
    return e.binary("fmul", x, e.binary("fdiv", w, e.binary("fadd", w, two)))


def numpy_mish(x: Any) -> Any:
    x = np.asarray(x)
    x = np.maximum(x, LOW)
    with np.errstate(under="ignore"):
        power = np.exp(np.minimum(x, FAR_SOFTPLUS))
        w = power * (power + 2)
        return x * (w / (w + 2))


def d_mish(b: GraphBuilder, dy: Value, args: Args, y: Value) -> Args:
    """dy * (w + 4 x e^x (e^x + 1) / (w + 2)) / (w + 2), with x clipped to where it is 0 and 1."""

    def const(value: float) -> Value:
        return b.const(value, y.type)

    x = b.op("clip", args[0], const(LOW), const(FAR_SOFTPLUS))
    power = b.op("exp", x)
    w = b.op("mul", power, b.op("add", power, const(2.0)))
    below = b.op("add", w, const(2.0))
    rise = b.op("mul", b.scaled(x, 4.0), b.op("mul", power, b.op("add", power, const(1.0))))
    return (b.op("mul", dy, b.op("div", b.op("add", w, b.op("div", rise, below)), below)),)


function(
    Function(
        name="softplus",
        arity=1,
        result=floating,
        numpy=numpy_softplus,
        llvm=emit_softplus,
        cuda=floats("(({0} < 0.0~ ? 0.0~ : {0}) + log1p~(exp~(-fabs~({0}))))"),
        derivative=d_softplus,
        domain=((-60.0, 60.0),),
        ulp=1.6,
        onnx="Softplus({0})",
    )
)
function(
    Function(
        name="mish",
        arity=1,
        result=floating,
        numpy=numpy_mish,
        llvm=emit_mish,
        cuda=floats("({0} < -1e3~ ? 0.0~ : {0} * tanh~(({0} < 0.0~ ? 0.0~ : {0}) + log1p~(exp~(-fabs~({0})))))"),
        derivative=d_mish,
        domain=((-40.0, 40.0),),
        ulp=4.5,
        onnx="Mish({0})",
    )
)


def emit(e: Emitter, x: Reg, t: Reg) -> Reg:
    """|x| (1 - t if x > 0 else t) + log(1 + e^-|x|); no two terms cancel. Largest error 1.88 / 1.49 ulp."""
    zero, one = (e.const(v, x.dtype, x.lanes) for v in (0.0, 1.0))
    size = e.intrinsic("fabs", x)
    wrong = e.select(e.compare("fcmp", "ogt", x, zero), e.binary("fsub", one, t), t)
    return e.binary("fadd", e.binary("fmul", size, wrong), log1p(e, emit_exp(e, e.unary("fneg", size))))


def reference(x: Any, t: Any) -> Any:
    x, t = np.asarray(x), np.asarray(t)
    with np.errstate(under="ignore", invalid="ignore"):
        return np.abs(x) * np.where(x > 0, 1 - t, t) + np.log1p(np.exp(-np.abs(x)))


def derivative(b: GraphBuilder, dy: Value, args: Args, y: Value) -> Args:
    x, t = args
    return b.op("mul", dy, b.op("sub", b.op("sigmoid", x), t)), b.op("neg", b.op("mul", dy, x))


function(
    Function(
        name="sigmoid_cross_entropy",
        arity=2,
        result=floating,
        numpy=reference,
        llvm=emit,
        cuda=floats("(fabs~({0}) * ({0} > 0.0~ ? 1.0~ - {1} : {1}) + log1p~(exp~(-fabs~({0}))))"),
        derivative=derivative,
        domain=((-60.0, 60.0), (0.0, 1.0)),
        ulp=1.9,
    )
)
