"""Ranks watch each other: heartbeats and patience.

Hearing: wait until the launcher has read the last words of a rank. What it has not read when the rank ends is
lost.
"""

from __future__ import annotations

import os
import stat
import struct
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from mochac.base.support.log import LOG

MOST_S = 10.0
"""How long a launcher may take to read what a rank has printed, seconds."""
PASSED_ON_S = 1.0
"""How much longer a rank waits, so that the launcher can pass its words on, seconds."""
POLL_S = 0.01


def wait_until_heard() -> None:
    """Wait until what this process has printed has been read, and passed on."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    end = time.monotonic() + MOST_S
    while unread((1, 2)) and time.monotonic() < end:
        time.sleep(POLL_S)
    time.sleep(PASSED_ON_S)


def unread(files: Sequence[int]) -> int:
    """Bytes that lie in these pipes; 0 for other files.

    >>> out, into = os.pipe()
    >>> unread((into,)), os.write(into, b"rank 1 has died"), unread((into,))
    (0, 15, 15)
    >>> len(os.read(out, 10)), unread((into,))
    (10, 5)
    >>> os.close(out), os.close(into)
    (None, None)
    """
    return sum(map(_in_pipe, files))


def _in_pipe(file: int) -> int:
    try:
        import fcntl  # not on every system
        import termios

        if not stat.S_ISFIFO(os.fstat(file).st_mode):
            return 0
        return struct.unpack("i", fcntl.ioctl(file, termios.FIONREAD, bytes(4)))[0]
    except (ImportError, OSError):
        return 0


LONGEST_LOOK_S = 1.0
"""The time between two checks counts as at most this long, seconds: a job that was stopped (Ctrl-Z, a batch system, a
laptop that slept) has not waited meanwhile."""


class Patience:
    """Counts the time of a wait, from check to check.

    Args:
        limit_s: how long to wait.
        clock: seconds.

    >>> times = iter([0.0, 0.5, 3600.0, 3600.5])
    >>> patience = Patience(1.7, lambda: next(times))
    >>> patience.is_over(), patience.is_over(), patience.is_over()
    (False, False, True)
    """

    def __init__(self, limit_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit_s, self._clock = limit_s, clock
        self.spent_s, self._last = 0.0, clock()

    def is_over(self) -> bool:
        """Whether it has lasted too long; called at every check."""
        now = self._clock()
        self.spent_s += min(now - self._last, LONGEST_LOOK_S)
        self._last = now
        return self.spent_s > self._limit_s


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
