"""argmax: index of the first largest element along an axis, which is kept with extent 1.

    y[.., 0, ..] = the first c with x[.., c, ..] = max over c' of x[.., c', ..]

Shapes: x (N, ..., C, ...) -> the same with C replaced by 1, dtype of x (class indices are floats, as labels are). The
first NaN of a row counts as the largest, as in NumPy. No gradient. Mocha.jl src/layers/argmax.jl.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel_build import KernelBuilder, Nest
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, Sample, register
from mochac.ir.ops._rows import require_rows, row_loops
from mochac.ir.ops._typing import integer, result
from mochac.ir.types import TensorType


def infer(x: TensorType, *, axis: int) -> tuple[TensorType, ...]:
    require_rows(x, axis)
    return (result(x.dtype, (*x.shape[:axis], 1, *x.shape[axis + 1 :]), x.batch, x),)


def reference(x: np.ndarray, *, axis: int) -> np.ndarray:
    first = np.argmax(x, axis=axis)
    return np.expand_dims(first, axis).astype(x.dtype)


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    return (None,)


def lower(k: KernelBuilder, bound: BoundNode) -> None:
    x, axis = bound.inputs[0].type, bound.attr["axis"]
    assert isinstance(axis, int)
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


def onnx(w: OnnxWriter, bound: BoundNode, x: str) -> str:
    return w.cast(w.node("ArgMax", x, axis=integer(bound, "axis"), keepdims=1), bound.outputs[0].type.dtype)


register(
    Op(
        name="argmax",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Nest(lower),
        kind="row",
        tolerance=0.0,
        samples=(
            Sample(("f32[b17,5]",), {"axis": 1}, differentiable=()),
            Sample(("f32[b3,2,4,3]",), {"axis": 2}, integers={0: (0, 2)}, differentiable=()),
            Sample(("f32[4,3]",), {"axis": 0}, differentiable=()),
            Sample(("f32[b2,1]",), {"axis": 1}, differentiable=()),
        ),
        onnx=onnx,
    )
)
