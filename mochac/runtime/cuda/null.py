"""NullDriver: a device that computes nothing and counts everything: launches, replays, bytes each way, live memory.

Tests run plans on it to see what a step costs; no package and no GPU is needed. Faults of the caller (memory freed
twice, arguments outside of live memory, work in the wrong state) are errors. Results are zeros.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from mochac.runtime.cache import Store
from mochac.runtime.cuda.driver import DeviceError, DeviceInfo, DeviceMemoryError, Span
from mochac.runtime.cuda.libraries.library import Library, LibraryCall, Prepared

INFO = DeviceInfo("null", 90, 1 << 30, 132, 48 * 1024, 1024, "null")


class NullLibrary:
    """Any library, which computes nothing."""

    version = "null"

    def prepare(self, call: LibraryCall) -> NullCall:
        return NullCall(call)

    def close(self) -> None:
        pass


@dataclass(frozen=True)
class NullCall:
    """A call that the driver counts instead."""

    call: LibraryCall
    workspace_bytes = 64

    def __call__(self, addresses: Sequence[int], workspace: int, stream: int) -> None:
        raise DeviceError("a stand-in's call is made by its driver")


class NullDriver:
    """See the module.

    Attributes:
        counts: "launches" and "calls" of libraries (in replayed graphs too), "replays", "captures", "uploads",
            "downloads", and the same with "_bytes"; "alloc", "free".
        launched: kernels in the order they ran.
        live: allocations by address.
    """

    graphs = True
    libraries: tuple[str, ...] = ()

    def __init__(self, info: DeviceInfo = INFO) -> None:
        self.info = info
        self.counts: Counter[str] = Counter()
        self.launched: list[str] = []
        self.live: dict[int, int] = {}
        self.modules = 0
        self.closed = False
        self._next = 1 << 20
        self._depth = 0
        self._recording: list[tuple[Any, int, int, int, tuple[Span, ...]]] | None = None

    @contextmanager
    def current(self) -> Iterator[None]:
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    def memory(self) -> tuple[int, int]:
        return self.info.memory_bytes - sum(self.live.values()), self.info.memory_bytes

    def alloc(self, n_bytes: int) -> int:
        self._in_context()
        if n_bytes > self.memory()[0]:
            raise DeviceMemoryError("out of memory")
        address = self._next
        self._next += -(-n_bytes // 256) * 256 + 256
        self.live[address] = n_bytes
        self.counts["alloc"] += 1
        return address

    def free(self, address: int) -> None:
        self._in_context()
        if address not in self.live:
            raise DeviceError(f"free of {address:#x}, which is not allocated")
        del self.live[address]
        self.counts["free"] += 1

    def pinned(self, n_bytes: int) -> np.ndarray:
        return np.zeros(n_bytes, np.uint8)

    def free_pinned(self, array: np.ndarray) -> None:
        pass

    def upload(self, address: int, array: np.ndarray, stream: Any) -> None:
        self._count("uploads", Span(address, array.nbytes))

    def download(self, array: np.ndarray, address: int, stream: Any) -> None:
        self._count("downloads", Span(address, array.nbytes))
        array[...] = 0

    def clear(self, address: int, n_bytes: int, stream: Any) -> None:
        self._count("clears", Span(address, n_bytes))

    def image(self, source: str, store: Store | None) -> bytes:
        return source.encode()

    def load(self, image: bytes) -> Any:
        self._in_context()
        self.modules += 1
        return image

    def unload(self, module: Any) -> None:
        self.modules -= 1

    def function(self, module: Any, symbol: str) -> Any:
        if f"{symbol}(".encode() not in module:
            raise DeviceError(f"the module has no function {symbol}")
        return symbol

    def launch(
        self, function: Any, grid: int, block: int, shared_bytes: int, args: Sequence[Span], stream: Any
    ) -> None:
        self._in_context()
        if grid < 1 or not 1 <= block <= self.info.max_threads or shared_bytes > self.info.shared_bytes:
            raise DeviceError(
                f"invalid launch: {grid} blocks of {block} threads, {shared_bytes} bytes of shared memory"
            )
        for span in args:
            self._check(span)
        work = (function, grid, block, shared_bytes, tuple(args))
        if self._recording is not None:
            self._recording.append(work)
        else:
            self.execute(*work)

    def execute(self, symbol: Any, grid: int, block: int, shared_bytes: int, args: tuple[Span, ...]) -> None:
        """One kernel runs, or a library's call (grid 0); a stand-in that computes does it here."""
        if grid:
            self.counts["launches"] += 1
            self.launched.append(symbol)
        else:
            self.counts["calls"] += 1
            self.launched.append(symbol.call.function)

    def library(self, name: str) -> Library:
        return NullLibrary()

    def call(self, prepared: Prepared, args: Sequence[Span], workspace: Span, stream: Any) -> None:
        self._in_context()
        for span in (*args, workspace):
            self._check(span)
        if self._recording is not None:
            self._recording.append((prepared, 0, 0, 0, (*args, workspace)))
        else:
            self.execute(prepared, 0, 0, 0, (*args, workspace))

    def stream(self) -> Any:
        return object()

    def wait(self, stream: Any) -> None:
        self._in_context()
        if self._recording is not None:
            raise DeviceError("waiting while a graph is captured")

    def event(self) -> Any:
        return []

    def free_event(self, event: Any) -> None:
        pass

    def record(self, event: Any, stream: Any) -> None:
        self._in_context()
        event[:] = [sum(self.counts.values())]

    def wait_event(self, event: Any) -> None:
        self._in_context()

    def stream_waits(self, stream: Any, event: Any) -> None:
        if not event:
            raise DeviceError("a stream is to wait for an event that was never recorded")

    def seconds(self, first: Any, last: Any) -> float:
        return (last[0] - first[0]) * 1e-6

    def begin_capture(self, stream: Any) -> None:
        self._recording = []

    def end_capture(self, stream: Any) -> Any:
        graph, self._recording = self._recording, None
        self.counts["captures"] += 1
        return graph

    def replay(self, graph: Any, stream: Any) -> None:
        self._in_context()
        self.counts["replays"] += 1
        for work in graph:
            self.execute(*work)

    def free_graph(self, graph: Any) -> None:
        pass

    def close(self) -> None:
        self.closed = True

    def _in_context(self) -> None:
        if not self._depth:
            raise DeviceError("no context is current")

    def _count(self, what: str, span: Span) -> None:
        self._in_context()
        self._check(span)
        self.counts[what] += 1
        self.counts[f"{what}_bytes"] += span.n_bytes

    def _check(self, span: Span) -> None:
        if not any(a <= span.address and span.address + span.n_bytes <= a + max(1, n) for a, n in self.live.items()):
            raise DeviceError(f"{span.n_bytes} bytes at {span.address:#x} are not allocated")
