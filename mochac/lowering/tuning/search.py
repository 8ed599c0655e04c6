"""search: finds a schedule for one kernel: tries variants of the best so far until none is better or the time is up.

Variants that the model of the machine predicts to be fast are tried first (Bench.predicted); measurements decide.

To win, a candidate must be WORTH times as fast as the best so far in a short comparison and again in a longer one, not
slower in three quarters of its rounds, compute what the interpreter does, and spill no more registers than the rule's
schedule.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import inf
from statistics import median

from mochac.codegen.generator import Variant
from mochac.ir.schedule import Schedule
from mochac.lowering.tuning.bench import Bench, Candidate, Refused
from mochac.lowering.tuning.levels import WORTH, SearchLevel
from mochac.lowering.tuning.schedules import TunedSchedule

FINALISTS = 3
PREDICTING = 0.25
"""Part of the time left that predictions may take; variants not predicted by then are tried last."""


@dataclass
class _Search:
    bench: Bench
    level: SearchLevel
    deadline: float
    tried: int = 0
    refused: list[str] = field(default_factory=list)
    seen: set[Schedule] = field(default_factory=set)
    first: Schedule | None = None
    first_ratio: float = 0.0

    @property
    def ended(self) -> bool:
        return self.tried >= self.level.candidates or time.perf_counter() > self.deadline


def search(bench: Bench, level: SearchLevel, max_s: float) -> TunedSchedule:
    """The best schedule of bench.kernel found within `max_s` seconds.

    Returns:
        a TunedSchedule without a schedule if the rule's is as good, or cannot be compared.
    """
    state = _Search(bench, level, time.perf_counter() + max_s)
    variants = bench.backend.generator.variants
    first = next(variants(bench.kernel))
    try:
        own = bench.candidate(first.schedule)
    except Refused as reason:
        return TunedSchedule(remark=f"its own schedule is refused ({reason})")
    state.seen.add(first.schedule)
    best, found = first, own
    state.first, state.first_ratio = first.schedule, 1.0
    try:
        for hop in range(level.hops):
            near = variants(bench.kernel, best if hop else None)
            step = _better(state, _in_order(state, best.schedule, near), found, own)
            if step is None:
                break
            _close(found, own)
            best, found = step
        ratio = median(bench.ratios(found, own, level.confirming, level.burst_s)) if found is not own else 1.0
        if ratio <= 1:  # a chain of small gains may add up to nothing
            return TunedSchedule("", 1.0, state.tried, tuple(state.refused), first=state.first_ratio)
        refused, is_first = tuple(state.refused), best.schedule == state.first
        return TunedSchedule(
            str(best.schedule), ratio, state.tried, refused, first=ratio if is_first else state.first_ratio
        )
    finally:
        _close(found, own)
        own.runner.close()


def _in_order(state: _Search, best: Schedule, near: Iterator[Variant]) -> list[Variant]:
    """Variants, the shortest predicted time first. The very first of all predictions is the model's choice."""
    begin = time.perf_counter()
    until = begin + PREDICTING * (state.deadline - begin)
    variants = list(near)
    spent: dict[Schedule, float] = {}
    for schedule in (best, *(variant.schedule for variant in variants)):
        known = time.perf_counter() < until
        spent[schedule] = state.bench.predicted(schedule) if known else inf
    if state.tried == 0 and spent[best] < inf:
        state.first = min(spent, key=lambda schedule: spent[schedule])
        state.first_ratio = float(state.first == best)
    return sorted(variants, key=lambda variant: spent[variant.schedule])


def _better(
    state: _Search, near: Iterable[Variant], best: Candidate, own: Candidate
) -> tuple[Variant, Candidate] | None:
    """The variant that beats the best so far by the largest factor, confirmed by a repeat; None if there is none."""
    pool: list[tuple[float, Variant, Candidate]] = []
    winner = None
    try:
        for variant in near:
            if state.ended:
                break
            _try(state, variant, best, pool)
        for _, variant, candidate in pool:
            again = state.bench.ratios(candidate, best, state.level.confirming, state.level.burst_s)
            if median(again) > WORTH and again[len(again) // 4] > 1 and not _spills(state, candidate, own):
                winner = variant, candidate
                return winner
    finally:
        for _, _, candidate in pool:
            if winner is None or candidate is not winner[1]:
                candidate.runner.close()
    return None


def _try(state: _Search, variant: Variant, best: Candidate, pool: list[tuple[float, Variant, Candidate]]) -> None:
    """Compile, check and time one candidate; the pool keeps the FINALISTS fastest of those worth a repeat."""
    if variant.schedule in state.seen:
        return
    state.seen.add(variant.schedule)
    state.tried += 1
    try:
        candidate = state.bench.candidate(variant.schedule)
    except Refused as reason:
        state.refused.append(str(reason))
        return
    pool.append((0.0, variant, candidate))  # so that it is closed with the others in any case
    ratio = median(state.bench.ratios(candidate, best, state.level.rounds, state.level.burst_s))
    pool[-1] = (ratio, variant, candidate)
    if variant.schedule == state.first and not state.first_ratio:
        state.first_ratio = ratio
    pool.sort(key=lambda entry: -entry[0])
    while len(pool) > FINALISTS or (pool and pool[-1][0] <= WORTH):
        pool.pop()[2].runner.close()


def _spills(state: _Search, candidate: Candidate, own: Candidate) -> bool:
    """Whether a candidate's code spills more vector registers than the rule's."""
    extra = state.bench.spills(candidate) - state.bench.spills(own)
    if extra > 0:
        state.refused.append("spills vector registers")
    return extra > 0


def _close(candidate: Candidate, own: Candidate) -> None:
    if candidate is not own:
        candidate.runner.close()
