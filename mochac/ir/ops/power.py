"""Powers with a constant exponent, alone and as a factor.

power: y = x^exponent, elementwise; the exponent is an attribute.

Shapes: x (...) -> like x. Gradient: dx = dy * exponent * x^(exponent - 1), computed from x and not from y, so that it
is finite at 0 if the derivative is (Mocha.jl src/layers/power.jl divides y by x). NaN for negative x and a fractional
exponent; x^0 is 1.

power_times: y = x * s^exponent, elementwise; the exponent is an attribute.

Shapes: x (...), s of the same type -> like x. Gradients: dx = dy * s^exponent and
ds = exponent * x * (dy * s^(exponent-1)). Both use this op, so the backward pass keeps only s and not its power. Local
response normalization divides with it.
"""

from __future__ import annotations

import math

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import require_float, require_same_dtype, require_shape, result
from mochac.ir.types import TensorType

MAX_PRODUCTS = 8.0
TOLERANCE = 2e-6


def require_exponent(exponent: object) -> float:
    """Check that the exponent is a finite number."""
    if isinstance(exponent, bool) or not isinstance(exponent, (int, float)) or not math.isfinite(exponent):
        raise OpTypeError("the exponent must be a number", "a finite number", str(exponent))
    return float(exponent)


def numpy_power(x: np.ndarray, exponent: float) -> np.ndarray:
    """x^exponent in the type of x; NaN for negative x and a fractional exponent."""
    with np.errstate(all="ignore"):
        return np.power(x, x.dtype.type(exponent))


def raised(b: GraphBuilder, x: Value, exponent: float) -> Value:
    """x^exponent as a graph value; for simple exponents x itself, a fill or a square."""
    if exponent == 0.0:
        return b.const(1.0, x.type)
    if exponent == 1.0:
        return x
    return b.op("square", x) if exponent == 2.0 else b.op("power", x, exponent=exponent)


def emit_power(k: KernelBuilder, x: Operand, exponent: float, dtype: str) -> Operand:
    """x^exponent: products and square roots for small multiples of 1/4, else the scalar function pow.

    The reciprocal is taken first for exponents below -1 and last for those above, so that no intermediate result
    overflows or underflows before the result does.
    """
    size = abs(exponent)
    if size > MAX_PRODUCTS or not (4.0 * size).is_integer():
        return k.call("pow", x, k.const(exponent, dtype))
    one = k.const(1.0, dtype)
    if not size.is_integer():
        x = k.call("add", x, k.const(0.0, dtype))  # -0 becomes 0: roots of -0 are -0, powers of it are not
    if exponent < -1.0:
        return _positive(k, k.call("div", one, x), size, dtype)
    result = _positive(k, x, size, dtype)
    return k.call("div", one, result) if exponent < 0.0 else result


def _positive(k: KernelBuilder, x: Operand, size: float, dtype: str) -> Operand:
    """x^size for a multiple of 1/4 >= 0: a product of binary powers and roots of x."""
    whole, quarters = int(size), round(4 * (size - int(size)))
    factors: list[Operand] = []
    root = x
    for bit in (2, 1):
        if quarters:
            root = k.call("sqrt", root)
            if quarters & bit:
                factors.append(root)
                quarters -= bit
    power = x
    while whole:
        if whole & 1:
            factors.append(power)
        whole >>= 1
        if whole:
            power = k.call("mul", power, power)
    result = factors.pop(0) if factors else k.const(1.0, dtype)
    for factor in factors:
        result = k.call("mul", result, factor)
    return result


POSITIVE = (0.1, 4.0)
ANY = (-2.0, 2.0)


def infer(x: TensorType, *, exponent: float) -> tuple[TensorType, ...]:
    require_float("the input", x)
    require_exponent(exponent)
    return (x,)


def reference(x: np.ndarray, *, exponent: float) -> np.ndarray:
    return numpy_power(x, exponent)


def vjp(b: GraphBuilder, bound: BoundNode, dy: Value) -> tuple[Value | None, ...]:
    exponent = require_exponent(bound.attr["exponent"])
    if exponent == 0.0:
        return (None,)
    return (b.op("mul", dy, b.scaled(raised(b, bound.inputs[0], exponent - 1.0), exponent)),)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    exponent = require_exponent(bound.attr["exponent"])
    return (emit_power(k, k.read(bound, 0, index), exponent, bound.inputs[0].type.dtype),)


def _sample(x: str, exponent: float, domain: tuple[float, float] = POSITIVE) -> Sample:
    return Sample((x,), {"exponent": exponent}, domain=domain)


def onnx(w: OnnxWriter, bound: BoundNode, x: str) -> str:
    return w.formula(f"Pow({{0}}, {bound.attr['exponent']!r})", x)


register(
    Op(
        name="power",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower),
        tolerance=TOLERANCE,
        samples=(
            _sample("f32[b3,5]", -0.75),
            _sample("f32[b17,2,1,3]", 3.0, ANY),
            _sample("f32[7]", -2.0),
            _sample("f32[]", 1.0, ANY),
            _sample("f32[b3,5]", 0.0, ANY),
            _sample("f32[b3,5]", 2.0, ANY),
            _sample("f32[b3,5]", -1.75),
            _sample("f32[5]", 0.5),
            _sample("f32[5]", 7.25),
            _sample("f32[5]", 1.3),
            _sample("f32[5]", -0.1),
        ),
        onnx=onnx,
    )
)


def infer_times(x: TensorType, s: TensorType, *, exponent: float) -> tuple[TensorType, ...]:
    require_float("the input", x)
    require_same_dtype(("the input", x), ("the base", s))
    require_shape("base", s, x.shape, "input and base must have one shape")
    require_exponent(exponent)
    return (result(x.dtype, x.shape, x.batch or s.batch, x, s),)


def reference_times(x: np.ndarray, s: np.ndarray, *, exponent: float) -> np.ndarray:
    return x * numpy_power(s, exponent)


def vjp_times(b: GraphBuilder, bound: BoundNode, dy: Value) -> tuple[Value | None, ...]:
    x, s = bound.inputs
    exponent = require_exponent(bound.attr["exponent"])
    dx = b.op("power_times", dy, s, exponent=exponent)
    if exponent == 0.0:
        return dx, None
    slope = b.op("power_times", b.op("mul", dy, x), s, exponent=exponent - 1.0)
    return dx, b.scaled(slope, exponent)


def lower_times(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    exponent = require_exponent(bound.attr["exponent"])
    power = emit_power(k, k.read(bound, 1, index), exponent, bound.inputs[1].type.dtype)
    return (k.call("mul", k.read(bound, 0, index), power),)


def _sample_times(x: str, exponent: float) -> Sample:
    return Sample((x, x), {"exponent": exponent}, domains={1: (0.5, 4.0)})


def onnx_times(w: OnnxWriter, bound: BoundNode, x: str, base: str) -> str:
    return w.formula(f"Mul({{0}}, Pow({{1}}, {bound.attr['exponent']!r}))", x, base)


register(
    Op(
        name="power_times",
        infer=infer_times,
        reference=reference_times,
        vjp=vjp_times,
        lower=Pointwise(lower_times),
        tolerance=TOLERANCE,
        samples=(
            _sample_times("f32[b3,5]", -0.75),
            _sample_times("f32[b17,2,1,3]", -1.75),
            _sample_times("f32[4]", -0.6),
            _sample_times("f32[]", 0.0),
        ),
        onnx=onnx_times,
    )
)
