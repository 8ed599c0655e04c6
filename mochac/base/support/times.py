"""Measured times and rates, and the number of CPUs.

Times has the duration of each launch of a step and of the pauses between launches; executors measure it. Rates are
operations per second, and bytes per second of caches and memory; backends measure them (runtime/cpu/rates.py,
runtime/cuda/measurements.py), and profiles compare kernels with them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import field
from itertools import pairwise
from pathlib import Path

import numpy as np

from mochac.base.records import record


@record
class Times:
    """Seconds in a typical step of a run.

    Attributes:
        launches: of each launch, in its slowest thread.
        parts: what each launch adds to the step; less than `launches` if launches of a phase run in parallel.
        barriers: all waits between phases, of the thread that arrives last.
        between: from the last launch of a step to the first of the next one.
        step: from the first launch to the first of the next step, reading of clocks included.
        wall: a step in the whole run, measured from outside.
        spans: [threads][launches][2], start and end of each launch in one step of median length, from its begin.
        ranges: [launches][2], of each launch in its slowest thread: in the quickest and in the slowest step of the run;
            empty where steps are not timed one by one.
    """

    launches: np.ndarray
    parts: np.ndarray
    barriers: float
    between: float
    step: float
    wall: float
    spans: np.ndarray = field(repr=False)
    ranges: np.ndarray = field(default_factory=lambda: np.zeros((0, 2)), repr=False)

    @property
    def attributed(self) -> float:
        """The share of a step that launches, barriers and pauses between steps account for; 1 for all of it."""
        return (float(self.parts.sum()) + self.barriers + self.between) / self.step


def from_spans(spans: np.ndarray, synced: Sequence[bool], tick: float, wall: float) -> Times:
    """Times from starts and ends in ticks: means over the middle half of the steps, ordered by duration. (A median for
    each number would leave out delays that are rare in every launch but not in a step.)

    Args:
        spans: [steps][threads][launches][2].
        synced: per launch, whether there is a barrier before it.
        tick: seconds.
        wall: seconds of a step, measured from outside.
    """
    starts, ends = spans[..., 0].astype(np.float64), spans[..., 1].astype(np.float64)
    begins = np.append(starts[:, 0, 0], ends[-1, 0, -1])
    middle = _middle(np.diff(begins)[:-1] if len(spans) > 1 else np.diff(begins))
    spent = (ends - starts)[middle]
    launches = spent.max(axis=1).mean(axis=0)
    parts = launches.copy()
    firsts = [0, *(r for r, barrier in enumerate(synced) if barrier and r)]
    for first, end in zip(firsts, [*firsts[1:], len(synced)], strict=True):
        busy = spent[:, :, first:end].sum(axis=2).max(axis=1).mean()
        parts[first:end] *= busy / max(launches[first:end].sum(), 1.0)
    waits = [(starts[middle, :, r] - ends[middle, :, r - 1]).min(axis=1).mean() for r in firsts[1:]]
    between = 0.0
    if len(spans) > 1:
        between = float((starts[middle + 1, :, 0] - ends[middle, :, -1]).min(axis=1).mean())
    step = float(np.diff(begins)[middle].mean())
    one = middle[len(middle) // 2]
    shown = (np.stack([starts[one], ends[one]], axis=-1) - begins[one]) * tick
    slowest = (ends - starts).max(axis=1) * tick
    ranges = np.stack([slowest.min(axis=0), slowest.max(axis=0)], axis=-1)
    waited = float(sum(waits)) * tick
    return Times(launches * tick, parts * tick, waited, between * tick, step * tick, wall, shown, ranges)


def one_after_the_other(launches: np.ndarray) -> np.ndarray:
    """The spans of launches that follow each other without a pause.

    >>> one_after_the_other(np.array([1.0, 2.0])).tolist()
    [[[0.0, 1.0], [1.0, 3.0]]]
    """
    ends = np.cumsum(launches)
    return np.stack([ends - launches, ends], axis=-1)[None]


def _middle(seconds: np.ndarray) -> np.ndarray:
    """Indices of the steps that are neither in the fastest nor in the slowest quarter."""
    order = np.argsort(seconds, kind="stable")
    return order[len(order) // 4 : -(-3 * len(order) // 4)]


def typical(runs: Sequence[Times]) -> Times:
    """The run with the median time."""
    return sorted(runs, key=lambda run: run.step)[len(runs) // 2]


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


def default_threads() -> int:
    """Default number of threads: CPUs of the affinity mask, at most the cgroup's CPU quota rounded up, >= 1."""
    try:
        cpus = len(os.sched_getaffinity(0))
    except AttributeError:  # not Linux
        cpus = os.cpu_count() or 1
    quota = cgroup_quota()
    return max(1, cpus if quota is None else min(cpus, -int(-quota // 1)))


def cgroup_quota(root: Path = Path("/sys/fs/cgroup"), membership: Path = Path("/proc/self/cgroup")) -> float | None:
    """CPUs granted by the tightest cgroup (v2 cpu.max, v1 cpu.cfs_quota_us) around this process; None: no limit."""
    found = [q for folder in _cgroup_folders(root, membership) if (q := _quota_of(folder)) is not None]
    return min(found, default=None)


def _cgroup_folders(root: Path, membership: Path) -> list[Path]:
    folders = [root, root / "cpu"]
    try:
        rows = membership.read_text().splitlines()
    except OSError:
        return folders
    for row in rows:
        controllers, _, path = row.partition(":")[2].partition(":")
        if controllers not in ("", "cpu", "cpu,cpuacct", "cpuacct,cpu"):
            continue
        base = root / controllers if controllers else root
        parts = [p for p in path.split("/") if p and p != ".."]
        folders += [base.joinpath(*parts[:n]) for n in range(1, len(parts) + 1)]
    return folders


def _quota_of(folder: Path) -> float | None:
    try:
        if (folder / "cpu.max").exists():
            quota, period = (folder / "cpu.max").read_text().split()
        else:
            quota = (folder / "cpu.cfs_quota_us").read_text().strip()
            period = (folder / "cpu.cfs_period_us").read_text().strip()
        return None if quota in ("max", "-1") else int(quota) / int(period)
    except (OSError, ValueError, ZeroDivisionError):
        return None
