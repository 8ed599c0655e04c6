"""A box of a tensor cut out, put into a larger one, or joined with others.

slice: a rectangular part of a tensor.

    y[i0, i1, ...] = x[start0 + i0, start1 + i1, ...]

Attributes: start, one offset per axis; shape, the extents of the result, which must lie inside x. Axis 0 of a
batch-marked x is not cut: start[0] is 0 and shape[0] is the batch size. Gradient: pad.

strided_slice: every step-th element along one axis, also from its end.

    y[.., i, ..] = x[.., start + step*i, ..]

Attributes: axis, not that of a batch; start; length, of the result; step, not 0. Gradient: with elements of zeros in
between, a pad; of a negative step, of the reversed gradient.

pad: put a tensor into a larger tensor of zeros, or of another number.

    y[i0, i1, ...] = x[i0 - start0, i1 - start1, ...] inside x, `value` elsewhere

Attributes: start, one offset per axis; shape, the extents of the result, into which x must fit. Axis 0 of a
batch-marked x is not padded: start[0] is 0 and shape[0] is the batch size; value, 0 by default. Gradient: slice.

concat: concatenate tensors along an axis.

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
from mochac.ir.ops._typing import dims, integer, integers, real, require_box, require_same_dtype, result
from mochac.ir.types import DTYPES, TensorType


def infer(x: TensorType, *, start: tuple[int, ...], shape: tuple[int, ...]) -> tuple[TensorType, ...]:
    require_box(tuple(start), tuple(shape), x.shape, x.batch)
    return (result(x.dtype, tuple(shape), x.batch, x),)


def reference(x: np.ndarray, *, start: tuple[int, ...], shape: tuple[int, ...]) -> np.ndarray:
    return x[tuple(slice(s, s + d) for s, d in zip(start, shape, strict=True))].copy()


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    return (b.op("pad", ct, start=integers(bound, "start"), shape=bound.inputs[0].type.shape),)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    return (k.read(bound, 0, tuple(i + s for i, s in zip(index, integers(bound, "start"), strict=True))),)


def onnx(w: OnnxWriter, bound: BoundNode, x: str) -> str:
    """Slice along the axes that are cut."""
    start, shape, extents = integers(bound, "start"), bound.outputs[0].type.shape, bound.inputs[0].type.shape
    cut = [a for a, extent in enumerate(shape) if extent != extents[a]]
    ends = [start[a] + shape[a] for a in cut]
    return w.node("Slice", x, w.integers([start[a] for a in cut]), w.integers(ends), w.integers(cut))


register(
    Op(
        name="slice",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower),
        kind="shape",
        moves=True,
        inlined=True,
        tolerance=0.0,
        samples=(
            Sample(("f32[b3,2,7,5]",), {"start": (0, 0, 2, 1), "shape": (3, 2, 4, 3)}),
            Sample(("f32[b17,6]",), {"start": (0, 5), "shape": (17, 1)}),
            Sample(("f32[5,3]",), {"start": (2, 0), "shape": (3, 3)}),
            Sample(("f32[b2,3]",), {"start": (0, 0), "shape": (2, 3)}),
        ),
        onnx=onnx,
    )
)


def infer_strided(x: TensorType, *, axis: int, start: int, length: int, step: int) -> tuple[TensorType, ...]:
    if not int(x.batch) <= axis < len(x.shape):
        raise OpTypeError("the axis to slice must exist, and hold no samples", f"axis < {len(x.shape)}", str(axis))
    last = start + step * (length - 1)
    if length < 1 or not step or not 0 <= min(start, last) <= max(start, last) < x.shape[axis]:
        wanted, got = f"elements of 0 .. {x.shape[axis] - 1}", f"{length} from {start} in steps of {step}"
        raise OpTypeError("there are no such elements", wanted, got)
    return (result(x.dtype, (*x.shape[:axis], length, *x.shape[axis + 1 :]), x.batch, x),)


def reference_strided(x: np.ndarray, *, axis: int, start: int, length: int, step: int) -> np.ndarray:
    return np.take(x, range(start, start + step * length, step), axis)


def vjp_strided(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    axis, start, length, step = (integer(bound, name) for name in ("axis", "start", "length", "step"))
    shape = bound.inputs[0].type.shape
    before, behind = ct.type.shape[:axis], ct.type.shape[axis + 1 :]
    if step < 0:
        ct = b.op("strided_slice", ct, axis=axis, start=length - 1, length=length, step=-1)
        start += step * (length - 1)
    if abs(step) > 1 and length > 1:
        none, row_shape = (0,) * (len(shape) + 1), (*before, length, abs(step), *behind)
        ct = b.op("pad", b.op("reshape", ct, shape=(*before, length, 1, *behind)), start=none, shape=row_shape)
        ct = b.op("reshape", ct, shape=(*before, length * abs(step), *behind))
        ct = b.op("slice", ct, start=none[1:], shape=(*before, (length - 1) * abs(step) + 1, *behind))
    return (b.op("pad", ct, start=tuple(start if a == axis else 0 for a in range(len(shape))), shape=shape),)


def lower_strided(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    axis = integer(bound, "axis")
    place = index[axis] * integer(bound, "step") + integer(bound, "start")
    return (k.read(bound, 0, (*index[:axis], place, *index[axis + 1 :])),)


def onnx_strided(w: OnnxWriter, bound: BoundNode, x: str) -> str:
    axis, start, length, step = (integer(bound, name) for name in ("axis", "start", "length", "step"))
    end = start + step * length
    numbers = (w.integers([n]) for n in (start, end if end >= 0 else -1 - bound.inputs[0].type.shape[axis], axis, step))
    return w.node("Slice", x, *numbers)


register(
    Op(
        name="strided_slice",
        infer=infer_strided,
        reference=reference_strided,
        vjp=vjp_strided,
        lower=Pointwise(lower_strided),
        kind="shape",
        moves=True,
        tolerance=0.0,
        samples=(
            Sample(("f32[b3,2,7,5]",), {"axis": 2, "start": 1, "length": 3, "step": 2}),
            Sample(("f32[b3,2,7,19]",), {"axis": 3, "start": 18, "length": 19, "step": -1}),
            Sample(("f32[b17,6]",), {"axis": 1, "start": 5, "length": 2, "step": -4}),
            Sample(("f32[b17,40]",), {"axis": 1, "start": 2, "length": 13, "step": 3}),
            Sample(("f32[5,3]",), {"axis": 0, "start": 4, "length": 5, "step": -1}),
            Sample(("f32[b2,3]",), {"axis": 1, "start": 1, "length": 1, "step": 7}),
        ),
        onnx=onnx_strided,
    )
)


def infer_pad(
    x: TensorType, *, start: tuple[int, ...], shape: tuple[int, ...], value: float = 0
) -> tuple[TensorType, ...]:
    require_box(tuple(start), x.shape, tuple(shape), x.batch)
    return (result(x.dtype, tuple(shape), x.batch, x),)


def reference_pad(x: np.ndarray, *, start: tuple[int, ...], shape: tuple[int, ...], value: float = 0) -> np.ndarray:
    y = np.full(shape, value, x.dtype)
    y[tuple(slice(s, s + d) for s, d in zip(start, x.shape, strict=True))] = x
    return y


def vjp_pad(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    return (b.op("slice", ct, start=integers(bound, "start"), shape=bound.inputs[0].type.shape),)


def _value(bound: BoundNode) -> float | int:
    """What surrounds x, as a literal of its dtype."""
    value, dtype = real(bound, "value", 0), DTYPES[bound.inputs[0].type.dtype]
    return value if dtype.kind == "f" and value else int(value)


def lower_pad(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    x, y = bound.inputs[0].type, bound.outputs[0].type
    inside = tuple(i - s for i, s in zip(index, integers(bound, "start"), strict=True))
    guards: list[Index] = []
    for i, s, size, whole in zip(inside, integers(bound, "start"), x.shape, y.shape, strict=True):
        guards += [i] if s else []
        guards += [size - 1 - i] if s + size < whole else []
    picked = k.local("picked", y.dtype, k.const(_value(bound), y.dtype))
    with k.where(*guards):
        k.set(picked, k.read(bound, 0, inside))
    return (k.get(picked),)


def onnx_pad(w: OnnxWriter, bound: BoundNode, x: str) -> str:
    start, inner, whole_shape = integers(bound, "start"), bound.inputs[0].type.shape, bound.outputs[0].type.shape
    behind = [whole - s - size for whole, s, size in zip(whole_shape, start, inner, strict=True)]
    value = _value(bound)
    with_value = (w.constant(np.asarray(value, DTYPES[bound.inputs[0].type.dtype])),) if value else ()
    return w.node("Pad", x, w.integers([*start, *behind]), *with_value)


register(
    Op(
        name="pad",
        infer=infer_pad,
        reference=reference_pad,
        vjp=vjp_pad,
        lower=Pointwise(lower_pad),
        kind="shape",
        tolerance=0.0,
        samples=(
            Sample(("f32[b3,2,4,3]",), {"start": (0, 0, 2, 1), "shape": (3, 2, 7, 5)}),
            Sample(("f32[b17,1]",), {"start": (0, 5), "shape": (17, 6)}),
            Sample(("f32[3,3]",), {"start": (2, 0), "shape": (5, 3)}),
            Sample(("f32[b2,3]",), {"start": (0, 0), "shape": (2, 3)}),
            Sample(("f32[b2,3]",), {"start": (0, 1), "shape": (2, 5), "value": 1.5}),
            Sample(("u8[b2,3,4]",), {"start": (0, 1, 0), "shape": (2, 5, 8), "value": 7}, integers={0: (0, 256)}),
        ),
        onnx=onnx_pad,
    )
)


def infer_concat(*xs: TensorType, axis: int) -> tuple[TensorType, ...]:
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


def reference_concat(*xs: np.ndarray, axis: int) -> np.ndarray:
    return np.concatenate(xs, axis=axis)


def vjp_concat(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    axis, parts, at = integer(bound, "axis"), [], 0
    for x in bound.inputs:
        start = tuple(at if a == axis else 0 for a in range(len(x.type.shape)))
        parts.append(b.op("slice", ct, start=start, shape=x.type.shape))
        at += x.type.shape[axis]
    return tuple(parts)


def places(bound: BoundNode, index: tuple[Index, ...]) -> tuple[tuple[Index, ...], ...]:
    """Where the elements of the operands lie."""
    axis, found, at = integer(bound, "axis"), [], 0
    for x in bound.inputs:
        found.append((*index[:axis], index[axis] + at, *index[axis + 1 :]))
        at += x.type.shape[axis]
    return tuple(found)


def lower_concat(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    axis, dtype = integer(bound, "axis"), bound.outputs[0].type.dtype
    picked, at, last = k.local("picked", dtype, k.const(0, dtype)), 0, len(bound.inputs) - 1
    for position, x in enumerate(bound.inputs):
        inside, extent = index[axis] - at, x.type.shape[axis]
        low = (inside,) if position else ()
        high = (extent - 1 - inside,) if position < last else ()
        with k.where(*low, *high):
            k.set(picked, k.read(bound, position, (*index[:axis], inside, *index[axis + 1 :])))
        at += extent
    return (k.get(picked),)


def onnx_concat(w: OnnxWriter, bound: BoundNode, *operands: str) -> str:
    return w.node("Concat", *operands, axis=integer(bound, "axis"))


register(
    Op(
        name="concat",
        infer=infer_concat,
        reference=reference_concat,
        vjp=vjp_concat,
        lower=Pointwise(lower_concat, places=places),
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
        onnx=onnx_concat,
    )
)
