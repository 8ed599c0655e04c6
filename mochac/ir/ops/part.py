"""part: some neighbouring samples of a batch, where they lie.

    y[n, ...] = x[first + n, ...],  0 <= n < count

Shapes: x (N, ...), batch-marked -> (count, ...), batch-marked. passes/cut_batch.py cuts the batches that a
step reads with it. Its gradient is not needed: batches are cut after gradients have been taken.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.kernel_build import Alias
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.types import TensorType


def infer(x: TensorType, *, first: int, count: int) -> tuple[TensorType, ...]:
    if not x.batch or (x.lanes and first % x.lanes):
        raise OpTypeError("a batch is read in parts, a blocked one in whole blocks", "f32[bN,...]", f"{x} from {first}")
    if not 0 <= first <= first + count <= x.shape[0]:
        raise OpTypeError("a part lies inside the batch", f"{x.shape[0]} samples", f"{first} to {first + count}")
    return (x.with_(shape=(count, *x.shape[1:])),)


def reference(x: np.ndarray, *, first: int, count: int) -> np.ndarray:
    return x[first : first + count]


register(
    Op(
        name="part",
        infer=infer,
        reference=reference,
        lower=Alias(row="first"),
        kind="shape",
        moves=True,
        tolerance=0.0,
        samples=(
            Sample(("f32[b40,2,5]",), {"first": 16, "count": 17}),
            Sample(("f32[b4,1]",), {"first": 0, "count": 2}),
            Sample(("i32[b33]",), {"first": 32, "count": 1}),
        ),
    )
)
