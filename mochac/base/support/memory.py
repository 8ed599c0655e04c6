"""How much memory this process can still allocate.

Readers of files and the graph interpreter check stated sizes against it before they allocate.
"""

from __future__ import annotations

import os
from pathlib import Path

_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))


SMALL_BYTES = 64 << 20
"""Assumed to be available, without asking the system."""


def fits(n_bytes: int) -> bool:
    """Whether that much memory can be allocated.

    >>> fits(1000), fits(2**80)
    (True, False)
    """
    return n_bytes <= SMALL_BYTES or n_bytes <= available_bytes()


def available_bytes() -> int:
    """Memory that can be allocated without swapping, within the limit of the container; bytes.

    >>> available_bytes() > 0
    True
    """
    return min([_free(), *(limit for path in _LIMITS if (limit := _number(path)))])


def _free() -> int:
    """What Linux reports as available, else all physical memory."""
    try:
        rows = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
        return int(rows["MemAvailable"].split()[0]) << 10
    except (OSError, ValueError, KeyError):
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not known on every system
        return 1 << 40


def _number(path: Path) -> int:
    """The number in a file; 0 for no file or "max"."""
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return 0
