"""NumPy arrays aligned to a cache line, as compiled kernels require of parameters, batches and arenas.

Large ones lie in huge pages where the system has them (Linux): a tile of a matrix with long rows touches a page for
every row, more pages than a TLB has entries.
"""

from __future__ import annotations

import math
import mmap
from collections.abc import Callable
from contextlib import suppress

import numpy as np
from numpy.typing import DTypeLike

ALIGNMENT = 64
"""Bytes; a cache line and the widest vector."""
HUGE_PAGE = 2 << 20
"""Bytes of a huge page, of x86-64 and of AArch64 with pages of 4 KB."""
LARGE = HUGE_PAGE // 2
"""Arrays of at least this many bytes lie in huge pages: they fill half of one."""
MOST_BYTES = 1 << 47
"""What a process can address. Beyond that NumPy raises other errors than MemoryError."""


def aligned_empty(shape: int | tuple[int, ...], dtype: DTypeLike = np.float32) -> np.ndarray:
    """Uninitialized C-contiguous array on a 64-byte boundary.

    >>> aligned_empty((3, 5)).ctypes.data % 64
    0
    """
    return _aligned(shape, dtype, np.empty)


def aligned_zeros(shape: int | tuple[int, ...], dtype: DTypeLike = np.float32) -> np.ndarray:
    """Zeroed C-contiguous array on a 64-byte boundary; large ones take pages only when touched.

    >>> aligned_zeros(4).tolist()
    [0.0, 0.0, 0.0, 0.0]
    """
    return _aligned(shape, dtype, np.zeros)


def aligned_copy(array: np.ndarray) -> np.ndarray:
    """A copy on a 64-byte boundary.

    >>> aligned_copy(np.arange(3)).tolist()
    [0, 1, 2]
    """
    copy = aligned_empty(array.shape, array.dtype)
    copy[...] = array
    return copy


def _aligned(shape: int | tuple[int, ...], dtype: DTypeLike, allocate: Callable[..., np.ndarray]) -> np.ndarray:
    kind = np.dtype(dtype)
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    n_bytes = math.prod(shape) * kind.itemsize
    if n_bytes > MOST_BYTES:
        raise MemoryError(f"{n_bytes:,} bytes")
    large = n_bytes >= LARGE and hasattr(mmap, "MADV_HUGEPAGE")
    raw, boundary = (_huge(n_bytes), HUGE_PAGE) if large else (allocate(n_bytes + ALIGNMENT, np.uint8), ALIGNMENT)
    start = -raw.ctypes.data % boundary
    return raw[start : start + n_bytes].view(kind).reshape(shape)


def _huge(n_bytes: int) -> np.ndarray:
    """Zeroed memory, large enough to begin on a huge page; whether it gets huge pages is up to the system."""
    try:
        memory = mmap.mmap(-1, n_bytes + HUGE_PAGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except OSError as error:
        raise MemoryError(f"{n_bytes:,} bytes") from error
    with suppress(OSError):  # a kernel without huge pages
        memory.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(memory, np.uint8)


def is_aligned(array: np.ndarray) -> bool:
    """C-contiguous and on a 64-byte boundary."""
    return array.flags.c_contiguous and (not array.size or array.ctypes.data % ALIGNMENT == 0)
