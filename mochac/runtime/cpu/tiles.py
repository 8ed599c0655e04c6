"""Whether this process may use the tile registers of AMX.

A thread's tile registers are 8 KB that the system saves when it switches threads, so Linux (5.16 and later) grants them
to processes that ask. It grants them for good and to all threads; it saves them for threads that have used them.
Kernels release the registers when they end.
"""

from __future__ import annotations

import ctypes
import sys
from functools import lru_cache

from mochac.codegen.machine import machine
from mochac.runtime.cpu.compiler import CpuInfo

FEATURE = "+amx-bf16"
ARCH_PRCTL, ASK, TILE_DATA = 158, 0x1023, 18
"""arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA), by its number on x86-64."""


def has_tiles(cpu: CpuInfo) -> bool:
    """Whether code for a CPU may use tile registers: for this machine's, if it has them and the system grants them; for
    one that is known by name only, by its model."""
    known = machine(cpu.name, cpu.vector_bytes).tile_cycles > 0
    return known and (not cpu.features or (FEATURE in cpu.features.split(",") and granted()))


@lru_cache(maxsize=1)
def granted() -> bool:
    """Ask the system for tile registers, once in a process."""
    if sys.platform != "linux":
        return False
    return ctypes.CDLL(None).syscall(ARCH_PRCTL, ASK, TILE_DATA) == 0
