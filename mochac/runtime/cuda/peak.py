"""DevicePeak: measures a device's rate of fused multiply-adds and its memory bandwidth, by events.

Profiles divide by them, as by runtime/cpu/rates.py on a CPU.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mochac.base.files.cache import Cache
from mochac.codegen.cuda.peak_loop import BLOCK, CHAINS, SOURCE, UNROLL
from mochac.runtime.cuda.device import Device
from mochac.runtime.cuda.driver import Span

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
            self._module: Any = driver.load(driver.image(SOURCE, cache))
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
