"""Last words: an error that ends several ranks is said once, by rank 0 if it knows it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

TAG = 78
PATIENCE_S = 5.0
"""How long a rank waits for rank 0 before it says its error itself, seconds; and rank 0 for its words to be sent."""
POLL_S = 0.001


def is_said(comm: Any, error: BaseException) -> bool:
    """Whether rank 0 says the error that ends this rank; every rank that ends by one calls it.

    Args:
        comm: a communicator of mpi4py.
    """
    if comm.rank == 0:
        sent = [comm.isend(str(error), dest=rank, tag=TAG) for rank in range(1, comm.size)]
        _until(lambda: all([request.test()[0] for request in sent]))
        return False
    if not _until(lambda: comm.iprobe(source=0, tag=TAG)):
        return False
    return next(iter(str(error).splitlines()), "") in comm.recv(source=0, tag=TAG)


def _until(done: Callable[[], bool]) -> bool:
    """Whether something is the case before the time is over."""
    end = time.perf_counter() + PATIENCE_S
    while not done():
        if time.perf_counter() > end:
            return False
        time.sleep(POLL_S)
    return True
