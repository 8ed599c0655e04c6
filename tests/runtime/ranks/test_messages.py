"""How long a rank waits: counted in looks, so that a job that was stopped as a whole has not waited."""

import ctypes
import time
from contextlib import closing

import numpy as np
import pytest

from mochac.base.errors import RankError
from mochac.codegen.cpu.exchange import Comm
from mochac.ir import parse
from mochac.ir.passes.buckets import buckets
from mochac.ir.plan import Share
from mochac.lowering.pipeline import lower
from mochac.runtime.cpu.backend import CpuBackend
from mochac.runtime.cpu.exchange import CpuExchange
from mochac.runtime.ranks import messages
from mochac.runtime.ranks.messages import MAX_CHECK_S, Talk, Timeout
from mochac.runtime.ranks.ranks import Functions

NUMBER = ctypes.c_int
TEXT = """
graph @step(%a: f32[6]) {
  %b: f32[6] = mul(%a, %a)
  %c: f32[6] = rank_sum(%b)
  return %c
}
"""


def test_what_lies_between_two_looks_counts_as_a_second_at_most():
    times = iter([0.0, 0.25, 7200.25, 7200.5])
    timeout = Timeout(1.25, lambda: next(times))
    assert [timeout.is_over() for _ in range(3)] == [False, False, True]
    assert timeout.spent_s == 0.25 + MAX_CHECK_S + 0.25


class Silent:
    """A communicator on which nothing arrives, in a job that was stopped for an hour before the first look."""

    rank, size = 0, 2

    def __init__(self):
        self.looks, self.now = 0, 0.0

    def iprobe(self, source=None, tag=None):
        self.looks += 1
        self.now += 3600 if self.looks == 1 else 0.5
        return False

    def isend(self, value, dest, tag):
        return self

    def test(self):
        return True, None


def test_a_job_that_was_stopped_has_not_been_silent(monkeypatch):
    comm = Silent()
    monkeypatch.setattr(time, "sleep", lambda s: None)
    monkeypatch.setattr("mochac.runtime.ranks.messages.Timeout", lambda s: Timeout(s, lambda: comm.now))
    with pytest.raises(RankError, match="rank 0 waited 10 s for rank 1"):
        Talk(comm, 10).gather(1)
    assert comm.looks == 20  # 1 s for the hour, then 0.5 s each


class Others(Silent):
    """Ranks 1 and 3 answer a roll call, rank 2 does not."""

    size = 4

    def iprobe(self, source=None, tag=None):
        return source in (1, 3)

    def recv(self, source, tag):
        assert source in (1, 3)


def test_a_roll_call_finds_out_who_is_absent(monkeypatch):
    monkeypatch.setattr(messages, "ROLL_CALL_S", 0.02)
    assert messages.absent_ranks(Others()) == [2]


class Together:
    """What a native exchange needs of ranks, with an MPI whose messages never arrive."""

    timeout_s, ordered, share = 900.0, True, Share(0, 2)

    def __init__(self):
        self.tested = 0
        begin = ctypes.CFUNCTYPE(NUMBER, *[ctypes.c_void_p] * 7)(lambda *_: 0)
        test = ctypes.CFUNCTYPE(NUMBER, *[ctypes.c_void_p] * 4)(self._test)
        self.held = [begin, test]
        at = [ctypes.cast(function, ctypes.c_void_p).value for function in self.held]
        zeros = dict.fromkeys(("handle", "single", "double", "sum", "in_place"), 0)
        calls = {"isend": at[0], "irecv": at[0], "testall": at[1], "iallreduce": at[0]}
        self._functions = Functions(**zeros, **calls, request_bytes=8, status_bytes=24, threaded=False)

    def _test(self, n, requests, flag, statuses):
        self.tested += 1
        ctypes.cast(flag, ctypes.POINTER(NUMBER))[0] = 0
        return 0

    def functions(self):
        return self._functions

    def gather(self, value):
        return [value]


def test_native_code_counts_looks_too():
    graph, backend, ranks = buckets(parse(TEXT)), CpuBackend(), Together()
    lowered = lower(graph, backend.generator, scalars={}, named={"c": "c"})
    exchange = CpuExchange(ranks)
    exchange._words[Comm.TIMEOUT], exchange._words[Comm.LOOK] = 1000, 1  # ticks: however long a look takes, it is one
    with closing(backend.bind(lowered.plan, backend.objects(lowered.text), {}, 1, exchange)) as executor:
        executor.run(1, [{"a": np.ones(6, np.float32)}])
    assert ranks.tested > 1000
    with pytest.raises(RankError, match="rank 0 waited 900 s for rank 1 in iteration 8"):
        exchange.check(7)
    exchange.stop()
