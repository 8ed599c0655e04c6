"""reshape: the same storage with another shape.

Batch mark and layout are kept if the extent of axis 0 is; otherwise x must have natural layout.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.kernel_build import Alias
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.types import TensorType
from mochac.ops._typing import dims


def infer(x: TensorType, *, shape: tuple[int, ...]) -> tuple[TensorType, ...]:
    kept = x.batch and bool(shape) and shape[0] == x.shape[0]
    y = TensorType(x.dtype, tuple(shape), kept, x.lanes if kept else 0)
    if y.elems != x.elems:
        raise OpTypeError("a reshape keeps the number of elements", f"{x.elems} elements", f"{dims(y.shape)}")
    if x.lanes and not kept:
        raise OpTypeError("a blocked value keeps its batch axis", f"axis 0 of {x.shape[0]}, or a relayout", str(y))
    return (y,)


def reference(x: np.ndarray, *, shape: tuple[int, ...]) -> np.ndarray:
    return x.reshape(shape)


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    return (b.op("reshape", ct, shape=bound.inputs[0].type.shape),)


register(
    Op(
        name="reshape",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Alias(),
        kind="shape",
        moves=True,
        tolerance=0.0,
        samples=(
            Sample(("f32[b3,2,5]",), {"shape": (3, 10)}),
            Sample(("f32[4,1]",), {"shape": (2, 2, 1)}),
            Sample(("f32[1]",), {"shape": ()}),
        ),
    )
)
