"""shift: a window along one axis; the number of steps to its start is given per sample.

    y[n, .., i, ..] = x[n, .., i + stride * digit[n], ..]

Shapes: x (N, ..), digit i32 (N,) or () in 0 .. most -> x with stride * most fewer elements along `axis`. All most + 1
positions are read and one is selected, so `most` should be small; for long distances, combine several shifts (see
shift_digit). Gradient: shift_dx.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._shift import digit, moved, require_axis, require_steps
from mochac.ir.ops._typing import attrs_of, integer, result
from mochac.ir.types import TensorType


def infer(x: TensorType, digit: TensorType, *, axis: int, stride: int, most: int) -> tuple[TensorType, ...]:
    require_axis(x, digit, axis)
    require_steps(stride, most)
    left = x.shape[axis] - stride * most
    if left < 1:
        raise OpTypeError("the axis is too short for the shift", f"more than {stride * most}", str(x.shape[axis]))
    return (result(x.dtype, (*x.shape[:axis], left, *x.shape[axis + 1 :]), x.batch, x),)


def reference(x: np.ndarray, digit: np.ndarray, *, axis: int, stride: int, most: int) -> np.ndarray:
    left = x.shape[axis] - stride * most
    begins = np.broadcast_to(stride * digit, x.shape[:1])
    rows = [np.take(row, np.arange(b, b + left), axis=axis - 1) for row, b in zip(x, begins, strict=True)]
    return np.stack(rows)


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    return b.op("shift_dx", ct, bound.inputs[1], **attrs_of(bound)), None


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    axis, stride = integer(bound, "axis"), integer(bound, "stride")
    wanted, chosen = digit(k, bound, index[0]), k.read(bound, 0, index)
    for step in range(1, integer(bound, "most") + 1):
        there = k.read(bound, 0, moved(index, axis, index[axis] + stride * step))
        chosen = k.call("select", k.call("eq", wanted, k.const(step, "i32")), there, chosen)
    return (chosen,)


register(
    Op(
        name="shift",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower),
        kind="shape",
        tolerance=0.0,
        samples=(
            Sample(("f32[b17,2,7,3]", "i32[b17]"), {"axis": 2, "stride": 1, "most": 4}, integers={1: (0, 5)}),
            Sample(("f32[b3,2,9]", "i32[b3]"), {"axis": 2, "stride": 3, "most": 2}, integers={1: (0, 3)}),
            Sample(("f32[b2,5]", "i32[]"), {"axis": 1, "stride": 1, "most": 1}, integers={1: (0, 2)}),
        ),
    )
)
