"""Messages between ranks outside of native code: values gathered, a roll call, the error that ends a training.

Rank 0 gathers a value from every rank, such as how many steps run next, and sends the list to all. So every rank knows
which one fails or does not answer. An error that ends several ranks is printed once, by rank 0 if it knows the error.
Gradients are exchanged elsewhere (runtime/cpu/exchange.py).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from mochac.base.errors import RankError

MAX_CHECK_S = 1.0
"""Time between two checks beyond this does not count, seconds: a job that was stopped (Ctrl-Z, a batch system, a
laptop that slept) has not waited meanwhile."""


class Timeout:
    """A timeout in which only the time between checks counts.

    Args:
        limit_s: how long to wait.
        clock: seconds.

    >>> times = iter([0.0, 0.5, 3600.0, 3600.5])
    >>> timeout = Timeout(1.7, lambda: next(times))
    >>> timeout.is_over(), timeout.is_over(), timeout.is_over()
    (False, False, True)
    """

    def __init__(self, limit_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit_s, self._clock = limit_s, clock
        self.spent_s, self._last = 0.0, clock()

    def is_over(self) -> bool:
        """Whether the wait has lasted longer than the limit; called at every check."""
        now = self._clock()
        self.spent_s += min(now - self._last, MAX_CHECK_S)
        self._last = now
        return self.spent_s > self._limit_s


TAG = 77
POLL_S = 0.0002
"""Time between two checks for a message, once a rank has waited for SPIN_S, seconds."""
SPIN_S = 0.002


class Talk:
    """Gathers a value from every rank, or the failure of one.

    Args:
        comm: a communicator of mpi4py that nothing else uses.
        timeout_s: how long to wait for the answer of a rank.
    """

    def __init__(self, comm: Any, timeout_s: float) -> None:
        self._comm, self._timeout_s = comm, timeout_s
        self.rank, self.ranks = int(comm.rank), int(comm.size)
        self.where = ""
        """What the training is doing, for messages: "after iteration 17"."""
        self._sent: list[Any] = []
        self._ended = False

    def gather(self, value: Any) -> list[Any]:
        """The values of all ranks, in their order; every rank calls it.

        Raises:
            RankError: a rank has failed, or does not answer.
        """
        if self._ended:
            raise RankError("the ranks of this training no longer answer")
        if self.rank:
            self._send(("value", value), 0)
            return self._opened(self._receive(0, 2 * self._timeout_s))
        found = [("value", value), *(self._receive(rank, self._timeout_s) for rank in range(1, self.ranks))]
        failures = [(rank, message[1]) for rank, message in enumerate(found) if message[0] == "failed"]
        answer = ("failed", failures[0]) if failures else ("value", [message[1] for message in found])
        for rank in range(1, self.ranks):
            if found[rank][0] != "failed":
                self._send(answer, rank)
        return self._opened(answer)

    def fail(self, why: str) -> None:
        """Tell the other ranks that this one has failed; they learn of it when they next gather."""
        if self._ended:
            return
        self._ended = True
        others = range(1, self.ranks) if self.rank == 0 else [0]
        for rank in others:
            self._send(("failed", (0, why) if self.rank == 0 else why), rank)

    def _opened(self, answer: Any) -> list[Any]:
        kind, value = answer
        if kind == "failed":
            self._ended = True
            rank, why = value
            raise RankError(f"rank {rank} failed", details=[why])
        return value

    def _send(self, message: Any, rank: int) -> None:
        self._sent = [request for request in self._sent if not request.test()[0]]  # the others' memory is still read
        self._sent.append(self._comm.isend(message, dest=rank, tag=TAG))

    def _receive(self, rank: int, timeout_s: float) -> Any:
        timeout = Timeout(timeout_s)
        while not self._comm.iprobe(source=rank, tag=TAG):
            if timeout.is_over():
                self._ended = True
                raise timed_out(self.rank, rank, timeout_s, self.where)
            time.sleep(POLL_S if timeout.spent_s > SPIN_S else 0)
        return self._comm.recv(source=rank, tag=TAG)


def timed_out(rank: int, other: int, seconds: float, where: str) -> RankError:
    """The error of a rank whose wait for another one has timed out."""
    whom = f"rank {other}" if other >= 0 else "the other ranks"
    rule = f"rank {rank} waited {seconds:g} s for {whom}{where and ' ' + where}"
    hint = "look at its machine and its log; MOCHAC_RANK_TIMEOUT says how long ranks wait for each other, in seconds"
    return RankError(rule, hint=hint, lost=True)


ROLL_CALL_TAG = 79
ROLL_CALL_S = 5.0
"""How long the others may take to answer a roll call, seconds. Waiting ranks check several times per second."""
ROLL_CALL_POLL_S = 0.01


def is_roll_called(comm: Any) -> bool:
    """Whether another rank asks which ranks still run.

    Args:
        comm: a communicator of mpi4py.
    """
    return bool(comm.iprobe(tag=ROLL_CALL_TAG))


def absent_ranks(comm: Any) -> list[int]:
    """Roll call: the other ranks that do not answer. Once one rank calls it, all that still run do."""
    waiting = set(range(comm.size)) - {comm.rank}
    sent = [comm.isend(None, dest=rank, tag=ROLL_CALL_TAG) for rank in waiting]
    end = time.monotonic() + ROLL_CALL_S
    while waiting and time.monotonic() < end:
        for rank in [rank for rank in waiting if comm.iprobe(source=rank, tag=ROLL_CALL_TAG)]:
            comm.recv(source=rank, tag=ROLL_CALL_TAG)
            waiting.remove(rank)
        time.sleep(ROLL_CALL_POLL_S)
    for request in sent:
        request.test()
    return sorted(waiting)


ERROR_TAG = 78
SENDING_S = 5.0
"""How long rank 0 waits until its error has been sent, seconds."""
ERROR_POLL_S = 0.001


def is_reported(comm: Any, error: BaseException, timeout_s: float) -> bool:
    """Whether rank 0 prints the error that ends this rank. Every rank that ends with an error calls it.

    Args:
        comm: a communicator of mpi4py.
        timeout_s: how long to wait for rank 0; after that, this rank prints its error itself.
    """
    if comm.rank == 0:
        sent = [comm.isend(str(error), dest=rank, tag=ERROR_TAG) for rank in range(1, comm.size)]
        _until(lambda: all([request.test()[0] for request in sent]), SENDING_S)
        return False
    if not _until(lambda: comm.iprobe(source=0, tag=ERROR_TAG), timeout_s):
        return False
    return next(iter(str(error).splitlines()), "") in comm.recv(source=0, tag=ERROR_TAG)


def _until(done: Callable[[], bool], seconds: float) -> bool:
    """Whether a condition becomes true in time."""
    end = time.perf_counter() + seconds
    while not done():
        if time.perf_counter() > end:
            return False
        time.sleep(ERROR_POLL_S)
    return True
