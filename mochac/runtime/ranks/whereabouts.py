"""Where ranks are, and whether all are there.

What each rank that `mochac train --ranks` has started is doing, in a file per rank, which is read if the rank is
killed.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

RECORD = 200
"""Length of a record. One write replaces the previous record, so that a rank that is killed leaves one of the two
whole."""


def note(folder: Path, rank: int, where: str) -> None:
    """Say what this process, a rank, is doing: "after iteration 17".

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as made:
    ...     note(Path(made), 1, "after iteration 170")
    ...     note(Path(made), 1, "at the end")
    ...     described(Path(made), os.getpid()).replace(str(os.getpid()), "N")
    'rank 1 (process N) has died at the end'
    """
    file = os.open(folder / f"rank-{rank}", os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        os.pwrite(file, f"{os.getpid()} {where}"[:RECORD].ljust(RECORD).encode(), 0)
    finally:
        os.close(file)


def described(folder: Path, pid: int) -> str:
    """What is known about a process that has died."""
    for path in folder.iterdir():
        process, _, where = path.read_text().partition(" ")
        if process == str(pid):
            return f"{path.name.replace('-', ' ')} (process {pid}) has died {where.strip()}"
    return f"process {pid} has died before training began"


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
