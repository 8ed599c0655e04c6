"""reshape: the same storage with another shape.

Batch mark and layout are kept if the extent of axis 0 is; otherwise x must have natural layout. Attribute: batch=True
marks axis 0 of the result as the batch, for a value whose rows are several for every sample, in order.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.kernel_build import Alias
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import dims, extents
from mochac.ir.types import TensorType


def infer(x: TensorType, *, shape: tuple[int, ...], batch: bool = False) -> tuple[TensorType, ...]:
    kept = x.batch and bool(shape) and shape[0] == x.shape[0]
    y = TensorType(x.dtype, tuple(shape), kept or batch, x.lanes if kept else 0)
    if batch and (not shape or x.shape[:1] < shape[:1]):
        raise OpTypeError("a batch has as many rows as samples, or more", f"{dims(x.shape)} or less", dims(shape))
    if y.elems != x.elems:
        raise OpTypeError("a reshape keeps the number of elements", f"{x.elems} elements", f"{dims(y.shape)}")
    if x.lanes and not kept:
        raise OpTypeError("a blocked value keeps its batch axis", f"axis 0 of {x.shape[0]}, or a relayout", str(y))
    return (y,)


def reference(x: np.ndarray, *, shape: tuple[int, ...], batch: bool = False) -> np.ndarray:
    return x.reshape(shape)


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    x, y = bound.inputs[0].type, bound.outputs[0].type
    if x.batch and not y.batch:
        return (b.op("reshape", ct, shape=x.shape, batch=True),)
    return (b.op("reshape", ct, shape=x.shape),)


def onnx(w: OnnxWriter, bound: BoundNode, x: str) -> str:
    """Nothing or Flatten where that is enough, else Reshape."""
    given, made = bound.inputs[0].type.shape, bound.outputs[0].type
    if given == made.shape:
        return x
    if len(made.shape) == 2 and given[:1] == made.shape[:1]:
        return w.node("Flatten", x)
    return w.node("Reshape", x, w.extents(made, x))


register(
    Op(
        name="reshape",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Alias(),
        lifted=lambda attrs, n: {"shape": (n, *extents(attrs["shape"]))},
        kind="shape",
        moves=True,
        tolerance=0.0,
        samples=(
            Sample(("f32[b3,2,5]",), {"shape": (3, 10)}),
            Sample(("f32[4,1]",), {"shape": (2, 2, 1)}),
            Sample(("f32[1]",), {"shape": ()}),
            Sample(("f32[6,5]",), {"shape": (3, 2, 5), "batch": True}),
        ),
        onnx=onnx,
    )
)
