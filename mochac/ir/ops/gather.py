"""gather: rows of a table, at the numbers that ids hold; the lookup of embeddings.

    y[..., d] = w[ids[...], d], and NaN for ids that are not row numbers, as in jax.numpy.take

Shapes: w (rows, width), ids (...) of floats or integers -> (..., width). Only the rows that are asked for are read.
Gradient: dw = gather_dx, which ignores ids that are not row numbers; none for ids.
"""

from __future__ import annotations

import math

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import require_float, require_rank, result
from mochac.ir.types import FLOATS, TensorType


def infer(w: TensorType, ids: TensorType) -> tuple[TensorType, ...]:
    require_float("the table", w)
    require_rank("the table", w, 2, "rows, width")
    if w.batch or ids.dtype == "bool":
        raise OpTypeError("a table belongs to no sample, and ids are numbers", "w (rows, width), ids", f"{w}, {ids}")
    return (result(w.dtype, (*ids.shape, w.shape[1]), ids.batch, ids),)


def found(ids: np.ndarray, rows: int) -> tuple[np.ndarray, np.ndarray]:
    """The ids as row numbers, with 0 for ids that are not row numbers; and where they are row numbers."""
    with np.errstate(invalid="ignore"):
        legal = (ids >= 0) & (ids < rows) & (ids == np.floor(ids))
    return np.where(legal, ids, 0).astype(np.int64), legal


def reference(w: np.ndarray, ids: np.ndarray) -> np.ndarray:
    if not len(w):
        return np.full((*ids.shape, w.shape[1]), np.nan, w.dtype)
    at, legal = found(ids, len(w))
    return np.where(legal[..., None], w[at], np.nan).astype(w.dtype)


def vjp(b: GraphBuilder, bound: BoundNode, dy: Value) -> tuple[Value | None, ...]:
    w, ids = bound.inputs
    return b.op("gather_dx", dy, ids, rows=w.type.shape[0]), None


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    w, ids = (value.type for value in bound.inputs)
    *at, d = index
    row = k.read(bound, 1, tuple(at))
    picked = k.local("picked", w.dtype, k.const(0.0, w.dtype))
    with k.at("v", w.shape[0], row, "sum") as v:
        k.accum(picked, "add", k.read(bound, 0, (v, d)))
    legal = k.call("and", k.call("ge", row, k.const(0, ids.dtype)), k.call("lt", row, k.const(w.shape[0], ids.dtype)))
    if ids.dtype in FLOATS:
        legal = k.call("and", legal, k.call("eq", row, k.call("floor", row)))
    return (k.call("select", legal, k.get(picked), k.const(math.nan, w.dtype)),)


def onnx(w: OnnxWriter, bound: BoundNode, table: str, ids: str) -> str:
    return w.node("Gather", table, w.cast(ids, "i64"))


register(
    Op(
        name="gather",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower),
        kind="reduce",
        picks_rows=True,
        tolerance=0.0,
        samples=(
            Sample(("f32[7,5]", "f32[b3]"), integers={1: (0, 7)}, differentiable=(0,)),
            Sample(("f32[4,33]", "f32[b17,6]"), integers={1: (0, 4)}, differentiable=(0,)),
            Sample(("f32[5,2]", "i32[b2,3]"), integers={1: (-2, 7)}, differentiable=()),
            Sample(("f32[3,17]", "f32[4]"), integers={1: (-1, 4)}, differentiable=()),
        ),
        onnx=onnx,
    )
)
