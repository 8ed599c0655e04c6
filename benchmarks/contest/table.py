"""Table: the rounds of one contest with what is needed to judge them; it travels from the measuring process as JSON.

measure.py fills it, summary.py and figures.py read it. It knows no framework.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from statistics import median

from contest.contender import OURS
from contest.rounds import Round, read_round

ENOUGH = 5
"""Quiet rounds that are needed to leave the busy ones out; half of them where there are fewer than twice as many."""


@dataclass
class Table:
    """One net, one batch size, one number of threads.

    Attributes:
        name: of the task; with the batch where several are predicted.
        kind: "training" or "prediction".
        flops, executed: nominal operations of a step, and those that mochac's code executes (0: not known).
        notes: peers left out, and why.
    """

    name: str
    title: str
    kind: str
    threads: int
    flops: int
    executed: int = 0
    rounds: list[Round] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @cached_property
    def quiet(self) -> list[Round]:
        """Rounds in which nothing else took much of the machine."""
        return [r for r in self.rounds if not r.busy]

    @cached_property
    def used(self) -> list[Round]:
        """The quiet rounds where there are enough, else all."""
        return self.quiet if len(self.quiet) >= min(ENOUGH, -(-len(self.rounds) // 2)) else self.rounds

    @property
    def busy(self) -> bool:
        """Whether the figures come from a busy machine."""
        return self.used is not self.quiet

    @property
    def contenders(self) -> list[str]:
        """Their names."""
        return list(self.rounds[0].bursts)

    @property
    def peers(self) -> list[str]:
        """Those that are not mochac's."""
        return [name for name in self.contenders if name not in OURS]

    @property
    def fastest_peer(self) -> str | None:
        """The peer with the lowest median."""
        return min(self.peers, key=self.median_s, default=None)

    def times(self, name: str) -> list[float]:
        """Seconds a step, by used round."""
        return [r.step_s(name) for r in self.used]

    def median_s(self, name: str) -> float:
        """Seconds a step."""
        return median(self.times(name))

    def ratio(self, name: str, base: str) -> float:
        """The time of `name` relative to `base`: the median of the rounds' ratios."""
        return median(r.step_s(name) / r.step_s(base) for r in self.used)

    def percent(self, name: str) -> list[float]:
        """Of the round's peak, nominal, by used round."""
        return [100 * self.flops / 1e9 / r.step_s(name) / r.peak for r in self.used]

    @property
    def peak(self) -> float:
        """GFLOP/s, the median of the used rounds."""
        return median(r.peak for r in self.used)

    def elsewhere(self, name: str) -> float:
        """The part of the CPUs' time that other processes and the hypervisor took in a contender's bursts."""
        bursts = [r.bursts[name] for r in self.used]
        return sum(b.elsewhere * b.wall_s for b in bursts) / sum(b.wall_s for b in bursts)


def dumped(tables: Sequence[Table]) -> str:
    """JSON on one line."""
    return json.dumps([asdict(t) for t in tables])


def loaded(line: str) -> list[Table]:
    """Back from `dumped`."""
    return [Table(**{**t, "rounds": [read_round(r) for r in t["rounds"]]}) for t in json.loads(line)]
