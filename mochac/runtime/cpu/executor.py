"""CpuExecutor: a plan and its objects, bound to memory and ready to run on the CPU.

All steps of one call run in native code (codegen/cpu/step_driver.py), without Python.
"""

from __future__ import annotations

import os
import time
from collections.abc import Container, Mapping, Sequence
from typing import Protocol

import numpy as np

from mochac.base.errors import InternalError, OptionError
from mochac.base.files.cache import Cache
from mochac.base.support.memory import ALIGNMENT, aligned_zeros, is_aligned
from mochac.base.support.times import Times, default_threads, from_spans
from mochac.codegen.cpu import worker_team as layout
from mochac.codegen.cpu.worker_team import Job, Kind, Row
from mochac.ir.plan import Placement, Plan, owners
from mochac.ir.types import DTYPES, TensorType, to_logical
from mochac.runtime.backend import Executor, PlanPart
from mochac.runtime.cpu.feed_table import FeedTable
from mochac.runtime.cpu.loader import MachineCode
from mochac.runtime.cpu.team import ThreadThrottle, item_slots, shares, team
from mochac.runtime.tables import Feeds, HyperTable, Located, check_array

_NOTHING = np.zeros(0)
_KINDS = {"f32": Kind.F32, "f64": Kind.F64, "i32": Kind.I32, "i64": Kind.I64}


class NativeExchange(Protocol):
    """Exchanges with other ranks, in native code."""

    def rows(self, plan: Plan, addresses: Mapping[str, int]) -> Mapping[str, tuple[int, int]]:
        """For each launch of a plan that exchanges, by the name of its kernel: a function, called like a kernel's, and
        its argument. `addresses`: of the plan's buffers."""
        ...


