"""Softmax along an axis, and the losses and the accuracy of classes.

softmax: y = exp(x - max) / sum of exp(x - max), along one axis (not the batch).

Shapes: x (N, ..., C, ...) -> like x. Gradient: dx = (dy - sum(dy * y)) * y.

softmax_loss: multinomial logistic loss of softmax(pred), and its gradient in the same loops.

    loss = log(sum over c of exp(pred_c - max)) - (pred_label - max);  grad = softmax(pred) - [c == label]

With the attribute smoothing = s, pred_label is replaced by (1 - s) pred_label + s mean(pred), and [c == label] by
(1 - s) [c == label] + s / C.

Shapes: pred (N, ..., C, ...), label the same with C replaced by 1, class indices 0..C-1 as floats -> loss (pred without
the axis), grad (like pred). Sums, weights and 1/N are separate ops. Mocha.jl src/layers/softmax-loss.jl, but with the
logarithm of the sum instead of a clamped quotient, so that the loss is finite for all finite predictions.
Gradient: dpred = grad * dloss; none for the label.

softlabel_softmax_loss: cross entropy of softmax(pred) with given class weights, and its gradient in the same loops.

    loss = sum over c of label_c * (log(sum over d of exp(pred_d - max)) - (pred_c - max))
    grad = softmax(pred) * (sum over c of label_c) - label

Shapes: pred and label (N, ..., C, ...) -> loss (pred without the axis), grad (like pred). Sums, weights and 1/N are
separate ops. Mocha.jl src/layers/softlabel-softmax-loss.jl, but with the logarithm of the sum, as in softmax_loss, and
a gradient that is right for labels with any sum. A class of weight 0 adds nothing, even for a prediction of -inf.
Gradient: dpred = grad * dloss; none for the label, as in Mocha.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Nest
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._rows import (
    is_label,
    one_hot,
    require_label,
    require_rows,
    row_loops,
    rows_loss_vjp,
    shifted_sum,
    without,
)
from mochac.ir.ops._typing import integer, real, require_same_dtype, require_shape, result
from mochac.ir.types import TensorType


def infer(x: TensorType, *, axis: int) -> tuple[TensorType, ...]:
    require_rows(x, axis)
    return (x,)


def reference(x: np.ndarray, *, axis: int) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        e = np.exp(x - x.max(axis=axis, keepdims=True))
        return e / e.sum(axis=axis, keepdims=True)


def vjp(b: GraphBuilder, bound: BoundNode, dy: Value) -> tuple[Value | None, ...]:
    y, axis = bound.outputs[0], bound.attr["axis"]
    total = b.op("reduce_sum", b.op("mul", dy, y), axes=(axis,))
    kept = tuple(a for a in range(len(y.type.shape)) if a != axis)
    spread = b.op("broadcast", total, shape=y.type.shape, axes=kept, batch=y.type.batch)
    return (b.op("mul", b.op("sub", dy, spread), y),)


def lower(k: KernelBuilder, bound: BoundNode) -> None:
    x, axis = bound.inputs[0].type, integer(bound, "axis")
    with row_loops(k, x.shape, axis) as (_, at):
        most, whole = shifted_sum(k, lambda c: k.read(bound, 0, at(c)), x.shape[axis], x.dtype)
        with k.each("c", x.shape[axis]) as c:
            e = k.call("exp", k.call("sub", k.read(bound, 0, at(c)), most))
            k.write(bound, 0, at(c), k.call("div", e, whole))


def onnx(w: OnnxWriter, bound: BoundNode, x: str) -> str:
    return w.node("Softmax", x, axis=integer(bound, "axis"))


register(
    Op(
        name="softmax",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Nest(lower),
        kind="row",
        samples=(
            Sample(("f32[b3,5]",), {"axis": 1}, domain=(-30.0, 30.0)),
            Sample(("f32[b2,4,3,1]",), {"axis": 1}),
            Sample(("f32[b17,2,3]",), {"axis": 2}),
            Sample(("f32[b1,1]",), {"axis": 1}),
            Sample(("f32[3,2,37]",), {"axis": 2}),
        ),
        onnx=onnx,
    )
)


def infer_loss(pred: TensorType, label: TensorType, *, axis: int, smoothing: float = 0.0) -> tuple[TensorType, ...]:
    require_rows(pred, axis)
    require_label(pred, label, axis)
    if not 0 <= smoothing <= 1:
        raise OpTypeError("smoothing is a share", "0 to 1", str(smoothing))
    return result(pred.dtype, without(pred.shape, axis), pred.batch, pred), pred


def reference_loss(
    pred: np.ndarray, label: np.ndarray, *, axis: int, smoothing: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    classes = pred.shape[axis]
    hit = one_hot(label, classes, axis)
    with np.errstate(invalid="ignore"):
        shifted = pred - pred.max(axis=axis, keepdims=True)
        e = np.exp(shifted)
        total = e.sum(axis=axis, keepdims=True)
        picked = np.where(hit, shifted, 0).astype(pred.dtype).sum(axis=axis)
        if smoothing:
            picked = ((1 - smoothing) * picked + smoothing * shifted.mean(axis=axis)).astype(pred.dtype)
        target = (hit * (1 - smoothing) + smoothing / classes).astype(pred.dtype)
        return np.log(total).squeeze(axis) - picked, e / total - target


def lower_loss(k: KernelBuilder, bound: BoundNode) -> None:
    pred, axis, smoothing = bound.inputs[0].type, integer(bound, "axis"), real(bound, "smoothing", 0.0)
    classes = pred.shape[axis]
    most_likely, others = (k.const(v, pred.dtype) for v in (1 - smoothing + smoothing / classes, smoothing / classes))
    zero = k.const(0.0, pred.dtype)
    with row_loops(k, pred.shape, axis) as (rest, at):
        label = k.read(bound, 1, at(Index.of(0)))
        most, whole = shifted_sum(k, lambda c: k.read(bound, 0, at(c)), classes, pred.dtype)
        picked = k.local("picked", pred.dtype, zero)
        with k.sum("c", classes) as c:
            shifted = k.call("sub", k.read(bound, 0, at(c)), most)
            hit = is_label(k, c, label, pred.dtype)
            if smoothing:
                share = k.call("select", hit, most_likely, others)
                k.accum(picked, "fma", share, shifted)
            else:
                k.accum(picked, "add", k.call("select", hit, shifted, zero))
        k.write(bound, 0, rest, k.call("sub", k.call("log", whole), k.get(picked)))
        with k.each("c", classes) as c:
            shifted = k.call("sub", k.read(bound, 0, at(c)), most)
            hit = is_label(k, c, label, pred.dtype)
            probability = k.call("div", k.call("exp", shifted), whole)
            k.write(bound, 1, at(c), k.call("sub", probability, k.call("select", hit, most_likely, others)))


register(
    Op(
        name="softmax_loss",
        infer=infer_loss,
        reference=reference_loss,
        vjp=rows_loss_vjp,
        lower=Nest(lower_loss),
        kind="row",
        label=1,
        natural=(1,),
        tolerance=5e-5,
        samples=(
            Sample(("f32[b3,5]", "f32[b3,1]"), {"axis": 1}, integers={1: (0, 5)}, differentiable=(0,)),
            Sample(("f32[b2,4,3,1]", "f32[b2,1,3,1]"), {"axis": 1}, integers={1: (0, 4)}, differentiable=(0,)),
            Sample(("f32[b17,2,3]", "f32[b17,2,1]"), {"axis": 2}, integers={1: (0, 3)}, differentiable=(0,)),
            Sample(("f32[b1,1]", "f32[b1,1]"), {"axis": 1}, integers={1: (0, 1)}, differentiable=(0,)),
            Sample(("f32[3,2,37]", "f32[3,2,1]"), {"axis": 2}, integers={1: (0, 37)}, differentiable=(0,)),
            Sample(
                ("f32[b3,5]", "f32[b3,1]"), {"axis": 1, "smoothing": 0.25}, integers={1: (0, 5)}, differentiable=(0,)
            ),
            Sample(("f32[b2,3]", "f32[b2,1]"), {"axis": 1}, (-80.0, 80.0), {1: (0, 3)}, differentiable=()),
        ),
    )
)


def infer_softlabel(pred: TensorType, label: TensorType, *, axis: int) -> tuple[TensorType, ...]:
    require_rows(pred, axis)
    require_same_dtype(("the prediction", pred), ("the label", label))
    require_shape("label", label, pred.shape, "labels must hold one weight per class, like the prediction")
    return result(pred.dtype, without(pred.shape, axis), pred.batch, pred), pred


def reference_softlabel(pred: np.ndarray, label: np.ndarray, *, axis: int) -> tuple[np.ndarray, np.ndarray]:
    with np.errstate(invalid="ignore", divide="ignore"):
        shifted = pred - pred.max(axis=axis, keepdims=True)
        e = np.exp(shifted)
        total = e.sum(axis=axis, keepdims=True)
        losses = np.where(label == 0, 0, label * (np.log(total) - shifted)).sum(axis=axis)
        return losses.astype(pred.dtype), e / total * label.sum(axis=axis, keepdims=True) - label


def lower_softlabel(k: KernelBuilder, bound: BoundNode) -> None:
    pred, axis = bound.inputs[0].type, integer(bound, "axis")
    zero = k.const(0.0, pred.dtype)
    with row_loops(k, pred.shape, axis) as (rest, at):

        def shifted(c: Index) -> Operand:
            return k.call("sub", k.read(bound, 0, at(c)), most)

        most, whole = shifted_sum(k, lambda c: k.read(bound, 0, at(c)), pred.shape[axis], pred.dtype)
        log_total = k.call("log", whole)
        loss, mass = k.local("loss", pred.dtype, zero), k.local("mass", pred.dtype, zero)
        with k.sum("c", pred.shape[axis]) as c:
            weight = k.read(bound, 1, at(c))
            part = k.call("mul", weight, k.call("sub", log_total, shifted(c)))
            k.accum(loss, "add", k.call("select", k.call("eq", weight, zero), zero, part))
            k.accum(mass, "add", weight)
        k.write(bound, 0, rest, k.get(loss))
        share = k.call("div", k.get(mass), whole)
        with k.each("c", pred.shape[axis]) as c:
            expected = k.call("mul", k.call("exp", shifted(c)), share)
            k.write(bound, 1, at(c), k.call("sub", expected, k.read(bound, 1, at(c))))


register(
    Op(
        name="softlabel_softmax_loss",
        infer=infer_softlabel,
        reference=reference_softlabel,
        vjp=rows_loss_vjp,
        lower=Nest(lower_softlabel),
        kind="row",
        tolerance=5e-5,
        samples=(
            Sample(("f32[b3,5]", "f32[b3,5]"), {"axis": 1}, domains={1: (0.0, 1.0)}, differentiable=(0,)),
            Sample(("f32[b2,4,3,1]", "f32[b2,4,3,1]"), {"axis": 1}, domains={1: (0.0, 1.0)}, differentiable=(0,)),
            Sample(("f32[b17,2,3]", "f32[b17,2,3]"), {"axis": 2}, domains={1: (0.0, 1.0)}, differentiable=(0,)),
            Sample(("f32[b1,1]", "f32[b1,1]"), {"axis": 1}, differentiable=(0,)),
            Sample(("f32[b2,3]", "f32[b2,3]"), {"axis": 1}, (-80.0, 80.0), {1: (0, 2)}, differentiable=()),
        ),
    )
)
