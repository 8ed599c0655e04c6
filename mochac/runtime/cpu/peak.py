"""Measures the machine's floating-point peak: fused multiply-adds only, compiled and run as mochac's kernels are.

Profiles and benchmarks compare with it, in the same process and minute, because clock rates and the load by other
processes vary.
"""

from __future__ import annotations

import time

import numpy as np

from mochac.base.files.cache import Cache
from mochac.base.support.memory import aligned_zeros
from mochac.base.support.times import confirmed, default_threads
from mochac.codegen.cpu.peak_loop import peak_text
from mochac.runtime.cpu import compiler
from mochac.runtime.cpu.compiler import CpuInfo
from mochac.runtime.cpu.cpuinfo import host_cpu
from mochac.runtime.cpu.measuring_loop import measuring_loop

_FIRST_TURNS = 2000
_FEWEST = 3


class PeakLoop:
    """Independent chains a = a * m + c in registers, on all threads at once.

    Args:
        threads: number of threads that run the loop together, >= 1; None: as many as this process may use.
        cpu: CPU to compile for; default this machine's.
        cache: cache of objects.
    """

    def __init__(self, threads: int | None = None, cpu: CpuInfo | None = None, cache: Cache | None = None) -> None:
        self.cpu = cpu or host_cpu()
        self.threads = threads or default_threads()
        self.lanes = self.cpu.vector_bytes // 4
        self.chains = 24 if self.cpu.vector_registers == 32 else 12
        self._turns = aligned_zeros(1, np.int64)
        image = compiler.compile_cached(peak_text(self.chains, self.lanes, self.cpu.fma), self.cpu, cache)
        self._plan = measuring_loop("mochac_peak", image, {"turns": self._turns}, self.threads, cache)

    def flops(self, turns: int) -> int:
        """Floating-point operations of a run: 2 per lane, chain, turn and thread."""
        return 2 * self.lanes * self.chains * turns * self.threads

    def run(self, turns: int, by_thread: bool = False) -> float:
        """Run every chain `turns` times on every thread; returns seconds of wall time.

        Args:
            by_thread: return the seconds of the slowest thread instead, as CpuExecutor.profile does for a kernel. The
                two differ if there are more threads than cores, so that threads take turns.
        """
        self._turns[0] = turns
        times = self._plan.profile(1)  # not run(), which uses fewer threads if another process is busy
        return float(times.launches[0]) if by_thread else times.wall

    def gflops(self, seconds: float = 0.01, by_thread: bool = False) -> float:
        """Best rate of runs of about `seconds`, confirmed by a second run, in 1e9 operations per second; see `run`."""
        turns = _FIRST_TURNS
        self.run(turns)  # wakes the workers
        while (spent := self.run(turns, by_thread)) < seconds / 20:
            turns *= 2
        rates = [self.flops(turns) / spent]
        end = time.perf_counter() + seconds
        while time.perf_counter() < end or len(rates) < _FEWEST:
            rates.append(self.flops(turns) / self.run(turns, by_thread))
        return confirmed(rates) / 1e9

    def close(self) -> None:
        """Release the loop."""
        self._plan.close()


def peak_gflops(threads: int | None = None, seconds: float = 0.01) -> float:
    """Peak of this machine now, in 1e9 floating-point operations per second, with `threads` threads."""
    loop = PeakLoop(threads)
    try:
        return loop.gflops(seconds)
    finally:
        loop.close()
