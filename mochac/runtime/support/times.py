"""Where the steps of a run went: seconds per launch, and what lies between launches.

CpuExecutor.profile makes it from the starts and ends that its threads wrote down, CudaExecutor.profile from events of
the device; inspect/profile.py prints it. It knows no kernels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Times:
    """Seconds in an ordinary step of a run.

    Attributes:
        launches: of each launch, in its slowest thread.
        parts: what each launch adds to the step. Less than `launches` where launches of a phase run side by side.
        barriers: all waits between phases, of the thread that comes last.
        between: from the last launch of a step to the first of the next one.
        step: from the first launch to the first of the next step, clocks included.
        wall: of a step in the whole run, seen from outside.
    """

    launches: np.ndarray
    parts: np.ndarray
    barriers: float
    between: float
    step: float
    wall: float

    @property
    def attributed(self) -> float:
        """The part of a step that launches, barriers and what lies between steps account for, 1 for all of it."""
        return (float(self.parts.sum()) + self.barriers + self.between) / self.step


def from_spans(spans: np.ndarray, synced: Sequence[bool], tick: float, wall: float) -> Times:
    """Times of starts and ends in ticks: means over the middle half of the steps, ordered by how long they took. (Each
    number's own median would leave out what is rare in every launch but not in a step.)

    Args:
        spans: [steps][threads][launches][2].
        synced: per launch, whether all threads meet before it.
        tick: seconds.
        wall: seconds of a step, seen from outside.
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
    return Times(launches * tick, parts * tick, float(sum(waits)) * tick, between * tick, step * tick, wall)


def _middle(seconds: np.ndarray) -> np.ndarray:
    """Numbers of the steps that are neither among the quickest nor among the slowest quarter."""
    order = np.argsort(seconds, kind="stable")
    return order[len(order) // 4 : -(-3 * len(order) // 4)]


def typical(runs: Sequence[Times]) -> Times:
    """The run that took the median time."""
    return sorted(runs, key=lambda run: run.step)[len(runs) // 2]
