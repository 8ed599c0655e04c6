"""Watch: ends this rank when another rank on the same machine has died, and says which one and when."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from mochac.base.support.log import LOG
from mochac.runtime.ranks.hearing import wait_until_heard

LOOK_S = 0.5
"""How often the other processes are checked, seconds."""
GRACE_S = 2.0
"""How long after the death of a rank that has reported why it ends the others end too, seconds."""


class Watch:
    """Checks other processes, in a thread.

    Args:
        processes: their numbers, by rank; those of other machines are 0.
        rank: this one.
        where: what the training is doing.
    """

    def __init__(self, processes: Sequence[int], rank: int, where: Callable[[], str]) -> None:
        self._processes, self._rank, self._where = processes, rank, where
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="mochac-watch", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop checking."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(LOOK_S):
            dead = [rank for rank, process in enumerate(self._processes) if process and has_ended(process)]
            if dead and not self._stopped.wait(GRACE_S):
                self._end(dead)

    def _end(self, dead: Sequence[int]) -> None:
        """End this process; the first living rank says why."""
        first = next(rank for rank, process in enumerate(self._processes) if process and rank not in dead)
        if self._rank == first:
            LOG.error(
                "rank %d (process %d) has died %s; all ranks end", dead[0], self._processes[dead[0]], self._where()
            )
        wait_until_heard()
        os._exit(1)


def has_ended(process: int) -> bool:
    """Whether a process has ended; it may still be waiting for its parent to collect it.

    >>> has_ended(os.getpid())
    False
    """
    try:
        if os.path.isdir("/proc/self"):
            return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
        os.kill(process, 0)
    except (FileNotFoundError, ProcessLookupError):
        return True
    except OSError:
        return False
    return False
