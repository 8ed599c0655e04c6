"""rank_sum: the sum of a value over the ranks that train together, which every rank gets.

    y = tree(x of rank 0, x of rank 1, ...),  tree(a0 .. an-1) = tree(a0 .. an/2-1) + tree(an/2 .. an-1)

Shapes: x (...) float -> like x, without samples. Attribute: ranks, how many add up their values. cut_batch writes it,
and the pass buckets replaces it by exchanges: on CPUs, none of these nodes remains; on devices, one node per bucket
remains, which a library computes. The reference is that of a single rank: x itself. Gradients are taken before it is
introduced.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import require_float
from mochac.ir.types import TensorType


def infer(x: TensorType, *, ranks: int = 1) -> tuple[TensorType, ...]:
    require_float("the operand", x)
    if x.batch:
        raise OpTypeError("ranks have different samples, so their values cannot be added", "no batch mark", str(x))
    return (x,)


def reference(x: np.ndarray, *, ranks: int = 1) -> np.ndarray:
    return x


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    return (k.read(bound, 0, index),)


register(
    Op(
        name="rank_sum",
        infer=infer,
        reference=reference,
        lower=Pointwise(lower),
        kind="call",
        alone="ranks exchange it",
        tolerance=0.0,
        samples=(Sample(("f32[3,2]",)), Sample(("f64[]",), {"ranks": 4})),
    )
)
