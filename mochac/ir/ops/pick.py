"""The element of every row at the index given by the label, and its gradient.

pick: the element of every row at the index given by the label.

    y[n, ...] = x[n, ..., label[n, ...], ...]

Shapes: x (N, ..., C, ...), label the same with C replaced by 1, class indices 0..C-1 as floats -> x without the axis.
Gradient: dx = pick_dx; none for the label.

pick_dx: rows with dy at the label and 0 elsewhere; the gradient of pick with respect to its first operand.

    x[n, ..., c, ...] = dy[n, ...] where c == label[n, ...], else 0

Shapes: dy (N, ...), label (dy with an axis of extent 1 inserted) -> dy with that axis of extent `classes`.
Gradient: pick; none for the label.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.op import Op, Sample, register
from mochac.ir.ops._rows import is_label, one_hot, require_label, require_rows, without
from mochac.ir.ops._typing import result
from mochac.ir.types import TensorType


def infer(x: TensorType, label: TensorType, *, axis: int) -> tuple[TensorType, ...]:
    require_rows(x, axis)
    require_label(x, label, axis)
    return (result(x.dtype, without(x.shape, axis), x.batch or label.batch, x, label),)


def reference(x: np.ndarray, label: np.ndarray, *, axis: int) -> np.ndarray:
    return np.where(one_hot(label, x.shape[axis], axis), x, 0).astype(x.dtype).sum(axis=axis)


def vjp(b: GraphBuilder, bound: BoundNode, dy: Value) -> tuple[Value | None, ...]:
    x, axis = bound.inputs[0].type, bound.attr["axis"]
    assert isinstance(axis, int)
    return b.op("pick_dx", dy, bound.inputs[1], axis=axis, classes=x.shape[axis]), None


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    x, axis = bound.inputs[0].type, bound.attr["axis"]
    assert isinstance(axis, int)
    zero = k.const(0.0, x.dtype)
    label = k.read(bound, 1, (*index[:axis], Index.of(0), *index[axis:]))
    picked = k.local("picked", x.dtype, zero)
    with k.sum("c", x.shape[axis]) as c:
        here = k.read(bound, 0, (*index[:axis], c, *index[axis:]))
        k.accum(picked, "add", k.call("select", is_label(k, c, label, x.dtype), here, zero))
    return (k.get(picked),)


register(
    Op(
        name="pick",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower),
        kind="reduce",
        label=1,
        tolerance=0.0,
        natural=(1,),
        samples=(
            Sample(("f32[b3,5]", "f32[b3,1]"), {"axis": 1}, integers={1: (0, 5)}, differentiable=(0,)),
            Sample(("f32[b17,4,3,1]", "f32[b17,1,3,1]"), {"axis": 1}, integers={1: (0, 4)}, differentiable=(0,)),
            Sample(("f32[b2,2,3]", "f32[b2,2,1]"), {"axis": 2}, integers={1: (0, 3)}, differentiable=(0,)),
            Sample(("f32[b1,1]", "f32[b1,1]"), {"axis": 1}, integers={1: (0, 1)}, differentiable=(0,)),
        ),
    )
)


def infer_dx(dy: TensorType, label: TensorType, *, axis: int, classes: int) -> tuple[TensorType, ...]:
    batch = dy.batch or label.batch
    x = result(dy.dtype, (*dy.shape[:axis], classes, *dy.shape[axis:]), batch, dy, label)
    require_rows(x, axis)
    require_label(x, label, axis)
    return (x,)


def reference_dx(dy: np.ndarray, label: np.ndarray, *, axis: int, classes: int) -> np.ndarray:
    return np.where(one_hot(label, classes, axis), np.expand_dims(dy, axis), 0).astype(dy.dtype)


def vjp_dx(b: GraphBuilder, bound: BoundNode, dx: Value) -> tuple[Value | None, ...]:
    return b.op("pick", dx, bound.inputs[1], axis=bound.attr["axis"]), None


def lower_dx(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    axis, dtype = bound.attr["axis"], bound.outputs[0].type.dtype
    assert isinstance(axis, int)
    label = k.read(bound, 1, (*index[:axis], Index.of(0), *index[axis + 1 :]))
    dy = k.read(bound, 0, (*index[:axis], *index[axis + 1 :]))
    return (k.call("select", is_label(k, index[axis], label, dtype), dy, k.const(0.0, dtype)),)


register(
    Op(
        name="pick_dx",
        infer=infer_dx,
        reference=reference_dx,
        vjp=vjp_dx,
        lower=Pointwise(lower_dx),
        tolerance=0.0,
        label=1,
        natural=(1,),
        samples=(
            Sample(("f32[b3]", "f32[b3,1]"), {"axis": 1, "classes": 5}, integers={1: (0, 5)}, differentiable=(0,)),
            Sample(
                ("f32[b17,3,1]", "f32[b17,1,3,1]"), {"axis": 1, "classes": 4}, integers={1: (0, 4)}, differentiable=(0,)
            ),
            Sample(("f32[b2,2]", "f32[b2,2,1]"), {"axis": 2, "classes": 3}, integers={1: (0, 3)}, differentiable=(0,)),
            Sample(("f32[b1]", "f32[b1,1]"), {"axis": 1, "classes": 1}, integers={1: (0, 1)}, differentiable=(0,)),
        ),
    )
)
