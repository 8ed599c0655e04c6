"""Arrays of the runtime: aligned, managed, free of NaN; and how much memory this process may still allocate.

Compiled kernels require parameters, batches and arenas aligned to a cache line. Large arrays lie in huge pages where
the system has them (Linux): a tile of a matrix with long rows touches a page per row, more pages than a TLB has
entries.

A ManagedArray is updated in place by plans, and a device may hold a newer copy: parameters and solver slots. Reading
one gives the newest values; asking for write access makes the copies on devices stale.
"""

from __future__ import annotations

import math
import mmap
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast

import numpy as np
from numpy.typing import DTypeLike

SMALL = 4096
"""Up to this many elements a BLAS library adds up products in the calling thread."""


class NotFinite(NamedTuple):
    """A NaN or an infinity: the name of its array, the value, and its index."""

    name: str
    value: float
    at: tuple[int, ...]


def all_finite(array: np.ndarray) -> bool:
    """Whether there is no NaN and no infinity."""
    if array.dtype.kind != "f" or not array.size:
        return True
    if array.size == 1:  # a step's loss
        return math.isfinite(array.item())
    if array.size <= SMALL and math.isfinite(np.vdot(array, array)):  # the fastest for few numbers
        return True
    return math.isfinite(array.max()) and math.isfinite(array.min())  # with a NaN, both are NaN


def first_not_finite(arrays: Mapping[str, np.ndarray]) -> NotFinite | None:
    """The first NaN or infinity in the arrays; None if all numbers are finite.

    >>> first_not_finite({"a": np.ones(3), "b": np.array([[1, 2], [np.inf, np.nan]])})
    NotFinite(name='b', value=inf, at=(1, 0))
    """
    for name, array in arrays.items():
        if not all_finite(array):
            at = tuple(int(k) for k in np.argwhere(~np.isfinite(array))[0])
            return NotFinite(name, float(array[at]), at)
    return None


def difference(a: np.ndarray, b: np.ndarray) -> float:
    """Largest |a - b| in units of the largest |a|; infinite where one is NaN and the other is not.

    >>> difference(np.array([1.0, 4.0]), np.array([1.0, 5.0]))
    0.25
    """
    if a.shape != b.shape:
        return np.inf
    x, y = a.astype(np.float64), b.astype(np.float64)
    with np.errstate(all="ignore"):
        same = (x == y) | (np.isnan(x) & np.isnan(y))
        gap = np.where(same, 0.0, np.abs(x - y))
    if not gap.any():
        return 0.0
    scale = np.abs(x[np.isfinite(x)]).max(initial=0.0)
    return float(np.nan_to_num(gap, nan=np.inf, posinf=np.inf).max() / max(scale, np.finfo(np.float32).tiny))


ALIGNMENT = 64
"""Bytes; a cache line and the widest vector."""
HUGE_PAGE = 2 << 20
"""Bytes of a huge page, of x86-64 and of AArch64 with pages of 4 KB."""
LARGE = HUGE_PAGE // 2
"""Arrays of at least this many bytes lie in huge pages: they fill half of one."""
MAX_BYTES = 1 << 47
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
    if n_bytes > MAX_BYTES:
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


class DeviceCopy(Protocol):
    """The array's values on one device.

    Attributes:
        newer: a plan has written to it; the array and other copies are out of date.
        stale: it is out of date, and is sent to the device again before it is used.
        exported: other code has its address, and may write there at any time.
        address, ordinal: where it is, and the number of the device.
    """

    newer: bool
    stale: bool
    exported: bool
    address: int
    ordinal: int

    def download(self, array: np.ndarray) -> None:
        """Write the values into `array`."""
        ...

    def bring(self, *, wait: bool) -> None:
        """Bring it up to date; `wait` until what writes to it is done."""
        ...

    def hold(self) -> object:
        """Keep its memory as long as the returned object lives."""
        ...


class ManagedArray:
    """An array at a fixed address and its copies on devices, at most one of which is newer than the array.

    >>> s = ManagedArray(np.zeros(2))
    >>> s.storage[0] = 3
    >>> s.values.tolist()
    [3.0, 0.0]
    """

    __slots__ = ("_array", "copies")

    def __init__(self, array: np.ndarray) -> None:
        self._array = array
        self.copies: list[DeviceCopy] = []

    def __getstate__(self) -> Any:
        """For copies, also by pickle: with the newest values, on no device."""
        others, slots = cast(tuple[Any, dict[str, Any]], super().__getstate__())
        return others, {**slots, "_array": self.peek(), "copies": []}

    def __setstate__(self, state: Any) -> None:
        others, slots = state
        for name, value in {**(others or {}), **slots, "_array": aligned_copy(slots["_array"])}.items():
            setattr(self, name, value)

    @property
    def storage(self) -> np.ndarray:
        """The array itself, for reading and writing."""
        if self.copies:
            self.fetch()
            for copy in self.copies:
                copy.stale = True
        return self._array

    @property
    def values(self) -> np.ndarray:
        """The array itself, for reading only."""
        if self.copies:
            self.fetch()
        return self._array

    def peek(self) -> np.ndarray:
        """The newest values, for reading only; values that are on a device stay the newest there."""
        for copy in self.copies:
            if _newest(copy):
                values = np.empty_like(self._array)
                copy.download(values)
                return values
        return self._array

    def fetch(self) -> None:
        """Bring the array up to date."""
        for copy in self.copies:
            if _newest(copy):
                copy.download(self._array)
                copy.newer = False

    def lend(self, *, wait: bool = True) -> DeviceCopy | None:
        """The copy on the first device that has one, to which other code may write from now on; None if no device has a
        copy."""
        if not self.copies:
            return None
        copy = self.copies[0]
        if not copy.newer:
            self.fetch()
        copy.bring(wait=wait)
        copy.exported = True
        self.written(copy)
        return copy

    def written(self, by: DeviceCopy) -> None:
        """Note that a plan has written new values to a copy."""
        for copy in self.copies:
            copy.newer, copy.stale = copy is by, copy is not by


def _newest(copy: DeviceCopy) -> bool:
    """Whether a copy may differ from the array."""
    return copy.newer or (copy.exported and not copy.stale)


_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))


SMALL_BYTES = 64 << 20
"""Assumed to be available, without asking the system."""


def fits(n_bytes: int) -> bool:
    """Whether that much memory can be allocated.

    >>> fits(1000), fits(2**80)
    (True, False)
    """
    return n_bytes <= SMALL_BYTES or n_bytes <= available_bytes()


def available_bytes() -> int:
    """Memory that can be allocated without swapping, within the limit of the container; bytes.

    >>> available_bytes() > 0
    True
    """
    return min([_free(), *(limit for path in _LIMITS if (limit := _number(path)))])


def _free() -> int:
    """What Linux reports as available, else all physical memory."""
    try:
        rows = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
        return int(rows["MemAvailable"].split()[0]) << 10
    except (OSError, ValueError, KeyError):
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not known on every system
        return 1 << 40


def _number(path: Path) -> int:
    """The number in a file; 0 for no file or "max"."""
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return 0
