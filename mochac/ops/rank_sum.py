"""rank_sum: the sum of a value over the ranks that train together, which every rank gets.

    y = tree(x of rank 0, x of rank 1, ...),  tree(a0 .. an-1) = tree(a0 .. an/2-1) + tree(an/2 .. an-1)

Shapes: x (...) float -> like x, without samples. cut_batch writes it, and the pass buckets turns it into exchanges. The
reference is that of a single rank: x itself. Gradients are taken before it is introduced.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.kernel_build import Alias
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.types import TensorType
from mochac.ops._typing import require_float


def infer(x: TensorType) -> tuple[TensorType, ...]:
    require_float("the operand", x)
    if x.batch:
        raise OpTypeError("ranks have different samples, so their values cannot be added", "no batch mark", str(x))
    return (x,)


def reference(x: np.ndarray) -> np.ndarray:
    return x


register(
    Op(
        name="rank_sum",
        infer=infer,
        reference=reference,
        lower=Alias(),
        kind="call",
        tolerance=0.0,
        samples=(Sample(("f32[3,2]",)), Sample(("f64[]",))),
    )
)
