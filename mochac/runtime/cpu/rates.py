"""Measured rates of this machine: its floating-point peak, and the bandwidth of its caches and memory.

The peak loop is fused multiply-adds only, compiled and run as mochac's kernels are. Profiles and benchmarks measure
rates in the same process and minute as the kernels that they compare, because clock rates and the load by other
processes vary.

`measured` is the model of this machine with its rates. They are measured when a prediction first needs them, in a fifth
of a second, and kept in the cache, so that the same kernel has the same prediction in every process (`mochac cache
--clear` forgets them). They never influence a schedule.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict, replace
from math import isqrt

import numpy as np

from mochac.base.files.cache import Cache, digest
from mochac.base.support.memory import aligned_empty, aligned_zeros
from mochac.base.support.times import Bandwidth, Level, confirmed, default_threads
from mochac.codegen.cpu.rate_loops import STREAMS, bandwidth_text, peak_text
from mochac.codegen.machine import Machine
from mochac.ir.plan import Launch, Placement, Plan
from mochac.ir.types import TensorType, dtype_name
from mochac.runtime.cpu import compiler
from mochac.runtime.cpu.compiler import CpuInfo
from mochac.runtime.cpu.cpuinfo import caches, cpu_model, host_cpu
from mochac.runtime.cpu.executor import CpuExecutor

FLOPS = 10**12
"""Operations that the plan states: enough for all threads to share the launch."""
RESULT_FLOATS = 32
"""Floats that each thread stores, in cache lines of its own."""


def measuring_loop(
    symbol: str, image: bytes, states: Mapping[str, np.ndarray], threads: int, cache: Cache | None
) -> CpuExecutor:
    """A plan in which each thread runs one item of a function.

    Args:
        symbol, image: the function, and the object code with it. Its arguments are the states, then the results.
        states: aligned arrays that it reads.
    """
    types = {key: TensorType(dtype_name(array.dtype), array.shape) for key, array in states.items()}
    result = TensorType("f32", (threads * RESULT_FLOATS,))
    placements = (
        *(Placement(key, type, "state", key) for key, type in types.items()),
        Placement("result", result, "arena"),
    )
    launch = Launch(symbol, symbol, (*states, "result"), threads, 0, flops=FLOPS)
    n_bytes = result.storage_bytes
    plan = Plan(symbol, placements, (launch,), (), (("result", "result"),), n_bytes, n_bytes)
    return CpuExecutor(plan, [image], states, threads, cache=cache, yielding=False)


_FIRST_TURNS = 2000
_MIN_RATES = 3


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
        while time.perf_counter() < end or len(rates) < _MIN_RATES:
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


BURST_BYTES = 64 << 20
"""Bytes that a thread moves in one measurement: tenths of a millisecond from near caches, milliseconds from memory."""
BURSTS = 7
MAX_BYTES = 256 << 20
"""Maximum memory for measuring memory bandwidth; with caches of that size, it is not measured."""
BOUNDARY = 2 << 20
"""Working sets are aligned to this: one that crossed a large power of two was read at 3/4 of the rate from L1 (Zen 5,
whose ways are predicted from a hash of the address)."""
TRIES = 8
"""Runs until each thread has moved its own part."""
FRESH_S = 60.0
"""Age up to which a measurement is used again."""


class BandwidthLoop:
    """Loops that read or copy memory, on all threads at once, each in a part of its own.

    Args:
        threads: number of threads, >= 1; None: as many as this process may use.
        cpu: CPU to compile for; default this machine's.
        cache: cache of objects.
    """

    def __init__(self, threads: int | None = None, cpu: CpuInfo | None = None, cache: Cache | None = None) -> None:
        self.cpu = cpu or host_cpu()
        self.threads = threads or default_threads()
        self.lanes = self.cpu.vector_bytes // 4
        self.sets = working_sets(self.threads)
        largest = max(n_bytes for _, _, n_bytes in self.sets)
        self.memory = _empty(largest * self.threads)
        self.memory[:] = 1  # pages that were never written are all the same zero page
        self._numbers = aligned_zeros(2, np.int64)
        image = compiler.compile_cached(bandwidth_text(self.lanes), self.cpu, cache)
        self._plans = {symbol: self._bound(symbol, image, cache) for symbol in ("mochac_read", "mochac_copy")}

    def _bound(self, symbol: str, image: bytes, cache: Cache | None) -> CpuExecutor:
        states = {"numbers": self._numbers, "memory": self.memory.view(np.int8)}
        return measuring_loop(symbol, image, states, self.threads, cache)

    def run(self, symbol: str, turns: int, n_bytes: int) -> float:
        """Pass `turns` times over `n_bytes` of every thread's part; returns the seconds of the slowest thread.

        If another process delays a thread, another thread takes its part and moves both, one after another. Such runs
        are repeated, a few times.

        Args:
            symbol: "mochac_read", or "mochac_copy" from one half of the bytes to the other.
            n_bytes: a multiple of 2 * STREAMS vectors.
        """
        self._numbers[:] = turns, n_bytes
        spent = self._spent(symbol)
        tries = 1
        while tries < TRIES and spent.min() < spent.max() / 2:
            spent, tries = self._spent(symbol), tries + 1
        return float(spent.max())

    def _spent(self, symbol: str) -> np.ndarray:
        """Seconds of every thread in a run."""
        return np.diff(self._plans[symbol].profile(1).spans[:, 0]).ravel()

    def gbs(self, symbol: str, n_bytes: int) -> float:
        """1e9 bytes per second that all threads together move."""
        turns = max(1, BURST_BYTES // n_bytes)
        moved = turns * n_bytes * self.threads
        self.run(symbol, turns, n_bytes)  # wakes the workers, fills the cache
        return confirmed([moved / self.run(symbol, turns, n_bytes) for _ in range(BURSTS)]) / 1e9

    def measure(self) -> Bandwidth:
        """Measure every level once, in at most a fifth of a second."""
        levels = [
            Level(name, size, self.gbs("mochac_read", n_bytes), self.gbs("mochac_copy", n_bytes))
            for name, size, n_bytes in self.sets
        ]
        return Bandwidth(self.threads, tuple(levels))

    def close(self) -> None:
        """Release the loops."""
        for plan in self._plans.values():
            plan.close()


def bandwidth(threads: int | None = None, cpu: CpuInfo | None = None, cache: Cache | None = None) -> Bandwidth:
    """Bandwidth of this machine's caches and memory for `threads` threads with the vectors of `cpu`, measured again if
    the last measurement is more than a minute old."""
    key = threads or default_threads(), cpu or host_cpu()
    measured, found = _last.get(key, (0.0, None))
    if found is None or time.monotonic() - measured > FRESH_S:
        with closing(BandwidthLoop(*key, cache)) as loop:
            found = loop.measure()
        _last[key] = time.monotonic(), found
    return found


_last: dict[tuple[int, CpuInfo], tuple[float, Bandwidth]] = {}


def _empty(n_bytes: int) -> np.ndarray:
    raw = aligned_empty(n_bytes + BOUNDARY, np.uint8)
    start = -raw.ctypes.data % BOUNDARY
    return raw[start : start + n_bytes]


def working_sets(threads: int) -> list[tuple[str, int | None, int]]:
    """(level, bytes of it available to the threads, bytes that each thread accesses).

    Half of L1; for the other caches, a size between the previous level's and their own, equally far from both; and for
    memory, twice the last cache per thread, since a virtual machine may hide that its CPUs have several of these.
    """
    unit = 2 * STREAMS * 64
    found: list[tuple[str, int | None, int]] = []
    before = 0
    for cache in caches():
        size = cache.available_to(threads)
        walked = isqrt(before * size) if before else size // 2
        found.append((f"L{cache.level}", size, max(unit, walked // threads // unit * unit)))
        before = size
    if 2 * before <= MAX_BYTES:
        found.append(("memory", None, min(2 * before, MAX_BYTES // threads) // unit * unit))
    return found


FORMAT = "rates-1"
PEAK_BURSTS, BURST_S = 4, 0.008
"""Number and duration of the bursts that measure the peak."""


def peak(threads: int, cpu: CpuInfo, cache: Cache | None = None) -> float:
    """1e9 operations per second: the best of several short bursts of multiply-adds, since another process may take a
    core away."""
    with closing(PeakLoop(threads, cpu, cache)) as loop:
        return confirmed([loop.gflops(BURST_S, by_thread=True) for _ in range(PEAK_BURSTS)])


def measured(model: Machine, threads: int, cpu: CpuInfo, cache: Cache | None) -> Machine:
    """A model with the rates of this machine, from the cache or measured now."""
    rates = _kept(threads, cpu, cache)
    if rates is None:
        rates = peak(threads, cpu, cache), bandwidth(threads, cpu, cache)
        keep(*rates, cpu, cache)
    return with_rates(model, *rates)


def with_rates(model: Machine, gflops: float, measured: Bandwidth) -> Machine:
    """A model with the rates of one thread among those measured together. Its clock rate is the one at which its units
    reach the peak."""
    per_cycle = 2 * model.vector_bytes / 4 * model.multiply_adds * measured.threads
    hz = gflops * 1e9 / per_cycle
    rates = {level.name: level.read_gbs * 1e9 / measured.threads / hz for level in measured.levels}
    sizes = tuple(level.n_bytes // measured.threads for level in measured.levels if level.n_bytes)
    names = [f"L{k}" for k, _ in enumerate(model.caches, 1)]
    ours = [rates.get(name, level.bytes_per_cycle) for name, level in zip(names, model.caches, strict=True)]
    memory = rates.get("memory", model.memory_bytes_per_cycle)
    return replace(model.with_caches(sizes), hz=hz).with_rates(hz, [*ours, memory])


def keep(gflops: float, measured: Bandwidth, cpu: CpuInfo, cache: Cache | None) -> None:
    """Store measured rates in the cache."""
    if cache is not None:
        text = json.dumps({"gflops": gflops, **asdict(measured)})
        cache.put(_key(measured.threads, cpu), text.encode())


def _kept(threads: int, cpu: CpuInfo, cache: Cache | None) -> tuple[float, Bandwidth] | None:
    entry = cache.get(_key(threads, cpu)) if cache is not None else None
    try:
        fields = json.loads(entry) if entry is not None else None
        if fields is None:
            return None
        levels = tuple(Level(**level) for level in fields["levels"])
        return float(fields["gflops"]), Bandwidth(int(fields["threads"]), levels)
    except (ValueError, TypeError, KeyError):
        return None


def _key(threads: int, cpu: CpuInfo) -> str:
    sizes = [f"{c.level} {c.n_bytes} {c.cpus}" for c in caches()]
    return digest(FORMAT, cpu.key, cpu_model(), str(threads), *sizes)
