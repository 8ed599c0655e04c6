"""accuracy: 1 where the first largest prediction is at the label, else 0.

Shapes: pred (N, ..., C, ...), label the same with C replaced by 1 -> pred without the axis, dtype of pred. A NaN
is never the largest. No gradient. Mocha.jl src/layers/accuracy.jl.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel_build import KernelBuilder, Nest
from mochac.ir.op import Op, Sample, register
from mochac.ir.ops._rows import is_label, require_label, require_rows, row_loops, without
from mochac.ir.ops._typing import result
from mochac.ir.types import TensorType


def infer(pred: TensorType, label: TensorType, *, axis: int) -> tuple[TensorType, ...]:
    require_rows(pred, axis)
    require_label(pred, label, axis)
    return (result(pred.dtype, without(pred.shape, axis), pred.batch, pred),)


def reference(pred: np.ndarray, label: np.ndarray, *, axis: int) -> np.ndarray:
    first = np.argmax(np.where(np.isnan(pred), -np.inf, pred), axis=axis)
    return (first == label.squeeze(axis)).astype(pred.dtype)


def lower(k: KernelBuilder, bound: BoundNode) -> None:
    pred, axis = bound.inputs[0].type, bound.attr["axis"]
    assert isinstance(axis, int)
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
        infer=infer,
        reference=reference,
        lower=Nest(lower),
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
