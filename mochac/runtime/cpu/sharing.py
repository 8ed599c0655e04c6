"""Decides how many threads share each launch, how large the chunks are that they take, and where barriers are.

It runs when a plan is bound and when its number of threads changes. Times are guessed from the flops and bytes of the
plan, since a plan from the cache has no kernels to predict them by. A wrong guess costs time, but never changes
results.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mochac.base.records import record
from mochac.base.support.memory import aligned_zeros
from mochac.codegen.cpu.job_layout import SlotWord
from mochac.ir.plan import Launch, Plan

_FLOPS_PER_S, _BYTES_PER_S, _NEAR_BYTES_PER_S = 50e9, 10e9, 50e9
"""Rates of one thread by which times are guessed, rather low: a guess must be quick, and serve any CPU. The last one is
for plans whose values all fit into _NEAR_BYTES."""
_NEAR_BYTES = 1 << 18
_LEAST_PLAN_S = 20e-6
"""A plan that is shorter runs on one thread."""
_LEAST_SHARE_S = 2e-6
"""Minimum work of each thread that shares a phase."""
_CHUNK_S = 2e-6
"""Duration of a chunk of items, which a thread takes at a time."""


@record(slots=True)
class LaunchShare:
    """How a launch runs: by at most `cap` threads, at least `grain` items at a time, after a barrier if `sync`."""

    cap: int
    grain: int
    sync: bool


def shares(plan: Plan, threads: int) -> list[LaunchShare]:
    """A LaunchShare per launch. Consecutive phases that one thread runs alone need no barrier between them. In loops,
    threads are worth it if they are in each step."""
    n_bytes = {placement.name: placement.type.storage_bytes for placement in plan.placements}
    rate = _NEAR_BYTES_PER_S if sum(n_bytes.values()) <= _NEAR_BYTES else _BYTES_PER_S
    seconds = [_guess_s(launch, n_bytes, rate) for launch in plan.launches]
    caps = _caps(plan.launches, seconds, threads)
    launch_shares: list[LaunchShare] = []
    previous: Launch | None = None
    for launch, guess in zip(plan.launches, seconds, strict=True):
        cap = caps[launch.phase]
        turned = previous is not None and previous.phase != launch.phase
        sync = turned and max(cap, caps[previous.phase]) > 1  # type: ignore[union-attr]
        grain = int(launch.items * _CHUNK_S * launch.trips / guess) if guess else launch.items
        launch_shares.append(LaunchShare(cap, max(1, min(grain, launch.items)), sync))
        previous = launch
    return launch_shares


def _guess_s(launch: Launch, n_bytes: Mapping[str, int], bytes_per_s: float) -> float:
    moved = launch.moved_bytes or sum(n_bytes[name] for name in launch.buffers)
    return launch.flops / _FLOPS_PER_S + moved / bytes_per_s


def _caps(launches: Sequence[Launch], seconds: Sequence[float], threads: int) -> dict[int, int]:
    """Threads worth using in each phase; 1 everywhere if the whole plan is short."""
    phases: dict[int, float] = {}
    for launch, guess in zip(launches, seconds, strict=True):
        phases[launch.phase] = phases.get(launch.phase, 0.0) + guess / launch.trips
    if sum(seconds) < _LEAST_PLAN_S:
        return dict.fromkeys(phases, 1)
    return {phase: min(threads, max(1, int(guess / _LEAST_SHARE_S))) for phase, guess in phases.items()}


def item_slots(launches: Sequence[Launch], shared: Sequence[LaunchShare], threads: int) -> np.ndarray:
    """The full slots of a job, [launches][threads][words]: of n = min(cap, threads) takers, thread t owns the items
    from items*t // n to items*(t+1) // n."""
    table = aligned_zeros((max(1, len(launches)), threads, int(SlotWord.WORDS)), np.int64)
    for row, launch, share in zip(table, launches, shared, strict=False):
        takers = min(share.cap, threads)
        for t in range(takers):
            lo, hi = launch.items * t // takers, launch.items * (t + 1) // takers
            row[t, SlotWord.LEFT] = row[t, SlotWord.FULL] = hi << 32 | lo
    return table
