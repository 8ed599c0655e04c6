"""Values that are constant along axes (fill, position, broadcast), and sums and maxima over axes.

fill: a tensor filled with one number; it has no operands.

Attributes: value, dtype, shape, batch (whether axis 0 is the batch of the plan), lanes (0 for natural layout).

position: every element is its index along one axis; it has no operands.

    y[i0, i1, ...] = i_axis

Attributes: axis, dtype, shape, batch (whether axis 0 is the batch of the plan; the axis is another one), lanes (0 for
natural layout). Causal masks compare the positions along two axes.

broadcast: repeat a tensor along new axes; axis k of x becomes output axis axes[k].

    y[i0, i1, ...] = x[i_axes[0], i_axes[1], ...]

Attributes: shape, axes (increasing; () for a scalar), batch (whether output axis 0 is the batch of the plan), lanes
(layout of the result if x is not batch-marked). Gradient: reduce_sum over the new axes.

reduce_sum: sum over some axes, which are removed.

    y[kept indices] = sum over the indices of `axes` of x

The result is batch-marked if axis 0 is kept. Gradient: broadcast.

reduce_max: maximum over some axes, which are removed.

    y[kept indices] = max over the indices of `axes` of x

NaN if there is a NaN, -inf if an axis has no elements. The result is batch-marked if axis 0 is kept. Gradient: that of
the first of equal elements, in row-major order; of the first NaN.
"""

from __future__ import annotations

from contextlib import ExitStack

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Attr, BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import dims, extents, integer, integers, require_dtype_name, require_float, result
from mochac.ir.types import DTYPES, TensorType


def infer(
    x: TensorType, *, shape: tuple[int, ...], axes: tuple[int, ...], batch: bool = False, lanes: int = 0
) -> tuple[TensorType, ...]:
    axes = tuple(axes)
    if len(axes) != len(x.shape) or list(axes) != sorted(set(axes)) or any(not 0 <= a < len(shape) for a in axes):
        raise OpTypeError("axes must be increasing, one output axis per axis", f"{len(x.shape)} axes", str(axes))
    expected = tuple(shape[a] for a in axes)
    if x.shape != expected:
        raise OpTypeError("extents differ along the broadcast axes", dims(expected), dims(x.shape))
    if x.batch and (not batch or axes[0] != 0):
        raise OpTypeError("the batch axis must stay axis 0", "axes[0] == 0 and a batch result", str(axes))
    return (TensorType(x.dtype, tuple(shape), batch, (x.lanes if x.batch else lanes) if batch else 0),)


def reference(x: np.ndarray, *, shape: tuple[int, ...], axes: tuple[int, ...], **_: object) -> np.ndarray:
    own = tuple(d if a in axes else 1 for a, d in enumerate(shape))
    return np.array(np.broadcast_to(x.reshape(own), shape))


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    axes = integers(bound, "axes")
    new = tuple(a for a in range(len(ct.type.shape)) if a not in axes)
    return (b.op("reduce_sum", ct, axes=new) if new else ct,)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    return (k.read(bound, 0, tuple(index[a] for a in integers(bound, "axes"))),)


def lifted(attrs: dict[str, Attr], n: int) -> dict[str, Attr]:
    return {
        "shape": (n, *extents(attrs["shape"])),
        "axes": (0, *(a + 1 for a in extents(attrs["axes"]))),
        "batch": True,
    }


def onnx(w: OnnxWriter, bound: BoundNode, x: str) -> str:
    """Extents of 1 where the result is to have others; ONNX broadcasts them."""
    source, target, axes = bound.inputs[0].type, bound.outputs[0].type, integers(bound, "axes")
    if not source.shape:
        return w.thin(x)
    shape = tuple(extent if a in axes else 1 for a, extent in enumerate(target.shape))
    return w.thin(w.node("Reshape", x, w.extents(target.with_(shape=shape, batch=source.batch, lanes=0), x)))


register(
    Op(
        name="broadcast",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower),
        lifted=lifted,
        kind="shape",
        inlined=True,
        tolerance=0.0,
        samples=(
            Sample(("f32[]",), {"shape": (3, 5), "axes": (), "batch": True}),
            Sample(("f32[2]",), {"shape": (3, 2, 1, 4), "axes": (1,), "batch": True}),
            Sample(("f32[b3,4]",), {"shape": (3, 2, 4), "axes": (0, 2), "batch": True}),
            Sample(("f32[1]",), {"shape": (1,), "axes": (0,), "batch": False}),
        ),
        onnx=onnx,
    )
)


