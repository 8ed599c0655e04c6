"""Values without operands: constants and the position along an axis.

fill: a tensor filled with one number; it has no operands.

Attributes: value, dtype, shape, batch (whether axis 0 is the batch of the plan), lanes (0 for natural layout).

position: every element is its index along one axis; it has no operands.

    y[i0, i1, ...] = i_axis

Attributes: axis, dtype, shape, batch (whether axis 0 is the batch of the plan; the axis is another one), lanes (0 for
natural layout). Causal masks compare the positions along two axes.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import integer, require_dtype_name
from mochac.ir.types import DTYPES, TensorType


def infer(
    *, value: float, dtype: str, shape: tuple[int, ...], batch: bool = False, lanes: int = 0
) -> tuple[TensorType, ...]:
    require_dtype_name(dtype)
    return (TensorType(dtype, tuple(shape), batch, lanes if batch else 0),)


def reference(*, value: float, dtype: str, shape: tuple[int, ...], batch: bool = False, lanes: int = 0) -> np.ndarray:
    return np.full(shape, value, DTYPES[dtype])


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    value, dtype = bound.attr["value"], bound.outputs[0].type.dtype
    assert isinstance(value, (int, float))
    kind = DTYPES[dtype].kind
    return (k.const(float(value) if kind == "f" else bool(value) if kind == "b" else int(value), dtype),)


def onnx(w: OnnxWriter, bound: BoundNode) -> str:
    return w.thin(w.cast(w.constant(np.asarray(bound.attr["value"], float)), bound.outputs[0].type.dtype))


register(
    Op(
        name="fill",
        infer=infer,
        reference=reference,
        vjp=lambda b, bound, ct: (),
        lower=Pointwise(lower),
        kind="source",
        inlined=True,
        tolerance=0.0,
        samples=(
            Sample((), {"value": 1.5, "dtype": "f32", "shape": (3, 5), "batch": True}),
            Sample((), {"value": -2.0, "dtype": "f32", "shape": (), "batch": False}),
            Sample((), {"value": 7, "dtype": "i32", "shape": (2,), "batch": False}),
        ),
        onnx=onnx,
    )
)


def infer_position(
    *, axis: int, dtype: str, shape: tuple[int, ...], batch: bool = False, lanes: int = 0
) -> tuple[TensorType, ...]:
    require_dtype_name(dtype)
    if not batch <= axis < len(shape):
        raise OpTypeError("the axis must exist and not be the batch", f"{int(batch)} <= axis < {len(shape)}", str(axis))
    return (TensorType(dtype, tuple(shape), batch, lanes if batch else 0),)


def reference_position(
    *, axis: int, dtype: str, shape: tuple[int, ...], batch: bool = False, lanes: int = 0
) -> np.ndarray:
    own = [-1 if a == axis else 1 for a in range(len(shape))]
    numbers = np.arange(shape[axis]).astype(DTYPES[dtype]).reshape(own)
    return np.array(np.broadcast_to(numbers, shape))


def lower_position(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    axis = bound.attr["axis"]
    assert isinstance(axis, int)
    return (k.call(f"to_{bound.outputs[0].type.dtype}", index[axis]),)


def onnx_position(w: OnnxWriter, bound: BoundNode) -> str:
    made, axis = bound.outputs[0].type, integer(bound, "axis")
    shape = [made.shape[axis] if a == axis else 1 for a, _ in enumerate(made.shape)]
    return w.thin(w.cast(w.constant(np.arange(made.shape[axis]).reshape(shape)), made.dtype))


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
