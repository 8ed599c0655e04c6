"""Buffers whose every neighbour is watched: unmapped pages around them, a known pattern in what is left of their pages.

emulated.py puts a launch's arrays into them. An access beyond the pages stops the kernel at once; a write into the
pattern is seen afterwards; what a kernel reads there is a NaN.
"""

from __future__ import annotations

import ctypes
import mmap

import numpy as np

PAGE = mmap.PAGESIZE
ALIGN = 16  # bytes: the widest load of a thread; device allocations have 256
PROT_NONE = 0
PATTERN = 0xFFFA5000  # a quiet NaN as float and as double, whose payload no computation makes

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mprotect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)


class Guarded:
    """A copy of `array` in guarded memory.

    Args:
        name: for messages.
        at_end: the buffer ends (to 15 bytes) at the unmapped page, else it begins there.
        mark: told apart in the pattern, so that a copy of one buffer's surroundings to another's is seen.
    """

    def __init__(self, name: str, array: np.ndarray, *, at_end: bool, mark: int = 0):
        self.name, self.array = name, array
        inner = max(PAGE, -(-array.nbytes // PAGE) * PAGE)
        self._map = mmap.mmap(-1, inner + 2 * PAGE)
        base = ctypes.addressof(ctypes.c_char.from_buffer(self._map))
        self.first_page, self.end_page = base, base + inner + 2 * PAGE
        for guard in (self.first_page, self.end_page - PAGE):
            if _libc.mprotect(guard, PAGE, PROT_NONE):
                raise OSError(ctypes.get_errno(), "mprotect")
        start = inner - -(-array.nbytes // ALIGN) * ALIGN if at_end else 0
        self.begin = base + PAGE + start
        self.end = self.begin + array.nbytes
        self._bytes = np.frombuffer(self._map, np.uint8, inner, PAGE)
        self._bytes.view(np.uint32)[:] = PATTERN + mark
        self._around = np.ones(inner, bool)
        self._around[start : start + array.nbytes] = False
        self._zone = self._bytes[self._around].copy()
        self._inside = self._bytes[start : start + array.nbytes]
        self._inside[:] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)

    def damaged(self) -> bool:
        """Whether anything around the buffer changed."""
        return not np.array_equal(self._bytes[self._around], self._zone)

    def result(self) -> np.ndarray:
        """What the buffer holds now, as an array of its own."""
        return self._inside.copy().view(self.array.dtype).reshape(self.array.shape)

    def near(self, address: int) -> bool:
        """Whether an address lies in the buffer's pages or the unmapped ones around them."""
        return self.first_page <= address < self.end_page
