"""softplus, log(1 + e^x), and the neuron mish, x * tanh(softplus(x)); neither overflows.

mish: Misra 2019 (arXiv:1908.08681).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.functions.clip import at_least, at_most
from mochac.ir.functions.transcendental import emit_exp, log1p
from mochac.ir.graph import Value
from mochac.ir.scalar import Emitter, Function, Reg, floating, function

Args = tuple[Value, ...]
LOW, FAR = -1000.0, 20.0
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
    low, far, two = (e.const(v, x.dtype, x.lanes) for v in (LOW, FAR, 2.0))
    x = at_least(e, x, low)
    power = emit_exp(e, at_most(e, x, far))
    w = e.binary("fmul", power, e.binary("fadd", power, two))
    return e.binary("fmul", x, e.binary("fdiv", w, e.binary("fadd", w, two)))


def numpy_mish(x: Any) -> Any:
    x = np.asarray(x)
    x = np.maximum(x, LOW)
    with np.errstate(under="ignore"):
        power = np.exp(np.minimum(x, FAR))
        w = power * (power + 2)
        return x * (w / (w + 2))


def d_mish(b: GraphBuilder, dy: Value, args: Args, y: Value) -> Args:
    """dy * (w + 4 x e^x (e^x + 1) / (w + 2)) / (w + 2), with x clipped to where it is 0 and 1."""

    def const(value: float) -> Value:
        return b.const(value, y.type)

    x = b.op("clip", args[0], const(LOW), const(FAR))
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
        cuda={
            "f32": "(({0} < 0.0f ? 0.0f : {0}) + log1pf(expf(-fabsf({0}))))",
            "f64": "(({0} < 0.0 ? 0.0 : {0}) + log1p(exp(-fabs({0}))))",
        },
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
        cuda={
            "f32": "({0} < -1e3f ? 0.0f : {0} * tanhf(({0} < 0.0f ? 0.0f : {0}) + log1pf(expf(-fabsf({0})))))",
            "f64": "({0} < -1e3 ? 0.0 : {0} * tanh(({0} < 0.0 ? 0.0 : {0}) + log1p(exp(-fabs({0})))))",
        },
        derivative=d_mish,
        domain=((-40.0, 40.0),),
        ulp=4.5,
        onnx="Mish({0})",
    )
)
