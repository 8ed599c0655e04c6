"""softlabel_softmax_loss: cross entropy of softmax(pred) with given class weights, and its gradient in the same loops.

    loss = sum over c of label_c * (log(sum over d of exp(pred_d - max)) - (pred_c - max))
    grad = softmax(pred) * (sum over c of label_c) - label

Shapes: pred and label (N, ..., C, ...) -> loss (pred without the axis), grad (like pred). Sums, weights and 1/N are
separate ops. Mocha.jl src/layers/softlabel-softmax-loss.jl, but with the logarithm of the sum, as in softmax_loss, and
a gradient that is right for labels with any sum. A class of weight 0 adds nothing, even for a prediction of -inf.
Gradient: dpred = grad * dloss; none for the label, as in Mocha.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Nest
from mochac.ir.op import Op, Sample, register
from mochac.ir.ops._rows import require_rows, row_loops, rows_loss_vjp, shifted_sum, without
from mochac.ir.ops._typing import require_same_dtype, require_shape, result
from mochac.ir.types import TensorType


def infer(pred: TensorType, label: TensorType, *, axis: int) -> tuple[TensorType, ...]:
    require_rows(pred, axis)
    require_same_dtype(("the prediction", pred), ("the label", label))
    require_shape("label", label, pred.shape, "labels must hold one weight per class, like the prediction")
    return result(pred.dtype, without(pred.shape, axis), pred.batch, pred), pred


def reference(pred: np.ndarray, label: np.ndarray, *, axis: int) -> tuple[np.ndarray, np.ndarray]:
    with np.errstate(invalid="ignore", divide="ignore"):
        shifted = pred - pred.max(axis=axis, keepdims=True)
        e = np.exp(shifted)
        total = e.sum(axis=axis, keepdims=True)
        losses = np.where(label == 0, 0, label * (np.log(total) - shifted)).sum(axis=axis)
        return losses.astype(pred.dtype), e / total * label.sum(axis=axis, keepdims=True) - label


def lower(k: KernelBuilder, bound: BoundNode) -> None:
    pred, axis = bound.inputs[0].type, bound.attr["axis"]
    assert isinstance(axis, int)
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
        infer=infer,
        reference=reference,
        vjp=rows_loss_vjp,
        lower=Nest(lower),
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