def infer_sum(x: TensorType, *, axes: tuple[int, ...]) -> tuple[TensorType, ...]:
    require_float("the input", x)
    axes = tuple(axes)
    if list(axes) != sorted(set(axes)) or any(not 0 <= a < len(x.shape) for a in axes):
        raise OpTypeError("axes must be increasing axes of the input", f"axes of {x}", str(axes))
    kept = tuple(d for a, d in enumerate(x.shape) if a not in axes)
    return (result(x.dtype, kept, x.batch and 0 not in axes, x),)


def reference_sum(x: np.ndarray, *, axes: tuple[int, ...]) -> np.ndarray:
    return np.asarray(x.sum(axis=tuple(axes), dtype=x.dtype))


def vjp_sum(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    x, axes = bound.inputs[0].type, integers(bound, "axes")
    kept = tuple(a for a in range(len(x.shape)) if a not in axes)
    return (b.op("broadcast", ct, shape=x.shape, axes=kept, batch=x.batch),)


def lower_sum(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    return _reduced(k, bound, index, "add", 0.0)


def _reduced(
    k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...], fn: str, start: float
) -> tuple[Operand, ...]:
    """All elements along some axes, accumulated by `fn`."""
    x, axes = bound.inputs[0].type, integers(bound, "axes")
    kept = iter(index)
    acc = k.local("acc", x.dtype, k.const(start, x.dtype))
    with ExitStack() as loops:
        reduced = {a: loops.enter_context(k.sum(f"r{i}", x.shape[a])) for i, a in enumerate(axes)}
        at = tuple(reduced[a] if a in reduced else next(kept) for a in range(len(x.shape)))
        k.accum(acc, fn, k.read(bound, 0, at))
    return (k.get(acc),)


def onnx_sum(w: OnnxWriter, bound: BoundNode, x: str) -> str:
    return w.node("ReduceSum", x, w.integers(integers(bound, "axes")), keepdims=0)


register(
    Op(
        name="reduce_sum",
        infer=infer_sum,
        reference=reference_sum,
        vjp=vjp_sum,
        lower=Pointwise(lower_sum),
        lifted=lambda attrs, n: {"axes": tuple(a + 1 for a in extents(attrs["axes"]))},
        kind="reduce",
        adds=True,
        tolerance=1e-4,
        samples=(
            Sample(("f32[b3,2,5,4]",), {"axes": (0, 2, 3)}),
            Sample(("f32[b17,3]",), {"axes": (0,)}),
            Sample(("f32[b4,5]",), {"axes": (1,)}),
            Sample(("f32[b5,1]",), {"axes": (0, 1)}),
            Sample(("f32[3,2,37]",), {"axes": (1, 2)}),
            Sample(("f32[3,37]",), {"axes": (0, 1)}),
            Sample(("f32[]",), {"axes": ()}),
        ),
        onnx=onnx_sum,
    )
)


def reference_max(x: np.ndarray, *, axes: tuple[int, ...]) -> np.ndarray:
    return np.asarray(x.max(axis=tuple(axes), initial=-np.inf))


def vjp_max(b: GraphBuilder, bound: BoundNode, dy: Value) -> tuple[Value | None, ...]:
    """dy at the first of the elements that are the maximum: of their numbers from 0 down, at the largest."""
    (x,), axes = bound.inputs, integers(bound, "axes")
    shape, batch = x.type.shape, x.type.batch
    kept = tuple(a for a in range(len(shape)) if a not in axes)

    def spread(value: Value) -> Value:
        return b.op("broadcast", value, shape=shape, axes=kept, batch=batch)

    number = b.const(0.0, x.type)
    for a in axes:
        position = b.op("position", axis=a, dtype=x.type.dtype, shape=shape, batch=batch)
        number = b.op("sub", b.scaled(number, float(shape[a])), position)
    largest = b.op("or", b.op("eq", x, spread(bound.outputs[0])), b.op("isnan", x))
    candidates = b.op("select", largest, number, b.const(-np.inf, x.type))
    first = b.op("eq", candidates, spread(b.op("reduce_max", candidates, axes=axes)))
    return (b.op("select", first, spread(dy), b.const(0.0, x.type)),)


def lower_max(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    return _reduced(k, bound, index, "max", -np.inf)


def onnx_max(w: OnnxWriter, bound: BoundNode, x: str) -> str:
    return w.node("ReduceMax", x, w.integers(integers(bound, "axes")), keepdims=0)


register(
    Op(
        name="reduce_max",
        infer=infer_sum,
        reference=reference_max,
        vjp=vjp_max,
        lower=Pointwise(lower_max),
        lifted=lambda attrs, n: {"axes": tuple(a + 1 for a in extents(attrs["axes"]))},
        kind="reduce",
        tolerance=0.0,
        samples=(
            Sample(("f32[b3,2,5,4]",), {"axes": (2, 3)}),
            Sample(("f32[b17,3]",), {"axes": (1,)}),
            Sample(("f32[b4,5,3]",), {"axes": (1,)}),
            Sample(("f32[3,2,37]",), {"axes": (1, 2)}),
            Sample(("f32[3,37]",), {"axes": (0, 1)}),
            Sample(("f32[]",), {"axes": ()}),
        ),
        onnx=onnx_max,
    )
)


def infer_fill(
    *, value: float, dtype: str, shape: tuple[int, ...], batch: bool = False, lanes: int = 0
) -> tuple[TensorType, ...]:
    require_dtype_name(dtype)
    return (TensorType(dtype, tuple(shape), batch, lanes if batch else 0),)


def reference_fill(*, value: float, dtype: str, shape: tuple[int, ...], **_: object) -> np.ndarray:
    return np.full(shape, value, DTYPES[dtype])


def lower_fill(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    value, dtype = bound.attr["value"], bound.outputs[0].type.dtype
    assert isinstance(value, (int, float))
    kind = DTYPES[dtype].kind
    return (k.const(float(value) if kind == "f" else bool(value) if kind == "b" else int(value), dtype),)


def onnx_fill(w: OnnxWriter, bound: BoundNode) -> str:
    return w.thin(w.cast(w.constant(np.asarray(bound.attr["value"], float)), bound.outputs[0].type.dtype))


register(
    Op(
        name="fill",
        infer=infer_fill,
        reference=reference_fill,
        vjp=lambda b, bound, ct: (),
        lower=Pointwise(lower_fill),
        kind="source",
        inlined=True,
        tolerance=0.0,
        samples=(
            Sample((), {"value": 1.5, "dtype": "f32", "shape": (3, 5), "batch": True}),
            Sample((), {"value": -2.0, "dtype": "f32", "shape": (), "batch": False}),
            Sample((), {"value": 7, "dtype": "i32", "shape": (2,), "batch": False}),
        ),
        onnx=onnx_fill,
    )
)


def infer_position(
    *, axis: int, dtype: str, shape: tuple[int, ...], batch: bool = False, lanes: int = 0
) -> tuple[TensorType, ...]:
    require_dtype_name(dtype)
    if not batch <= axis < len(shape):
        raise OpTypeError("the axis must exist and not be the batch", f"{int(batch)} <= axis < {len(shape)}", str(axis))
    return (TensorType(dtype, tuple(shape), batch, lanes if batch else 0),)


def reference_position(*, axis: int, dtype: str, shape: tuple[int, ...], **_: object) -> np.ndarray:
    own = [-1 if a == axis else 1 for a in range(len(shape))]
    numbers = np.arange(shape[axis]).astype(DTYPES[dtype]).reshape(own)
    return np.array(np.broadcast_to(numbers, shape))


def lower_position(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    axis = integer(bound, "axis")
    return (k.call(f"to_{bound.outputs[0].type.dtype}", index[axis]),)


def onnx_position(w: OnnxWriter, bound: BoundNode) -> str:
    target, axis = bound.outputs[0].type, integer(bound, "axis")
    shape = [target.shape[axis] if a == axis else 1 for a, _ in enumerate(target.shape)]
    return w.thin(w.cast(w.constant(np.arange(target.shape[axis]).reshape(shape)), target.dtype))


register(
    Op(
        name="position",
        infer=infer_position,
        reference=reference_position,
        vjp=lambda b, bound, ct: (),
        lower=Pointwise(lower_position),
        kind="source",
        inlined=True,
        tolerance=0.0,
        samples=(
            Sample((), {"axis": 1, "dtype": "f32", "shape": (3, 5), "batch": True}),
            Sample((), {"axis": 0, "dtype": "i32", "shape": (4,)}),
            Sample((), {"axis": 2, "dtype": "f32", "shape": (17, 2, 3, 1), "batch": True}),
        ),
        onnx=onnx_position,
    )
)
