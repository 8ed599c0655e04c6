"""join_parts: the samples of several parts of a batch, one part after another.

Shapes: parts (n_0, ...), (n_1, ...), ..., batch-marked -> (n_0 + n_1 + ..., ...), batch-marked. passes/cut_batch.py
makes the blobs that can be read after a run with it.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import require_same_dtype
from mochac.ir.types import TensorType

ALL = range(1 << 16)
"""All operands are natural: in blocks, the samples of a part that is not whole blocks would lie at other places."""


def infer(*parts: TensorType) -> tuple[TensorType, ...]:
    if not parts or not all(t.batch for t in parts):
        raise OpTypeError("samples are joined", "1 or more batch-marked operands", ", ".join(map(str, parts)))
    first = parts[0]
    for other in parts[1:]:
        require_same_dtype(("the first part", first), ("another", other))
        if other.shape[1:] != first.shape[1:]:
            raise OpTypeError("the samples of all parts have one shape", str(first), str(other))
    return (first.with_(shape=(sum(t.shape[0] for t in parts), *first.shape[1:])),)


def reference(*parts: np.ndarray) -> np.ndarray:
    return np.concatenate(parts)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    dtype = bound.outputs[0].type.dtype
    picked, at, last = k.local("picked", dtype, k.const(0, dtype)), 0, len(bound.inputs) - 1
    for position, x in enumerate(bound.inputs):
        inside, extent = index[0] - at, x.type.shape[0]
        low = (inside,) if position else ()
        high = (extent - 1 - inside,) if position < last else ()
        with k.where(*low, *high):
            k.set(picked, k.read(bound, position, (inside, *index[1:])))
        at += extent
    return (k.get(picked),)


register(
    Op(
        name="join_parts",
        infer=infer,
        reference=reference,
        lower=Pointwise(lower),
        kind="shape",
        natural=ALL,
        alone="the parts of a batch are joined as they are stored",
        moves=True,
        tolerance=0.0,
        samples=(
            Sample(("f32[b3,2,5]", "f32[b3,2,5]")),
            Sample(("f32[b17,3]", "f32[b2,3]", "f32[b1,3]")),
            Sample(("f32[b4]",)),
        ),
    )
)
