"""gather_dx: sums of rows by number; the gradient of gather with respect to its table.

    dw[v, d] = sum over all positions with ids[...] == v of dy[..., d]

Shapes: dy (..., width), ids (...) -> (rows, width). Every position is added to one row, in order, so that the bits
do not depend on the number of threads, which share the columns. Gradient: gather; none for ids.
"""

from __future__ import annotations

from contextlib import ExitStack

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel_build import KernelBuilder, Nest
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import require_float, require_shape
from mochac.ir.ops.gather import found
from mochac.ir.types import FLOATS, TensorType


def infer(dy: TensorType, ids: TensorType, *, rows: int) -> tuple[TensorType, ...]:
    require_float("the gradient", dy)
    require_shape("ids", ids, dy.shape[:-1], "there must be one id for each row of the gradient")
    if rows < 1:
        raise OpTypeError("a table has rows", "rows >= 1", str(rows))
    return (TensorType(dy.dtype, (rows, dy.shape[-1])),)


def reference(dy: np.ndarray, ids: np.ndarray, *, rows: int) -> np.ndarray:
    at, legal = found(ids, rows)
    dw = np.zeros((rows, dy.shape[-1]), dy.dtype)
    np.add.at(dw, at[legal], dy[legal])
    return dw


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    """Rows of the cotangent; 0 for ids that are not row numbers, for which gather gives NaN."""
    dy, ids = bound.inputs
    legal = b.op("and", b.op("ge", ids, b.const(0, ids.type)), b.op("lt", ids, b.const(ct.type.shape[0], ids.type)))
    if ids.type.dtype in FLOATS:
        legal = b.op("and", legal, b.op("eq", ids, b.op("floor", ids)))
    axes = tuple(range(len(ids.type.shape)))
    legal = b.op("broadcast", legal, shape=dy.type.shape, axes=axes, batch=dy.type.batch)
    return b.op("select", legal, b.op("gather", ct, ids), b.const(0.0, dy.type)), None


def lower(k: KernelBuilder, bound: BoundNode) -> None:
    dy, dw = bound.inputs[0].type, bound.outputs[0]
    with k.each("d", dy.shape[-1]) as d:
        with k.each("v", dw.type.shape[0]) as v:
            k.write(bound, 0, (v, d), k.const(0.0, dy.dtype))
        with ExitStack() as loops:
            at: tuple[Index, ...] = tuple(
                loops.enter_context(k.loop(f"n{a}", extent)) for a, extent in enumerate(dy.shape[:-1])
            )
            row, here = k.read(bound, 1, at), k.read(bound, 0, (*at, d))
            with k.at("v", dw.type.shape[0], row) as v:
                k.accum(k.stored[dw.name], "add", here, index=bound.result_index((v, d)))


register(
    Op(
        name="gather_dx",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Nest(lower),
        kind="row",
        adds=True,
        alone="rows are added up where they are stored",
        natural=(0, 1),
        samples=(
            Sample(("f32[b3,5]", "f32[b3]"), {"rows": 7}, integers={1: (0, 7)}, differentiable=(0,)),
            Sample(("f32[b17,6,33]", "f32[b17,6]"), {"rows": 4}, integers={1: (0, 4)}, differentiable=(0,)),
            Sample(("f32[b2,3,2]", "i32[b2,3]"), {"rows": 5}, integers={1: (-2, 7)}, differentiable=(0,)),
            Sample(("f32[4,17]", "f32[4]"), {"rows": 3}, integers={1: (-1, 4)}, differentiable=(0,)),
        ),
    )
)
