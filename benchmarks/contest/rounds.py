"""Interleaved rounds: the machine's peak, then a burst of steps of every contender, again and again.

measure.py runs them. Clocks float and neighbours come and go, so only figures of one round are compared with each
other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from contest.contender import Contender
from contest.load import BUSY, Load

WARM_UP = 3
"""Untimed steps before each burst: caches are the contender's own by then. Long steps need one only."""
LONG_S = 0.03
FEWEST = 2
PAUSE_S = 0.02
"""Between bursts, so that the last contender's spinning threads fall asleep."""
PEAK_S = 0.03


@dataclass(frozen=True)
class Burst:
    """One contender's turn: seconds a step, of all of it, and what part of the CPUs' time went elsewhere."""

    step_s: float
    wall_s: float
    elsewhere: float


@dataclass
class Round:
    """One round.

    Attributes:
        bursts: by contender.
        peak: GFLOP/s measured in the round.
        other, stolen: shares of the CPUs' time that went elsewhere.
    """

    bursts: dict[str, Burst] = field(default_factory=dict)
    peak: float = 0.0
    other: float = 0.0
    stolen: float = 0.0

    @property
    def busy(self) -> bool:
        """Whether something else took more than a tenth of the machine."""
        return self.other + self.stolen > BUSY

    def step_s(self, name: str) -> float:
        """Seconds a step."""
        return self.bursts[name].step_s


def read_round(given: dict) -> Round:
    """What dataclasses.asdict made of one."""
    return Round(**{**given, "bursts": {name: Burst(**b) for name, b in given["bursts"].items()}})


def run_rounds(
    contenders: Sequence[Contender], peak: Callable[[float], float], burst_s: float, seconds: float
) -> list[Round]:
    """Rounds for about `seconds`, at least one, every burst about `burst_s` long."""
    plans = {c.name: _lengths(c, burst_s) for c in contenders}
    rounds = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or not rounds:
        load, begin = Load(), time.perf_counter()
        now = Round(peak=peak(PEAK_S))
        for contender in contenders:
            now.bursts[contender.name] = _burst(contender, *plans[contender.name])
            time.sleep(PAUSE_S)
        now.other, now.stolen = load.shares(time.perf_counter() - begin)
        rounds.append(now)
    return rounds


def _burst(contender: Contender, warm_up: int, n: int) -> Burst:
    contender.reset()
    contender.steps(warm_up)
    load, begin = Load(), time.perf_counter()
    contender.steps(n)
    wall = time.perf_counter() - begin
    return Burst(wall / n, wall, sum(load.shares(wall)))


def _lengths(contender: Contender, burst_s: float) -> tuple[int, int]:
    """Steps before a burst, and of it."""
    contender.reset()
    contender.steps(1)
    n, step = 1, 0.0
    for _ in range(4):  # short steps need many for a clock that means something
        begin = time.perf_counter()
        contender.steps(n)
        step = (time.perf_counter() - begin) / n
        if step * n > burst_s / 4:
            break
        n = max(n + 1, round(burst_s / 2 / step))
    return (1 if step > LONG_S else WARM_UP), max(FEWEST, round(burst_s / step))
