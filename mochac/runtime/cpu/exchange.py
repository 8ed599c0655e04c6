"""CpuExchange: the exchanges of a rank's plans, in native code (codegen/cpu/exchange.py)."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Mapping
from functools import cache as once
from math import prod

import numpy as np

from mochac.base.errors import RankError
from mochac.base.files.cache import Cache
from mochac.base.support.memory import aligned_zeros
from mochac.codegen.cpu.exchange import (
    QUEUE,
    STOPPED,
    Bucket,
    Comm,
    Failure,
    exchange_start,
    exchange_stop,
    exchange_thread,
    exchange_wait,
)
from mochac.ir.plan import EXCHANGE_START, EXCHANGE_WAIT, Launch, Plan
from mochac.runtime.cpu import loader
from mochac.runtime.cpu.loader import native_code
from mochac.runtime.cpu.team import start_thread, team
from mochac.runtime.ranks.messages import MAX_CHECK_S, timed_out
from mochac.runtime.ranks.ranks import Exchanged, Ranks, error_text

FOREVER = 1 << 62
ENDS_S = 5.0
"""How long the communication thread may take to end, seconds."""


class CpuExchange:
    """The exchanges of this rank with the others, in a thread of its own if MPI lets several threads call it.

    Args:
        cache: for the compiled functions.
    """

    def __init__(self, ranks: Ranks, cache: Cache | None = None) -> None:
        functions, share, self._ranks = ranks.functions(), ranks.share, ranks
        threaded = all(ranks.gather(functions.threaded))
        self._code = _code(cache)
        self._rate = team(cache).code.rate
        self._memory = aligned_zeros(8 * int(Comm.WORDS), np.uint8)
        loader.immortal(self._memory)
        self._words = self._memory.view(np.int64)
        self._requests = aligned_zeros(2 * functions.request_bytes, np.uint8)
        self._statuses = aligned_zeros(2 * functions.status_bytes, np.uint8)
        self._queue = aligned_zeros(QUEUE, np.int64)
        self._received = aligned_zeros(0, np.uint8)
        self._buckets: list[np.ndarray] = []
        self._kept: list[np.ndarray] = []
        self._known = 0
        ticks = ranks.timeout_s / self._rate.seconds()
        words = {
            Comm.RANK: share.rank, Comm.RANKS: share.ranks, Comm.HANDLE: functions.handle,
            Comm.FLOAT: functions.single, Comm.DOUBLE: functions.double, Comm.SUM: functions.sum,
            Comm.IN_PLACE: functions.in_place, Comm.ISEND: functions.isend, Comm.IRECV: functions.irecv,
            Comm.TESTALL: functions.testall, Comm.IALLREDUCE: functions.iallreduce, Comm.ORDERED: ranks.ordered,
            Comm.TIMEOUT: int(min(ticks, FOREVER)), Comm.LOOK: int(MAX_CHECK_S / self._rate.seconds()),
            Comm.THREADED: threaded,
            Comm.REQUESTS: self._requests.ctypes.data, Comm.REQUEST_BYTES: functions.request_bytes,
            Comm.STATUSES: self._statuses.ctypes.data, Comm.QUEUE: self._queue.ctypes.data,
        }  # fmt: skip
        for word, value in words.items():
            self._words[word] = _signed(value)
        self._threaded = threaded
        if threaded and start_thread(self._code["exchange_thread"], self._memory.ctypes.data):
            self._words[Comm.THREADED] = self._threaded = False

    def rows(self, plan: Plan, addresses: Mapping[str, int]) -> dict[str, tuple[int, int]]:
        """For each launch of a plan that exchanges, by the name of its kernel: the function and its argument.

        Args:
            addresses: of the plan's buffers.
        """
        types = {placement.name: placement.type for placement in plan.placements}
        found: dict[str, np.ndarray] = {}

        def parts(names: tuple[str, ...]) -> tuple[int, int]:
            rows = np.array([(addresses[name], types[name].storage_bytes) for name in names], np.int64)
            self._kept.append(rows)
            return len(names), rows.ctypes.data

        rows: dict[str, tuple[int, int]] = {}
        for launch in plan.launches:
            if launch.symbol in (EXCHANGE_START, EXCHANGE_WAIT):
                starts = launch.symbol == EXCHANGE_START
                token, others = (launch.buffers[-1], launch.buffers[:-1]) if starts else _first(launch)
                if token not in found:
                    found[token] = self._bucket(addresses[token], prod(types[token].shape), types[token].dtype == "f64")
                words = found[token]
                words[Bucket.NUMBER] = len(found) - 1
                n, at = (Bucket.N_INPUTS, Bucket.INPUTS) if starts else (Bucket.N_OUTPUTS, Bucket.OUTPUTS)
                words[n], words[at] = parts(others)
                rows[launch.kernel] = self._code[launch.symbol], words.ctypes.data
        return rows

    def check(self, first: int) -> None:
        """Raise RankError if exchanges have failed in the steps after iteration `first`."""
        words = self._words
        if not words[Comm.FAILURE]:
            self._known = int(words[Comm.EXCHANGES])
            return
        steps = (int(words[Comm.EXCHANGES]) - 1 - self._known) // max(1, len(self._buckets))
        where, partner = f"in iteration {first + 1 + steps}", int(words[Comm.PARTNER])
        if words[Comm.FAILURE] == Failure.TIMEOUT:
            raise timed_out(self._ranks.share.rank, partner, self._ranks.timeout_s, where)
        whom = f"rank {partner}" if partner >= 0 else "the other ranks"
        rule = f"rank {self._ranks.share.rank} could not exchange gradients with {whom} {where}"
        raise RankError(rule, got=error_text(int(words[Comm.CODE])), lost=True)

    def exchanged(self) -> Exchanged:
        """What has been exchanged so far."""
        tick, words = self._rate.seconds(), self._words
        worked, waited = (sum(int(b[word]) for b in self._buckets) * tick for word in (Bucket.WORKED, Bucket.WAITED))
        exchanges, messages, n_bytes = (int(words[w]) for w in (Comm.EXCHANGES, Comm.MESSAGES, Comm.SENT_BYTES))
        return Exchanged(exchanges, messages, n_bytes, worked, waited)

    def stop(self) -> None:
        """End the communication thread; no plan may run afterwards."""
        if self._threaded:
            self._threaded = False
            ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self._code["exchange_stop"])(self._memory.ctypes.data)
            end = time.perf_counter() + ENDS_S
            while self._memory.view(np.int32)[2 * Comm.STOP] != STOPPED and time.perf_counter() < end:
                time.sleep(0.0005)

    def close(self) -> None:
        """There is nothing to release."""

    def _bucket(self, data: int, count: int, double: bool) -> np.ndarray:
        words = aligned_zeros(int(Bucket.WORDS), np.int64)
        words[Bucket.COMM], words[Bucket.DATA] = self._memory.ctypes.data, data
        words[Bucket.COUNT], words[Bucket.DOUBLE] = count, double
        n_bytes = (count + 1) // 2 * (8 if double else 4)
        if n_bytes > len(self._received):
            self._received = aligned_zeros(n_bytes, np.uint8)
            self._words[Comm.RECEIVED] = self._received.ctypes.data
        self._buckets.append(words)
        return words


def _first(launch: Launch) -> tuple[str, tuple[str, ...]]:
    return launch.buffers[0], launch.buffers[1:]


def _signed(value: int) -> int:
    """A word that may be an address in the upper half."""
    return value - (1 << 64) if value >= 1 << 63 else value


@once
def _code(cache: Cache | None) -> loader.MachineCode:
    """The compiled functions, once per process."""
    return native_code([exchange_start, exchange_wait, exchange_thread, exchange_stop], cache)
