"""Rows and the indices of their classes: argmax, onehot, pick, accuracy.

argmax: index of the first largest element along an axis, which is kept with extent 1.

    y[.., 0, ..] = the first c with x[.., c, ..] = max over c' of x[.., c', ..]

Shapes: x (N, ..., C, ...) -> the same with C replaced by 1, dtype of x (class indices are floats, as labels are). The
first NaN of a row counts as the largest, as in NumPy. No gradient. Mocha.jl src/layers/argmax.jl.

onehot: class indices as rows of zeros with a one at the class.

    y[.., c, ..] = 1 if label[.., 0, ..] == c else 0

Shapes: label (N, ..., 1, ...) -> the same with extent `classes` along `axis`. A label other than 0 .. classes-1 gives a
row of zeros. No gradient. Mocha.jl src/layers/index2onehot.jl.

accuracy: 1 where the first largest prediction is at the label, else 0.

Shapes: pred (N, ..., C, ...), label the same with C replaced by 1 -> pred without the axis, dtype of pred. A NaN
is never the largest. No gradient. Mocha.jl src/layers/accuracy.jl.

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
from mochac.ir.kernel_build import KernelBuilder, Nest, Pointwise
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._rows import is_label, one_hot, require_label, require_rows, row_loops, without
from mochac.ir.ops._typing import integer, result
from mochac.ir.types import TensorType


def infer_argmax(x: TensorType, *, axis: int) -> tuple[TensorType, ...]:
    require_rows(x, axis)
    return (result(x.dtype, (*x.shape[:axis], 1, *x.shape[axis + 1 :]), x.batch, x),)


def reference_argmax(x: np.ndarray, *, axis: int) -> np.ndarray:
    first = np.argmax(x, axis=axis)
    return np.expand_dims(first, axis).astype(x.dtype)


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    return (None,)


def lower_argmax(k: KernelBuilder, bound: BoundNode) -> None:
    x, axis = bound.inputs[0].type, integer(bound, "axis")
    with row_loops(k, x.shape, axis) as (_, at):
        best = k.local("best", x.dtype, k.const(-np.inf, x.dtype))
        place = k.local("place", x.dtype, k.const(0.0, x.dtype))
        with k.loop("c", x.shape[axis]) as c:
            element, largest = k.read(bound, 0, at(c)), k.get(best)
            more = k.call("not", k.call("le", element, largest))  # or NaN
            wins = k.call("and", more, k.call("eq", largest, largest))
            k.set(best, k.call("select", wins, element, largest))
            k.set(place, k.call("select", wins, k.call("to_" + x.dtype, c), k.get(place)))
        k.write(bound, 0, at(Index.of(0)), k.get(place))


def onnx_argmax(w: OnnxWriter, bound: BoundNode, x: str) -> str:
    return w.cast(w.node("ArgMax", x, axis=integer(bound, "axis"), keepdims=1), bound.outputs[0].type.dtype)


register(
    Op(
        name="argmax",
        infer=infer_argmax,
        reference=reference_argmax,
        vjp=vjp,
        lower=Nest(lower_argmax),
        kind="row",
        tolerance=0.0,
        samples=(
            Sample(("f32[b17,5]",), {"axis": 1}, differentiable=()),
            Sample(("f32[b3,2,4,3]",), {"axis": 2}, integers={0: (0, 2)}, differentiable=()),
            Sample(("f32[4,3]",), {"axis": 0}, differentiable=()),
            Sample(("f32[b2,1]",), {"axis": 1}, differentiable=()),
        ),
        onnx=onnx_argmax,
    )
)


def infer_onehot(label: TensorType, *, axis: int, classes: int) -> tuple[TensorType, ...]:
    require_rows(label, axis)
    if label.shape[axis] != 1:
        raise OpTypeError(f"labels are one class index along axis {axis}", "extent 1", str(label.shape[axis]))
    if classes < 1:
        raise OpTypeError("there must be classes", "classes >= 1", str(classes))
    return (result(label.dtype, (*label.shape[:axis], classes, *label.shape[axis + 1 :]), label.batch, label),)


def reference_onehot(label: np.ndarray, *, axis: int, classes: int) -> np.ndarray:
    return one_hot(label, classes, axis).astype(label.dtype)


def lower_onehot(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    axis, dtype = integer(bound, "axis"), bound.inputs[0].type.dtype
    label = k.read(bound, 0, (*index[:axis], Index.of(0), *index[axis + 1 :]))
    return (k.call("select", is_label(k, index[axis], label, dtype), k.const(1.0, dtype), k.const(0.0, dtype)),)


def onnx_onehot(w: OnnxWriter, bound: BoundNode, label: str) -> str:
    """The classes, along their axis, compared with the label."""
    axis, rank = integer(bound, "axis"), len(bound.inputs[0].type.shape)
    classes = np.arange(integer(bound, "classes"), dtype=float).reshape([-1 if a == axis else 1 for a in range(rank)])
    return w.cast(w.node("Equal", label, w.constant(classes)), bound.outputs[0].type.dtype)


register(
    Op(
        name="onehot",
        infer=infer_onehot,
        reference=reference_onehot,
        vjp=vjp,
        lower=Pointwise(lower_onehot),
        kind="shape",
        label=0,
        tolerance=0.0,
        samples=(
            Sample(("f32[b17,1]",), {"axis": 1, "classes": 5}, integers={0: (0, 5)}, differentiable=()),
            Sample(("f32[b3,2,1,3]",), {"axis": 2, "classes": 4}, integers={0: (-1, 5)}, differentiable=()),
            Sample(("f32[1]",), {"axis": 0, "classes": 1}, integers={0: (0, 1)}, differentiable=()),
        ),
        onnx=onnx_onehot,
    )
)


def infer_accuracy(pred: TensorType, label: TensorType, *, axis: int) -> tuple[TensorType, ...]:
    require_rows(pred, axis)
    require_label(pred, label, axis)
    return (result(pred.dtype, without(pred.shape, axis), pred.batch, pred),)


def reference_accuracy(pred: np.ndarray, label: np.ndarray, *, axis: int) -> np.ndarray:
    first = np.argmax(np.where(np.isnan(pred), -np.inf, pred), axis=axis)
    return (first == label.squeeze(axis)).astype(pred.dtype)


def lower_accuracy(k: KernelBuilder, bound: BoundNode) -> None:
    pred, axis = bound.inputs[0].type, integer(bound, "axis")
    zero, one = k.const(0.0, pred.dtype), k.const(1.0, pred.dtype)
    with row_loops(k, pred.shape, axis) as (rest, at):
        label = k.read(bound, 1, at(Index.of(0)))
        best = k.local("best", pred.dtype, k.const(-np.inf, pred.dtype))
        correct = k.local("correct", pred.dtype, k.call("select", k.call("eq", label, zero), one, zero))
        with k.loop("c", pred.shape[axis]) as c:
            x, largest = k.read(bound, 0, at(c)), k.get(best)
            wins = k.call("gt", x, largest)
            hit = k.call("select", is_label(k, c, label, pred.dtype), one, zero)
            k.set(best, k.call("select", wins, x, largest))
            k.set(correct, k.call("select", wins, hit, k.get(correct)))
        k.write(bound, 0, rest, k.get(correct))


register(
    Op(
        name="accuracy",
        infer=infer_accuracy,
        reference=reference_accuracy,
        lower=Nest(lower_accuracy),
        kind="row",
        label=1,
        tolerance=0.0,
        natural=(1,),
        samples=(
            Sample(("f32[b17,3]", "f32[b17,1]"), {"axis": 1}, integers={1: (0, 3)}),
            Sample(("f32[b17,3]", "f32[b17,1]"), {"axis": 1}, integers={0: (0, 2), 1: (0, 3)}),
            Sample(("f32[b2,2,3,3]", "f32[b2,1,3,3]"), {"axis": 1}, integers={1: (0, 2)}),
            Sample(("f32[b1,1]", "f32[b1,1]"), {"axis": 1}, integers={1: (0, 1)}),
        ),
    )
)


def infer(x: TensorType, label: TensorType, *, axis: int) -> tuple[TensorType, ...]:
    require_rows(x, axis)
    require_label(x, label, axis)
    return (result(x.dtype, without(x.shape, axis), x.batch or label.batch, x, label),)


def reference(x: np.ndarray, label: np.ndarray, *, axis: int) -> np.ndarray:
    return np.where(one_hot(label, x.shape[axis], axis), x, 0).astype(x.dtype).sum(axis=axis)


def vjp_pick(b: GraphBuilder, bound: BoundNode, dy: Value) -> tuple[Value | None, ...]:
    x, axis = bound.inputs[0].type, integer(bound, "axis")
    return b.op("pick_dx", dy, bound.inputs[1], axis=axis, classes=x.shape[axis]), None


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    x, axis = bound.inputs[0].type, integer(bound, "axis")
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
        vjp=vjp_pick,
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
    axis, dtype = integer(bound, "axis"), bound.outputs[0].type.dtype
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
