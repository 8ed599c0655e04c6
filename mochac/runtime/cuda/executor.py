"""CudaExecutor: a plan and its cubin, bound to device memory and ready to run.

It is used like the CpuExecutor. A step consists of launches with fixed arguments between the two kernels of
codegen/cuda/step.py, those of loops over time as often as these repeat; launcher.py runs them on the device.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

from mochac.base.errors import BackendError, InternalError
from mochac.base.support.memory import ManagedArray
from mochac.base.support.times import Times, one_after_the_other
from mochac.codegen.cuda.exchange import BLOCK as HALF_BLOCK
from mochac.codegen.cuda.exchange import half_of, is_half, is_rank_sum, rank_sum_of
from mochac.codegen.cuda.step import BLOCK, END, ROWS, step_layout
from mochac.ir.plan import Launch, Placement, Plan, owners
from mochac.ir.types import DTYPES
from mochac.runtime.backend import Executor
from mochac.runtime.cuda.branches import BEGINS, ENDS, Twin, Work, spans_of, work_of
from mochac.runtime.cuda.device import Device
from mochac.runtime.cuda.device_arrays import DeviceArray, DeviceResult, device_array
from mochac.runtime.cuda.driver import DeviceError, Span
from mochac.runtime.cuda.exchange import CudaExchange
from mochac.runtime.cuda.feeds import FeedRing, StepFeed
from mochac.runtime.cuda.launcher import Call, How, Launcher, Ranges, Workspaces
from mochac.runtime.cuda.libraries.library import Prepared, parsed
from mochac.runtime.cuda.resident import Column, Numbered, NumberFeed
from mochac.runtime.tables import Feeds, HyperTable, Located

ALIGNMENT = 256


class CudaExecutor(Executor):
    """A plan ready to run on a device.

    Args:
        image: a module for Driver.load, with the functions of all launches and those of codegen/cuda/step.py.
        states: the arrays of every placement with place "state", by key. The device works on copies, which stay there;
            reading the ManagedArray returns the newest values.
        graph: capture steps as graphs and replay them; None: if the driver supports it.
        streams: maximum number of branches of a graph.
        watch: wait for every kernel, so that a fault can be attributed to one.
        exchange: with the other ranks, if launches of the plan add up values over them.
        early: the plan's kernels begin early; they wait themselves for those that they follow.
        ranges: names every launch for a profiler.
    """

    threads = used_threads = 1
    """As for CpuExecutor; the device's own threads do not count."""

    def __init__(
        self,
        plan: Plan,
        image: bytes,
        states: Mapping[str, ManagedArray],
        device: Device,
        *,
        graph: bool | None = None,
        streams: int = 4,
        watch: bool = False,
        exchange: CudaExchange | None = None,
        early: bool = False,
        ranges: Ranges | None = None,
    ) -> None:
        self.plan, self.device, self._exchange = plan, device, exchange
        self._sums = {launch.kernel: rank_sum_of(plan, launch) for launch in plan.launches if is_rank_sum(launch)}
        self._placements = {placement.name: placement for placement in plan.placements}
        self._layout = step_layout(plan)
        self._hyper = HyperTable([s for s in plan.placements if s.place == "hyper"])
        self._hyper.grow(ROWS)
        self._results = np.zeros((ROWS, sum(self._placements[value].type.elems for _, value in plan.scalars)))
        self._memory: dict[str, int] = {}
        self._device_arrays: dict[str, DeviceArray] = {}
        self._twins: list[Twin] = []
        self._closed = False
        self._base, self._module = 0, None
        self._ring = FeedRing(self._layout, device)
        self._numbers: NumberFeed | None = None
        self._calls: list[Call] = []
        self._counts: list[int] = []  # calls of each run of a launch
        self._mark: Any = None
        self._launchers: dict[StepFeed, Launcher] = {}
        self._feed: StepFeed = self._ring
        self._how = How(device.driver.graphs if graph is None else graph, streams, watch, early, ranges)
        self._workspaces = Workspaces(device, f"plan {plan.name!r}")
        try:
            self._prepare(image, states)
        except BaseException:
            self.close()
            raise
        device.join(self)

    def _prepare(self, image: bytes, states: Mapping[str, ManagedArray]) -> None:
        with self.device.use() as driver:
            try:
                self._allocate(states)
                self._module = driver.load(image)
                self._calls = self._bound()
                self._workspaces.require([call.function for call in self._calls if not call.grid])
            except DeviceError as error:
                raise self._failed("loading", error) from error

    # -- binding -----------------------------------------------------------------------------------------------------

    def _allocate(self, states: Mapping[str, ManagedArray]) -> None:
        arrives = {"hyper": self._hyper.n_bytes}
        arrives.update((f"feed {placement.key}", placement.type.storage_bytes) for placement in self._layout.feeds)
        sizes = {
            "arena": self.plan.arena_bytes,
            "hyper_rows": self._hyper.n_bytes * ROWS,
            "results": self._results.nbytes,
            "step": 8,
            "rows": max((self._ranks.rows_bytes(total) for total in self._sums.values()), default=0),
            **arrives,
            **{f"{name}, next": size for name, size in arrives.items()},
        }
        what = self._needs(sizes)
        n_bytes = sum(_padded(size) for size in sizes.values())
        self._base = address = self.device.alloc(n_bytes, what)
        for name, size in sizes.items():
            self._memory[name] = address
            address += _padded(size)
        self.device.driver.clear(self._base, n_bytes, self.device.stream)
        for name, size in arrives.items():
            self._twins.append(Twin(Span(self._memory[name], size), self._memory[f"{name}, next"] - self._memory[name]))
        for key in owners([s for s in self.plan.placements if s.place == "state"]):
            if key not in states:
                raise InternalError(f"no storage was given for state {key!r}")
            self._device_arrays[key] = device_array(states[key], self.device, repr(key), what)
        self._what = what
        stored = {name for launch in self.plan.launches for name in launch.buffers[-launch.writes :]}
        self._written = {s.key for s in self.plan.placements if s.place == "state" and s.name in stored}

    def _needs(self, sizes: Mapping[str, int]) -> str:
        states = sum(
            s.type.storage_bytes for s in owners([s for s in self.plan.placements if s.place == "state"]).values()
        )
        batches = sum(placement.type.storage_bytes for placement in self._layout.feeds) * (self._layout.ring + 2)
        parts = f"{sizes['arena']:,} bytes of blobs, {states:,} of parameters and state, {batches:,} of batches"
        return f"plan {self.plan.name!r} ({parts})"

    def _bound(self) -> list[Call]:
        bound = [self._bind(launch, trip) for launch, trip in self.plan.runs()]
        self._counts = [len(calls) for calls in bound]
        return [*(call for calls in bound for call in calls), self._end()]

    def _bind(self, launch: Launch, trip: int) -> list[Call]:
        """The calls of a run of a launch: one, or those that add up values over the ranks."""
        args = spans_of(launch, trip, lambda name: self._span(self._placements[name]))
        work = work_of(launch, args, self.device.driver.info.multiprocessors)
        if is_rank_sum(launch):
            rows = Span(self._memory["rows"], self._ranks.rows_bytes(self._sums[launch.kernel]))
            return self._ranks.calls(self._sums[launch.kernel], work, launch.symbol, rows, self._function)
        if is_half(launch):
            half = half_of(self.plan, launch)
            return [Call(work, half.symbol, self._function(half.symbol), half.grid, HALF_BLOCK, 0, args)]
        function = self._prepared(launch) if launch.call else self._function(launch.symbol, launch.shared_bytes)
        return [Call(work, launch.symbol, function, launch.grid, launch.block, launch.shared_bytes, args)]

    @property
    def _ranks(self) -> CudaExchange:
        if self._exchange is None:
            raise InternalError(f"plan {self.plan.name!r} exchanges values with other ranks, and there are none")
        return self._exchange

    def _prepared(self, launch: Launch) -> Prepared:
        """A library call, prepared."""
        call = parsed(launch.call, tuple(self._placements[name].type for name in launch.buffers))
        return self.device.prepared(call)

    def _function(self, symbol: str, shared_bytes: int = 0) -> Any:
        return self.device.driver.function(self._module, symbol, shared_bytes)

    def _begin(self, feed: StepFeed) -> Call:
        batch = [self._span(placement) for placement in self._layout.feeds]
        args, written = [Span(self._memory["step"], 8)], list(batch)
        if self._layout.hyper_words:
            n_bytes = self._hyper.n_bytes
            args += [Span(self._memory["hyper_rows"], n_bytes * ROWS), Span(self._memory["hyper"], n_bytes)]
            written.append(args[-1])
        work = Work(BEGINS, (*args, *feed.arguments(batch)), tuple(written))
        return Call(work, feed.symbol, self._function(feed.symbol), feed.blocks, BLOCK, 0, work.touched)

    def _end(self) -> Call:
        args = [Span(self._memory["step"], 8)]
        if self.plan.scalars:
            args.append(Span(self._memory["results"], self._results.nbytes))
        written = tuple(args)
        args += [self._span(self._placements[value]) for _, value in self.plan.scalars]
        work = Work(ENDS, tuple(args), written)
        return Call(work, END, self._function(END), 1, 1, 0, work.touched)

    def _span(self, placement: Placement) -> Span:
        n_bytes = placement.type.storage_bytes
        if placement.place == "arena":
            if placement.offset + n_bytes > self.plan.arena_bytes:
                raise InternalError(f"placement {placement.name!r} of plan {self.plan.name!r} ends beyond the arena")
            return Span(self._memory["arena"] + placement.offset, n_bytes)
        if placement.place == "state":
            return Span(self._device_arrays[placement.key].address, n_bytes)
        if placement.place == "hyper":
            return Span(self._memory["hyper"] + placement.offset, n_bytes)
        return Span(self._memory[f"feed {placement.key}"] + placement.offset, n_bytes)

    def _fed(self, feeds: Feeds | Numbered) -> StepFeed:
        """What brings these batches to the device, with the launcher of its steps."""
        feed = self._numbered(feeds.columns) if isinstance(feeds, Numbered) else self._ring
        if feed not in self._launchers:
            try:
                feed.allocate(self._what)
            except BaseException:
                feed.close()
                raise
            begin = [self._begin(feed)] if self._layout.begins else []
            calls = [*begin, *self._calls]
            self._launchers[feed] = Launcher(
                self.device, calls, self._workspaces, self._how, self._twins, self._wait if self._sums else None
            )
        return feed

    def _numbered(self, columns: Mapping[str, Column]) -> NumberFeed:
        if self._numbers is None or not self._numbers.fits(columns):
            if self._numbers is not None:
                if self._numbers in self._launchers:
                    self._launchers.pop(self._numbers).close()
                self._numbers.close()
            self._numbers = NumberFeed(self._layout, columns, self.device)
        return self._numbers

    # -- running -----------------------------------------------------------------------------------------------------

    def set_threads(self, threads: int) -> None:
        """Does nothing: a device has its own threads."""

    def run(
        self, n_steps: int = 1, feeds: Feeds | Numbered = (), hyper: Mapping[str, object] | None = None
    ) -> dict[str, np.ndarray]:
        """Run steps one after the other; arguments and result as for CpuExecutor.run. Feeds may be Numbered, too.

        Raises:
            ValueError: a feed or hyper value is missing or does not have the plan's type.
            BackendError: the device reported a fault; the message names the kernel if it is known.
        """
        if n_steps < 1:
            return {name: self._results[:0, at].copy() for name, at in self.plan.columns().items()}
        results = self._run(n_steps, feeds, hyper or {}, lambda n: self._launchers[self._feed].run(n))
        return {name: results[:, at] for name, at in self.plan.columns().items()}

    def _run(
        self, n_steps: int, feeds: Feeds | Numbered, hyper: Mapping[str, object], steps: Callable[[int], None]
    ) -> np.ndarray:
        if self._closed:
            raise ValueError(f"plan {self.plan.name!r} is closed")
        results = []
        with self.device.use():
            try:
                self._feed = self._fed(feeds)
                self._feed.check(n_steps, feeds)
                for array in self._device_arrays.values():
                    array.refresh()
                with self._changed():
                    for first in range(0, n_steps, ROWS):
                        n = min(ROWS, n_steps - first)
                        results.append(self._rows(n, _part(feeds, first, n), _values(hyper, n_steps, first, n), steps))
            except DeviceError as error:
                raise self._failed("running", error) from error
        return np.concatenate(results)

    @contextmanager
    def _changed(self) -> Iterator[None]:
        """Mark the states as newer on the device after what is done inside, even if that is interrupted. Then wait for
        the steps enqueued so far, because the next run overwrites what they read."""
        try:
            yield
        except DeviceError:
            raise
        except BaseException:
            with suppress(DeviceError):
                self.device.driver.wait(self.device.stream)
            self._mark_written()
            raise
        self._mark_written()

    def _mark_written(self) -> None:
        for key in self._written:
            self._device_arrays[key].array.written(self._device_arrays[key])

    def _rows(
        self, n: int, feeds: Feeds | Numbered, hyper: Mapping[str, object], steps: Callable[[int], None]
    ) -> np.ndarray:
        """Run at most ROWS steps: upload tables, run, download results."""
        driver, stream = self.device.driver, self.device.stream
        self._hyper.fill(n, hyper)
        if self._hyper.n_bytes:
            driver.upload(self._memory["hyper_rows"], self._hyper.table[:n].reshape(-1), stream)
        driver.clear(self._memory["step"], 8, stream)
        for first in range(0, n, self._feed.piece):
            count = min(self._feed.piece, n - first)
            self._feed.stage(first, count, feeds)
            steps(count)
            self._feed.used(first)
            if self._sums and not self._follow(first == 0):
                break
        if self._sums:
            self._ranks.wait(self._mark, self._memory["step"])
            self._ranks.ran(tuple(self._sums.values()), n)
        if self.plan.scalars:
            driver.download(self._results[:n], self._memory["results"], stream)
        driver.wait(stream)
        self._launchers[self._feed].waited()
        return self._results[:n].copy()

    def _follow(self, begins: bool) -> bool:
        """Where steps wait for other ranks, stay at most two pieces ahead of them, so that nothing else waits without
        a limit. Returns whether to go on."""
        earlier, self._mark = None if begins else self._mark, self._ranks.mark(self.device.stream)
        if earlier is not None:
            self._ranks.wait(earlier, self._memory["step"])
        return not self._ranks.failed

    def _wait(self, stream: Any) -> None:
        """Wait for steps that wait for other ranks."""
        self._ranks.wait(self._ranks.mark(stream), self._memory["step"])

    def _failed(self, what: str, error: DeviceError) -> BackendError:
        """The error for a fault of the device, with the kernels that may have caused it."""
        launcher = self._launchers.get(self._feed)
        hint = launcher.hint if launcher and what == "running" else ""
        if what == "loading" and any(launch.call for launch in self.plan.launches):
            hint = "compile(..., libraries=False) does without cuDNN and cuBLAS"
        suspects = launcher.suspects() if launcher else []
        return self.device.failed(f"{what} plan {self.plan.name!r}", error, suspects, hint)

    def profile(self, n_steps: int, feeds: Feeds = (), hyper: Mapping[str, object] | None = None) -> Times:
        """Run steps, state changes included, and time every launch by events; as CpuExecutor.profile."""
        turns = feeds if isinstance(feeds, Located) else [feeds[s % len(feeds)] for s in range(n_steps if feeds else 0)]
        spent: list[list[float]] = []
        with self.device.use():
            begin = time.perf_counter()
            self._run(n_steps, turns, hyper or {}, lambda n: spent.extend(self._launchers[self._feed].timed(n)))
            wall = (time.perf_counter() - begin) / n_steps
        first = 1 if self._layout.begins else 0
        found = np.median(spent, axis=0)
        launches, whole = self._by_launch(self._by_run(found[first:])), float(found.sum())
        between = whole - float(launches.sum())
        return Times(launches, launches, 0.0, between, whole, wall, one_after_the_other(launches))

    def _by_run(self, seconds: np.ndarray) -> np.ndarray:
        """The times of runs of launches from those of their calls, which are first."""
        ends = np.cumsum(self._counts)
        return np.array([seconds[end - n : end].sum() for n, end in zip(self._counts, ends, strict=True)])

    def _by_launch(self, seconds: np.ndarray) -> np.ndarray:
        """The times of launches from those of their runs, which are first."""
        numbers = {id(launch): k for k, launch in enumerate(self.plan.launches)}
        launches = np.zeros(len(numbers))
        for (launch, _), spent in zip(self.plan.runs(), seconds, strict=False):
            launches[numbers[id(launch)]] += spent
        return launches

    # -- reading -----------------------------------------------------------------------------------------------------

    def read(self, name: str) -> np.ndarray:
        """A copy of a named value (or placement), from the last run.

        Raises:
            KeyError: the plan keeps no such value.
        """
        placement = self._placements[dict(self.plan.named).get(name, name)]
        if placement.place == "feed" and self._feed is self._ring:
            return self._ring.last(placement.key).reshape(placement.type.shape).copy()
        if placement.place == "state":
            return self._device_arrays[placement.key].array.values.reshape(placement.type.shape).copy()
        found = np.empty(placement.type.shape, DTYPES[placement.type.dtype])
        with self.device.reporting(f"reading {name!r} of plan {self.plan.name!r}") as driver:
            driver.download(found, self._span(placement).address, self.device.stream)
            driver.wait(self.device.stream)
        return found

    def leave(self, name: str, result: DeviceResult, first: int, n: int) -> None:
        placement = self._placements[dict(self.plan.named).get(name, name)]
        result.put(first, n, self._span(placement))

    @property
    def arena_bytes(self) -> int:
        """Bytes of the arena."""
        return self.plan.arena_bytes

    def close(self) -> None:
        """Release code and memory; closing twice is harmless."""
        if self._closed:
            return
        self._closed = True
        feeds = [feed for feed in (self._ring, self._numbers) if feed is not None]
        holders = [*self._launchers.values(), *feeds, self._workspaces]
        releases = [*(array.release for array in self._device_arrays.values()), *(holder.close for holder in holders)]
        for release in (*releases, self._unload):
            with self.device.forgiving():
                release()

    def _unload(self) -> None:
        if self._base:
            self.device.free(self._base)
        self._calls = []  # functions refer to their module: PyCUDA unloads it with the last of them
        if self._module is not None:
            self.device.driver.unload(self._module)
        self._module = None

    def __del__(self) -> None:
        """Release the memory of a plan that nobody refers to any more."""
        with suppress(Exception):  # at the end of the process the device may be gone
            self.close()


def _padded(n_bytes: int) -> int:
    return -(-max(1, n_bytes) // ALIGNMENT) * ALIGNMENT


def _part(feeds: Feeds | Numbered, first: int, n: int) -> Feeds | Numbered:
    """The feeds of n steps."""
    if isinstance(feeds, Numbered):
        return feeds.part(first, n)
    if isinstance(feeds, Located):
        return Located({key: a[first : first + n] for key, a in feeds.addresses.items()}, feeds.last)
    return feeds[first : first + n]


def _values(hyper: Mapping[str, object], n_steps: int, first: int, n: int) -> dict[str, object]:
    """The scalars of n of the steps; a single number applies to all of them."""
    whole = {key: np.asarray(value) for key, value in hyper.items()}
    return {key: a[first : first + n] if a.ndim and len(a) == n_steps else a for key, a in whole.items()}
