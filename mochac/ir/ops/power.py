"""power: y = x^exponent, elementwise; the exponent is an attribute.

Shapes: x (...) -> like x. Gradient: dx = dy * exponent * x^(exponent - 1), computed from x and not from y, so that it
is finite at 0 if the derivative is (Mocha.jl src/layers/power.jl divides y by x). NaN for negative x and a fractional
exponent; x^0 is 1.
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
from mochac.ir.ops._power import TOLERANCE, emit_power, numpy_power, raised, require_exponent
from mochac.ir.ops._typing import require_float
from mochac.ir.types import TensorType

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
