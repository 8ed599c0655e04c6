"""Stopwatch: seconds of each of several calls on a stream, by events, without what the host takes to enqueue them.

A kernel that spins holds the stream until all calls are enqueued; they then run one after the other without a gap. From
each time, the time of a kernel that does nothing is subtracted, which is that of a launch and two events.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from mochac.base.escaping import template
from mochac.runtime.cuda.driver import Driver, Span

CYCLES_PER_SECOND = 2e9
"""No device's clock is much faster. If the clock is slower, the stream is held for longer."""
LEAST_HOLD_S, MOST_HOLD_S = 1e-4, 0.1
SAFETY = 3
"""The stream is held for this many times as long as the host took to enqueue the calls before."""
LEAST_S = 1e-9
"""No reported time is shorter, so that shares of a sum can be computed."""
EMPTY = 32
"""Empty kernels by which the time of a launch is found."""


class Stopwatch:
    """Times work of one stream. All methods are called inside the driver's `current()` and raise DeviceError.

    Attributes:
        empty_s: seconds of an empty kernel between two events, the median of some.
    """

    def __init__(self, driver: Driver, stream: Any) -> None:
        self._driver, self._stream = driver, stream
        self._module: Any = driver.load(driver.image(template("cuda/stopwatch.cu.j2").render(), None))
        self._hold, nothing = (driver.function(self._module, f"mochac_{name}") for name in ("hold", "nothing"))
        self._cycles = Span(driver.alloc(8), 8)
        self._hold_s = MOST_HOLD_S
        self.empty_s = 0.0

        def empty() -> None:
            driver.launch(nothing, 1, 1, 0, (self._cycles,), stream)

        self.empty_s = float(np.median(self.times([empty] * EMPTY)))

    def times(self, calls: Sequence[Callable[[], None]]) -> list[float]:
        """Seconds on the device of what each call enqueues on the stream; all are done when this returns."""
        driver, stream = self._driver, self._stream
        marks = [driver.event() for _ in range(len(calls) + 1)]
        driver.upload(self._cycles.address, np.array([self._hold_s * CYCLES_PER_SECOND], np.int64), stream)
        driver.wait(stream)
        begin = time.perf_counter()
        driver.launch(self._hold, 1, 1, 0, (self._cycles,), stream)
        driver.record(marks[0], stream)
        for call, mark in zip(calls, marks[1:], strict=True):
            call()
            driver.record(mark, stream)
        enqueued_s = time.perf_counter() - begin
        driver.wait(stream)
        spent = [max(LEAST_S, driver.seconds(a, b) - self.empty_s) for a, b in pairwise(marks)]
        for mark in marks:
            driver.free_event(mark)
        self._hold_s = min(MOST_HOLD_S, max(LEAST_HOLD_S, SAFETY * enqueued_s))
        return spent

    def close(self) -> None:
        """Release what it holds on the device."""
        self._driver.free(self._cycles.address)
        self._driver.unload(self._module)
