"""add_rows: a table with sums added to the rows that ids name; the update of embeddings by plain SGD.

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

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import numpy as np

from mochac.ir.body_build import IndexTuple
from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel_build import KernelBuilder, Nest
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops import gather_dx
from mochac.ir.ops._typing import require_float, require_shape
from mochac.ir.ops.gather import found
from mochac.ir.types import TensorType

FIRST = 3
"""The position of the first pair."""


def infer(
    w: TensorType, sums: TensorType, rate: TensorType, *pairs: TensorType, factor: float
) -> tuple[TensorType, ...]:
    require_float("the table", w)
    require_shape("sums", sums, w.shape, "there is one for each number of the table")
    require_shape("the rate", rate, (), "it is one number")
    if not pairs or len(pairs) % 2:
        raise OpTypeError("rows come with their ids", "w, sums, rate, dy, ids, ...", f"{len(pairs)} after the rate")
    for dy, ids in zip(pairs[::2], pairs[1::2], strict=True):
        total = gather_dx.infer(dy, ids, rows=w.shape[0])[0]
        require_shape("the table", w, total.shape, "rows must fit it")
    return w, sums


def reference(
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


def lower(k: KernelBuilder, bound: BoundNode) -> None:
    w, factor = bound.inputs[0].type, bound.attr["factor"]
    assert isinstance(factor, float)
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
        infer=infer,
        reference=reference,
        lower=Nest(lower),
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
