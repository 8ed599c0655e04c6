"""Trains random nets with every array between two pages that must not be touched: `guarded_training.py SEED...`.

A kernel that reads or writes 64 bytes or more beyond a parameter, a batch, the arena or the scratch memory ends the
process by a signal. test_guard_pages.py runs it.
"""

import ctypes
import faulthandler
import sys

from guarded_memory import guarded_lines

import mochac
from mochac.base.support import memory as aligned
from mochac.tools.fuzzing.drawer import Drawer


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
    aligned._aligned = guarded_lines
    if sys.argv[1] == "beyond":  # what the test would miss if pages were not guarded
        array = aligned.aligned_zeros(16)
        ctypes.memset(array.ctypes.data + array.nbytes, 0, 1)
    else:
        for drawn in sys.argv[1:]:
            train(int(drawn))
    print("done")
