"""Measured rates of a machine: operations per second, and bytes per second of its caches and memory. Backends measure
them (runtime/cpu/peak.py, runtime/cpu/bandwidth.py, runtime/cuda/peak.py); profiles compare kernels with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from mochac.base.records import record

CLOSE = 1.2
"""Rates that differ by less than this confirm each other."""


@record
class Peak:
    """The rate of float32 multiply-adds that a machine reaches, measured now, and what reaches it, in words."""

    gflops: float
    by: str


@record
class Level:
    """A cache, or memory.

    Attributes:
        name: "L1", "L2", "L3" or "memory".
        n_bytes: how much of it the threads have together; None for memory.
        read_gbs: rate of reading, in 1e9 bytes per second.
        copy_gbs: rate of copying; bytes read and bytes written count.
    """

    name: str
    n_bytes: int | None
    read_gbs: float
    copy_gbs: float

    def seconds(self, read: float, written: float = 0.0) -> float:
        """Minimum time to read and write these bytes: as many bytes as are written are copied, the others are only
        read.

        >>> Level("L1", 1000, read_gbs=4.0, copy_gbs=2.0).seconds(read=3e9, written=1e9)
        1.5
        """
        copied = min(2 * written, read + written)
        return (copied / self.copy_gbs + (read + written - copied) / self.read_gbs) / 1e9


@record
class Bandwidth:
    """All levels, nearest first, as measured by this many threads together."""

    threads: int
    levels: tuple[Level, ...]

    def holding(self, n_bytes: float) -> Level:
        """The nearest level that holds a working set of this many bytes, else the farthest level.

        >>> both = (Level("L1", 1000, 4.0, 2.0), Level("memory", None, 1.0, 1.0))
        >>> Bandwidth(1, both).holding(500).name, Bandwidth(1, both).holding(5000).name
        ('L1', 'memory')
        """
        fits = (level for level in self.levels if level.n_bytes is None or n_bytes <= level.n_bytes)
        return next(fits, self.levels[-1])

    def __str__(self) -> str:
        return ", ".join(f"{level.name} {level.read_gbs:,.0f} / {level.copy_gbs:,.0f} GB/s" for level in self.levels)


def confirmed(rates: Sequence[float]) -> float:
    """The largest rate that another one comes close to: other processes only slow a run down, but a clock can be wrong
    either way. The median if no two are close.

    >>> confirmed([500.0, 510.0, 240.0, 3764.0]), confirmed([1.0, 2.0, 9.0])
    (510.0, 2.0)
    """
    down = sorted(rates, reverse=True)
    pairs = pairwise(down)
    return next((high for high, low in pairs if high < low * CLOSE), down[len(down) // 2])
