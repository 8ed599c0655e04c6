"""huber(d, delta): d^2 / 2 if |d| <= delta, else delta (|d| - delta / 2); the derivative is d, clipped to +-delta.

Huber 1964, "Robust estimation of a location parameter".
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.functions.arith import emit_min
from mochac.ir.graph import Value
from mochac.ir.scalar import Emitter, Function, Reg, floating, function

Args = tuple[Value, ...]


def emit(e: Emitter, d: Reg, delta: Reg) -> Reg:
    """m (|d| - m / 2) with m = min(|d|, delta)."""
    size = e.intrinsic("fabs", d)
    near = emit_min(e, size, delta)
    half = e.binary("fmul", near, e.const(0.5, d.dtype, d.lanes))
    return e.binary("fmul", near, e.binary("fsub", size, half))


def reference(d: Any, delta: Any) -> Any:
    size = np.abs(d)
    near = np.minimum(size, delta)
    with np.errstate(invalid="ignore"):
        return near * (size - near / 2)


def derivative(b: GraphBuilder, dy: Value, args: Args, y: Value) -> Args:
    d, delta = args
    slope = b.op("max", b.op("min", d, delta), b.op("neg", delta))
    beyond = b.op("relu", b.op("sub", b.op("abs", d), delta))
    return b.op("mul", dy, slope), b.op("mul", dy, beyond)


function(
    Function(
        name="huber",
        arity=2,
        result=floating,
        numpy=reference,
        llvm=emit,
        cuda={
            "f32": "(fminf(fabsf({0}), {1}) * (fabsf({0}) - fminf(fabsf({0}), {1}) * 0.5f))",
            "f64": "(fmin(fabs({0}), {1}) * (fabs({0}) - fmin(fabs({0}), {1}) * 0.5))",
        },
        derivative=derivative,
        domain=((-3.0, 3.0), (0.1, 2.0)),
        ulp=1.5,
        onnx="Where(LessOrEqual(Abs({0}), {1}), Mul(Mul({0}, {0}), 0.5), Mul({1}, Sub(Abs({0}), Mul({1}, 0.5))))",
    )
)
