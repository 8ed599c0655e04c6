"""cast: convert every element to another dtype (rows to_<dtype> of the scalar table; for bool: x != 0).

Gradient: the cotangent converted back; only between floats.
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
from mochac.ir.ops._typing import require_dtype_name
from mochac.ir.types import DTYPES, FLOATS, TensorType


def infer(x: TensorType, *, dtype: str) -> tuple[TensorType, ...]:
    require_dtype_name(dtype)
    return (x.with_(dtype=dtype),)


def reference(x: np.ndarray, *, dtype: str) -> np.ndarray:
    return x.astype(DTYPES[dtype])


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    source = bound.inputs[0].type.dtype
    if source not in FLOATS or ct.type.dtype not in FLOATS:
        return (None,)
    return (ct if source == ct.type.dtype else b.op("cast", ct, dtype=source),)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    x, dtype = k.read(bound, 0, index), bound.outputs[0].type.dtype
    source = bound.inputs[0].type.dtype
    if source == dtype:
        return (x,)
    return (k.call("ne", x, k.const(0, source)) if dtype == "bool" else k.call("to_" + dtype, x),)


def onnx(w: OnnxWriter, bound: BoundNode, x: str) -> str:
    return w.cast(x, bound.outputs[0].type.dtype)


register(
    Op(
        name="cast",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower),
        lifted=lambda attrs, n: attrs,
        tolerance=1e-6,
        samples=(
            Sample(("f32[b3,5]",), {"dtype": "f64"}),
            Sample(("u8[b3,1]",), {"dtype": "f32"}, integers={0: (0, 256)}),
            Sample(("bool[4]",), {"dtype": "f32"}, integers={0: (0, 2)}),
            Sample(("i32[4]",), {"dtype": "bool"}, integers={0: (-1, 2)}),
        ),
        onnx=onnx,
    )
)
