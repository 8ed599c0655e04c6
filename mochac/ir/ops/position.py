"""position: every element is its index along one axis; it has no operands.

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
    *, axis: int, dtype: str, shape: tuple[int, ...], batch: bool = False, lanes: int = 0
) -> tuple[TensorType, ...]:
    require_dtype_name(dtype)
    if not batch <= axis < len(shape):
        raise OpTypeError("the axis must exist and not be the batch", f"{int(batch)} <= axis < {len(shape)}", str(axis))
    return (TensorType(dtype, tuple(shape), batch, lanes if batch else 0),)


def reference(*, axis: int, dtype: str, shape: tuple[int, ...], batch: bool = False, lanes: int = 0) -> np.ndarray:
    own = [-1 if a == axis else 1 for a in range(len(shape))]
    numbers = np.arange(shape[axis]).astype(DTYPES[dtype]).reshape(own)
    return np.array(np.broadcast_to(numbers, shape))


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    axis = bound.attr["axis"]
    assert isinstance(axis, int)
    return (k.call(f"to_{bound.outputs[0].type.dtype}", index[axis]),)


def onnx(w: OnnxWriter, bound: BoundNode) -> str:
    made, axis = bound.outputs[0].type, integer(bound, "axis")
    shape = [made.shape[axis] if a == axis else 1 for a, _ in enumerate(made.shape)]
    return w.thin(w.cast(w.constant(np.arange(made.shape[axis]).reshape(shape)), made.dtype))


register(
    Op(
        name="position",
        infer=infer,
        reference=reference,
        vjp=lambda b, bound, ct: (),
        lower=Pointwise(lower),
        kind="source",
        inlined=True,
        tolerance=0.0,
        samples=(
            Sample((), {"axis": 1, "dtype": "f32", "shape": (3, 5), "batch": True}),
            Sample((), {"axis": 0, "dtype": "i32", "shape": (4,)}),
            Sample((), {"axis": 2, "dtype": "f32", "shape": (17, 2, 3, 1), "batch": True}),
        ),
        onnx=onnx,
    )
)
