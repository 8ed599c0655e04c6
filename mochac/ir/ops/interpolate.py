"""interpolate: `factor` evenly spaced elements for every cell of an axis, on straight lines between neighbours.

    y[.., i, p, ..] = (1 - |d|) x[.., i, ..] + |d| x[.., j, ..]
    with d = (p + 1/2) / factor - 1/2 and j the cell before i if d < 0, behind i if d > 0; at an end, j = i

Shapes: x (.., n, ..) -> (.., n, factor, ..), of which a reshape makes an axis of n * factor elements. Attributes: axis,
factor. PyTorch's interpolate does so with align_corners=False. Gradient: interpolate_dx.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.op import Op, Sample, register
from mochac.ir.ops._linear import require_axis, settings, sides, weight, weights
from mochac.ir.ops._typing import attrs_of, require_float, result
from mochac.ir.types import TensorType


def infer(x: TensorType, *, axis: int, factor: int) -> tuple[TensorType, ...]:
    require_float("the input", x)
    require_axis(x.shape, x.batch, axis, factor)
    return (result(x.dtype, (*x.shape[: axis + 1], factor, *x.shape[axis + 1 :]), x.batch, x),)


def reference(x: np.ndarray, *, axis: int, factor: int) -> np.ndarray:
    spread = np.tensordot(weights(x.shape[axis], factor), x, axes=([2], [axis]))
    return np.ascontiguousarray(np.moveaxis(spread, (0, 1), (axis, axis + 1)), x.dtype)


def vjp(b: GraphBuilder, bound: BoundNode, dy: Value) -> tuple[Value | None, ...]:
    return (b.op("interpolate_dx", dy, **attrs_of(bound)),)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    (axis, factor), x = settings(bound), bound.inputs[0].type
    cell, element, last = index[axis], index[axis + 1], x.shape[axis] - 1

    def read(at: Index) -> Operand:
        return k.read(bound, 0, (*index[:axis], at, *index[axis + 2 :]))

    share = weight(k, element, factor, x.dtype)
    own = k.call("mul", k.call("sub", k.const(1.0, x.dtype), share), read(cell))
    acc = k.local("acc", x.dtype, own)
    for direction, condition in sides(element, factor):
        room = cell - 1 if direction < 0 else last - 1 - cell
        with k.where(condition, room):
            k.set(acc, k.call("fma", share, read(cell + direction), own))
        with k.where(condition, -1 - room):
            k.set(acc, k.call("fma", share, read(cell), own))
    return (k.get(acc),)


register(
    Op(
        name="interpolate",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower),
        kind="window",
        samples=(
            Sample(("f32[b3,2,5,4]",), {"axis": 2, "factor": 2}),
            Sample(("f32[b17,2,3]",), {"axis": 2, "factor": 3}),
            Sample(("f32[b2,1,3]",), {"axis": 1, "factor": 4}),
            Sample(("f32[5,2]",), {"axis": 0, "factor": 1}),
        ),
    )
)
