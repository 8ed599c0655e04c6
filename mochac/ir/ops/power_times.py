"""power_times: y = x * s^exponent, elementwise; the exponent is an attribute.

Shapes: x (...), s of the same type -> like x. Gradients: dx = dy * s^exponent and
ds = exponent * x * (dy * s^(exponent-1)). Both use this op, so the backward pass keeps only s and not its power. Local
response normalization divides with it.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, Sample, register
from mochac.ir.ops._power import TOLERANCE, emit_power, numpy_power, require_exponent
from mochac.ir.ops._typing import require_float, require_same_dtype, require_shape, result
from mochac.ir.types import TensorType


def infer(x: TensorType, s: TensorType, *, exponent: float) -> tuple[TensorType, ...]:
    require_float("the input", x)
    require_same_dtype(("the input", x), ("the base", s))
    require_shape("base", s, x.shape, "input and base must have one shape")
    require_exponent(exponent)
    return (result(x.dtype, x.shape, x.batch or s.batch, x, s),)


def reference(x: np.ndarray, s: np.ndarray, *, exponent: float) -> np.ndarray:
    return x * numpy_power(s, exponent)


def vjp(b: GraphBuilder, bound: BoundNode, dy: Value) -> tuple[Value | None, ...]:
    x, s = bound.inputs
    exponent = require_exponent(bound.attr["exponent"])
    dx = b.op("power_times", dy, s, exponent=exponent)
    if exponent == 0.0:
        return dx, None
    slope = b.op("power_times", b.op("mul", dy, x), s, exponent=exponent - 1.0)
    return dx, b.scaled(slope, exponent)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    exponent = require_exponent(bound.attr["exponent"])
    power = emit_power(k, k.read(bound, 1, index), exponent, bound.inputs[1].type.dtype)
    return (k.call("mul", k.read(bound, 0, index), power),)


def _sample(x: str, exponent: float) -> Sample:
    return Sample((x, x), {"exponent": exponent}, domains={1: (0.5, 4.0)})


def onnx(w: OnnxWriter, bound: BoundNode, x: str, base: str) -> str:
    return w.formula(f"Mul({{0}}, Pow({{1}}, {bound.attr['exponent']!r}))", x, base)


register(
    Op(
        name="power_times",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower),
        tolerance=TOLERANCE,
        samples=(
            _sample("f32[b3,5]", -0.75),
            _sample("f32[b17,2,1,3]", -1.75),
            _sample("f32[4]", -0.6),
            _sample("f32[]", 0.0),
        ),
        onnx=onnx,
    )
)
