"""concat: concatenate tensors along an axis.

    y[..., s_k + i, ...] = x_k[..., i, ...]   with s_k the sum of the extents of x_0 .. x_{k-1} along `axis`

Shapes: all x_k equal except along `axis` -> their extents added. Along axis 0 the operands must not be batch-marked,
because the rows of the result do not correspond to samples. Gradient: slices. Mocha.jl src/layers/concat.jl.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import dims, integer, require_same_dtype, result
from mochac.ir.types import TensorType


def infer(*xs: TensorType, axis: int) -> tuple[TensorType, ...]:
    if not xs:
        raise OpTypeError("there is nothing to concatenate", "1 or more operands", "none")
    first = xs[0]
    if not isinstance(axis, int) or not 0 <= axis < len(first.shape):
        raise OpTypeError("the axis to concatenate along must exist", f"0 <= axis < {len(first.shape)}", str(axis))
    for x in xs:
        _require_like(first, x, axis)
    if first.batch and axis == 0:
        raise OpTypeError("samples of the plan cannot be concatenated", "operands without the batch mark", str(first))
    shape = (*first.shape[:axis], sum(x.shape[axis] for x in xs), *first.shape[axis + 1 :])
    return (result(first.dtype, shape, first.batch, *xs),)


def _require_like(first: TensorType, x: TensorType, axis: int) -> None:
    require_same_dtype(("the first operand", first), ("another", x))
    if first.batch != x.batch:
        raise OpTypeError("either all operands hold samples or none does", str(first), str(x))
    wanted = (*first.shape[:axis], *x.shape[axis : axis + 1], *first.shape[axis + 1 :])
    if x.shape != wanted or len(wanted) != len(first.shape):
        raise OpTypeError(f"operands may differ along axis {axis} only", dims(wanted), dims(x.shape))


def reference(*xs: np.ndarray, axis: int) -> np.ndarray:
    return np.concatenate(xs, axis=axis)


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    axis, parts, at = _axis(bound), [], 0
    for x in bound.inputs:
        start = tuple(at if a == axis else 0 for a in range(len(x.type.shape)))
        parts.append(b.op("slice", ct, start=start, shape=x.type.shape))
        at += x.type.shape[axis]
    return tuple(parts)


def _axis(bound: BoundNode) -> int:
    axis = bound.attr["axis"]
    assert isinstance(axis, int)
    return axis


def places(bound: BoundNode, index: tuple[Index, ...]) -> tuple[tuple[Index, ...], ...]:
    """Where the elements of the operands lie."""
    axis, found, at = _axis(bound), [], 0
    for x in bound.inputs:
        found.append((*index[:axis], index[axis] + at, *index[axis + 1 :]))
        at += x.type.shape[axis]
    return tuple(found)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    axis, dtype = _axis(bound), bound.outputs[0].type.dtype
    picked, at, last = k.local("picked", dtype, k.const(0, dtype)), 0, len(bound.inputs) - 1
    for position, x in enumerate(bound.inputs):
        inside, extent = index[axis] - at, x.type.shape[axis]
        low = (inside,) if position else ()
        high = (extent - 1 - inside,) if position < last else ()
        with k.where(*low, *high):
            k.set(picked, k.read(bound, position, (*index[:axis], inside, *index[axis + 1 :])))
        at += extent
    return (k.get(picked),)


def onnx(w: OnnxWriter, bound: BoundNode, *operands: str) -> str:
    return w.node("Concat", *operands, axis=integer(bound, "axis"))


register(
    Op(
        name="concat",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower, places=places),
        kind="shape",
        moves=True,
        tolerance=0.0,
        samples=(
            Sample(("f32[b3,2,5]", "f32[b3,1,5]", "f32[b3,4,5]"), {"axis": 1}),
            Sample(("f32[b17,2,3]", "f32[b17,2,1]"), {"axis": 2}),
            Sample(("f32[b3,2,5]", "f32[b3,2,5]", "f32[b3,2,5]"), {"axis": 1}),
            Sample(("f32[4,3]", "f32[4,3]"), {"axis": 0}),
            Sample(("f32[4,3]", "f32[2,3]"), {"axis": 0}),
            Sample(("f32[b2,3]",), {"axis": 1}),
            Sample(("f32[5]", "f32[1]"), {"axis": 0}),
        ),
        onnx=onnx,
    )
)
