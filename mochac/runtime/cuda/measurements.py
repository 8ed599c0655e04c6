"""What is measured once on a device, and cached: its peaks, and whether early launches are faster.

DevicePeak measures the rate of fused multiply-adds and the memory bandwidth, by events. Profiles divide by them, as by
runtime/cpu/rates.py on a CPU.

early_gain: a chain of small kernels is captured and replayed twice, with launches that wait for the kernel before and
with early ones (libcuda.py). Early launches are used if the slowest of their runs is faster than the fastest of the
others, and every number is right.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mochac.base.escaping import template
from mochac.base.files.cache import Cache, digest
from mochac.base.support.log import tell_once
from mochac.runtime.cuda.branches import Branches
from mochac.runtime.cuda.device import Device
from mochac.runtime.cuda.driver import DeviceError, Driver, Span
from mochac.runtime.cuda.launcher import captured
from mochac.runtime.cuda.libcuda import LEAST_SM

CHAINS, UNROLL = 8, 16
BLOCK = 256
"""Threads of a block in all measurements."""
PEAK_SOURCE = f"""
extern "C" __global__ void __launch_bounds__({BLOCK})
mochac_peak_fma(
    const long long* turns,  // i64[1]
    float* result)  // a value per thread
{{
    float a[{CHAINS}];
    #pragma unroll
    for (int k = 0; k < {CHAINS}; ++k) a[k] = (float)(threadIdx.x + k);
    for (long long t = 0; t < turns[0]; ++t) {{
        #pragma unroll
        for (int u = 0; u < {UNROLL}; ++u) {{
            #pragma unroll
            for (int k = 0; k < {CHAINS}; ++k) a[k] = fmaf(a[k], 0.999f, 0.5f);
        }}
    }}
    float sum = 0.0f;
    #pragma unroll
    for (int k = 0; k < {CHAINS}; ++k) sum += a[k];
    result[blockIdx.x * {BLOCK} + threadIdx.x] = sum;
}}

