"""How busy the machine was with other things: from /proc, between two looks.

rounds.py and startup.py ask. Where there is no /proc/stat the shares are unknown (nan).
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

BUSY = 0.10
"""Share of the CPUs' time spent on other processes or stolen, above which a figure is marked as taken while busy."""


@dataclass
class Load:
    """Look once when made, again in `shares`."""

    children: bool = False
    """Count this process's finished children as its own."""
    _start: tuple[float, float, float] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._start = self._look()

    def _look(self) -> tuple[float, float, float] | None:
        """Seconds since boot over all CPUs: at work, stolen; and at work for this process."""
        try:
            words = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
        except OSError:
            return None
        user, nice, system, _idle, _wait, irq, softirq, steal = (int(w) for w in words[:8])
        tick = os.sysconf("SC_CLK_TCK")
        times = os.times()
        own = times.user + times.system
        if self.children:
            own += times.children_user + times.children_system
        return (user + nice + system + irq + softirq) / tick, steal / tick, own

    def shares(self, wall_s: float) -> tuple[float, float]:
        """(other processes', stolen) as parts of all CPUs' time since the start; nan where unknown."""
        now = self._look()
        if now is None or self._start is None or wall_s <= 0:
            return float("nan"), float("nan")
        busy, stolen, own = (b - a for a, b in zip(self._start, now, strict=True))
        room = wall_s * (os.cpu_count() or 1)
        return max(0.0, busy - own) / room, stolen / room


def average() -> float:
    """Load average of the last minute."""
    try:
        return os.getloadavg()[0]
    except OSError:
        return float("nan")
