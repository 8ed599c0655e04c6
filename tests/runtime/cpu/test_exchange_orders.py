"""The communication thread and the step that waits for it, in drawn orders: no access races, no bucket is lost.

The native functions of exchanges run in Python (orders_kit.py). MPI is a stand-in for a partner that has the number of
the bucket in all elements of its data, and takes a while to answer.
"""

from __future__ import annotations

import numpy as np
import pytest
from orders_kit import Orders

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
from mochac.codegen.native.values import Bytes, Floats, Ints, Pointer, Words

ISEND, IRECV, TESTALL, IALLREDUCE = range(1, 5)
"""Addresses of the functions of the stand-in."""
REFUSED = 15


class Exchanges:
    """A communicator of two ranks, some buckets, and the stand-in for MPI."""

    def __init__(self, orders: Orders, seed: int, refuses: bool = False) -> None:
        rng = np.random.default_rng(seed)
        self.orders, self.rng = orders, rng
        self.steps, self.refuses = int(rng.integers(1, 5)), refuses
        self.counts = rng.integers(1, 40, rng.integers(1, 4)).tolist()
        self.comm = aligned_zeros(int(Comm.WORDS), np.int64)
        self.queue, self.memory = aligned_zeros(QUEUE, np.int64), aligned_zeros(64, np.uint8)
        self.received = aligned_zeros(64, np.float32)
        numbers = {
            Comm.RANK: int(rng.integers(2)), Comm.RANKS: 2, Comm.ISEND: ISEND, Comm.IRECV: IRECV, Comm.TESTALL: TESTALL,
            Comm.IALLREDUCE: IALLREDUCE, Comm.ORDERED: int(rng.integers(2)), Comm.TIMEOUT: 1 << 60, Comm.LOOK: 100,
            Comm.THREADED: 1, Comm.REQUESTS: self.memory.ctypes.data, Comm.REQUEST_BYTES: 8,
            Comm.STATUSES: self.memory.ctypes.data + 16, Comm.RECEIVED: self.received.ctypes.data,
            Comm.QUEUE: self.queue.ctypes.data,
        }  # fmt: skip
        for word, number in numbers.items():
            self.comm[word] = number
        self.arrays = [aligned_zeros(count, np.float32) for count in self.counts]
        self.data = [aligned_zeros(count, np.float32) for count in self.counts]
        self.parts = [np.array([a.ctypes.data, a.nbytes]) for a in self.arrays]
        self.buckets = [self._bucket(k) for k in range(len(self.counts))]
        self.requests = 0
        self.wanted: list[tuple[int, int]] = []
        """Requests that the partner has not answered: a place and the number of elements, negative where they are added
        in place."""

    def _bucket(self, k: int) -> np.ndarray:
        words, parts = aligned_zeros(int(Bucket.WORDS), np.int64), self.parts[k].ctypes.data
        words[Bucket.COMM], words[Bucket.DATA] = self.comm.ctypes.data, self.data[k].ctypes.data
        words[Bucket.COUNT], words[Bucket.NUMBER] = self.counts[k], k
        words[Bucket.N_INPUTS], words[Bucket.INPUTS] = 1, parts
        words[Bucket.N_OUTPUTS], words[Bucket.OUTPUTS] = 1, parts
        return words

    def mpi(self, function: int, *arguments: int | Pointer) -> int:
        """What replaces the call of a function of MPI: 0, or its error. All requests must be tested together."""
        if self.refuses and self.rng.random() < 0.1:
            return REFUSED
        self.requests += function != TESTALL
        if function == IRECV:
            to, count, *_ = arguments
            self.wanted.append((to.address, count))
        elif function == IALLREDUCE:
            _, data, count, *_ = arguments
            self.wanted.append((data.address, -count))
        elif function == TESTALL:
            assert arguments[0] == self.requests
            done = self.rng.random() < 0.4
            self.requests = 0 if done else self.requests
            Ints(arguments[2])[0] = int(done)
            for address, count in self.wanted if done else []:
                self._arrive(Floats(address), count)
            self.wanted = [] if done else self.wanted
        return 0

    def _arrive(self, to: Floats, count: int) -> None:
        """Numbers of the partner: ones, or where it is added in place, one more than there was."""
        for k in range(abs(count)):
            to[k] = 1.0 if count > 0 else to[k] + 1.0

    def lead(self) -> None:
        """What a step does, several times, and the end."""
        words = [Words(bucket.ctypes.data) for bucket in self.buckets]
        for step in range(self.steps):
            for k, array in enumerate(self.arrays):
                for i in range(self.counts[k]):
                    Floats(array.ctypes.data)[i] = 10.0 * step + k
            for bucket in words:
                exchange_start(bucket, 0, 1, Bytes(0))
            for k, bucket in enumerate(words):
                exchange_wait(bucket, 0, 1, Bytes(0))
                self._check(step, k)
        exchange_stop(Words(self.comm.ctypes.data))
        while self.comm.view(np.int32)[2 * Comm.STOP] != STOPPED:
            self.orders.turn()

    def _check(self, step: int, k: int) -> None:
        array, failed = Floats(self.arrays[k].ctypes.data), self.comm[Comm.FAILURE]
        found = {array[i] for i in range(self.counts[k])}
        if failed:
            assert failed == Failure.ERROR
            assert self.comm[Comm.CODE] == REFUSED
        elif self.comm[Comm.ORDERED]:  # half of the sums are the partner's, which sends ones
            assert found <= {10.0 * step + k + 1, 1.0}
        else:
            assert found == {10.0 * step + k + 1}


def faults_of(seed: int, monkeypatch, refuses: bool = False) -> list[str]:
    """What is wrong with a drawn training of two ranks, as lines."""
    orders = Orders(2, seed)
    exchanges = Exchanges(orders, seed, refuses)
    orders.patch(monkeypatch, call_i32_at=exchanges.mpi)
    orders.run([exchanges.lead, lambda: exchange_thread(Words(exchanges.comm.ctypes.data))])
    monkeypatch.undo()
    done, wanted = exchanges.comm[Comm.EXCHANGES], exchanges.steps * len(exchanges.counts)
    return orders.faults[:5] + ([] if refuses or done == wanted else [f"{done} exchanges of {wanted}"])


@pytest.mark.parametrize("refuses", [False, True])
@pytest.mark.parametrize("seed", range(15))
def test_no_order_races_or_loses_a_bucket(seed, refuses, monkeypatch):
    assert not faults_of(seed, monkeypatch, refuses)


@pytest.mark.sampled(0, test=4)
@pytest.mark.parametrize("block", range(4))
def test_hundreds_of_orders(block, monkeypatch):
    for seed in range(1000 + 100 * block, 1100 + 100 * block):
        assert not faults_of(seed, monkeypatch, refuses=seed % 4 == 0)


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["relaxed store", "no wake-up"])
def test_faults_of_exchanges_are_found(fault, monkeypatch):
    found = []
    for seed in range(80):
        with monkeypatch.context() as patched:
            if fault == "no wake-up":
                patched.setattr(Orders, "wake", lambda self, word: None)
            else:
                patched.setattr(Orders, "store", _relaxed)
            found += faults_of(seed, patched)
    assert found


def _relaxed(self: Orders, word: Pointer, value: int, order: str) -> None:
    """A store that releases nothing."""
    del order
    _STORE(self, word, value, "monotonic")


_STORE = Orders.store
