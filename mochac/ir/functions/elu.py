"""elu(x, alpha, scale): scale * x above 0, scale * alpha * (e^x - 1) below. SELU is one with published constants.

Clevert et al. 2015 (arXiv:1511.07289), Klambauer et al. 2017 (arXiv:1706.02515).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.functions.polynomials import FORMATS, reduced_exp
from mochac.ir.graph import Value
from mochac.ir.scalar import Emitter, Function, Reg, floating, function

Args = tuple[Value, ...]


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
        cuda={
            "f32": "({2} * ({0} > 0.0f ? {0} : {1} * expm1f({0})))",
            "f64": "({2} * ({0} > 0.0 ? {0} : {1} * expm1({0})))",
        },
        derivative=derivative,
        domain=((-20.0, 20.0), (0.5, 2.0), (0.5, 2.0)),
        ulp=3.0,
        onnx=in_onnx,
    )
)
