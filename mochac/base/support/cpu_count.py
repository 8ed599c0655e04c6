"""How many CPUs this process may use."""

from __future__ import annotations

import os
from pathlib import Path


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
