"""Stepping: times a whole plan on random inputs, by kernel, to see whether a step is faster with other schedules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from statistics import median
from typing import Any

import numpy as np

from mochac.base.records import record
from mochac.base.support.memory import aligned_empty
from mochac.ir.graph import STORED
from mochac.ir.plan import Plan
from mochac.ir.types import DTYPES
from mochac.runtime.backend import Backend, Executor
from mochac.runtime.lowered import Lowered

BURST_S = 0.03
MOST_STEPS = 200
MOST_RATIO = 100


@record
class Stepping:
    """A plan bound to memory of its own."""

    runner: Executor
    feeds: dict[str, np.ndarray]
    hyper: dict[str, Any]

    def seconds(self, steps: int) -> dict[str, float]:
        """What each kernel adds to a step, in seconds: medians over `steps` steps."""
        times = self.runner.profile(steps, [self.feeds], self.hyper).parts.tolist()
        return {launch.kernel: s for launch, s in zip(self.runner.plan.launches, times, strict=True)}

    def steps(self) -> int:
        """Number of steps of a turn."""
        self.seconds(1)  # touch pages, fill caches
        return max(3, min(MOST_STEPS, int(BURST_S / max(sum(self.seconds(1).values()), 1e-7))))


@contextmanager
def stepping(lowered: Lowered, backend: Backend, inputs: Mapping[str, np.ndarray], threads: int) -> Iterator[Stepping]:
    """Bind a plan to copies of the inputs of its graph."""
    states = {}
    for i in lowered.graph.inputs:
        if i.role in STORED:
            states[i.name] = aligned_empty(i.type.shape, DTYPES[i.type.dtype])
            states[i.name][...] = inputs[i.name]
    runner = backend.bind(lowered.plan, backend.objects(lowered.text), states, threads)
    places = {place: {s.key for s in lowered.plan.placements if s.place == place} for place in ("feed", "hyper")}
    feeds = {name: np.ascontiguousarray(inputs[name]) for name in places["feed"]}
    try:
        yield Stepping(runner, feeds, {name: inputs[name] for name in places["hyper"]})
    finally:
        runner.close()


def compared(first: Stepping, second: Stepping, parts: Mapping[str, Sequence[str]], rounds: int) -> dict[str, float]:
    """How many times as fast some kernels are in the second plan as in the first: medians over rounds of both.

    A kernel's gain shows in its phase, since the kernels of a phase run concurrently.

    Args:
        parts: groups of kernels to take together, by any name.
    """
    steps = min(first.steps(), second.steps())
    phase = {launch.kernel: launch.phase for launch in first.runner.plan.launches}
    found: dict[str, list[float]] = {name: [] for name in parts}
    for turn in range(rounds):
        pair = (first, second) if turn % 2 else (second, first)
        spent = {id(plan): plan.seconds(steps) for plan in pair}
        old, new = spent[id(first)], spent[id(second)]
        for name, kernels in parts.items():
            phases = {phase[kernel] for kernel in kernels}
            saved = sum(old[k] - new[k] for k in phase if phase[k] in phases)
            own = sum(old[k] for k in kernels)
            found[name].append(own / max(own - saved, own / MOST_RATIO))
    return {name: median(ratios) for name, ratios in found.items()}


def footprint(plan: Plan) -> int:
    """Bytes that a run of a plan accesses."""
    homes = {(s.place, s.key): s.type.storage_bytes for s in plan.placements if s.place in ("state", "feed")}
    return plan.arena_bytes + sum(homes.values())
