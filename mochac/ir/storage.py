"""Arrays as a type stores them: batch blocks [ceil(B/L)][d1]...[dk][L], or natural order where there are no lanes."""

from __future__ import annotations

import numpy as np

from mochac.ir.types import DTYPES, TensorType


def garbage(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """An array that must not be read: NaN, or a conspicuous integer."""
    np_dtype = DTYPES[dtype]
    if np_dtype.kind == "f":
        return np.full(shape, np.nan, np_dtype)
    return np.full(shape, True if dtype == "bool" else np.iinfo(np_dtype).max - 7, np_dtype)


def to_storage(array: np.ndarray, kind: TensorType) -> np.ndarray:
    """A logical array's elements in the order of its type's storage, garbage where blocks are padded.

    >>> to_storage(np.arange(6, dtype=np.int32).reshape(2, 3), TensorType("i32", (2, 3), True, 2)).tolist()
    [0, 3, 1, 4, 2, 5]
    """
    if not kind.lanes:
        return np.ascontiguousarray(array).reshape(-1)
    batch, *rest = kind.shape
    blocks = -(-batch // kind.lanes)
    padded = garbage((blocks * kind.lanes, *rest), kind.dtype)
    padded[:batch] = array
    return np.moveaxis(padded.reshape(blocks, kind.lanes, *rest), 1, -1).reshape(-1)


def to_logical(raw: np.ndarray, kind: TensorType) -> np.ndarray:
    """A copy of stored elements in logical order, (B, d1, ..., dk)."""
    if not kind.lanes:
        return raw.reshape(kind.shape).copy()
    batch, *rest = kind.shape
    blocks = raw.reshape(-(-batch // kind.lanes), *rest, kind.lanes)
    return np.moveaxis(blocks, -1, 1).reshape(-1, *rest)[:batch].copy()
