"""Times: how long each launch of a step took, and how long the pauses between launches.

CpuExecutor.profile computes them from time stamps of its threads, CudaExecutor.profile from events of the device.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

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
    firsts = [0, *(r for r, met in enumerate(synced) if met and r)]
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
