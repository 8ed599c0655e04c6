"""Samples of a batch: parts cut and joined, batch marks added and removed, invalid samples set to 0.

part: some neighbouring samples of a batch, where they lie.

    y[n, ...] = x[first + n, ...],  0 <= n < count

Shapes: x (N, ...), batch-marked -> (count, ...), batch-marked. passes/cut_batch.py cuts the batches that a
step reads with it. Its gradient is not needed: batches are cut after gradients have been taken.

join_parts: the samples of several parts of a batch, one part after another.

Shapes: parts (n_0, ...), (n_1, ...), ..., batch-marked -> (n_0 + n_1 + ..., ...), batch-marked. passes/cut_batch.py
makes the blobs that can be read after a run with it.

own_samples: rows that belong to the samples of the batch, with its mark; the inverse of all_samples.

    y[n, ...] = x[n, ...]

Shapes: x (N, ...) -> (N, ...), batch-marked. Gradient: all_samples.

all_samples: the samples of a batch as an array without the mark of the batch, which every sample may read.

    y[n, ...] = x[n, ...]

Shapes: x (N, ...), batch-marked -> (N, ...). Losses across samples use it: the product of x (N, d) with all samples
(N, d) has the batch along both axes. Gradient: own_samples.

mask_batch: set rows n >= n_valid to 0, whatever they contain (even NaN).

Shapes: x (N, ...), n_valid () i64 -> like x. Test plans use it so that a partial last batch counts only real samples.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import Alias, KernelBuilder, Pointwise
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import onnx_unchanged, require_float, require_same_dtype, unchanged
from mochac.ir.types import TensorType


def infer_part(x: TensorType, *, first: int, count: int) -> tuple[TensorType, ...]:
    if not x.batch or (x.lanes and first % x.lanes):
        raise OpTypeError("a batch is read in parts, a blocked one in whole blocks", "f32[bN,...]", f"{x} from {first}")
    if not 0 <= first <= first + count <= x.shape[0]:
        raise OpTypeError("a part lies inside the batch", f"{x.shape[0]} samples", f"{first} to {first + count}")
    return (x.with_(shape=(count, *x.shape[1:])),)


def reference_part(x: np.ndarray, *, first: int, count: int) -> np.ndarray:
    return x[first : first + count]


register(
    Op(
        name="part",
        infer=infer_part,
        reference=reference_part,
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


ALL = range(1 << 16)
"""All operands are natural: in blocks, the samples of a part that is not whole blocks would lie at other places."""


def infer_join_parts(*parts: TensorType) -> tuple[TensorType, ...]:
    if not parts or not all(t.batch for t in parts):
        raise OpTypeError("samples are joined", "1 or more batch-marked operands", ", ".join(map(str, parts)))
    first = parts[0]
    for other in parts[1:]:
        require_same_dtype(("the first part", first), ("another", other))
        if other.shape[1:] != first.shape[1:]:
            raise OpTypeError("the samples of all parts have one shape", str(first), str(other))
    return (first.with_(shape=(sum(t.shape[0] for t in parts), *first.shape[1:])),)


def reference_join_parts(*parts: np.ndarray) -> np.ndarray:
    return np.concatenate(parts)


def lower_join_parts(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
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
        infer=infer_join_parts,
        reference=reference_join_parts,
        lower=Pointwise(lower_join_parts),
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


def infer_own_samples(x: TensorType) -> tuple[TensorType, ...]:
    if x.batch or not x.shape:
        raise OpTypeError("rows of all samples have no mark of the batch", "f32[N,...]", str(x))
    return (x.with_(batch=True),)


def vjp_own_samples(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    return (b.op("all_samples", ct),)


register(
    Op(
        name="own_samples",
        infer=infer_own_samples,
        reference=unchanged,
        vjp=vjp_own_samples,
        lower=Alias(),
        kind="shape",
        moves=True,
        tolerance=0.0,
        samples=(
            Sample(("f32[5,3]",)),
            Sample(("f32[17]",)),
        ),
        onnx=onnx_unchanged,
    )
)


def infer_all_samples(x: TensorType) -> tuple[TensorType, ...]:
    if not x.batch or x.lanes:
        raise OpTypeError("all samples of a batch are read in natural layout", "f32[bN,...]", str(x))
    return (x.with_(batch=False),)


def vjp_all_samples(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    return (b.op("own_samples", ct),)


register(
    Op(
        name="all_samples",
        infer=infer_all_samples,
        reference=unchanged,
        vjp=vjp_all_samples,
        lower=Alias(),
        kind="shape",
        moves=True,
        natural=(0,),
        tolerance=0.0,
        samples=(
            Sample(("f32[b5,3]",)),
            Sample(("f32[b17]",)),
        ),
        onnx=onnx_unchanged,
    )
)


def infer_mask_batch(x: TensorType, n_valid: TensorType) -> tuple[TensorType, ...]:
    require_float("the input", x)
    if not x.shape:
        raise OpTypeError("the input must have a batch axis", "at least 1 axis", str(x))
    if n_valid.dtype != "i64" or n_valid.shape:
        raise OpTypeError("the number of valid samples must be an integer scalar", "i64[]", str(n_valid))
    return (x,)


def reference_mask_batch(x: np.ndarray, n_valid: np.ndarray) -> np.ndarray:
    y = x.copy()
    y[max(0, int(n_valid)) :] = 0
    return y


def vjp_mask_batch(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    return b.op("mask_batch", ct, bound.inputs[1]), None


def lower_mask_batch(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    valid = k.call("lt", k.call("to_i64", index[0]), k.read(bound, 1, ()))
    zero = k.const(0.0, bound.inputs[0].type.dtype)
    return (k.call("select", valid, k.read(bound, 0, index), zero),)


register(
    Op(
        name="mask_batch",
        infer=infer_mask_batch,
        reference=reference_mask_batch,
        vjp=vjp_mask_batch,
        lower=Pointwise(lower_mask_batch),
        tolerance=0.0,
        samples=(
            Sample(("f32[b5,3]", "i64[]"), integers={1: (0, 6)}),
            Sample(("f32[b17]", "i64[]"), integers={1: (0, 18)}),
        ),
    )
)
