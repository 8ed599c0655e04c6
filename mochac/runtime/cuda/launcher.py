"""Launcher: puts the steps of a plan on its device's stream.

CudaPlan makes one of its calls. The first step runs kernel by kernel, so that a fault has a name; then a step is
captured as a CUDA graph and replayed. It knows functions, arguments and streams, neither memory nor batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from mochac.runtime.cuda.driver import Span

if TYPE_CHECKING:
    from mochac.runtime.cuda.device import Device


@dataclass(frozen=True)
class Call:
    """A kernel with everything it is launched with, or a library's call (grid 0, `function` is Prepared). `name`: of
    the kernel in the plan, for messages."""

    name: str
    symbol: str
    function: Any
    grid: int
    block: int
    shared_bytes: int
    args: tuple[Span, ...]


class Launcher:
    """All methods are called inside `device.use()` and raise DeviceError.

    Args:
        calls: one step, in an order in which they may run one after the other.
        workspace: of the libraries' calls.
        graphs: capture the step and replay it.
    """

    def __init__(self, device: Device, calls: Sequence[Call], workspace: Span, *, graphs: bool) -> None:
        self.device, self.calls = device, tuple(calls)
        self._workspace, self._graphs = workspace, graphs
        self._tried, self._captured = False, None
        self._last = -1

    def run(self, n: int) -> None:
        """Put n steps on the stream; the plan's first one kernel by kernel, so that a fault has a name."""
        driver, stream = self.device.driver, self.device.stream
        if not self._tried:
            self._step_watched()
            self._tried = True
            n -= 1
        if self._graphs and n and self._captured is None:
            driver.begin_capture(stream)
            self._step()
            self._captured = driver.end_capture(stream)
        for _ in range(n):
            if self._captured is not None:
                driver.replay(self._captured, stream)
            else:
                self._step()

    def timed(self, n: int) -> list[list[float]]:
        """Run n steps and give the seconds of every call of each, by events."""
        driver, stream = self.device.driver, self.device.stream
        marks = [driver.event() for _ in range(len(self.calls) + 1)]
        spent: list[list[float]] = []
        for _ in range(n):
            driver.record(marks[0], stream)
            for call, mark in zip(self.calls, marks[1:], strict=True):
                self._launch(call)
                driver.record(mark, stream)
            driver.wait(stream)
            spent.append([driver.seconds(a, b) for a, b in pairwise(marks)])
        for mark in marks:
            driver.free_event(mark)
        return spent

    def last(self) -> list[str]:
        """What was launched last, in words, where a step did not come to its end."""
        if self._last < 0:
            return []
        call = self.calls[self._last]
        words = [f"kernel {call.name!r}, function {call.symbol}"]
        if call.grid:
            shared = f"{call.shared_bytes} bytes of shared memory"
            words.append(f"{call.grid} blocks of {call.block} threads, {shared}")
        return words

    def close(self) -> None:
        """Give the graph and all functions back."""
        if self._captured is not None:
            self.device.driver.free_graph(self._captured)
        self.calls, self._captured = (), None

    def _step(self) -> None:
        for k, call in enumerate(self.calls):
            self._last = k
            self._launch(call)
        self._last = -1

    def _step_watched(self) -> None:
        for k, call in enumerate(self.calls):
            self._last = k
            self._launch(call)
            self.device.driver.wait(self.device.stream)
        self._last = -1

    def _launch(self, call: Call) -> None:
        driver, stream = self.device.driver, self.device.stream
        if call.grid:
            driver.launch(call.function, call.grid, call.block, call.shared_bytes, call.args, stream)
        else:
            driver.call(call.function, call.args, self._workspace, stream)
