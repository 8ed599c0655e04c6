"""random_int: random integers 0 .. high-1 by Philox; equal on all backends and after any resume.

    y[n] = floor(philox(key, step, n, 0) * high / 2^32)

Shapes: step () i64 -> i32 (N,), one number per sample, or () with shape=(), one for all. `key` is the 64-bit hash of a
stream's name; more operands, and `first`: ops/_random.py; 1 <= high <= 2^21, so that the product is exact in float64.
No gradient.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._random import positions, require_counter, stream_key, word, words
from mochac.ir.types import TensorType

MOST = 2**21


def infer(
    step: TensorType,
    *more: TensorType,
    key: int,
    high: int,
    shape: tuple[int, ...],
    batch: bool = True,
    lanes: int = 0,
    first: int = 0,
) -> tuple[TensorType, ...]:
    require_counter(step, *more)
    if not 1 <= high <= MOST:
        raise OpTypeError("the range of random integers is empty or too large", f"1 <= high <= {MOST}", str(high))
    if len(shape) > 1:
        raise OpTypeError("the numbers must be one per sample, or one for all", "shape (N,) or ()", str(shape))
    marked = batch and bool(shape)
    return (TensorType("i32", tuple(shape), marked, lanes if marked else 0),)


def reference(
    step: np.ndarray,
    *more: np.ndarray,
    key: int,
    high: int,
    shape: tuple[int, ...],
    batch: bool = True,
    lanes: int = 0,
    first: int = 0,
) -> np.ndarray:
    drawn = words(stream_key(key, more), step, positions(shape[0] if shape else 1, first, more), np.zeros((), int))
    return (drawn.astype(np.float64) * high * 2.0**-32).astype(np.int32).reshape(shape)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    high = bound.attr["high"]
    assert isinstance(high, int)
    drawn = word(k, bound, index[0] if index else Index.of(0), Index.of(0))
    scaled = k.call("mul", k.call("to_f64", drawn), k.const(high * 2.0**-32, "f64"))
    return (k.call("to_i32", scaled),)


register(
    Op(
        name="random_int",
        infer=infer,
        reference=reference,
        lower=Pointwise(lower),
        kind="source",
        tolerance=0.0,
        samples=(
            Sample(("i64[]",), {"key": 2**63 + 5, "high": 5, "shape": (17,), "batch": True}, integers={0: (0, 2**40)}),
            Sample(("i64[]",), {"key": 3, "high": 2**21, "shape": (6,), "batch": True}, integers={0: (0, 9)}),
            Sample(("i64[]",), {"key": 4, "high": 30, "shape": (), "batch": False}, integers={0: (0, 9)}),
            Sample(("i64[]",), {"key": 4, "high": 1, "shape": (3,), "batch": True}, integers={0: (0, 9)}),
            Sample(("i64[]", "u64[]"), {"key": 0, "shape": (5,), "high": 9}, integers={0: (0, 9), 1: (0, 2**62)}),
        ),
    )
)
