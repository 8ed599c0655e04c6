"""Interleaved rounds: the machine's peak, then a burst of steps of every contender, again and again.

lenet.py runs them. Clocks float and neighbours come and go, so only figures of one round are compared with each other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from contest.contender import Contender
from contest.load import BUSY, Load

WARM_UP = 3
"""Untimed steps before each burst: caches are the contender's own by then."""
PAUSE_S = 0.02
"""Between bursts, so that the last contender's spinning threads fall asleep."""
PEAK_S = 0.03


@dataclass
class Round:
    """One round.

    Attributes:
        step_s: seconds a step by contender.
        peak: GFLOP/s measured in the round.
        other, stolen: shares of the CPUs' time that went elsewhere.
    """

    step_s: dict[str, float] = field(default_factory=dict)
    peak: float = 0.0
    other: float = 0.0
    stolen: float = 0.0

    @property
    def busy(self) -> bool:
        """Whether something else took more than a tenth of the machine."""
        return self.other + self.stolen > BUSY


def run_rounds(
    contenders: Sequence[Contender], peak: Callable[[float], float], burst_s: float, seconds: float
) -> list[Round]:
    """Rounds for about `seconds`, every burst about `burst_s` long and at least 5 steps."""
    lengths = {c.name: _burst_length(c, burst_s) for c in contenders}
    rounds = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or not rounds:
        load, begin = Load(), time.perf_counter()
        now = Round(peak=peak(PEAK_S))
        for contender in contenders:
            now.step_s[contender.name] = _burst(contender, lengths[contender.name])
            time.sleep(PAUSE_S)
        now.other, now.stolen = load.shares(time.perf_counter() - begin)
        rounds.append(now)
    return rounds


def _burst(contender: Contender, n: int) -> float:
    contender.reset()
    contender.steps(WARM_UP)
    begin = time.perf_counter()
    contender.steps(n)
    return (time.perf_counter() - begin) / n


def _burst_length(contender: Contender, burst_s: float) -> int:
    return max(5, round(burst_s / min(_burst(contender, 5) for _ in range(3))))
