"""interpolate_dx: gradient of interpolate with respect to its input.

    dx[.., j, ..] = sum over the elements (i, p) of (weight of cell j in element (i, p)) * dy[.., i, p, ..]

Shapes: dy (.., n, factor, ..) -> (.., n, ..). Gradient: the op is linear, so interpolate.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._linear import require_axis, settings, sides, weight, weights
from mochac.ir.ops._typing import attrs_of, require_float, result
from mochac.ir.types import TensorType


def infer(dy: TensorType, *, axis: int, factor: int) -> tuple[TensorType, ...]:
    require_float("the gradient", dy)
    require_axis(dy.shape[:-1], dy.batch, axis, factor)
    if dy.shape[axis + 1] != factor:
        raise OpTypeError("the gradient has one element per phase", f"{factor} at axis {axis + 1}", str(dy))
    return (result(dy.dtype, (*dy.shape[: axis + 1], *dy.shape[axis + 2 :]), dy.batch, dy),)


def reference(dy: np.ndarray, *, axis: int, factor: int) -> np.ndarray:
    joined = np.tensordot(weights(dy.shape[axis], factor), dy, axes=([0, 1], [axis, axis + 1]))
    return np.ascontiguousarray(np.moveaxis(joined, 0, axis), dy.dtype)


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    return (b.op("interpolate", ct, **attrs_of(bound)),)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    (axis, factor), dy = settings(bound), bound.inputs[0].type
    cell, last = index[axis], dy.shape[axis] - 1
    acc = k.local("acc", dy.dtype, k.const(0.0, dy.dtype))
    with k.sum("p", factor) as element:

        def read(at: Index) -> Operand:
            return k.read(bound, 0, (*index[:axis], at, element, *index[axis + 1 :]))

        share = weight(k, element, factor, dy.dtype)
        k.accum(acc, "fma", k.call("sub", k.const(1.0, dy.dtype), share), read(cell))
        for direction, condition in sides(element, factor):
            front, behind = cell, last - cell  # cells on either side of this one
            others, beyond = (behind, front) if direction < 0 else (front, behind)
            with k.where(condition, others - 1):
                k.accum(acc, "fma", share, read(cell - direction))
            with k.where(condition, -beyond):
                k.accum(acc, "fma", share, read(cell))
    return (k.get(acc),)


register(
    Op(
        name="interpolate_dx",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower),
        kind="window",
        samples=(
            Sample(("f32[b3,2,5,2,4]",), {"axis": 2, "factor": 2}),
            Sample(("f32[b17,2,3,3]",), {"axis": 2, "factor": 3}),
            Sample(("f32[b2,1,4,3]",), {"axis": 1, "factor": 4}),
            Sample(("f32[5,1,2]",), {"axis": 0, "factor": 1}),
        ),
    )
)
