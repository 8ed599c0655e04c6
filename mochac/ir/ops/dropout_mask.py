"""dropout_mask: True where a unit is kept, by Philox random numbers; equal on all backends and after any resume.

    kept if philox(key, step, n, feature) >= floor(ratio * 2^32), unsigned
    with feature = row-major logical index inside sample n

Shapes: step () i64 -> `shape`. `key` is the 64-bit hash of (seed, layer name), ratio in [0, 1); more operands, and
`first`: ops/_random.py. dtype is bool, or a float for a mask of 0 and 1. Padding lanes get random
values, too, which are never read. No gradient.
"""

from __future__ import annotations

import math

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._random import positions, require_counter, stream_key, word, words
from mochac.ir.types import DTYPES, TensorType


def infer(
    step: TensorType,
    *more: TensorType,
    key: int,
    ratio: float,
    shape: tuple[int, ...],
    batch: bool = True,
    dtype: str = "bool",
    lanes: int = 0,
    first: int = 0,
) -> tuple[TensorType, ...]:
    require_counter(step, *more)
    if not 0 <= ratio < 1:
        raise OpTypeError("the dropout ratio must lie in [0, 1)", "0 <= ratio < 1", str(ratio))
    if not shape:
        raise OpTypeError("a dropout mask needs a batch axis", "at least 1 axis", str(shape))
    if dtype not in ("bool", "f32", "f64"):
        raise OpTypeError("a dropout mask is bool or floating point", "bool, f32 or f64", dtype)
    return (TensorType(dtype, tuple(shape), batch, lanes if batch else 0),)


def threshold(ratio: float) -> int:
    """Units with words below it are dropped: floor(ratio * 2^32)."""
    return math.floor(ratio * 2**32)


def reference(
    step: np.ndarray,
    *more: np.ndarray,
    key: int,
    ratio: float,
    shape: tuple[int, ...],
    batch: bool = True,
    dtype: str = "bool",
    lanes: int = 0,
    first: int = 0,
) -> np.ndarray:
    features = math.prod(shape[1:])
    position, feature = positions(shape[0], first, more)[:, None], np.arange(features)[None, :]
    drawn = words(stream_key(key, more), step, position, feature)
    return (drawn >= np.uint32(threshold(ratio))).reshape(shape).astype(DTYPES[dtype])


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    mask, attrs = bound.outputs[0].type, bound.attr
    ratio = attrs["ratio"]
    assert isinstance(ratio, (int, float))
    feature = Index.of(0)
    for i, extent in zip(index[1:], mask.shape[1:], strict=True):
        feature = feature * extent + i
    drawn = word(k, bound, index[0], feature)
    kept = k.call("ge", drawn, k.const(threshold(float(ratio)), "u32"))
    return (kept if mask.dtype == "bool" else k.call("to_" + mask.dtype, kept),)


register(
    Op(
        name="dropout_mask",
        infer=infer,
        reference=reference,
        lower=Pointwise(lower),
        kind="source",
        tolerance=0.0,
        samples=(
            Sample(
                ("i64[]",), {"key": 2**63 + 5, "ratio": 0.5, "shape": (3, 7), "batch": True}, integers={0: (0, 2**40)}
            ),
            Sample(("i64[]",), {"key": 1, "ratio": 0.2, "shape": (17, 2, 3), "batch": True}, integers={0: (0, 9)}),
            Sample(("i64[]",), {"key": 7, "ratio": 0.9, "shape": (5,), "dtype": "f32"}, integers={0: (0, 9)}),
            Sample(("i64[]",), {"key": 7, "ratio": 0.0, "shape": (2, 1), "batch": False}, integers={0: (0, 9)}),
            Sample(("i64[]", "u64[]"), {"key": 0, "ratio": 0.5, "shape": (5, 3)}, integers={0: (0, 9), 1: (0, 2**62)}),
            Sample(
                ("i64[]", "i64[]"),
                {"key": 3, "ratio": 0.5, "shape": (17, 3), "first": 4},
                integers={0: (0, 9), 1: (0, 99)},
            ),
        ),
    )
)
