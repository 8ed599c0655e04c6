"""What ops with random numbers share: the type rule of their operands, and Philox words in NumPy and in kernels.

Operands: the counter of the step, i64 (); then, where they are needed, the key of a stream, u64 (), which replaces the
attribute `key`, and the position of sample 0 among the samples of all ranks, i64 (). The attribute `first`, the
position of sample 0 in its batch, is added to the positions of samples (passes/cut_batch.py).
"""

from __future__ import annotations

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder
from mochac.ir.op import OpTypeError
from mochac.ir.scalar import FUNCTIONS
from mochac.ir.types import TensorType

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
    key, first = bound.attr["key"], bound.attr.get("first", 0)
    assert isinstance(key, int) and isinstance(first, int)
    at = {v.type: position for position, v in enumerate(bound.inputs) if position}
    stream = k.read(bound, at[STREAM], ()) if STREAM in at else k.const(key % 2**64, "u64")
    place: Operand = sample + first
    if FIRST in at:
        place = k.call("to_i32", k.call("add", k.call("to_i64", place), k.read(bound, at[FIRST], ())))
    return k.call("philox", stream, k.read(bound, 0, ()), place, feature)
