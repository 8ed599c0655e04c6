"""search: finds a schedule for one kernel: tries variants of the best so far until none is better or the time is up.
PlanSearch: which kernels of a plan are worth a search, for how long, and whether the plan gets faster.

Variants that the model of the machine predicts to be fast are tried first (Bench.predicted); measurements decide.

To win, a candidate must be WORTH times as fast as the best so far in a short comparison and again in a longer one, not
slower in three quarters of its rounds, compute what the interpreter does, and spill no more registers than the rule's
schedule.

A plan is searched if it is not in the cache. Kernels that take most of a step are searched first and longest, equal
ones only once; results are stored by canonical kernel.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from math import inf
from statistics import median

import numpy as np

from mochac.base.files.cache import digest
from mochac.base.support.array_like import duration
from mochac.base.support.log import LOG, ensure_handler
from mochac.base.threads import cached_property
from mochac.codegen.canonical import canonical
from mochac.codegen.generator import Variant
from mochac.ir.kernel import Kernel
from mochac.ir.plan import Plan
from mochac.ir.schedule import Schedule, parse_schedule
from mochac.lowering.operands import draw_inputs, operands
from mochac.lowering.pipeline import lower
from mochac.lowering.plan_cache import made_with
from mochac.lowering.plan_graphs import PlanGraph
from mochac.lowering.tuning.bench import Bench, Candidate, Refused, Setting, compared, footprint, stepping
from mochac.lowering.tuning.schedules import (
    WORTH,
    SearchLevel,
    TunedSchedule,
    TunedSchedules,
    kernel_key,
    read_schedule,
)
from mochac.runtime.backend import Backend
from mochac.runtime.lowered import LibraryKernel, Lowered, ScheduledKernel

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


FORMAT = "tuned-kernel-2"
MOST_FOOTPRINT = 64 << 20
"""Bytes; more than the caches near a core, so that more would change nothing."""
KEPT = 1.01
"""A schedule must be this many times as fast within the plan."""
LEAST_S = 0.3
"""Minimum time for a kernel's search, if its share of the step's time would give it less."""


class PlanSearch:
    """The search in one plan.

    Attributes:
        interrupted: by Ctrl-C, so the results may be incomplete.
    """

    def __init__(self, source: PlanGraph, backend: Backend, dtype: str, level: SearchLevel, threads: int) -> None:
        self.source, self.backend, self.dtype = source, backend, dtype
        self.level, self.threads = level, threads
        self.interrupted = False
        self.lowered = self._lowered()
        self._footprint = min(MOST_FOOTPRINT, 1 << max(0, footprint(self.lowered.plan) - 1).bit_length())

    @cached_property
    def inputs(self) -> dict[str, np.ndarray]:
        """Random inputs of the plan's graph."""
        return draw_inputs(self.source.graph)

    @property
    def _scheduled(self) -> list[ScheduledKernel]:
        """The kernels that schedules are for: not calls of libraries."""
        return [kernel for kernel in self.lowered.kernels if not isinstance(kernel.canonical, LibraryKernel)]

    def _lowered(self, found: TunedSchedules | None = None) -> Lowered:
        source, choose = self.source, found.choose if found else None
        return lower(source.graph, self.backend.generator, **source.how, dtype=self.dtype, chooser=choose)

    def run(self) -> TunedSchedules:
        """Search kernels one by one, then check which results are faster in the plan too."""
        ensure_handler()
        start = time.perf_counter()
        plan = self.lowered.plan
        found: dict[str, TunedSchedule] = {}
        try:
            worth = self._worth()
            LOG.info(
                "tune %s: plan '%s', %d of %d kernels to look at, at most %.0f s",
                self.level.name, plan.name, len(worth), len(plan.launches), self.level.total_s,
            )  # fmt: skip
            self._search_all(worth, found, start + self.level.total_s)
            schedules = self._confirmed(TunedSchedules(found))
        except KeyboardInterrupt:
            self.interrupted = True
            LOG.warning("tune: interrupted, going on with what was found")
            schedules = TunedSchedules(found)
        LOG.info("tune: plan '%s' took %s", plan.name, duration(time.perf_counter() - start))
        return schedules

    def _worth(self) -> list[tuple[ScheduledKernel, float]]:
        """Distinct kernels that take enough of a step, with their share of it, largest first."""
        with stepping(self.lowered, self.backend, self.inputs, self.threads) as step:
            seconds = step.seconds(step.steps())
        total = max(sum(seconds.values()), 1e-9)
        first: dict[str, ScheduledKernel] = {}
        parts: dict[str, float] = {}
        for kernel in self._scheduled:
            key = kernel_key(kernel.staged)
            first.setdefault(key, kernel)
            parts[key] = parts.get(key, 0.0) + seconds[kernel.naive.name] / total
        order = sorted(parts, key=lambda key: -parts[key])
        return [(first[key], parts[key]) for key in order if parts[key] >= self.level.least_share]

    def _search_all(
        self, worth: list[tuple[ScheduledKernel, float]], found: dict[str, TunedSchedule], deadline: float
    ) -> None:
        left = sum(part for _, part in worth)
        for kernel, part in worth:
            room_s = deadline - time.perf_counter()
            limit_s = max(LEAST_S, room_s * part / left)
            left -= part
            tuned = self._known(kernel) if room_s > 0 else TunedSchedule(remark="out of time")
            if tuned is None:
                tuned = self._searched(kernel, limit_s)
                self._keep(kernel, tuned)
            found[kernel_key(kernel.staged)] = tuned
            LOG.info("tune: %s, %.0f%% of the step: %s", kernel.naive.name, 100 * part, tuned)

    def _searched(self, kernel: ScheduledKernel, limit_s: float) -> TunedSchedule:
        start = time.perf_counter()
        bench = self._bench(kernel)
        if bench is None:
            return TunedSchedule(remark="no operands can be drawn for it")
        try:
            return search(bench, self.level, limit_s - (time.perf_counter() - start))
        finally:
            bench.close()

    def _bench(self, kernel: ScheduledKernel) -> Bench | None:
        known = operands(self.lowered.graph, kernel.naive, self.inputs)
        if known is None:
            return None
        launch = next(x for x in self.lowered.plan.launches if x.kernel == kernel.naive.name)
        setting = Setting(_homes(self.lowered.plan, kernel.naive), launch, self.threads, self._footprint)
        return Bench(canonical(kernel.staged)[0], known, setting, self.backend, self.level.candidate_s)

    def _confirmed(self, found: TunedSchedules) -> TunedSchedules:
        """The results that are also faster among the plan's other kernels, with which they share caches."""
        how = self.backend, self.inputs, self.threads
        while len(parts := self._parts(found)) > 1:
            with stepping(self.lowered, *how) as before, stepping(self._lowered(found), *how) as after:
                ratios = compared(before, after, parts, self.level.confirming)
            all_ratio = ratios.pop("")
            LOG.info("tune: with %d other schedules the plan's kernels are %.2fx as fast", len(ratios), all_ratio)
            if all_ratio < 1 and min(ratios.values()) >= KEPT:
                ratios = dict.fromkeys(ratios, all_ratio)
            found = TunedSchedules(
                {key: _with_ratio(f, ratios.get(key, f.ratio)) for key, f in found.by_kernel.items()}
            )
            if min(ratios.values()) >= KEPT:
                break
        return found

    def _parts(self, found: TunedSchedules) -> dict[str, list[str]]:
        """All kernels under "", and those with a new schedule by kernel_key."""
        parts: dict[str, list[str]] = {"": [k.naive.name for k in self._scheduled]}
        for kernel in self._scheduled:
            key = kernel_key(kernel.staged)
            if key in found.by_kernel and found.by_kernel[key].schedule:
                parts.setdefault(key, []).append(kernel.naive.name)
        return parts

    # -- by kernel, on disk -------------------------------------------------------------------------------------------

    def _key(self, kernel: ScheduledKernel) -> str:
        """A key of everything that a search result depends on, except the state of the machine."""
        plain, _ = canonical(kernel.staged)
        tried = islice(self.backend.generator.variants(plain), self.level.candidates + 1)
        texts = [str(variant.schedule) for variant in tried]
        how = (str(self.threads), self.level.name, str(self._footprint))
        return digest(FORMAT, str(plain), *made_with(self.backend), *how, *texts)

    def _known(self, kernel: ScheduledKernel) -> TunedSchedule | None:
        if self.backend.cache is None:
            return None
        entry = self.backend.cache.get(self._key(kernel))
        try:
            found = read_schedule(json.loads(entry.decode())) if entry is not None else None
            if found is not None and found.schedule:
                parse_schedule(found.schedule)
            return found
        except ValueError:
            return None

    def _keep(self, kernel: ScheduledKernel, tuned: TunedSchedule) -> None:
        if self.backend.cache is not None:
            self.backend.cache.put(self._key(kernel), json.dumps(asdict(tuned)).encode())


def _with_ratio(tuned: TunedSchedule, ratio: float) -> TunedSchedule:
    """A result with its gain in the plan, which may include that of other kernels of its phase."""
    if not tuned.schedule or ratio >= KEPT:
        return replace(tuned, ratio=min(tuned.ratio, ratio))
    return replace(tuned, schedule="", ratio=1.0, remark=f"{tuned.ratio:.2f}x alone, {ratio:.2f}x in the plan")


def _homes(plan: Plan, kernel: Kernel) -> tuple[str, ...]:
    """Name of the storage of each buffer of a kernel; a new state shares that of the old one."""
    placements = {placement.name: placement for placement in plan.placements}
    names = [b.name for b in (*kernel.inputs, *kernel.outputs)]
    return tuple(f"{placements[n].place} {placements[n].key if placements[n].place == 'state' else n}" for n in names)
