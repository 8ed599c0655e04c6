"""dequantize: the real numbers that integers stand for.

    x = scale * (q - zero)

Operands: q, of 8 or 32 bits, and, if there is a scale for each index of an axis, these scales. Attributes: scale (1.0
where scales are an operand), zero, axis (of the scales). Shapes: q (...) [, scales (q.shape[axis],)] -> like q, float.
ONNX's DequantizeLinear.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._quantized import number, require_scale, scale_and_zero
from mochac.ir.ops._typing import integer, require_float, require_shape, result
from mochac.ir.types import DTYPES, TensorType

DTYPE = "f32"
"""Of the result."""


def infer(
    q: TensorType, scales: TensorType | None = None, *, scale: float = 1.0, zero: int = 0, axis: int = 0
) -> tuple[TensorType, ...]:
    if q.dtype not in ("i8", "u8", "i32"):
        raise OpTypeError("the input must hold quantized numbers", "i8, u8 or i32", str(q))
    require_scale(scale)
    if scales is not None:
        require_float("the scales", scales)
        if not 0 <= axis < len(q.shape):
            raise OpTypeError("the axis of the scales must exist", f"0 <= axis < {len(q.shape)}", str(axis))
        require_shape("scales", scales, (q.shape[axis],), "there is a scale for each index of an axis")
    return (result(DTYPE, q.shape, q.batch, q),)


def reference(
    q: np.ndarray, scales: np.ndarray | None = None, *, scale: float = 1.0, zero: int = 0, axis: int = 0
) -> np.ndarray:
    real = DTYPES[DTYPE].type
    along = (
        real(scale) if scales is None else scales.astype(real).reshape([-1 if a == axis else 1 for a in range(q.ndim)])
    )
    return ((q.astype(np.int32) - np.int32(zero)).astype(real) * along).astype(real)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    scale, zero = scale_and_zero(bound)
    whole = k.read(bound, 0, index)
    if bound.inputs[0].type.dtype != "i32":
        whole = k.call("to_i32", whole)
    if zero:
        whole = k.call("sub", whole, k.const(zero, "i32"))
    several = len(bound.inputs) == 2
    by = k.read(bound, 1, (index[integer(bound, "axis")],)) if several else k.const(number(scale, DTYPE), DTYPE)
    if several and bound.inputs[1].type.dtype != DTYPE:
        by = k.call("to_f32", by)
    return (k.call("mul", k.call("to_f32", whole), by),)


def onnx(w: OnnxWriter, bound: BoundNode, q: str, *scales: str) -> str:
    scale, zero = scale_and_zero(bound)
    if scales:
        return w.node("DequantizeLinear", q, *scales, axis=integer(bound, "axis"))
    dtype = DTYPES[bound.inputs[0].type.dtype]
    return w.node("DequantizeLinear", q, w.constant(np.asarray(scale)), w.constant(np.asarray(zero, dtype)))


register(
    Op(
        name="dequantize",
        infer=infer,
        reference=reference,
        lower=Pointwise(lower),
        tolerance=0.0,
        samples=(
            Sample(("i8[b3,5]",), {"scale": 0.02, "zero": 3}, integers={0: (-128, 128)}),
            Sample(("u8[b17,2,3]",), {"scale": 0.5, "zero": 255}, integers={0: (0, 256)}),
            Sample(("i32[b3,2,4]", "f32[2]"), {"axis": 1}, integers={0: (-(2**20), 2**20)}, domain=(0.1, 1.0)),
            Sample(("i8[4,2,3]", "f32[4]"), {"axis": 0}, integers={0: (-127, 128)}, domain=(0.1, 1.0)),
        ),
        onnx=onnx,
    )
)
