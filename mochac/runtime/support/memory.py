"""How much memory a process may still take.

Readers of files and the graph interpreter compare sizes that a text or a file states with it, before they allocate. It
knows nothing of either.
"""

from __future__ import annotations

import os
from pathlib import Path

_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))


SMALL_BYTES = 64 << 20
"""So much is taken to be there, without asking the system."""


def fits(n_bytes: int) -> bool:
    """Whether that much memory can be taken.

    >>> fits(1000), fits(2**80)
    (True, False)
    """
    return n_bytes <= SMALL_BYTES or n_bytes <= available_bytes()


def available_bytes() -> int:
    """Memory that can be taken without swapping, within the limit of the process's container; bytes.

    >>> available_bytes() > 0
    True
    """
    return min([_free(), *(limit for path in _LIMITS if (limit := _number(path)))])


def _free() -> int:
    """What Linux says is available, else all there is."""
    try:
        rows = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
        return int(rows["MemAvailable"].split()[0]) << 10
    except (OSError, ValueError, KeyError):
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not every system says
        return 1 << 40


def _number(path: Path) -> int:
    """A file's number, 0 for none or "max"."""
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return 0
