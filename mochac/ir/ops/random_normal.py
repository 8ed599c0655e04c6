"""random_normal: normally distributed random numbers, by Philox and the Box-Muller transform.

    y[n, f] = sqrt(-2 log(u)) cos(2 pi v),  u = (w + 1) / 2^32,  v = w' / 2^32
    with w, w' = philox(key, step, n, 2 f), philox(key, step, n, 2 f + 1), f the row-major index inside sample n

Shapes: step () i64 -> `shape`, of `dtype`. `key` is the 64-bit hash of a stream's name; more operands, and `first`:
ops/_random.py. |y| <= 6.67. The random words are equal on all backends; the numbers agree within a few ulp.
No gradient. Box and Muller 1958, "A note on the generation of random normal deviates".
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
from mochac.ir.types import DTYPES, FLOATS, TensorType

UNIT = 2.0**-32


def infer(
    step: TensorType,
    *more: TensorType,
    key: int,
    shape: tuple[int, ...],
    dtype: str,
    batch: bool = True,
    lanes: int = 0,
    first: int = 0,
) -> tuple[TensorType, ...]:
    require_counter(step, *more)
    if not shape:
        raise OpTypeError("random numbers need a batch axis", "at least 1 axis", str(shape))
    if dtype not in FLOATS:
        raise OpTypeError("normal random numbers are floating point", "f32 or f64", dtype)
    return (TensorType(dtype, tuple(shape), batch, lanes if batch else 0),)


def reference(
    step: np.ndarray,
    *more: np.ndarray,
    key: int,
    shape: tuple[int, ...],
    dtype: str,
    batch: bool = True,
    lanes: int = 0,
    first: int = 0,
) -> np.ndarray:
    sample, feature = positions(shape[0], first, more)[:, None], np.arange(math.prod(shape[1:]))[None, :]
    u, v = (words(stream_key(key, more), step, sample, 2 * feature + k).astype(DTYPES[dtype]) for k in (0, 1))
    radius = np.sqrt(-2 * np.log((u + 1) * DTYPES[dtype].type(UNIT)))
    angle = np.asarray(v * DTYPES[dtype].type(2 * np.pi * UNIT), np.float64)
    return (radius * np.cos(angle)).astype(DTYPES[dtype]).reshape(shape)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    shape, dtype = bound.outputs[0].type.shape, bound.outputs[0].type.dtype
    feature = Index.of(0)
    for i, extent in zip(index[1:], shape[1:], strict=True):
        feature = feature * extent + i
    u, v = (k.call("to_" + dtype, word(k, bound, index[0], feature * 2 + j)) for j in (0, 1))
    unit = k.call("mul", k.call("add", u, k.const(1.0, dtype)), k.const(UNIT, dtype))
    radius = k.call("sqrt", k.call("mul", k.call("log", unit), k.const(-2.0, dtype)))
    return (k.call("mul", radius, k.call("cospi", k.call("mul", v, k.const(2 * UNIT, dtype)))),)


register(
    Op(
        name="random_normal",
        infer=infer,
        reference=reference,
        lower=Pointwise(lower),
        kind="source",
        tolerance=3e-5,
        samples=(
            Sample(("i64[]",), {"key": 2**63 + 5, "shape": (17, 3), "dtype": "f32"}, integers={0: (0, 2**40)}),
            Sample(("i64[]",), {"key": 1, "shape": (3, 2, 4, 2), "dtype": "f32"}, integers={0: (0, 9)}),
            Sample(("i64[]",), {"key": 7, "shape": (5,), "dtype": "f32", "batch": False}, integers={0: (0, 9)}),
            Sample(
                ("i64[]", "u64[]"), {"key": 0, "shape": (5, 3), "dtype": "f32"}, integers={0: (0, 9), 1: (0, 2**62)}
            ),
        ),
    )
)
