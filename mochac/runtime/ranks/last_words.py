"""Last words: an error that ends several ranks is said once, by rank 0 if it knows it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

TAG = 78
SENDING_S = 5.0
"""How long rank 0 waits until its words have been sent, seconds."""
POLL_S = 0.001


def is_said(comm: Any, error: BaseException, timeout_s: float) -> bool:
    """Whether rank 0 says the error that ends this rank; every rank that ends by one calls it.

    Args:
        comm: a communicator of mpi4py.
        timeout_s: how long rank 0 may not answer; then this rank says its error itself.
    """
    if comm.rank == 0:
        sent = [comm.isend(str(error), dest=rank, tag=TAG) for rank in range(1, comm.size)]
        _until(lambda: all([request.test()[0] for request in sent]), SENDING_S)
        return False
    if not _until(lambda: comm.iprobe(source=0, tag=TAG), timeout_s):
        return False
    return next(iter(str(error).splitlines()), "") in comm.recv(source=0, tag=TAG)


def _until(done: Callable[[], bool], seconds: float) -> bool:
    """Whether something is the case before the time is over."""
    end = time.perf_counter() + seconds
    while not done():
        if time.perf_counter() > end:
            return False
        time.sleep(POLL_S)
    return True
