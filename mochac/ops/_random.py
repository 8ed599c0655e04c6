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


def require_step(step: TensorType) -> None:
    """Check the type of the step counter."""
    if step.dtype != "i64" or step.shape:
        raise OpTypeError("the step counter must be an integer scalar", "i64[]", str(step))


def words(key: int, step: np.ndarray, sample: np.ndarray, feature: np.ndarray) -> np.ndarray:
    """The random words (uint32) of a stream at a step, for the given samples and features."""
    return FUNCTIONS["philox"].numpy(np.uint64(key % 2**64), step, sample, feature)


def word(k: KernelBuilder, bound: BoundNode, sample: Index, feature: Index) -> Operand:
    """One random word in a kernel; operand 0 is the counter, attribute `key` the stream."""
    key = bound.attr["key"]
    assert isinstance(key, int)
    return k.call("philox", k.const(key % 2**64, "u64"), k.read(bound, 0, ()), sample, feature)
