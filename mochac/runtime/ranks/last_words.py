"""Last words: an error that ends several ranks is printed once, by rank 0 if it knows the error."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

TAG = 78
SENDING_S = 5.0
"""How long rank 0 waits until its words have been sent, seconds."""
POLL_S = 0.001


def is_said(comm: Any, error: BaseException, timeout_s: float) -> bool:
    """Whether rank 0 prints the error that ends this rank. Every rank that ends with an error calls it.

    Args:
        comm: a communicator of mpi4py.
        timeout_s: how long to wait for rank 0; after that, this rank prints its error itself.
    """
    if comm.rank == 0:
        sent = [comm.isend(str(error), dest=rank, tag=TAG) for rank in range(1, comm.size)]
        _until(lambda: all([request.test()[0] for request in sent]), SENDING_S)
        return False
    if not _until(lambda: comm.iprobe(source=0, tag=TAG), timeout_s):
        return False
    return next(iter(str(error).splitlines()), "") in comm.recv(source=0, tag=TAG)


def _until(done: Callable[[], bool], seconds: float) -> bool:
    """Whether a condition becomes true before the time is over."""
    end = time.perf_counter() + seconds
    while not done():
        if time.perf_counter() > end:
            return False
        time.sleep(POLL_S)
    return True
