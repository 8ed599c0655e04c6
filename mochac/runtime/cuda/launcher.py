"""Launcher: enqueues the steps of a plan on its device's streams.

The first step runs kernel by kernel, so that a fault can be attributed to one. Then steps are captured as CUDA graphs,
with branches according to branches.py, and replayed. Ranges name kernels on the timeline of Nsight Systems, through
NVIDIA's package nvtx.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from mochac.base.errors import BackendError
from mochac.base.garbage import uncollected
from mochac.base.records import record
from mochac.runtime.cuda.branches import Branches, Twin, Work, branched, moved
from mochac.runtime.cuda.driver import DeviceError, Driver, Span

if TYPE_CHECKING:
    from mochac.runtime.cuda.device import Device
    from mochac.runtime.cuda.libraries.library import Prepared


Ranges = Callable[[str], AbstractContextManager[Any]]
"""What is done inside is a range of this name."""
DOMAIN = "mochac"


def nvtx_ranges() -> Ranges:
    """Ranges of NVTX.

    Raises:
        BackendError: the package is not installed.
    """
    try:
        nvtx: Any = import_module("nvtx")  # it has no types
    except ImportError as error:
        hint = "pip install nvtx"
        raise BackendError("MOCHAC_CUDA_NVTX=1 needs the package nvtx", got=str(error), hint=hint) from None
    return lambda name: nvtx.annotate(name, domain=DOMAIN)


MOST_STEPS, MOST_NODES = 16, 256
"""Maximum steps, and maximum launches, of a graph of several steps."""
SETTLED = 200
"""After this many steps, a plan is expected to run longer, so that capturing a graph of several steps pays."""


@record
class Call:
    """A kernel with all launch parameters, or a library call (grid 0, `function` is a Prepared).

    Attributes:
        work: its name in the plan, and the memory it reads and writes.
        args: addresses in the order of the function's parameters.
    """

    work: Work
    symbol: str
    function: Any
    grid: int
    block: int
    shared_bytes: int
    args: tuple[Span, ...]

    @property
    def needs_workspace(self) -> bool:
        """Whether it is a library call that needs one."""
        return not self.grid and self.function.workspace_bytes > 0

    def on(self, twins: Sequence[Twin]) -> Call:
        """The call with the second copies of double-buffered memory."""
        work = replace(self.work, touched=moved(self.work.touched, twins), written=moved(self.work.written, twins))
        return replace(self, work=work, args=moved(self.args, twins))


@record
class How:
    """How steps run on a device.

    Attributes:
        graphs: capture and replay them.
        streams: maximum number of branches of a graph; 1: launches follow each other.
        watch: wait for every kernel, so that a fault can be attributed to one; no graphs then.
        early: in graphs, kernels begin before the one that they follow has ended.
        ranges: names every launch for a profiler; no graphs then, since a replay launches all of them at once.
    """

    graphs: bool
    streams: int
    watch: bool
    early: bool = False
    ranges: Ranges | None = None


class Workspaces:
    """A workspace for library calls for each stream of a plan, since concurrent calls cannot share one."""

    def __init__(self, device: Device, what: str) -> None:
        self.device, self.what = device, what
        self._n_bytes = 0
        self._spans: dict[int, Span] = {}

    def require(self, calls: Sequence[Prepared]) -> None:
        """Allocate the first stream's workspace for these calls; raises BackendError if there is no memory."""
        self._n_bytes = max((call.workspace_bytes for call in calls), default=0)
        self.of(0)

    def of(self, stream: int) -> Span:
        """The workspace of a stream; in a capture, it must have been allocated before."""
        if stream not in self._spans:
            what = f"workspace of libraries in {self.what}"
            address = self.device.alloc(self._n_bytes, what) if self._n_bytes else 0
            self._spans[stream] = Span(address, self._n_bytes)
        return self._spans[stream]

    def close(self) -> None:
        """Free all workspaces."""
        for span in self._spans.values():
            if span.n_bytes:
                self.device.free(span.address)
        self._spans = {}


