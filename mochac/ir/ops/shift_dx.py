"""shift_dx: gradient of shift with respect to its input: dy put back where the window was, zeros elsewhere.

    dx[n, .., j, ..] = dy[n, .., j - stride * digit[n], ..] inside dy, 0 elsewhere

Shapes: dy (N, ..), digit i32 (N,) or () in 0 .. most -> dy with stride * most more elements along `axis`.
Gradient: shift.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.op import Op, Sample, register
from mochac.ir.ops._shift import digit, moved, require_axis, require_steps
from mochac.ir.ops._typing import attrs_of, integer, result
from mochac.ir.types import TensorType


def infer(dy: TensorType, digit: TensorType, *, axis: int, stride: int, most: int) -> tuple[TensorType, ...]:
    require_axis(dy, digit, axis)
    require_steps(stride, most)
    whole = dy.shape[axis] + stride * most
    return (result(dy.dtype, (*dy.shape[:axis], whole, *dy.shape[axis + 1 :]), dy.batch, dy),)


def reference(dy: np.ndarray, digit: np.ndarray, *, axis: int, stride: int, most: int) -> np.ndarray:
    whole = dy.shape[axis] + stride * most
    dx = np.zeros((*dy.shape[:axis], whole, *dy.shape[axis + 1 :]), dy.dtype)
    begins = np.broadcast_to(stride * digit, dy.shape[:1])
    for to, row, b in zip(dx, dy, begins, strict=True):
        np.moveaxis(to, axis - 1, 0)[b : b + dy.shape[axis]] = np.moveaxis(row, axis - 1, 0)
    return dx


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    return b.op("shift", ct, bound.inputs[1], **attrs_of(bound)), None


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    axis, dy = integer(bound, "axis"), bound.inputs[0].type
    wanted, zero = digit(k, bound, index[0]), k.const(0, dy.dtype)
    chosen = k.local("chosen", dy.dtype, zero)
    for step in range(integer(bound, "most") + 1):
        place = index[axis] - integer(bound, "stride") * step
        with k.where(place, dy.shape[axis] - 1 - place):
            there = k.read(bound, 0, moved(index, axis, place))
            k.set(chosen, k.call("select", k.call("eq", wanted, k.const(step, "i32")), there, k.get(chosen)))
    return (k.get(chosen),)


register(
    Op(
        name="shift_dx",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower),
        kind="shape",
        tolerance=0.0,
        samples=(
            Sample(("f32[b17,2,3,3]", "i32[b17]"), {"axis": 2, "stride": 1, "most": 4}, integers={1: (0, 5)}),
            Sample(("f32[b3,2,3]", "i32[b3]"), {"axis": 2, "stride": 3, "most": 2}, integers={1: (0, 3)}),
            Sample(("f32[b2,4]", "i32[]"), {"axis": 1, "stride": 1, "most": 1}, integers={1: (0, 2)}),
        ),
    )
)