class CpuExecutor(Executor):
    """A plan ready to run on this machine's CPU.

    Args:
        plan: the plan; every symbol of its launches must be in `objects`.
        objects: object code (runtime/cpu/compiler.py).
        states: the storage of every placement with place "state", by key: C-contiguous, 64-byte aligned, of its dtype
            and shape (`aligned_empty`). Kept and updated in place.
        threads: number of threads that share a step, >= 1; None: as many as this process may use. Results do not depend
            on it, bit for bit.
        cache: cache for the worker team's code.
        yielding: runs may continue with fewer threads while another process keeps a CPU busy (team.py).
        exchange: with the other ranks, if launches of the plan exchange values.
    """

    in_parts = True

    def __init__(
        self,
        plan: Plan,
        objects: Sequence[bytes],
        states: Mapping[str, np.ndarray],
        threads: int | None = None,
        *,
        cache: Cache | None = None,
        yielding: bool = True,
        exchange: NativeExchange | None = None,
    ) -> None:
        self.plan = plan
        self._yielding = yielding
        self._cache = cache
        symbols = [launch.symbol for launch in plan.launches if not launch.call]
        self._library: MachineCode | None = MachineCode(objects, symbols, _names(plan))
        self._placements = {placement.name: placement for placement in plan.placements}
        self._states = dict(states)
        self._named: dict[str, tuple[np.ndarray, TensorType, str | None]] = {}
        self._owners = owners([s for s in plan.placements if s.place == "state"])
        self._arena = _arena(plan)
        self._hyper = HyperTable([s for s in plan.placements if s.place == "hyper"])
        self._feeds = FeedTable([s for s in plan.placements if s.place == "feed"])
        words = aligned_zeros(int(Job.WORDS), np.int64)
        self._job, self._job_address = words.data, int(words.ctypes.data)
        self._bind(exchange)
        self.set_threads(threads if threads is not None else default_threads())

    # -- binding -----------------------------------------------------------------------------------------------------

    def _bind(self, exchange: NativeExchange | None) -> None:
        plan, job, library = self.plan, self._job, self._library
        assert library is not None
        addresses = {name: self._address(placement) for name, placement in self._placements.items()}
        n_args = sum(len(launch.buffers) for launch in plan.launches)
        self._args, self._strides = aligned_zeros(n_args, np.int64), aligned_zeros(n_args, np.int64)
        self._rows = aligned_zeros((max(1, len(plan.launches)), int(Row.WORDS)), np.int64)
        patches: list[tuple[int, int, int]] = []
        word = 0
        exchanged = _exchanged(plan, addresses, exchange)
        for row, launch in zip(self._rows, plan.launches, strict=False):
            place = self._args.ctypes.data + 8 * word
            fn, args = exchanged[launch.kernel] if launch.call else (library[launch.symbol], place)
            row[Row.FN], row[Row.ARGS], row[Row.ITEMS] = fn, args, launch.items
            for k, name in enumerate(launch.buffers):
                placement = self._placements[name]
                if placement.place == "feed":
                    patches.append((self._feeds.column[placement.key], place + 8 * k, placement.offset))
                self._args[word + k] = addresses[name]
            if launch.loop:
                self._strides[word : word + len(launch.buffers)] = launch.strides
                row[Row.STRIDES], row[Row.N_ARGS] = self._strides.ctypes.data + 8 * word, len(launch.buffers)
            word += len(launch.buffers)
        for first, end in plan.loops:
            self._rows[end - 1, Row.BACK], self._rows[end - 1, Row.TRIPS] = end - first, plan.launches[first].trips
        self._patches = np.array(patches or [(0, 0, 0)], np.int64)
        reported = [row for _, name in plan.scalars for row in _reported(self._placements[name], addresses[name])]
        self._scalars = np.array(reported or [(0, 0)], np.int64)
        self._n_reported, self._columns = len(reported), plan.columns()
        self._results, self._room = np.zeros((0, len(reported))), 0
        job[Job.ROWS], job[Job.N_ROWS] = self._rows.ctypes.data, len(self._rows)
        job[Job.PATCHES], job[Job.N_PATCHES] = self._patches.ctypes.data, len(patches)
        job[Job.N_FEEDS], job[Job.FEED_LINES] = len(self._feeds.column), self._feeds.lines.ctypes.data
        job[Job.HYPER_BYTES], job[Job.HYPER_BLOCK] = self._hyper.n_bytes, self._hyper.block.ctypes.data
        job[Job.SCALARS], job[Job.N_SCALARS] = self._scalars.ctypes.data, len(reported)

    def _address(self, placement: Placement) -> int:
        if placement.place == "arena":
            if placement.offset + placement.type.storage_bytes > self.plan.arena_bytes:
                raise InternalError(f"placement {placement.name!r} of plan {self.plan.name!r} ends beyond the arena")
            return self._arena.ctypes.data + placement.offset
        if placement.place == "state":
            return _checked_state(self._owners[placement.key], self._states.get(placement.key)).ctypes.data
        if placement.place == "hyper":
            return self._hyper.block.ctypes.data + placement.offset
        return 0

    # -- threads -----------------------------------------------------------------------------------------------------

    def set_threads(self, threads: int) -> None:
        """Change the number of threads that share a step, from the next run on; results do not change."""
        if not 1 <= threads <= layout.MAX_THREADS:
            raise ValueError(f"threads must be from 1 to {layout.MAX_THREADS}, got {threads}")
        self.threads = threads
        self._shares = shares(self.plan, threads)
        self._shared_by = max((share.cap for share in self._shares), default=1)
        for row, share in zip(self._rows, self._shares, strict=False):
            row[Row.CAP], row[Row.GRAIN], row[Row.SYNC] = share.cap, share.grain, share.sync
        for first, end in self.plan.loops:
            self._rows[end - 1, Row.MEET] = any(share.cap > 1 for share in self._shares[first:end])
        self._process = 0  # whose team the job has
        self._scratch = _scratch(self.plan, self._shared_by)
        self._job[Job.SCRATCH] = self._scratch.ctypes.data
        self._job[Job.SCRATCH_STRIDE] = self._scratch.shape[1]
        self._job[Job.MOVED] = _scratch_bytes(self.plan)

    @property
    def shared_by(self) -> int:
        return self._shared_by

    @property
    def used_threads(self) -> int:
        """Number of threads that shared the last run; 1 if another program was using the team."""
        return self._job[Job.USED_THREADS]

    def _join_team(self) -> None:
        """Point the job at this process's team, after a fork and when the number of threads has changed."""
        self._process, found = os.getpid(), team(self._cache)
        threads = found.ensure(self._shared_by)
        self._team, self._run, self._rate = found, found.code.run, found.code.rate
        self._job[Job.TEAM] = found.address
        self._job[Job.PATIENCE] = found.poll_ns(threads)
        self._throttle = ThreadThrottle(threads if self._yielding else 1)
        self._item_slots: dict[int, np.ndarray] = {}
        self._assign(threads)

    def _assign(self, threads: int) -> None:
        """Set the number of threads of the next runs."""
        if threads not in self._item_slots:
            self._item_slots[threads] = item_slots(self.plan.launches, self._shares, threads)
        self._job[Job.THREADS] = threads
        self._job[Job.SLOTS] = self._item_slots[threads].ctypes.data

    # -- running -----------------------------------------------------------------------------------------------------

    def run(
        self, n_steps: int = 1, feeds: Feeds = (), hyper: Mapping[str, object] | None = None
    ) -> dict[str, np.ndarray]:
        """Run steps one after the other in one native call; the GIL is released meanwhile.

        Args:
            n_steps: >= 0.
            feeds: per step, the array of every fed value by key: C-contiguous, of its dtype and shape; or `Located`,
                all steps' addresses at once.
            hyper: by key, one number or n_steps of them.

        Returns:
            By name of the plan's scalars, n_steps values as float64.

        Raises:
            ValueError: a feed or hyper value is missing or does not have the plan's type.
        """
        if n_steps:
            self._prepare(n_steps, feeds)
            self._hyper.fill(n_steps, hyper or {})
            self._run_steps(n_steps)
        results = self._results[:n_steps].copy()
        return {name: results[:, at] for name, at in self._columns.items()}

    def run_one(self, feeds: Feeds, hyper: Mapping[str, object], part: PlanPart = "all") -> dict[str, float]:
        """Run one step, or a part of it; as `run`, without arrays of one element."""
        self._prepare(1, feeds)
        self._hyper.fill_one(hyper)
        if part == "all":
            self._run_steps(1)
        else:
            self._run_part(part)
        return dict(zip(self._columns, self._row, strict=True))

    def _prepare(self, n_steps: int, feeds: Feeds) -> None:
        """Prepare the next run: this many steps, on these batches."""
        if self._library is None:
            raise ValueError(f"plan {self.plan.name!r} is closed")
        if self._process != os.getpid():
            self._join_team()
        if n_steps > self._room:
            self._grow(n_steps)
        self._feeds.fill(n_steps, feeds)

    def _run_steps(self, n_steps: int) -> None:
        """Run the steps that have been prepared."""
        if self._throttle.most == 1:
            self._job[Job.N_STEPS] = n_steps
            self._run(self._job_address)
        else:
            self._run_watched(n_steps)

    def _run_part(self, part: PlanPart) -> None:
        """Run a part of the plan for one step."""
        job, head = self._job, self.plan.head
        rows, slots, n_rows = job[Job.ROWS], job[Job.SLOTS], job[Job.N_ROWS]
        if part == "head":
            job[Job.N_ROWS] = head
        else:
            job[Job.N_ROWS] = n_rows - head
            job[Job.ROWS] = rows + head * self._rows[0].nbytes
            job[Job.SLOTS] = slots + head * self._item_slots[job[Job.THREADS]][0].nbytes
        job[Job.N_STEPS] = 1
        self._run(self._job_address)
        job[Job.ROWS], job[Job.SLOTS], job[Job.N_ROWS] = rows, slots, n_rows

    def _run_watched(self, n_steps: int) -> None:
        """Run in calls of a few ms, and decide after each how many threads the next one should have."""
        job, throttle, done = self._job, self._throttle, 0
        tables = job[Job.FEEDS], job[Job.HYPER_TABLE], job[Job.RESULTS]
        strides = 8 * job[Job.N_FEEDS], job[Job.HYPER_BYTES], 8 * job[Job.N_SCALARS]
        while done < n_steps:
            count = job[Job.N_STEPS] = throttle.steps(n_steps - done)
            for word, table, stride in zip((Job.FEEDS, Job.HYPER_TABLE, Job.RESULTS), tables, strides, strict=True):
                job[word] = table + done * stride
            sleeps, begin = self._team.sleeps, time.perf_counter()
            self._run(self._job_address)
            throttle.record(count, time.perf_counter() - begin, self._team.sleeps - sleeps, self.used_threads)
            if throttle.threads != job[Job.THREADS]:
                self._assign(throttle.threads)
            done += count
        job[Job.FEEDS], job[Job.HYPER_TABLE], job[Job.RESULTS] = tables

    def _grow(self, n_steps: int) -> None:
        """Make the tables large enough for a number of steps."""
        room = self._room = max(16, 2 * n_steps)
        self._results = np.zeros((room, self._n_reported))
        self._row = self._results[0].data
        self._feeds.grow(room)
        self._hyper.grow(room)
        job = self._job
        job[Job.RESULTS] = self._results.ctypes.data
        job[Job.FEEDS] = self._feeds.table.ctypes.data
        job[Job.HYPER_TABLE] = self._hyper.table.ctypes.data

    def profile(self, n_steps: int, feeds: Feeds = (), hyper: Mapping[str, object] | None = None) -> Times:
        """Run steps, state changes included, and time every launch.

        Args:
            n_steps: >= 1.
            feeds, hyper: as for `run`; if there are fewer feeds, they are used in turn.
        """
        turns = feeds if isinstance(feeds, Located) else [feeds[s % len(feeds)] for s in range(n_steps if feeds else 0)]
        launches = len(self.plan.launches)
        self._prepare(n_steps, turns)
        words = np.full(n_steps * int(self._job[Job.THREADS]) * len(self._rows) * 2, 0)  # touches its pages
        begin = time.perf_counter()
        self._hyper.fill(n_steps, hyper or {})
        self._job[Job.N_STEPS], self._job[Job.TICKS] = n_steps, words.ctypes.data
        self._run(self._job_address)
        self._job[Job.TICKS] = 0
        wall = (time.perf_counter() - begin) / n_steps
        used, synced = self.used_threads, [share.sync for share in self._shares]
        spans = words[: n_steps * used * len(self._rows) * 2].reshape(n_steps, used, -1, 2)[:, :, :launches]
        return from_spans(spans, synced if used > 1 else [False] * launches, self._rate.seconds(), wall)

    # -- reading -----------------------------------------------------------------------------------------------------

    def read(self, name: str) -> np.ndarray:
        """A copy of a named value (or placement) in logical order, from the last run.

        Raises:
            KeyError: the plan keeps no such value.
        """
        if name not in self._named:
            self._named[name] = self._found(name)
        raw, kind, feed = self._named[name]
        return to_logical(raw if feed is None else self._feeds.last(feed), kind)

    def _found(self, name: str) -> tuple[np.ndarray, TensorType, str | None]:
        """The memory of a value, its type, and its feed, if it is one."""
        placement = self._placements[dict(self.plan.named).get(name, name)]
        kind = placement.type
        if placement.place == "feed":
            return _NOTHING, kind, placement.key
        if placement.place == "state":
            return self._states[placement.key], kind, None
        memory = self._arena if placement.place == "arena" else self._hyper.block
        begin = placement.offset
        return memory[begin : begin + kind.storage_bytes].view(DTYPES[kind.dtype]), kind, None

    def forget(self, feeds: Container[str]) -> None:
        self._feeds.forget(feeds)

    @property
    def arena_bytes(self) -> int:
        """Bytes of the arena and of all threads' scratch."""
        return self._arena.nbytes + self._scratch.nbytes

    def close(self) -> None:
        """Release code and memory; closing twice is harmless."""
        if self._library is None:
            return
        self._library.close()
        self._library = None
        self._arena = self._scratch = np.zeros((0, 0), np.uint8)
        self._states, self._named = {}, {}


