"""Roll call: which ranks still answer. Ranks that have waited in vain for an operation of all ranks ask for it."""

from __future__ import annotations

import time
from typing import Any

TAG = 79
PATIENCE_S = 5.0
"""How long the others may take to answer, seconds. Waiting ranks check several times per second."""
POLL_S = 0.01


def is_called(comm: Any) -> bool:
    """Whether another rank has called the roll.

    Args:
        comm: a communicator of mpi4py.
    """
    return bool(comm.iprobe(tag=TAG))


def absent(comm: Any) -> list[int]:
    """The other ranks that do not answer. Once one rank has called it, all that still run do."""
    waiting = set(range(comm.size)) - {comm.rank}
    sent = [comm.isend(None, dest=rank, tag=TAG) for rank in waiting]
    end = time.monotonic() + PATIENCE_S
    while waiting and time.monotonic() < end:
        for rank in [rank for rank in waiting if comm.iprobe(source=rank, tag=TAG)]:
            comm.recv(source=rank, tag=TAG)
            waiting.remove(rank)
        time.sleep(POLL_S)
    for request in sent:
        request.test()
    return sorted(waiting)
