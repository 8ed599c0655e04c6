"""mirror: reverse one axis in the samples whose flag is 1.

    y[n, .., i, ..] = flag[n] ? x[n, .., extent - 1 - i, ..] : x[n, .., i, ..]

Shapes: x (N, ..), flag i32 (N,) or (), with values 0 or 1 -> like x. Gradient: mirror.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.op import Op, Sample, register
from mochac.ir.ops._shift import digit, moved, require_axis
from mochac.ir.ops._typing import attrs_of, integer
from mochac.ir.types import TensorType


def infer(x: TensorType, flag: TensorType, *, axis: int) -> tuple[TensorType, ...]:
    require_axis(x, flag, axis)
    return (x,)


def reference(x: np.ndarray, flag: np.ndarray, *, axis: int) -> np.ndarray:
    turned = np.broadcast_to(flag, x.shape[:1]).reshape(-1, *[1] * (x.ndim - 1)) != 0
    return np.where(turned, np.flip(x, axis), x)


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    return b.op("mirror", ct, bound.inputs[1], **attrs_of(bound)), None


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    axis = integer(bound, "axis")
    back = moved(index, axis, bound.inputs[0].type.shape[axis] - 1 - index[axis])
    turned = k.call("ne", digit(k, bound, index[0]), k.const(0, "i32"))
    return (k.call("select", turned, k.read(bound, 0, back), k.read(bound, 0, index)),)


register(
    Op(
        name="mirror",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower),
        kind="shape",
        tolerance=0.0,
        samples=(
            Sample(("f32[b17,2,3,5]", "i32[b17]"), {"axis": 3}, integers={1: (0, 2)}),
            Sample(("f32[b3,4]", "i32[]"), {"axis": 1}, integers={1: (0, 2)}),
            Sample(("f32[b1,1,2]", "i32[b1]"), {"axis": 2}, integers={1: (1, 2)}),
        ),
    )
)
