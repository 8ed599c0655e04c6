"""softmax_loss: multinomial logistic loss of softmax(pred), and its gradient in the same loops.

    loss = log(sum over c of exp(pred_c - max)) - (pred_label - max);  grad = softmax(pred) - [c == label]

With the attribute smoothing = s, pred_label is replaced by (1 - s) pred_label + s mean(pred), and [c == label] by
(1 - s) [c == label] + s / C.

Shapes: pred (N, ..., C, ...), label the same with C replaced by 1, class indices 0..C-1 as floats -> loss (pred without
the axis), grad (like pred). Sums, weights and 1/N are separate ops. Mocha.jl src/layers/softmax-loss.jl, but with the
logarithm of the sum instead of a clamped quotient, so that the loss is finite for all finite predictions.
Gradient: dpred = grad * dloss; none for the label.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel_build import KernelBuilder, Nest
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
from mochac.ir.ops._typing import result
from mochac.ir.types import TensorType


def infer(pred: TensorType, label: TensorType, *, axis: int, smoothing: float = 0.0) -> tuple[TensorType, ...]:
    require_rows(pred, axis)
    require_label(pred, label, axis)
    if not 0 <= smoothing <= 1:
        raise OpTypeError("smoothing is a share", "0 to 1", str(smoothing))
    return result(pred.dtype, without(pred.shape, axis), pred.batch, pred), pred


def reference(
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


def lower(k: KernelBuilder, bound: BoundNode) -> None:
    pred, axis, smoothing = bound.inputs[0].type, bound.attr["axis"], bound.attr.get("smoothing", 0.0)
    assert isinstance(axis, int) and isinstance(smoothing, float)
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
        infer=infer,
        reference=reference,
        vjp=rows_loss_vjp,
        lower=Nest(lower),
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
