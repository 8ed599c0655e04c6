"""Two ranks without MPI: what they send arrives, and what is wrong with one of them is noticed."""

import ctypes
import os
import signal
import socket
from multiprocessing import Pipe

import numpy as np
import pytest

from mochac.tools.fuzzing.blocks import drawn
from mochac.tools.fuzzing.children import verdicts
from mochac.tools.fuzzing.pair import Pair, two_ranks
from mochac.tools.fuzzing.verdicts import AGREE, DIFFER, ERROR

SENT = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_int64, ctypes.c_int, ctypes.c_int, ctypes.c_int64,
    ctypes.c_void_p,
)  # fmt: skip
TESTED = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_int), ctypes.c_void_p)

SUMS, RESULTS = 1, 2
"""Tags of numbers that are added, and of their sums."""
ZEROS = np.zeros(1 << 20, np.uint8)


@pytest.mark.parametrize("n", [0, 1, 300_000])
def test_numbers_are_swapped_whatever_fits_a_socket(n):
    ends = [*zip(Pipe(), socket.socketpair(), strict=True)]
    pairs = [Pair(rank, *end) for rank, end in enumerate(ends)]
    source = np.arange(2.0 * n).reshape(2, n)
    arrived, done = np.zeros_like(source), [ctypes.c_int(0), ctypes.c_int(0)]
    calls = [pair.functions() for pair in pairs]
    for rank, call in enumerate(calls):
        SENT(call.irecv)(arrived[rank].ctypes.data, n, call.double, 1 - rank, 1, 0, None)
        SENT(call.isend)(source[rank].ctypes.data, n, call.double, 1 - rank, 1, 0, None)
    while not all(done):
        for rank, call in enumerate(calls):
            assert TESTED(call.testall)(2, None, ctypes.byref(done[rank]), None) == 0
    assert np.array_equal(arrived, source[::-1])
    for end in sum(ends, ()):
        end.close()


def test_messages_wait_for_their_tag():
    ends = [*zip(Pipe(), socket.socketpair(), strict=True)]
    one, other = (Pair(rank, *end) for rank, end in enumerate(ends))
    assert not other.iprobe(0, 7)
    one.isend("a", 1, 7).test()
    one.isend("b", 1, 8)
    assert other.wait(8) == "b"
    assert other.recv(0, 7) == "a"
    for end in sum(ends, ()):
        end.close()


def test_a_second_rank_that_fails_is_an_error(capfd):
    def fail(pair):
        raise ValueError("no")

    with pytest.raises(RuntimeError, match="rank 1 has ended with status 1"), two_ranks(fail):
        pass


def test_a_second_rank_that_is_killed_is_an_error():
    with pytest.raises(EOFError), two_ranks(lambda pair: os.kill(os.getpid(), signal.SIGKILL)) as pair:
        pair.wait(1)


def test_the_last_message_of_a_rank_that_has_ended_arrives():
    with two_ranks(lambda pair: pair.isend("last", 0, 1)) as pair:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
        assert pair.wait(1) == "last"


def test_a_first_rank_that_fails_ends_the_second():
    with pytest.raises(ValueError, match="no"), two_ranks(lambda pair: pair.wait(1)):
        raise ValueError("no")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wrong", "kind", "text"),
    [((), AGREE, ""), ((SUMS,), DIFFER, "expected the same bits"), ((SUMS, RESULTS), ERROR, "different parameters")],
)
def test_wrong_exchanges_are_found(wrong, kind, text, monkeypatch):
    """Zeros are sent instead of some numbers."""
    send = Pair._isend

    def sent(pair, start, n, size, rank, tag, *others):
        return send(pair, ZEROS.ctypes.data if tag in wrong else start, n, size, rank, tag, *others)

    monkeypatch.setattr(Pair, "_isend", sent)
    case = next(case for case in map(drawn, range(1, 99)) if case.batch == 16)
    found = verdicts(case, ["ranks"])["ranks"]
    assert found.kind == kind
    assert text in found.text
