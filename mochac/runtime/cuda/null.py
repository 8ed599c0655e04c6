"""NullDriver: a device that computes nothing and counts everything: launches, replays, bytes copied, live memory.

Tests run plans on it to see what a step costs; it needs no package and no GPU. Errors of the caller are detected:
memory freed twice, arguments outside of live memory, work in the wrong state, forks of a capture that never join. All
results are zero.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mochac.base.files.cache import Cache
from mochac.base.records import record
from mochac.runtime.cuda.driver import DeviceError, DeviceInfo, DeviceMemoryError, Span
from mochac.runtime.cuda.libraries.library import Collectives, Library, LibraryCall, Message, Prepared

INFO = DeviceInfo("null", 90, 1 << 30, 132, 48 * 1024, 1024, "null")


class NullLibrary:
    """A library that computes nothing."""

    version = "null"

    def prepare(self, call: LibraryCall) -> NullCall:
        return NullCall(call)

    def engines(self, call: LibraryCall) -> Mapping[int, NullCall]:
        return {0: NullCall(call)}

    def close(self) -> None:
        pass


@record
class NullCall:
    """A call that the driver only counts."""

    call: LibraryCall
    workspace_bytes: int = 64

    def __call__(self, addresses: Sequence[int], workspace: int, stream: int) -> None:
        raise DeviceError("a stand-in's call is made by its driver")


class NullCollectives:
    """A library that moves nothing between devices."""

    version = "null"

    def unique_id(self) -> bytes:
        return b""

    def join(self, rank: int, ranks: int, unique_id: bytes) -> NullCommunicator:
        return NullCommunicator()


class NullCommunicator:
    """Its calls are only counted."""

    def all_reduce(self, n: int, dtype: str) -> NullCall:
        return NullCall(LibraryCall("nccl.all_reduce", "rank_sum", {"n": n}, ()), 0)

    def swap(self, sends: Sequence[Message], receives: Sequence[Message], dtype: str) -> NullCall:
        return NullCall(LibraryCall("nccl.swap", "rank_sum", {"sends": sends, "receives": receives}, ()), 0)

    def fault(self) -> str:
        return ""

    def close(self, abort: bool = False) -> None:
        pass


@record
class NullNode:
    """A launch or library call (grid 0) of a captured graph, the nodes that it follows directly, and whether it may
    begin before they have ended."""

    function: Any
    grid: int
    block: int
    shared_bytes: int
    args: tuple[Span, ...]
    after: frozenset[int]
    early: bool = False

    def before(self, earlier: Sequence[int]) -> int:
        """All nodes that it follows, as bits, given those of the nodes before it."""
        bits = 0
        for k in self.after:
            bits |= earlier[k] | 1 << k
        return bits


@dataclass(eq=False)
class NullStream:
    """`tips`: the nodes that its next one follows; None outside of a capture; `early`: it may begin before they end."""

    tips: frozenset[int] | None = None
    early: bool = False
    urgent: bool = False


@dataclass(eq=False)
class NullEvent:
    """When it was recorded, in work done; or its position in a capture."""

    at: int | None = None
    tips: frozenset[int] = frozenset()
    capture: NullGraph | None = None


@dataclass(eq=False)
class NullGraph:
    """A captured graph."""

    nodes: list[NullNode] = field(default_factory=list)
    origin: NullStream = field(default_factory=NullStream)
    joined: list[NullStream] = field(default_factory=list)

    def add(self, stream: NullStream, work: tuple[Any, int, int, int, tuple[Span, ...]]) -> None:
        """Append a node to a stream."""
        self.nodes.append(NullNode(*work, stream.tips or frozenset(), stream.early))
        stream.tips, stream.early = frozenset({len(self.nodes) - 1}), False

    def before(self) -> list[int]:
        """For each node, all that it follows, directly or indirectly, as bits."""
        earlier: list[int] = []
        for node in self.nodes:
            earlier.append(node.before(earlier))
        return earlier


class NullDriver:
    """A driver that only counts and checks; see the module's docstring.

    Attributes:
        counts: "launches" and "calls" of libraries (also in replayed graphs), "replays", "captures", "uploads",
            "downloads", and the same with "_bytes"; "alloc", "free", "copies" within the device.
        launched: kernels in the order in which they ran.
        live: allocations by address.
        captured: the graphs.
        pick: chooses which of the ready nodes a replay runs next; any choice is legal on a device.
    """

    graphs, early = True, False
    libraries: tuple[str, ...] = ()

    def __init__(self, info: DeviceInfo = INFO) -> None:
        self.info = info
        self.counts: Counter[str] = Counter()
        self.launched: list[str] = []
        self.live: dict[int, int] = {}
        self.modules = 0
        self.shared_bytes: dict[Any, int] = {}
        self.closed = False
        self._next = 1 << 20
        self._depth = 0
        self.captured: list[NullGraph] = []
        self.pick: Callable[[list[int]], int] = min
        self._recording: NullGraph | None = None

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

    def copy(self, to: int, source: int, n_bytes: int, stream: Any) -> None:
        self._check(Span(source, n_bytes))
        self._count("copies", Span(to, n_bytes))

    def clear(self, address: int, n_bytes: int, stream: Any) -> None:
        self._count("clears", Span(address, n_bytes))

    def image(self, source: str, cache: Cache | None) -> bytes:
        return source.encode()

    def load(self, image: bytes) -> Any:
        self._in_context()
        self.modules += 1
        return image

    def unload(self, module: Any) -> None:
        self.modules -= 1

    def function(self, module: Any, symbol: str, shared_bytes: int = 0) -> Any:
        if f"{symbol}(".encode() not in module:
            raise DeviceError(f"the module has no function {symbol}")
        self.shared_bytes[symbol] = shared_bytes
        return symbol

    def launch(
        self, function: Any, grid: int, block: int, shared_bytes: int, args: Sequence[Span], stream: Any
    ) -> None:
        self._in_context()
        if grid < 1 or not 1 <= block <= self.info.max_threads or shared_bytes > self.shared_bytes.get(function, 0):
            raise DeviceError(
                f"invalid launch: {grid} blocks of {block} threads, {shared_bytes} bytes of shared memory"
            )
        for span in args:
            self._check(span)
        self._put((function, grid, block, shared_bytes, tuple(args)), stream)

    def _put(self, work: tuple[Any, int, int, int, tuple[Span, ...]], stream: NullStream) -> None:
        if self._recording is None:
            self.execute(*work)
        elif stream.tips is None:
            raise DeviceError("work is put on a stream outside of the capture that is going on")
        else:
            self._recording.add(stream, work)

    def execute(self, symbol: Any, grid: int, block: int, shared_bytes: int, args: tuple[Span, ...]) -> None:
        """Run one kernel or library call (grid 0); stand-ins that compute override this."""
        if grid:
            self.counts["launches"] += 1
            self.launched.append(symbol)
        else:
            self.counts["calls"] += 1
            self.launched.append(symbol.call.function)

    def library(self, name: str) -> Library:
        return NullLibrary()

    def collectives(self) -> Collectives:
        return NullCollectives()

    def call(self, prepared: Prepared, args: Sequence[Span], workspace: Span, stream: Any) -> None:
        self._in_context()
        for span in (*args, *([workspace] if prepared.workspace_bytes else [])):
            self._check(span)
        self._put((prepared, 0, 0, 0, (*args, workspace)), stream)

    def stream(self, *, urgent: bool = False) -> Any:
        return NullStream(urgent=urgent)

    def wait(self, stream: Any) -> None:
        self._in_context()
        if self._recording is not None:
            raise DeviceError("waiting while a graph is captured")

    def event(self, *, timed: bool = True) -> Any:
        return NullEvent()

    def free_event(self, event: Any) -> None:
        pass

    def record(self, event: Any, stream: Any) -> None:
        self._in_context()
        event.at, event.capture = sum(self.counts.values()), None
        if stream.tips is not None:
            event.tips, event.capture = stream.tips, self._recording

    def wait_event(self, event: Any) -> None:
        self._in_context()

    def done(self, event: Any) -> bool:
        self._in_context()
        return True

    def stream_waits(self, stream: Any, event: Any) -> None:
        if event.at is None:
            raise DeviceError("a stream is to wait for an event that was never recorded")
        if event.capture is None and stream.tips is None:
            return
        if event.capture is None or event.capture is not self._recording:
            raise DeviceError("captured work is to wait for work outside of its capture, or the other way round")
        if stream.tips is None:
            event.capture.joined.append(stream)
        stream.tips = (stream.tips or frozenset()) | event.tips

    def seconds(self, first: Any, last: Any) -> float:
        return (last.at - first.at) * 1e-6

    def begin_capture(self, stream: Any) -> None:
        self._recording = NullGraph(origin=stream)
        stream.tips = frozenset()

    def launches_early(self, stream: Any) -> None:
        if stream.tips is None or self._recording is None:
            raise DeviceError("an early launch outside of a capture")
        stream.early = len(stream.tips) == 1 and self._recording.nodes[min(stream.tips)].grid > 0

    def end_capture(self, stream: Any) -> Any:
        graph, self._recording = self._recording, None
        if graph is None or graph.origin is not stream:
            raise DeviceError("no capture was begun on this stream")
        followed = NullNode(None, 0, 0, 0, (), stream.tips).before(graph.before())
        for joined in (stream, *graph.joined):
            joined.tips = None
        if followed != (1 << len(graph.nodes)) - 1:
            raise DeviceError("a fork of the capture was not joined")
        self.counts["captures"] += 1
        self.captured.append(graph)
        return graph

    def replay(self, graph: Any, stream: Any) -> None:
        self._in_context()
        self.counts["replays"] += 1
        waiting, done = list(range(len(graph.nodes))), set[int]()
        while waiting:
            k = self.pick([k for k in waiting if graph.nodes[k].after <= done])
            node = graph.nodes[k]
            self.execute(node.function, node.grid, node.block, node.shared_bytes, node.args)
            waiting.remove(k)
            done.add(k)

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
