"""What ops with random numbers share: the type rule of their counter, and Philox words in NumPy and in kernels."""

from __future__ import annotations

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder
from mochac.ir.op import OpTypeError
from mochac.ir.scalar import FUNCTIONS
from mochac.ir.types import TensorType


def require_counter(step: TensorType, stream: TensorType | None = None) -> None:
    """Check the types of the step counter and of a stream's key that is an operand."""
    if step.dtype != "i64" or step.shape:
        raise OpTypeError("the step counter must be an integer scalar", "i64[]", str(step))
    if stream is not None and (stream.dtype != "u64" or stream.shape):
        raise OpTypeError("the key of a stream must be an unsigned scalar", "u64[]", str(stream))


def stream_key(key: int, stream: np.ndarray | None) -> np.uint64:
    """The key of the stream: the operand, or else the attribute."""
    return np.uint64(key % 2**64) if stream is None else np.uint64(stream)


def words(key: np.uint64, step: np.ndarray, sample: np.ndarray, feature: np.ndarray) -> np.ndarray:
    """The random words (uint32) of a stream at a step, for the given samples and features."""
    return FUNCTIONS["philox"].numpy(key, step, sample, feature)


def word(k: KernelBuilder, bound: BoundNode, sample: Index, feature: Index) -> Operand:
    """One random word in a kernel; operand 0 is the counter, operand 1 or else the attribute `key` the stream."""
    key = bound.attr["key"]
    assert isinstance(key, int)
    stream = k.read(bound, 1, ()) if len(bound.inputs) > 1 else k.const(key % 2**64, "u64")
    return k.call("philox", stream, k.read(bound, 0, ()), sample, feature)
