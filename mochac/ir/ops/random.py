"""Random numbers by Philox: integers, normal numbers and masks of dropout.

Operands: the counter of the step, i64 (); then, where they are needed, the key of a stream, u64 (), which replaces the
attribute `key`, and the position of sample 0 among the samples of all ranks, i64 (). The attribute `first`, the
position of sample 0 in its batch, is added to the positions of samples (passes/cut_batch.py).

random_int: random integers 0 .. high-1 by Philox; equal on all backends and after any resume.

    y[n] = floor(philox(key, step, n, 0) * high / 2^32)

Shapes: step () i64 -> i32 (N,), one number per sample, or () with shape=(), one for all. `key` is the 64-bit hash of a
stream's name; more operands, and `first`: see above; 1 <= high <= 2^21, so that the product is exact in
float64.
No gradient.

random_normal: normally distributed random numbers, by Philox and the Box-Muller transform.

    y[n, f] = sqrt(-2 log(u)) cos(2 pi v),  u = (w + 1) / 2^32,  v = w' / 2^32
    with w, w' = philox(key, step, n, 2 f), philox(key, step, n, 2 f + 1), f the row-major index inside sample n

Shapes: step () i64 -> `shape`, of `dtype`. `key` is the 64-bit hash of a stream's name; more operands, and `first`:
see above. |y| <= 6.67. The random words are equal on all backends; the numbers agree within a few ulp.
No gradient. Box and Muller 1958, "A note on the generation of random normal deviates".

dropout_mask: True where a unit is kept, by Philox random numbers; equal on all backends and after any resume.

    kept if philox(key, step, n, feature) >= floor(ratio * 2^32), unsigned
    with feature = row-major logical index inside sample n

Shapes: step () i64 -> `shape`. `key` is the 64-bit hash of (seed, layer name), ratio in [0, 1); more operands, and
`first`: see above. dtype is bool, or a float for a mask of 0 and 1. Padding lanes get random
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
from mochac.ir.ops._typing import integer, real
from mochac.ir.scalar import FUNCTIONS
from mochac.ir.types import DTYPES, FLOATS, TensorType

STREAM, FIRST = TensorType("u64", ()), TensorType("i64", ())


def require_counter(step: TensorType, *more: TensorType) -> None:
    """Check the types of the operands."""
    if step.dtype != "i64" or step.shape:
        raise OpTypeError("the step counter must be an integer scalar", "i64[]", str(step))
    if more not in ((), (STREAM,), (FIRST,), (STREAM, FIRST)):
        rule = "behind the counter come the key of a stream and the position of the first sample"
        raise OpTypeError(rule, "u64[], i64[]", ", ".join(map(str, more)))


def stream_key(key: int, more: tuple[np.ndarray, ...]) -> np.uint64:
    """The key of the stream: the operand, or else the attribute."""
    return next((np.uint64(a) for a in more if a.dtype == np.uint64), np.uint64(key % 2**64))


def positions(count: int, first: int, more: tuple[np.ndarray, ...]) -> np.ndarray:
    """The positions of samples."""
    return np.arange(count) + first + sum(int(a) for a in more if a.dtype == np.int64)


def words(key: np.uint64, step: np.ndarray, sample: np.ndarray, feature: np.ndarray) -> np.ndarray:
    """The random words (uint32) of a stream at a step, for the given samples and features."""
    return FUNCTIONS["philox"].numpy(key, step, sample, feature)


def word(k: KernelBuilder, bound: BoundNode, sample: Index, feature: Index) -> Operand:
    """One random word in a kernel."""
    key, first = integer(bound, "key"), integer(bound, "first", 0)
    at = {v.type: position for position, v in enumerate(bound.inputs) if position}
    stream = k.read(bound, at[STREAM], ()) if STREAM in at else k.const(key % 2**64, "u64")
    place: Operand = sample + first
    if FIRST in at:
        place = k.call("to_i32", k.call("add", k.call("to_i64", place), k.read(bound, at[FIRST], ())))
    return k.call("philox", stream, k.read(bound, 0, ()), place, feature)


MAX_HIGH = 2**21


def infer_int(
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
    if not 1 <= high <= MAX_HIGH:
        raise OpTypeError("the range of random integers is empty or too large", f"1 <= high <= {MAX_HIGH}", str(high))
    if len(shape) > 1:
        raise OpTypeError("the numbers must be one per sample, or one for all", "shape (N,) or ()", str(shape))
    marked = batch and bool(shape)
    return (TensorType("i32", tuple(shape), marked, lanes if marked else 0),)


def reference_int(
    step: np.ndarray, *more: np.ndarray, key: int, high: int, shape: tuple[int, ...], first: int = 0, **_: object
) -> np.ndarray:
    drawn = words(stream_key(key, more), step, positions(shape[0] if shape else 1, first, more), np.zeros((), int))
    return (drawn.astype(np.float64) * high * 2.0**-32).astype(np.int32).reshape(shape)


def lower_int(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    high = integer(bound, "high")
    drawn = word(k, bound, index[0] if index else Index.of(0), Index.of(0))
    scaled = k.call("mul", k.call("to_f64", drawn), k.const(high * 2.0**-32, "f64"))
    return (k.call("to_i32", scaled),)


register(
    Op(
        name="random_int",
        infer=infer_int,
        reference=reference_int,
        lower=Pointwise(lower_int),
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


UNIT = 2.0**-32


def infer_normal(
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


def reference_normal(
    step: np.ndarray, *more: np.ndarray, key: int, shape: tuple[int, ...], dtype: str, first: int = 0, **_: object
) -> np.ndarray:
    sample, feature = positions(shape[0], first, more)[:, None], np.arange(math.prod(shape[1:]))[None, :]
    u, v = (words(stream_key(key, more), step, sample, 2 * feature + k).astype(DTYPES[dtype]) for k in (0, 1))
    radius = np.sqrt(-2 * np.log((u + 1) * DTYPES[dtype].type(UNIT)))
    angle = np.asarray(v * DTYPES[dtype].type(2 * np.pi * UNIT), np.float64)
    return (radius * np.cos(angle)).astype(DTYPES[dtype]).reshape(shape)


def lower_normal(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
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
        infer=infer_normal,
        reference=reference_normal,
        lower=Pointwise(lower_normal),
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


def infer_dropout(
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


def reference_dropout(
    step: np.ndarray, *more: np.ndarray, key: int, ratio: float, shape: tuple[int, ...], dtype: str = "bool",
    first: int = 0, **_: object,
) -> np.ndarray:  # fmt: skip
    features = math.prod(shape[1:])
    position, feature = positions(shape[0], first, more)[:, None], np.arange(features)[None, :]
    drawn = words(stream_key(key, more), step, position, feature)
    return (drawn >= np.uint32(threshold(ratio))).reshape(shape).astype(DTYPES[dtype])


def lower_dropout(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    mask, ratio = bound.outputs[0].type, real(bound, "ratio")
    feature = Index.of(0)
    for i, extent in zip(index[1:], mask.shape[1:], strict=True):
        feature = feature * extent + i
    drawn = word(k, bound, index[0], feature)
    kept = k.call("ge", drawn, k.const(threshold(ratio), "u32"))
    return (kept if mask.dtype == "bool" else k.call("to_" + mask.dtype, kept),)


register(
    Op(
        name="dropout_mask",
        infer=infer_dropout,
        reference=reference_dropout,
        lower=Pointwise(lower_dropout),
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
