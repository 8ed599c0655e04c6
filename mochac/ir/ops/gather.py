"""Rows of a table by number, the sums of rows that are the gradient, and an update of rows that were read.

gather: rows of a table, at the numbers that ids hold; the lookup of embeddings.

    y[..., d] = w[ids[...], d], and NaN for ids that are not row numbers, as in jax.numpy.take

Shapes: w (rows, width), ids (...) of floats or integers -> (..., width). Only the rows that are asked for are read.
Gradient: dw = gather_dx, which ignores ids that are not row numbers; none for ids.

gather_dx: sums of rows by number; the gradient of gather with respect to its table.

    dw[v, d] = sum over all positions with ids[...] == v of dy[..., d]

Shapes: dy (..., width), ids (...) -> (rows, width). Every position is added to one row, in order, so that the bits
do not depend on the number of threads, which share the columns. Gradient: gather; none for ids.

add_rows: a table with sums added to the rows that ids name; the update of embeddings by plain SGD.

For every row v that ids name:

    t[v, d] = sums[v, d] + (sum over all positions with ids[...] == v of dy[..., d], for each pair dy, ids)
    y[v, d] = w[v, d] + factor * rate * t[v, d]
    left[v, d] = 0

The other rows of y and left are those of w and sums. Shapes: w, sums (rows, width), rate (), then pairs dy (..., width)
and ids (...) -> y, left (rows, width). `sums` is memory for the sums of rows: where it is zero, y of one pair has the
bits of w + factor * rate * gather_dx(dy, ids), and `left` is zero. Every position is added to one row, in order, so
that the bits do not depend on the number of threads, which share the columns. Where y and left replace w and sums after
the step, only the rows that ids name are read and written (passes/in_place.py). No gradient.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import IndexTuple, KernelBuilder, Nest, Pointwise
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import real, require_float, require_rank, require_shape, result
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


def infer_dx(dy: TensorType, ids: TensorType, *, rows: int) -> tuple[TensorType, ...]:
    require_float("the gradient", dy)
    require_shape("ids", ids, dy.shape[:-1], "there must be one id for each row of the gradient")
    if rows < 1:
        raise OpTypeError("a table has rows", "rows >= 1", str(rows))
    return (TensorType(dy.dtype, (rows, dy.shape[-1])),)


def reference_dx(dy: np.ndarray, ids: np.ndarray, *, rows: int) -> np.ndarray:
    at, legal = found(ids, rows)
    dw = np.zeros((rows, dy.shape[-1]), dy.dtype)
    np.add.at(dw, at[legal], dy[legal])
    return dw


def vjp_dx(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    """Rows of the cotangent; 0 for ids that are not row numbers, for which gather gives NaN."""
    dy, ids = bound.inputs
    legal = b.op("and", b.op("ge", ids, b.const(0, ids.type)), b.op("lt", ids, b.const(ct.type.shape[0], ids.type)))
    if ids.type.dtype in FLOATS:
        legal = b.op("and", legal, b.op("eq", ids, b.op("floor", ids)))
    axes = tuple(range(len(ids.type.shape)))
    legal = b.op("broadcast", legal, shape=dy.type.shape, axes=axes, batch=dy.type.batch)
    return b.op("select", legal, b.op("gather", ct, ids), b.const(0.0, dy.type)), None


def lower_dx(k: KernelBuilder, bound: BoundNode) -> None:
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
        infer=infer_dx,
        reference=reference_dx,
        vjp=vjp_dx,
        lower=Nest(lower_dx),
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


FIRST = 3
"""The position of the first pair."""


def infer_add_rows(
    w: TensorType, sums: TensorType, rate: TensorType, *pairs: TensorType, factor: float
) -> tuple[TensorType, ...]:
    require_float("the table", w)
    require_shape("sums", sums, w.shape, "there is one for each number of the table")
    require_shape("the rate", rate, (), "it is one number")
    if not pairs or len(pairs) % 2:
        raise OpTypeError("rows come with their ids", "w, sums, rate, dy, ids, ...", f"{len(pairs)} after the rate")
    for dy, ids in zip(pairs[::2], pairs[1::2], strict=True):
        total = infer_dx(dy, ids, rows=w.shape[0])[0]
        require_shape("the table", w, total.shape, "rows must fit it")
    return w, sums


def reference_add_rows(
    w: np.ndarray, sums: np.ndarray, rate: np.ndarray, *pairs: np.ndarray, factor: float
) -> tuple[np.ndarray, np.ndarray]:
    total, named = sums.copy(), np.zeros(len(w), bool)
    for dy, ids in zip(pairs[::2], pairs[1::2], strict=True):
        at, legal = found(ids, len(w))
        named[at[legal]] = True
        np.add.at(total, at[legal], dy[legal])
    y, left = w.copy(), sums.copy()
    y[named] += total[named] * (np.asarray(rate, w.dtype) * w.dtype.type(factor))
    left[named] = 0
    return y, left


def lower_add_rows(k: KernelBuilder, bound: BoundNode) -> None:
    w, factor = bound.inputs[0].type, real(bound, "factor")
    new, left = (_result(k, bound, position) for position in range(2))
    with k.each("d", w.shape[1]) as d:
        for position, (buffer, place) in enumerate((new, left)):
            with k.each("v", w.shape[0]) as v:
                k.store(buffer, place(v, d), k.read(bound, position, (v, d)))
        for dy in range(FIRST, len(bound.inputs), 2):
            with _rows(k, bound, dy) as (at, v):
                k.accum(left[0], "add", k.read(bound, dy, (*at, d)), index=left[1](v, d))
        rate = k.call("mul", k.read(bound, 2, ()), k.const(factor, w.dtype))
        for dy in range(FIRST, len(bound.inputs), 2):
            with _rows(k, bound, dy) as (_, v):
                total = k.get(left[0], *left[1](v, d))
                k.accum(new[0], "add", k.call("mul", rate, total), index=new[1](v, d))
                k.store(left[0], left[1](v, d), k.const(0.0, w.dtype))  # an id that comes again adds nothing


Place = Callable[[Index, Index], IndexTuple]


def _result(k: KernelBuilder, bound: BoundNode, position: int) -> tuple[str, Place]:
    """Where a result is stored: a local, if nothing reads it."""
    out, w = bound.outputs[position], bound.inputs[0].type
    if out.name in k.stored:
        return k.stored[out.name], lambda v, d: bound.result_index((v, d))
    return k.local("left", w.dtype, shape=w.shape), lambda v, d: (v, d)


@contextmanager
def _rows(k: KernelBuilder, bound: BoundNode, dy: int) -> Iterator[tuple[tuple[Index, ...], Index]]:
    """Loops over the positions of a pair: yields the place and its row."""
    ids = bound.inputs[dy + 1].type
    with ExitStack() as loops:
        at = tuple(loops.enter_context(k.loop(f"n{a}", extent)) for a, extent in enumerate(ids.shape))
        row = k.read(bound, dy + 1, at)
        yield at, loops.enter_context(k.at("v", bound.inputs[0].type.shape[0], row))


register(
    Op(
        name="add_rows",
        infer=infer_add_rows,
        reference=reference_add_rows,
        lower=Nest(lower_add_rows),
        kind="row",
        alone="rows are added up where they are stored",
        natural=range(1 << 10),
        samples=(
            Sample(("f32[7,5]", "f32[7,5]", "f32[]", "f32[b3,5]", "f32[b3]"), {"factor": -1.0}, integers={4: (0, 7)}),
            Sample(
                ("f32[4,33]", "f32[4,33]", "f32[]", "f32[b17,6,33]", "f32[b17,6]"),
                {"factor": 0.5},
                integers={4: (0, 4)},
            ),
            Sample(
                ("f32[5,2]", "f32[5,2]", "f32[]", "f32[b2,3,2]", "i32[b2,3]"), {"factor": 1.0}, integers={4: (-2, 7)}
            ),
            Sample(
                ("f32[3,17]", "f32[3,17]", "f32[]", "f32[4,17]", "f32[4]", "f32[2,2,17]", "i32[2,2]"),
                {"factor": -2.0},
                integers={4: (-1, 4), 6: (0, 3)},
            ),
        ),
    )
)
