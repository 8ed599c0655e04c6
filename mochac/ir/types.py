"""Types of tensors, and how their arrays are stored."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from mochac.base.records import record

MOST_AXES, MOST_DIGITS, MOST_LANES, MOST_BYTES = 32, 18, 2**16, 2**48
"""Limits on tensor types in text: the number of axes of NumPy, and the address space."""

DTYPES: dict[str, np.dtype] = {
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "i8": np.dtype(np.int8),
    "u8": np.dtype(np.uint8),
    "i16": np.dtype(np.int16),
    "i32": np.dtype(np.int32),
    "u32": np.dtype(np.uint32),
    "i64": np.dtype(np.int64),
    "u64": np.dtype(np.uint64),
    "bool": np.dtype(np.bool_),
    "bf16x2": np.dtype(np.uint32),
}
"""NumPy's type of each element type. It has no bfloat16: `bf16x2`, two such numbers, the first in the lower half, is a
u32 there (ir/bfloat16.py)."""
FLOATS = ("f32", "f64")
"""The floating-point ones of DTYPES."""
PAIRS = "bf16x2"
"""Two factors in one element."""
_NAMES = {dtype: name for name, dtype in DTYPES.items() if name != PAIRS}


def dtype_name(dtype: np.dtype) -> str:
    """The key of a NumPy type in DTYPES; NumPy's name of another type.

    >>> dtype_name(np.dtype(np.float32)), dtype_name(np.dtype(np.complex64))
    ('f32', 'complex64')
    """
    return _NAMES.get(dtype, str(dtype))


@record(slots=True)
class TensorType:
    """Type of one value: element type, logical NCHW shape, batch mark, layout.

    Args:
        dtype: a key of DTYPES.
        shape: extents, elements, each >= 0; () is a scalar.
        batch: axis 0 is the batch of the plan; only such values may be blocked.
        lanes: 0 for natural (row-major) storage; L >= 1 for batch-blocked storage
            [ceil(B/L)][d1]...[dk][L], with the batch innermost.

    >>> print(TensorType("f32", (64, 20, 24, 24), batch=True, lanes=16))
    f32[b64,20,24,24] blocked(16)
    """

    dtype: str
    shape: tuple[int, ...]
    batch: bool = False
    lanes: int = 0

    def __str__(self) -> str:
        dims = ",".join(map(str, self.shape))
        text = f"{self.dtype}[{'b' if self.batch else ''}{dims}]"
        return text + (f" blocked({self.lanes})" if self.lanes else "")

    @property
    def elems(self) -> int:
        """Number of logical elements."""
        n = 1
        for d in self.shape:
            n *= d
        return n

    @property
    def storage_shape(self) -> tuple[int, ...]:
        """Shape of the storage: blocks, the other axes, lanes; or the shape itself.

        >>> TensorType("f32", (20, 3), batch=True, lanes=16).storage_shape
        (2, 3, 16)
        """
        return (-(-self.shape[0] // self.lanes), *self.shape[1:], self.lanes) if self.lanes else self.shape

    @property
    def storage_elems(self) -> int:
        """Number of stored elements, including the padding to whole blocks if blocked."""
        if not self.lanes:
            return self.elems
        blocks = -(-self.shape[0] // self.lanes)
        return blocks * self.lanes * (self.elems // self.shape[0] if self.shape[0] else 0)

    @property
    def storage_bytes(self) -> int:
        """Size of the storage in bytes, including padding."""
        return self.storage_elems * DTYPES[self.dtype].itemsize

    def with_(self, **changes: object) -> TensorType:
        """A copy with some fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]


_TYPE = re.compile(r"(\w+)\[(b?)([\d,\s]*)\](?:\s+blocked\((\d+)\))?")


def parse_type(text: str) -> TensorType:
    """Inverse of str(TensorType).

    Raises:
        ValueError: not a type, or a type that no array can have: more than MOST_AXES axes or MOST_BYTES bytes.

    >>> parse_type("f32[b64,10] blocked(16)")
    TensorType(dtype='f32', shape=(64, 10), batch=True, lanes=16)
    """
    match = _TYPE.fullmatch(text.strip())
    if match is None or match[1] not in DTYPES:
        raise ValueError(f"not a tensor type: {text!r}")
    extents = [d.strip() for d in match[3].split(",") if d.strip()]
    if not all(map(str.isdecimal, extents)):
        raise ValueError(f"not a tensor type: {text!r}")
    if len(extents) > MOST_AXES or any(len(d) > MOST_DIGITS for d in (*extents, match[4] or "")):
        raise ValueError(f"a tensor has at most {MOST_AXES} axes, of at most {MOST_DIGITS} digits each")
    parsed = TensorType(match[1], tuple(map(int, extents)), bool(match[2]), int(match[4] or 0))
    if parsed.lanes > MOST_LANES:
        raise ValueError(f"a block has at most {MOST_LANES} lanes")
    if (n_bytes := parsed.elems * DTYPES[parsed.dtype].itemsize) > MOST_BYTES:
        raise ValueError(f"a tensor has at most {MOST_BYTES:,} bytes, and {parsed} has {n_bytes:,}")
    return parsed


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
