"""Talk: messages between ranks outside of native code, such as how many steps run next.

Rank 0 gathers a value from every rank and sends the list to all. So all the others know which rank fails or does not
answer. Gradients are exchanged elsewhere (runtime/cpu/exchange.py).
"""

from __future__ import annotations

import time
from typing import Any

from mochac.base.errors import RankError
from mochac.runtime.ranks.watch import Patience

TAG = 77
POLL_S = 0.0002
"""How often a rank checks for a message after it has waited for a moment, seconds."""
MOMENT_S = 0.002


class Talk:
    """The messages between ranks.

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
        failures = [(rank, said[1]) for rank, said in enumerate(found) if said[0] == "failed"]
        answer = ("failed", failures[0]) if failures else ("value", [said[1] for said in found])
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
        patience = Patience(timeout_s)
        while not self._comm.iprobe(source=rank, tag=TAG):
            if patience.is_over():
                self._ended = True
                raise silence(self.rank, rank, timeout_s, self.where)
            time.sleep(POLL_S if patience.spent_s > MOMENT_S else 0)
        return self._comm.recv(source=rank, tag=TAG)


def silence(rank: int, other: int, seconds: float, where: str) -> RankError:
    """The error of a rank that has waited too long for another one."""
    whom = f"rank {other}" if other >= 0 else "the other ranks"
    rule = f"rank {rank} waited {seconds:g} s for {whom}{where and ' ' + where}"
    hint = "look at its machine and its log; MOCHAC_RANK_TIMEOUT says how long ranks wait for each other, in seconds"
    return RankError(rule, hint=hint, lost=True)
