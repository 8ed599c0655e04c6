"""Hearing: wait until the launcher has read the last words of a rank. What it has not read when the rank ends is
lost."""

from __future__ import annotations

import os
import stat
import struct
import sys
import time
from collections.abc import Sequence

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
