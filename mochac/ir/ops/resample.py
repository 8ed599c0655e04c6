"""Weighted sums of neighbours along an axis: resizing, and whatever else a constant matrix with few numbers in each row
does along an axis.

resample: block j of the result holds `block` elements, each a sum over the same `taps` neighbours of the input.

    y[.., j, e, ..] = sum over t of weights[j, t, e] * x[.., first[j] + t, ..]

Shapes: x (.., n, ..), weights (blocks, taps, block), first (blocks) of whole numbers from 0 to n - taps, and
back_weights, back_first -> y (.., blocks, block, ..), of which a reshape makes one axis. Attribute: axis. `bands` makes
weights and first of a matrix.

The last two operands are the bands of the transposed matrix, for the gradient: resample of dy, joined to one axis, with
both pairs exchanged. There is no gradient for weights. An element that a block reads with weight 0 must be finite:
a NaN or an infinity reaches all elements of the block.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import TypeVar

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import integer, require_float, require_rank, require_shape, result
from mochac.ir.types import TensorType

V = TypeVar("V", bound=Value)


def bands(matrix: np.ndarray, block: int) -> tuple[np.ndarray, np.ndarray]:
    """(weights, first) with which resample multiplies by a matrix (results, inputs), `block` results at a time.

    Where the last block is not full, it is filled up with results of weight 0.

    >>> weights, first = bands(np.array([[1.0, 0, 0, 0], [0, 0, 0.5, 0.5], [0, 0, 0, 1]]), 2)
    >>> first, weights[1].tolist()
    (array([0, 0]), [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [1.0, 0.0]])
    """
    results, n = matrix.shape
    blocks = -(-results // block)
    whole = np.zeros((blocks * block, n), matrix.dtype)
    whole[:results] = matrix
    used = np.asarray(whole.reshape(blocks, block, n).any(axis=1))
    low, high = used.argmax(axis=1), n - used[:, ::-1].argmax(axis=1)
    taps = int(np.where(used.any(axis=1), high - low, 1).max())
    first = np.minimum(low, n - taps)
    at = first[:, None, None] + np.arange(taps)[:, None]
    return whole.reshape(blocks, block, n)[np.arange(blocks)[:, None, None], np.arange(block), at], first


def infer(
    x: TensorType,
    weights: TensorType,
    first: TensorType,
    back_weights: TensorType,
    back_first: TensorType,
    *,
    axis: int,
) -> tuple[TensorType, ...]:
    require_float("the input", x)
    if not x.batch <= axis < len(x.shape):
        raise OpTypeError("the axis must exist", f"{int(x.batch)} <= axis < {len(x.shape)}", str(axis))
    for what, table, starts in (("the weights", weights, first), ("the transposed weights", back_weights, back_first)):
        require_rank(what, table, 3, "blocks, taps, block")
        require_shape("the first taps", starts, table.shape[:1], "there is one for each block")
    n, (blocks, taps, block) = x.shape[axis], weights.shape
    if taps > n:
        raise OpTypeError("the taps of a block lie in the axis", f"at most {n} taps", str(taps))
    if prod(back_weights.shape[::2]) < n or back_weights.shape[1] > blocks * block:
        expected = f"{n} or more results of at most {blocks * block} taps"
        raise OpTypeError("the transposed weights do not fit", expected, str(back_weights))
    return (result(x.dtype, (*x.shape[:axis], blocks, block, *x.shape[axis + 1 :]), x.batch, x),)


def reference(
    x: np.ndarray,
    weights: np.ndarray,
    first: np.ndarray,
    back_weights: np.ndarray,
    back_first: np.ndarray,
    *,
    axis: int,
) -> np.ndarray:
    read = np.moveaxis(x, axis, 0)[first.astype(np.int64)[:, None] + np.arange(weights.shape[1])]
    return np.moveaxis(np.einsum("jte,jt...->je...", weights, read), (0, 1), (axis, axis + 1)).astype(x.dtype)


def vjp(b: GraphBuilder, bound: BoundNode, dy: Value) -> tuple[Value | None, ...]:
    axis, (x, weights, first, back_weights, back_first) = integer(bound, "axis"), bound.inputs
    shape = x.type.shape
    joined = b.op("reshape", dy, shape=(*shape[:axis], prod(weights.type.shape[::2]), *shape[axis + 1 :]))
    dx = multiplied(b.op, joined, (back_weights, back_first, weights, first), axis, shape[axis])
    return dx, None, None, None, None


def multiplied(op: Callable[..., V], x: V, tables: Sequence[V], axis: int, results: int) -> V:
    """The product of a matrix and an axis of x: resample, then its blocks as one axis, without what fills the last one.

    Args:
        op: adds an operation, as GraphBuilder.op.
        tables: the operands behind x.
        results: rows of the matrix.
    """
    front, behind = x.type.shape[:axis], x.type.shape[axis + 1 :]
    y = op("resample", x, *tables, axis=axis)
    y = op("reshape", y, shape=(*front, prod(y.type.shape[axis : axis + 2]), *behind))
    shape = (*front, results, *behind)
    return y if y.type.shape == shape else op("slice", y, start=(0,) * len(shape), shape=shape)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    axis, (x, weights) = integer(bound, "axis"), (value.type for value in bound.inputs[:2])
    block, element, taps = index[axis], index[axis + 1], weights.shape[1]
    acc = k.local("acc", x.dtype, k.const(0.0, x.dtype))
    with k.at("v", x.shape[axis] - taps + 1, k.read(bound, 2, (block,)), "sum") as v, k.sum("t", taps) as t:
        read = k.read(bound, 0, (*index[:axis], v + t, *index[axis + 2 :]))
        k.accum(acc, "fma", k.read(bound, 1, (block, t, element)), read)
    return (k.get(acc),)


def onnx(w: OnnxWriter, bound: BoundNode, x: str, weights: str, first: str, *back: str) -> str:
    axis, taps = integer(bound, "axis"), bound.inputs[1].type.shape[1]
    read = w.node("Unsqueeze", w.cast(first, "i64"), w.integers([1]))
    windows = w.node("Gather", x, w.node("Add", read, w.integers(range(taps))), axis=axis)
    letters = "abcdfghi"[: len(bound.inputs[0].type.shape) - 1]
    front, behind = letters[:axis], letters[axis:]
    return w.node("Einsum", windows, weights, equation=f"{front}jt{behind},jte->{front}je{behind}")


def _sample(x: str, matrix: np.ndarray, axis: int, block: int, back_block: int) -> Sample:
    """A test case: a multiplication by a matrix."""
    tables = [array for m, size in ((matrix, block), (matrix.T, back_block)) for array in bands(m, size)]
    types = tuple(f"f32[{','.join(map(str, array.shape))}]" for array in tables)
    return Sample((x, *types), {"axis": axis}, arrays=dict(enumerate(tables, 1)), differentiable=(0,))


def _band(results: int, inputs: int, width: int) -> np.ndarray:
    """A matrix of waves along the diagonal, `width` in each row."""
    away = np.subtract.outer(np.linspace(0, inputs - 1, results), np.arange(inputs))
    return np.where(np.abs(away) <= width / 2, np.cos(away), 0.0)


register(
    Op(
        name="resample",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower),
        kind="window",
        flops=lambda bound: 2 * bound.outputs[0].type.elems * bound.inputs[1].type.shape[1],
        picks_rows=True,
        samples=(
            _sample("f32[b3,2,5,4]", _band(9, 5, 2), 2, 1, 1),
            _sample("f32[b17,2,7]", _band(33, 7, 2), 2, 16, 7),
            _sample("f32[b2,40,3]", _band(7, 40, 11), 1, 1, 1),
            _sample("f32[b2,3,37]", _band(19, 37, 4), 2, 16, 16),
            _sample("f32[5,2]", np.eye(5)[[3, 3, 0, 4]], 0, 1, 1),
            _sample("f32[b2,1,3]", np.ones((2, 1)), 1, 2, 1),
        ),
        onnx=onnx,
    )
)
