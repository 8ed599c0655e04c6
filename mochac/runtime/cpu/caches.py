"""The data caches of this machine's CPUs, and how much of each a number of threads has."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from mochac.base.records import record
from mochac.base.support.times import default_threads

_SYS = Path("/sys/devices/system/cpu/cpu0/cache")
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


@record(slots=True)
class DataCache:
    """A level of cache.

    Attributes:
        n_bytes: size of one cache.
        cpus: number of CPUs that share one.
        ways: lines of a set; 0 if not known.
    """

    level: int
    n_bytes: int
    cpus: int
    ways: int = 0

    def held_by(self, threads: int) -> int:
        """Bytes that a number of threads have together, each on a core of its own.

        >>> DataCache(level=2, n_bytes=1 << 20, cpus=1).held_by(1)
        1048576
        """
        caches = max(1, default_threads() // self.cpus)
        return self.n_bytes * min(threads, caches)


GUESS = (DataCache(1, 32 << 10, 1), DataCache(2, 512 << 10, 1), DataCache(3, 16 << 20, 8))
"""Sizes for systems that do not report them."""


@lru_cache(maxsize=4)
def caches(folder: Path = _SYS) -> tuple[DataCache, ...]:
    """Data and unified caches, nearest first, as Linux lists them for its first CPU; on other systems, a guess."""
    found: dict[int, DataCache] = {}
    for index in sorted(folder.glob("index*")):
        try:
            fields = [(index / name).read_text().strip() for name in ("type", "level", "size", "shared_cpu_list")]
            kind, level, size, shared = fields
            if kind != "Instruction":
                found[int(level)] = DataCache(int(level), _bytes(size), _count(shared), _ways(index))
        except (OSError, ValueError):
            continue
    return tuple(found[level] for level in sorted(found)) or GUESS


def _bytes(text: str) -> int:
    """Bytes of a size such as 48K."""
    unit = _UNITS.get(text[-1:], 1)
    return int(text.rstrip("KMG")) * unit


def _ways(index: Path) -> int:
    try:
        return int((index / "ways_of_associativity").read_text())
    except (OSError, ValueError):
        return 0


def _count(cpus: str) -> int:
    """Number of CPUs in a list such as 0-3,8."""
    n = 0
    for part in cpus.split(","):
        first, _, last = part.partition("-")
        n += int(last or first) - int(first) + 1
    return n
