"""fill: a tensor filled with one number; it has no operands.

Attributes: value, dtype, shape, batch (whether axis 0 is the batch of the plan), lanes (0 for natural layout).
"""

from __future__ import annotations

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, Sample, register
from mochac.ir.ops._typing import require_dtype_name
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