def _names(plan: Plan) -> dict[str, str]:
    """Function names for profilers: the plan, and the kernels that a function computes."""
    kernels: dict[str, list[str]] = {}
    for launch in plan.launches:
        kernels.setdefault(launch.symbol, []).append(launch.kernel)
    return {symbol: f"mochac {plan.name}: {', '.join(found)}" for symbol, found in kernels.items()}


def _exchanged(
    plan: Plan, addresses: Mapping[str, int], exchange: NativeExchange | None
) -> Mapping[str, tuple[int, int]]:
    """Functions and arguments of the launches that exchange values with other ranks."""
    if not any(launch.call for launch in plan.launches):
        return {}
    if exchange is None:
        raise InternalError(f"plan {plan.name!r} exchanges values with other ranks, and there are none")
    return exchange.rows(plan, addresses)


def _arena(plan: Plan) -> np.ndarray:
    try:
        return aligned_zeros(plan.arena_bytes, np.uint8)
    except MemoryError:
        raise OptionError(
            f"not enough memory for the blobs of plan {plan.name!r}",
            got=f"{plan.arena_bytes:,} bytes",
            hint="a smaller batch_size",
        ) from None


def _scratch(plan: Plan, threads: int) -> np.ndarray:
    """Private memory of each thread, two cache lines apart."""
    args = 8 * max((len(launch.buffers) for launch in plan.launches if launch.loop), default=0)
    stride = _scratch_bytes(plan) + -(-args // ALIGNMENT) * ALIGNMENT + 2 * ALIGNMENT
    return aligned_zeros((threads, stride), np.uint8)


def _scratch_bytes(plan: Plan) -> int:
    """Scratch bytes that the kernels of a plan need, followed by the arguments of launches in loops."""
    need = max((launch.scratch_bytes for launch in plan.launches), default=0)
    return -(-need // ALIGNMENT) * ALIGNMENT


def _reported(placement: Placement, address: int) -> list[tuple[int, int]]:
    """Addresses and kinds of the numbers of a reported value: one, or one for each net."""
    kind = placement.type
    if kind.dtype not in _KINDS or len(kind.shape) > 1:
        raise InternalError(f"scalar output {placement.name!r} has type {kind}")
    return [(address + k * DTYPES[kind.dtype].itemsize, int(_KINDS[kind.dtype])) for k in range(kind.elems)]


def _checked_state(placement: Placement, array: np.ndarray | None) -> np.ndarray:
    if array is None:
        raise InternalError(f"no storage was given for state {placement.key!r}")
    check_array(f"state {placement.key!r}", array, placement.type)
    if not is_aligned(array) or not array.flags.writeable:
        raise InternalError(f"the storage of state {placement.key!r} is not writable and 64-byte aligned")
    return array
