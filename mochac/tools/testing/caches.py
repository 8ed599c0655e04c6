"""simulate_caches: counts the lines that a scheduled kernel moves between the levels of a memory.

An exact simulation: every access of the kernel, in the order of its generated code, on one thread, in set-associative
caches that replace the least recently used line of a set. Stores fetch the line that they write, and write it back when
it leaves a level or when the kernel ends. It depends on nothing but the kernel and the machine's sizes, so tests of
rules can assert on it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping

import numpy as np

from mochac.base.errors import OptionError
from mochac.base.records import record
from mochac.codegen.cpu.cache_simulation import FETCHED, SYMBOL, WRITTEN, level_words, memory_buffers, trace_text
from mochac.codegen.machine import LINE, Machine
from mochac.ir.kernel import Kernel
from mochac.runtime.cpu.compiler import compile_ir
from mochac.runtime.cpu.cpuinfo import host_cpu
from mochac.runtime.cpu.loader import MachineCode


@record
class LevelTraffic:
    """Lines moved between a level of cache and the next one.

    Attributes:
        fetched: lines that came from the next level, by the buffer for which they did.
        written: lines that went back to it.
    """

    fetched: Mapping[str, int]
    written: int

    @property
    def lines(self) -> int:
        """All lines moved."""
        return sum(self.fetched.values()) + self.written


@record
class CacheTraffic:
    """Lines that a kernel moves between the levels of a memory, nearest first."""

    levels: tuple[LevelTraffic, ...]

    def cycles(self, machine: Machine) -> float:
        """Cycles that the machine needs to move all of it, one level after the other."""
        rates = [*(level.bytes_per_cycle for level in machine.caches[1:]), machine.memory_bytes_per_cycle]
        return sum(level.lines * LINE / rate for level, rate in zip(self.levels, rates, strict=False))

    def __str__(self) -> str:
        """A line for each level: what crosses its far side."""
        rows = []
        for number, level in enumerate(self.levels, 1):
            parts = ", ".join(f"{name} {n}" for name, n in level.fetched.items() if n)
            rows.append(f"L{number}: {level.lines} lines = {parts or 'nothing'}, written back {level.written}")
        return "\n".join(rows)


def simulate_caches(
    kernel: Kernel, machine: Machine, *, levels: int = 2, addresses: Mapping[str, int] | None = None
) -> CacheTraffic:
    """Lines that a scheduled kernel moves, run once with empty caches.

    Args:
        kernel: a scheduled kernel for a CPU, from `mochac.ir.apply`.
        machine: the machine whose caches are simulated, such as `CpuTarget.machine`; `Machine.with_caches` changes
            their sizes.
        levels: how many levels of cache to simulate, nearest first.
        addresses: addresses of buffers, in bytes. Other buffers follow each other on lines of their own, as in a plan:
            inputs, outputs, scratch memory. An output in the place of an input has the input's address.

    >>> from mochac.codegen.machine import machine
    >>> from mochac.ir.kernel_text import parse_kernel
    >>> copy = parse_kernel('''kernel @copy(%x: f32[64]) -> (%y: f32[64]) {
    ...   each n in 0..64 {
    ...     %t = %x[n]
    ...     %y[n] = %t
    ...   }
    ... }''')
    >>> print(simulate_caches(copy, machine("haswell", 32)))
    L1: 12 lines = x 4, y 4, written back 4
    L2: 12 lines = x 4, y 4, written back 4
    """
    if kernel.threads or not 1 <= levels <= len(machine.caches):
        raise OptionError(
            "simulate_caches() cannot simulate this",
            expected=f"a kernel scheduled for a CPU, and 1 to {len(machine.caches)} levels",
            got=f"kernel {kernel.name!r} and {levels} levels",
        )
    buffers = memory_buffers(kernel)
    places = np.array(list(_places(kernel, addresses or {}).values()), np.int64)
    simulated: list[np.ndarray] = []
    for level in reversed(machine.caches[:levels]):
        following = simulated[-1].ctypes.data if simulated else 0
        simulated.append(np.array(level_words(level, following, len(buffers)), np.int64))
    code = MachineCode([compile_ir(trace_text(kernel), host_cpu())], [SYMBOL])
    try:
        ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(code[SYMBOL])(
            simulated[-1].ctypes.data, places.ctypes.data
        )
    finally:
        code.close()
    return CacheTraffic(_counted([b.name for b in buffers], simulated[::-1]))


def _places(kernel: Kernel, addresses: Mapping[str, int]) -> dict[str, int]:
    places, free = {}, LINE
    for buffer in memory_buffers(kernel):
        places[buffer.name] = addresses.get(buffer.name, free)
        end = places[buffer.name] + buffer.type.storage_bytes
        free = max(free, -(-end // LINE) * LINE)
    return places


def _counted(names: list[str], simulated: list[np.ndarray]) -> tuple[LevelTraffic, ...]:
    """The counters of all levels, and the lines in them that are still to be written back."""
    levels: list[LevelTraffic] = []
    left: set[int] = set()
    for words in simulated:
        entries = words[FETCHED + len(names) :]
        left |= {int(e) >> 1 for e in entries[entries & 1 == 1]}
        fetched = dict(zip(names, map(int, words[FETCHED : FETCHED + len(names)]), strict=True))
        levels.append(LevelTraffic(fetched, int(words[WRITTEN]) + len(left)))
    return tuple(levels)
