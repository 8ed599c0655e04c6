"""add_rows: a table with something added to the rows that ids name; the update of embeddings by plain SGD.

    y[v, d] = w[v, d] + factor * rate * (sum over all positions with ids[...] == v of dy[..., d], for each pair dy, ids)

Shapes: w (rows, width), rate (), then pairs dy (..., width), ids (...) -> (rows, width). Every position is added to one
row, in order, so that the bits do not depend on the number of threads, which share the columns. Where y replaces w
after the step, only the rows that ids name are read and written (passes/in_place.py). No gradient.
"""

from __future__ import annotations

from contextlib import ExitStack

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel_build import KernelBuilder, Nest
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.types import TensorType
from mochac.ops import gather_dx
from mochac.ops._typing import require_float, require_shape

FIRST = 2
"""The position of the first pair."""


def infer(w: TensorType, rate: TensorType, *pairs: TensorType, factor: float) -> tuple[TensorType, ...]:
    require_float("the table", w)
    require_shape("the rate", rate, (), "it is one number")
    if not pairs or len(pairs) % 2:
        raise OpTypeError("rows come with their ids", "w, rate, dy, ids, dy, ids, ...", f"{len(pairs)} after the rate")
    for dy, ids in zip(pairs[::2], pairs[1::2], strict=True):
        total = gather_dx.infer(dy, ids, rows=w.shape[0])[0]
        require_shape("the table", w, total.shape, "rows must fit it")
    return (w,)


def reference(w: np.ndarray, rate: np.ndarray, *pairs: np.ndarray, factor: float) -> np.ndarray:
    total = sum(gather_dx.reference(dy, ids, rows=len(w)) for dy, ids in zip(pairs[::2], pairs[1::2], strict=True))
    return (w + total * (np.asarray(rate, w.dtype) * w.dtype.type(factor))).astype(w.dtype)


def lower(k: KernelBuilder, bound: BoundNode) -> None:
    w, new, factor = bound.inputs[0].type, bound.outputs[0].name, bound.attr["factor"]
    assert isinstance(factor, float)
    with k.each("d", w.shape[1]) as d:
        with k.each("v", w.shape[0]) as v:
            k.write(bound, 0, (v, d), k.read(bound, 0, (v, d)))
        rate = k.call("mul", k.read(bound, 1, ()), k.const(factor, w.dtype))
        for dy in range(FIRST, len(bound.inputs), 2):
            with ExitStack() as loops:
                at: tuple[Index, ...] = tuple(
                    loops.enter_context(k.loop(f"n{a}", extent))
                    for a, extent in enumerate(bound.inputs[dy + 1].type.shape)
                )
                row, here = k.read(bound, dy + 1, at), k.call("mul", rate, k.read(bound, dy, (*at, d)))
                with k.at("v", w.shape[0], row) as v:
                    k.accum(k.stored[new], "add", here, index=bound.result_index((v, d)))


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
            Sample(("f32[7,5]", "f32[]", "f32[b3,5]", "f32[b3]"), {"factor": -1.0}, integers={3: (0, 7)}),
            Sample(("f32[4,33]", "f32[]", "f32[b17,6,33]", "f32[b17,6]"), {"factor": 0.5}, integers={3: (0, 4)}),
            Sample(("f32[5,2]", "f32[]", "f32[b2,3,2]", "i32[b2,3]"), {"factor": 1.0}, integers={3: (-2, 7)}),
            Sample(
                ("f32[3,17]", "f32[]", "f32[4,17]", "f32[4]", "f32[2,2,17]", "i32[2,2]"),
                {"factor": -2.0},
                integers={3: (-1, 4), 5: (0, 3)},
            ),
        ),
    )
)
