"""Trains random nets with every array between two pages that must not be touched: `guarded_training.py SEED...`.

A kernel that reads or writes 64 bytes or more beyond a parameter, a batch, the arena or the scratch memory ends the
process by a signal. test_guard_pages.py runs it.
"""

import ctypes
import faulthandler
import math
import mmap
import sys

import numpy as np

import mochac
from mochac.fuzzing.drawer import Drawer
from mochac.runtime.support import aligned

PAGE = mmap.PAGESIZE
LINE = aligned.ALIGNMENT


def guarded(shape, dtype, allocate):
    """An array between two guard pages: the one behind it begins less than 64 bytes after its end. The memory is never
    freed, so that nothing else is placed there."""
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
    start = PAGE + room - -(-n_bytes // LINE) * LINE
    return raw[start : start + n_bytes].view(kind).reshape(shape)


def train(seed):
    case = Drawer(seed).draw(3)
    print(f"seed {seed}: batch {case.batch}, {case.solver}\n{case.net}", flush=True)
    for threads in (1, 2):
        with mochac.compile(case.net, seed=seed, threads=threads) as program:
            try:
                program.train(case.solver, verbose=0)
                program.evaluate()
            except mochac.NumericError as error:
                print(error)


if __name__ == "__main__":
    faulthandler.enable()
    KEPT = []
    PROTECT = ctypes.CDLL(None).mprotect
    PROTECT.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    aligned._aligned = guarded
    if sys.argv[1] == "beyond":  # what the test would miss if pages were not guarded
        array = aligned.aligned_zeros(16)
        ctypes.memset(array.ctypes.data + array.nbytes, 0, 1)
    else:
        for drawn in sys.argv[1:]:
            train(int(drawn))
    print("done")