extern "C" __global__ void __launch_bounds__({BLOCK})
mochac_peak_copy(
    const long long* count,  // i64[1]: words of 16 bytes
    const uint4* from,
    uint4* to)
{{
    for (long long k = (long long)blockIdx.x * {BLOCK} + threadIdx.x; k < count[0]; k += (long long)gridDim.x * {BLOCK})
        to[k] = from[k];
}}
"""


MOST_TURNS = 1 << 22
"""Maximum turns of one launch, in case clocks stand still."""
COPIED_BYTES = 256 << 20
"""Bytes copied, more than any cache holds; less if the device has no room."""


class DevicePeak:
    """The two measuring loops on a device.

    Args:
        cache: cache of cubins.
    """

    def __init__(self, device: Device, cache: Cache | None = None) -> None:
        self.device = device
        self.blocks = 8 * device.driver.info.multiprocessors
        self.n_bytes = min(COPIED_BYTES, device.driver.info.memory_bytes // 64) // 16 * 16
        self._addresses: list[int] = []
        with device.use() as driver:
            self._number = self._alloc(8)
            self._result = self._alloc(4 * BLOCK * self.blocks)
            self._from, self._to = self._alloc(self.n_bytes), self._alloc(self.n_bytes)
            driver.clear(self._from.address, self.n_bytes, device.stream)
            self._module: Any = driver.load(driver.image(PEAK_SOURCE, cache))
            self._events = [driver.event(), driver.event()]

    def gflops(self, seconds: float) -> float:
        """1e9 operations per second, 2 per multiply-add, in a run of about `seconds`."""
        turns, spent = 1, self._timed("mochac_peak_fma", 1, self._result)
        while spent < seconds / 2 and turns < MOST_TURNS:
            turns = max(2 * turns, min(64 * turns, round(turns * seconds / max(spent, 1e-9))))
            spent = self._timed("mochac_peak_fma", turns, self._result)
        return 2.0 * CHAINS * UNROLL * turns * BLOCK * self.blocks / max(spent, 1e-9) / 1e9

    def gbs(self) -> float:
        """1e9 bytes per second, counting bytes read and written; the best of three runs."""
        spent = min(self._timed("mochac_peak_copy", self.n_bytes // 16, self._from, self._to) for _ in range(3))
        return 2.0 * self.n_bytes / max(spent, 1e-9) / 1e9

    def close(self) -> None:
        """Free its memory; closing twice is harmless."""
        with self.device.use() as driver:
            for address in self._addresses:
                self.device.free(address)
            while self._events:  # PyCUDA destroys an event with its last reference; its context must be current then
                driver.free_event(self._events.pop())
            if self._addresses:
                driver.unload(self._module)
                self._module = None
        self._addresses = []

    def _alloc(self, n_bytes: int) -> Span:
        self._addresses.append(self.device.alloc(n_bytes, "measuring the peak"))
        return Span(self._addresses[-1], n_bytes)

    def _timed(self, symbol: str, number: int, *args: Span) -> float:
        """Seconds of one launch."""
        first, last = self._events
        with self.device.use() as driver:
            function = driver.function(self._module, symbol)
            driver.upload(self._number.address, np.array([number], np.int64), self.device.stream)
            driver.wait(self.device.stream)
            driver.record(first, self.device.stream)
            driver.launch(function, self.blocks, BLOCK, 0, (self._number, *args), self.device.stream)
            driver.record(last, self.device.stream)
            driver.wait(self.device.stream)
            return driver.seconds(first, last)


FORMAT = "early-1"
KERNELS = 64
"""Kernels of the chain, an even number; each has a block for each multiprocessor."""
RUNS = 7
"""Timed replays of each, after one that is not timed."""
GAIN = 1.05
"""How much faster the chain must be: in a step, kernels are larger, and most run beside others."""


def early_gain(device: Device, cache: Cache | None) -> bool:
    """Whether kernels of this device begin early; False where the decision cannot be cached, since processes would
    decide differently."""
    if cache is None or not can_begin_early(device):
        return False
    info = device.driver.info
    key = digest(FORMAT, info.name, str(info.sm), str(info.multiprocessors), info.package)
    known = cache.get(key)
    if known is None:
        known = b"%d" % _measured(device, cache)
        cache.put(key, known)
    return known == b"1"


def can_begin_early(device: Device) -> bool:
    """Whether a device, and its driver, know early launches."""
    driver = device.driver
    return driver.info.sm >= LEAST_SM and driver.graphs and driver.early


def _measured(device: Device, cache: Cache) -> bool:
    tell_once(f"{device}: times a chain of kernels, once")
    try:
        with device.use() as driver:
            module = driver.load(driver.image(template("cuda/early_gain.cu.j2").render(), cache))
            try:
                plain, early = (
                    _seconds(device, driver, driver.function(module, "mochac_hop"), e) for e in (False, True)
                )
            finally:
                driver.unload(module)
    except DeviceError:
        return False
    return bool(plain and early) and GAIN * max(early) <= min(plain)


def _seconds(device: Device, driver: Driver, hop: Any, early: bool) -> list[float]:
    """Seconds of each run of the chain; none if it counts wrong."""
    blocks = driver.info.multiprocessors
    n_bytes = 4 * BLOCK * blocks
    addresses = [device.alloc(n_bytes, "a chain of kernels") for _ in range(2)]
    there, back = (Span(address, n_bytes) for address in addresses)
    stream, counted = device.stream, np.zeros(BLOCK * blocks, np.float32)
    chain = Branches((0,) * KERNELS, ((),) * KERNELS, tuple(range(KERNELS)))
    first, last = driver.event(), driver.event()

    def launch(k: int, number: int) -> None:
        if early and k:
            driver.launches_early(stream)
        driver.launch(hop, blocks, BLOCK, 0, (back, there) if k % 2 else (there, back), stream)

    try:
        driver.clear(there.address, n_bytes, stream)
        graph = captured(driver, [stream], chain, launch)
        driver.replay(graph, stream)
        spent: list[float] = []
        for _ in range(RUNS):
            driver.record(first, stream)
            driver.replay(graph, stream)
            driver.record(last, stream)
            driver.wait(stream)
            spent.append(driver.seconds(first, last))
        driver.download(counted, there.address, stream)
        driver.wait(stream)
        driver.free_graph(graph)
    finally:
        for address in addresses:
            device.free(address)
        driver.free_event(first)
        driver.free_event(last)
    return spent if (counted == KERNELS * (RUNS + 1)).all() else []
