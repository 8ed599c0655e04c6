"""softmax: y = exp(x - max) / sum of exp(x - max), along one axis (not the batch).

Shapes: x (N, ..., C, ...) -> like x. Gradient: dx = (dy - sum(dy * y)) * y.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.kernel_build import KernelBuilder, Nest
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, Sample, register
from mochac.ir.ops._rows import require_rows, row_loops, shifted_sum
from mochac.ir.ops._typing import integer
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
    x, axis = bound.inputs[0].type, bound.attr["axis"]
    assert isinstance(axis, int)
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
