"""quantize: real numbers as integers of 8 bits.

    q = round(x / scale) + zero, at least and at most what the dtype holds; halves are rounded to even integers

Attributes: scale > 0, zero (the integer that stands for 0.0), dtype ("i8" or "u8"). A NaN becomes `zero`. Shapes:
x (...) -> like x. ONNX's QuantizeLinear.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, Sample, register
from mochac.ir.ops._quantized import number, require_bytes, require_scale, require_zero, scale_and_zero
from mochac.ir.ops._typing import require_float, result
from mochac.ir.types import DTYPES, TensorType


def infer(x: TensorType, *, scale: float, zero: int, dtype: str) -> tuple[TensorType, ...]:
    require_float("the input", x)
    require_bytes("the result", dtype)
    require_scale(scale)
    require_zero(zero, dtype)
    return (result(dtype, x.shape, x.batch, x),)


def reference(x: np.ndarray, *, scale: float, zero: int, dtype: str) -> np.ndarray:
    limits = np.iinfo(DTYPES[dtype])
    whole = np.rint(x / x.dtype.type(scale))
    whole = np.where(np.isnan(whole), 0, np.clip(whole, limits.min - zero, limits.max - zero))
    return (whole.astype(np.int32) + zero).astype(DTYPES[dtype])


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    """Numbers within the limits are rounded by a sum with a number whose neighbours are 1 apart: not all CPUs have an
    instruction for that."""
    scale, zero = scale_and_zero(bound)
    kind, dtype = bound.inputs[0].type.dtype, bound.outputs[0].type.dtype
    limits = np.iinfo(DTYPES[dtype])
    real = k.call("div", k.read(bound, 0, index), k.const(number(scale, kind), kind))
    low, high = (k.const(float(v - zero), kind) for v in (limits.min, limits.max))
    within = k.call("clip", k.call("select", k.call("isnan", real), k.const(0.0, kind), real), low, high)
    ulp_1 = k.const(1.5 * 2.0 ** np.finfo(DTYPES[kind]).nmant, kind)
    whole = k.call("to_i32", k.call("sub", k.call("add", within, ulp_1), ulp_1))
    return (k.call(f"to_{dtype}", k.call("add", whole, k.const(zero, "i32"))),)


def onnx(w: OnnxWriter, bound: BoundNode, x: str) -> str:
    scale, zero = scale_and_zero(bound)
    dtype = DTYPES[bound.outputs[0].type.dtype]
    return w.node("QuantizeLinear", x, w.constant(np.asarray(scale)), w.constant(np.asarray(zero, dtype)))


register(
    Op(
        name="quantize",
        infer=infer,
        reference=reference,
        lower=Pointwise(lower),
        tolerance=0.0,
        samples=(
            Sample(("f32[b3,5]",), {"scale": 0.02, "zero": 3, "dtype": "i8"}, domain=(-4.0, 4.0)),
            Sample(("f32[b17,2,3,1]",), {"scale": 0.01, "zero": 0, "dtype": "u8"}),
            Sample(("f32[]",), {"scale": 1.0, "zero": -128, "dtype": "i8"}, domain=(-200.0, 200.0)),
        ),
        onnx=onnx,
    )
)
