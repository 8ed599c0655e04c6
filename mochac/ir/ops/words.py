"""words: four bytes that follow each other along the last axis as one word of 32 bits; the storage stays the same.

Shapes: x (..., 4 K) i8 or u8 -> (..., K) u32, with byte k of a word in its bits 8 k .. 8 k + 7. integer_conv multiplies
words by the CPU's instructions for products of bytes.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.functions.dot_products import BYTES
from mochac.ir.kernel_build import Alias
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._quantized import require_bytes
from mochac.ir.ops._typing import dims
from mochac.ir.types import TensorType


def infer(x: TensorType) -> tuple[TensorType, ...]:
    require_bytes("the input", x.dtype)
    if not x.shape or x.shape[-1] % BYTES or x.lanes or (x.batch and len(x.shape) == 1):
        raise OpTypeError("the last axis must divide into words", f"a multiple of {BYTES}, natural", dims(x.shape))
    return (x.with_(dtype="u32", shape=(*x.shape[:-1], x.shape[-1] // BYTES)),)


def reference(x: np.ndarray) -> np.ndarray:
    return words_of(x)


def words_of(x: np.ndarray) -> np.ndarray:
    """Bytes along the last axis as words."""
    return np.ascontiguousarray(x).view("<u4").astype(np.uint32)


def bytes_of(words: np.ndarray, signed: bool) -> np.ndarray:
    """The bytes of words, along the last axis."""
    whole = np.ascontiguousarray(words.astype("<u4"))
    return whole.view(np.int8 if signed else np.uint8)


register(
    Op(
        name="words",
        infer=infer,
        reference=reference,
        lower=Alias(),
        kind="shape",
        tolerance=0.0,
        natural=(0,),
        samples=(
            Sample(("i8[b3,8]",), integers={0: (-128, 128)}),
            Sample(("u8[b2,3,2,4]",), integers={0: (0, 256)}),
            Sample(("i8[12]",), integers={0: (-128, 128)}),
        ),
    )
)