def steps_in_a_graph(launches: int) -> int:
    """How many steps with this many launches one graph holds: a power of two.

    >>> [steps_in_a_graph(n) for n in (5, 21, 40, 200)]
    [16, 8, 4, 1]
    """
    most = min(MOST_STEPS, MOST_NODES // max(1, launches))
    return 1 << max(0, most.bit_length() - 1)


class Launcher:
    """Runs the steps of one plan. All methods are called inside `device.use()` and raise DeviceError.

    Args:
        calls: one step, in a valid sequential order.
        workspaces: for the library calls.
        twins: double-buffered memory that a step reads; the steps of a graph alternate, and the last one uses the first
            copies.
        wait: waits for a stream; None: the driver does.

    Attributes:
        put: number of steps enqueued.
        passed: number of those known to be done.
    """

    def __init__(
        self,
        device: Device,
        calls: Sequence[Call],
        workspaces: Workspaces,
        how: How,
        twins: Sequence[Twin] = (),
        wait: Callable[[Any], None] | None = None,
    ) -> None:
        self.device, self.calls = device, tuple(calls)
        self.put = self.passed = 0
        self._workspaces, self._how, self._twins = workspaces, how, tuple(twins)
        self._graphs = how.graphs and not how.watch and how.ranges is None
        self._several = steps_in_a_graph(len(self.calls))
        self._captured: dict[int, Any] = {}
        self._last, self._waits = -1, False
        self._wait = wait or device.driver.wait

    def run(self, n: int) -> None:
        """Enqueue n steps; the plan's first one runs kernel by kernel."""
        while n:
            count = self._next(n)
            self._waits = self._how.watch or not self.put
            self.put += count
            n -= count
            if self._graphs and not self._waits:
                if count not in self._captured:
                    self._captured[count] = self._capture(count)
                self.device.driver.replay(self._captured[count], self.device.stream)
            else:
                self._step()

    def _next(self, n: int) -> int:
        """Number of steps to enqueue at once, of n that are wanted."""
        return self._several if self._graphs and self.put >= SETTLED and n >= self._several else 1

    def waited(self) -> None:
        """Called when the stream is idle and all steps are done."""
        self.passed = self.put

    def timed(self, n: int) -> list[list[float]]:
        """Run n steps and return the seconds of every call of each on the device."""
        self._waits = False
        calls = [partial(self._launch, call, self.device.stream) for call in self.calls]
        spent: list[list[float]] = []
        for _ in range(n):
            self.put += 1
            spent.append(self.device.stopwatch.times(calls))
        return spent

    def suspects(self) -> list[str]:
        """Descriptions of the kernels that may have caused the fault just reported."""
        found: list[str] = []
        if self._last >= 0:
            call = self.calls[self._last]
            prefix = "" if self._waits else "met at the launch of "
            found.append(f"{prefix}kernel {call.work.name!r}, function {call.symbol}")
            if call.grid:
                shared = f"{call.shared_bytes} bytes of shared memory"
                found.append(f"{call.grid} blocks of {call.block} threads, {shared}")
        if not self._waits and self.put > self.passed:
            steps = f"steps {self.passed + 1} to {self.put}" if self.put > self.passed + 1 else f"step {self.put}"
            how = "replayed as CUDA graphs" if self._graphs else "not waited for one by one"
            found.append(f"some kernel of {steps} of this plan, which were {how}")
        return found

    @property
    def hint(self) -> str:
        """A hint about how to debug such a fault."""
        if self._waits:
            return "`compute-sanitizer python ...` names the access at fault"
        return "MOCHAC_CUDA_WATCH=1 waits for every kernel and names the one at fault"

    def close(self) -> None:
        """Release graphs and functions."""
        for graph in self._captured.values():
            self.device.driver.free_graph(graph)
        self.calls, self._captured = (), {}

    # -- a step ------------------------------------------------------------------------------------------------------

    def _step(self) -> None:
        """Run one launch after the other."""
        stream = self.device.stream
        for k, call in enumerate(self.calls):
            self._last = k
            with self._how.ranges(call.work.name) if self._how.ranges else nullcontext():
                self._launch(call, stream)
                if self._waits:
                    self._wait(stream)
        self._last = -1

    def _launch(self, call: Call, stream: Any, number: int = 0) -> None:
        """Enqueue a call on the device's stream or, by number, on one of the captured streams."""
        driver = self.device.driver
        if call.grid:
            driver.launch(call.function, call.grid, call.block, call.shared_bytes, call.args, stream)
        else:
            workspace = self._workspaces.of(number) if call.needs_workspace else Span(0, 0)
            driver.call(call.function, call.args, workspace, stream)

    # -- graphs ------------------------------------------------------------------------------------------------------

    def _capture(self, n: int) -> Any:
        """Capture n steps as a graph, in which they overlap as far as their data allow."""
        turns = [self.calls, [call.on(self._twins) for call in self.calls] if n > 1 else []]
        calls = [call for step in range(n) for call in turns[(n - 1 - step) % 2]]
        branches = branched([call.work for call in calls], self._how.streams)
        for number in {home for home, call in zip(branches.stream, calls, strict=True) if call.needs_workspace}:
            self._workspaces.of(number)
        streams = self.device.branches(branches.streams)

        early = early_launches(branches, [bool(call.grid) for call in calls]) if self._how.early else frozenset()

        def launch(k: int, stream: int) -> None:
            self._last = k % len(self.calls)
            if k in early:
                self.device.driver.launches_early(streams[stream])
            self._launch(calls[k], streams[stream], stream)

        with uncollected():  # closing a plan downloads states and waits for the stream, which would end a capture
            graph = captured(self.device.driver, streams, branches, launch)
        self._last = -1
        return graph


def early_launches(branches: Branches, kernels: Sequence[bool]) -> frozenset[int]:
    """The launches that may begin early: kernels that follow a kernel of their stream and wait for no other.

    Args:
        kernels: of each launch, whether it is a generated kernel, which waits itself.

    >>> early_launches(Branches((0, 0, 1, 0, 1), ((), (), (0,), (2,), ()), (0, 1, 3)), [True] * 5)
    frozenset({1, 4})
    """
    last: dict[int, int] = {}
    found: set[int] = set()
    for k, home in enumerate(branches.stream):
        if home in last and not branches.waits[k] and kernels[k] and kernels[last[home]]:
            found.add(k)
        last[home] = k
    return frozenset(found)


def captured(driver: Driver, streams: Sequence[Any], branches: Branches, launch: Callable[[int, int], None]) -> Any:
    """Capture launches as a graph on the first stream; the others fork from it by events and join it at the end.

    Args:
        launch: enqueues a launch on a stream, both given by number.
    """
    events: dict[int, Any] = {}

    def mark(key: int, stream: Any) -> Any:
        events[key] = driver.event(timed=False)
        driver.record(events[key], stream)
        return events[key]

    driver.begin_capture(streams[0])
    try:
        try:
            for k, home in enumerate(branches.stream):
                for j in branches.waits[k]:
                    driver.stream_waits(streams[home], events[j])
                launch(k, home)
                if k in branches.awaited:
                    mark(k, streams[home])
            for side in range(1, branches.streams):
                driver.stream_waits(streams[0], mark(-side, streams[side]))
        except BaseException:
            with suppress(DeviceError):  # end the capture in any case
                driver.free_graph(driver.end_capture(streams[0]))
            raise
        return driver.end_capture(streams[0])
    finally:
        for event in events.values():
            driver.free_event(event)
