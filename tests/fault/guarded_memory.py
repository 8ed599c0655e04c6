"""Arrays between two pages that must not be touched. Access to them ends the process by a signal."""

import ctypes
import math
import mmap

import numpy as np

from mochac.base.support.memory import ALIGNMENT

PAGE = mmap.PAGESIZE
KEPT = []
"""Memory is never freed, so that nothing else is placed there."""
PROTECT = ctypes.CDLL(None).mprotect
PROTECT.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]


def guarded(shape, dtype, at_end=True, alignment=1):
    """An array that ends (else begins) at a guard page: exactly, or less than `alignment` bytes before it."""
    kind = np.dtype(dtype)
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    n_bytes = math.prod(shape) * kind.itemsize
    room = -(-max(n_bytes, 1) // PAGE) * PAGE
    memory = mmap.mmap(-1, room + 2 * PAGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    KEPT.append(memory)
    raw = np.frombuffer(memory, np.uint8)
    for page in (0, PAGE + room):
        if PROTECT(raw.ctypes.data + page, PAGE, 0):
            raise OSError("mprotect failed")
    start = PAGE + room - -(-n_bytes // alignment) * alignment if at_end else PAGE
    return raw[start : start + n_bytes].view(kind).reshape(shape)


def guarded_lines(shape, dtype, allocate):
    """In place of aligned._aligned: on a cache line, with less than a line between its end and a guard page."""
    return guarded(shape, dtype, alignment=ALIGNMENT)
