"""Elements of another type, and pairs of bfloat16.

cast: convert every element to another dtype (rows to_<dtype> of the scalar table; for bool: x != 0).

Gradient: the cotangent converted back; only between floats.

pairs: neighbours along an axis, rounded to bfloat16, as the elements of a factor of a contraction.

    y[.., k, ..] = pair(x[.., 2 k, ..], x[.., 2 k + 1, ..]), with 0 behind the end

Shapes: x (.., K, ..) of floats -> (.., ceil(K / 2), ..) of bf16x2. Attributes: axis. Along axis 0, samples become
terms, and the result has no batch. passes/pair_factors.py writes it, behind the gradient.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.bfloat16 import pair
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Attr, BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import integer, require_dtype_name, result
from mochac.ir.types import DTYPES, FLOATS, PAIRS, TensorType


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


def infer_pairs(x: TensorType, *, axis: int) -> tuple[TensorType, ...]:
    if x.dtype not in ("f32", "f64"):
        raise OpTypeError("pairs are made of floats", "f32 or f64", str(x))
    if not 0 <= axis < len(x.shape):
        raise OpTypeError("there is no such axis", f"0 .. {len(x.shape) - 1}", str(axis))
    shape = (*x.shape[:axis], (x.shape[axis] + 1) // 2, *x.shape[axis + 1 :])
    return (result(PAIRS, shape, x.batch and axis > 0, x),)


def reference_pairs(x: np.ndarray, *, axis: int) -> np.ndarray:
    ends = [(0, x.shape[axis] % 2 * (a == axis)) for a in range(x.ndim)]
    x = np.pad(x.astype(np.float32, copy=False), ends)
    first, second = (np.take(x, range(k, x.shape[axis], 2), axis) for k in (0, 1))
    return pair(first, second)


def lower_pairs(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    axis, size = integer(bound, "axis"), bound.inputs[0].type.shape[integer(bound, "axis")]
    first = index[axis] * 2

    def read(place: Index) -> Operand:
        x = k.read(bound, 0, (*index[:axis], place, *index[axis + 1 :]))
        return x if bound.inputs[0].type.dtype == "f32" else k.call("to_f32", x)

    if size % 2 == 0:
        return (k.call("pair", read(first), read(first + 1)),)
    second = k.local("second", "f32", k.const(0.0, "f32"))
    with k.where(size - 2 - first):
        k.set(second, read(first + 1))
    return (k.call("pair", read(first), k.get(second)),)


def lifted(attrs: dict[str, Attr], n: int) -> dict[str, Attr]:
    axis = attrs["axis"]
    assert isinstance(axis, int)
    return {"axis": axis + 1}


register(
    Op(
        name="pairs",
        infer=infer_pairs,
        reference=reference_pairs,
        lower=Pointwise(lower_pairs),
        kind="shape",
        lifted=lifted,
        tolerance=0.0,
        samples=(
            Sample(("f32[b3,4]",), {"axis": 1}),
            Sample(("f32[b17,5]",), {"axis": 0}),
            Sample(("f32[b3,7,2,3]",), {"axis": 1}),
            Sample(("f32[1]",), {"axis": 0}),
        ),
    )
)
