"""What each rank that `mochac train --ranks` has started is doing, in a file per rank, which is read if the rank is
killed."""

from __future__ import annotations

import os
from pathlib import Path

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
