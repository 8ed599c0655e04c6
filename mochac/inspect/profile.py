"""profile: time of a step by kernel, compared with the measured peak and bandwidth of the machine.

The main plan runs on copies of the next batches, in memory of its own, so the session does not change.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from statistics import median, quantiles
from time import perf_counter

import numpy as np

from mochac.base.errors import OptionError
from mochac.base.records import record
from mochac.base.rules import integer, or_none
from mochac.base.support.memory import aligned_copy, aligned_zeros
from mochac.base.support.times import Bandwidth, Peak, Times, confirmed, typical
from mochac.codegen.machine import Machine
from mochac.inspect.kernel_records import KernelRecord, exchanges, kernel_records
from mochac.inspect.profile_table import KernelTime, Profile
from mochac.inspect.roofline import Roof, accesses, roof
from mochac.ir.executed import executed_flops
from mochac.ir.kernel import Accum, Loop, walk
from mochac.ir.passes.cut_batch import FIRST_SAMPLE
from mochac.ir.types import DTYPES
from mochac.runtime.backend import Executor
from mochac.runtime.ranks.ranks import ALONE, Exchanged, Ranks
from mochac.runtime.tables import Located
from mochac.training.session.joining import facts
from mochac.training.session.net_parameters import kept_arrays
from mochac.training.session.plan_set import BoundPlan
from mochac.training.session.session import Session, next_batches, without_data

MAX_BATCHES = 4
WARM_UP = 2
RUNS = 15
RUN_S = 0.002
"""Minimum time of a run, so that the clock is accurate to 1 in 1000: short steps run more often than asked for."""
MIN_RUNS, ALL_S = 5, 0.05
"""Minimum number of runs, and minimum time of all runs."""
MAX_ITER = 10**6
"""The times of all steps are kept."""
STEPS, LEAST_STEPS, MOST_S = 50, 3, 20.0
"""Default number of timed steps, and their minimum number if the default would take longer than MOST_S."""


def profile(session: Session, n_iter: int | None = None, ranks: Ranks = ALONE) -> Profile:
    """Time at least `n_iter` steps of the main plan, on copies of parameters and solver state.

    Args:
        n_iter: None: as many as the time allows (STEPS).
        ranks: the session is one of these; all of them call it.

    Raises:
        OptionError: n_iter is not between 1 and MAX_ITER, or nothing is computed.
        DataError: the next batches cannot be read.
    """
    n_iter = or_none(integer(1, MAX_ITER)).check("n_iter", n_iter)
    bound = session.main_plan()
    if not bound.compiled.plan.launches:
        raise OptionError(f"net {session.name!r} has nothing to profile", hint="it computes nothing")
    threads, backend = bound.runner.threads, session.plans.backend
    if ranks.several:
        ranks.compare(facts(session))
    buckets = exchanges(bound.lowered.graph) if session.plans.exchange is not None else 0
    measured = _measured(session, bound, n_iter, ranks)
    ran, bandwidth, exchanged = measured.runs, measured.bandwidth, measured.exchanged
    reached = confirmed([p.gflops for p in measured.peaks])
    peak = reached / (2 if session.dtype == "float64" else 1)
    machine = backend.machine(threads, (reached, bandwidth))
    records = kernel_records(bound.lowered, backend, threads, machine)
    executed = [_executed(record) for record in records]
    plan, read = bound.compiled.plan, bound.feeds and not without_data(session.net)
    return Profile(
        plan=plan.name,
        rows=_rows(bound, records, executed, ran.times, peak, bandwidth, machine),
        step_s=ran.step_s,
        clocked_s=ran.times.step,
        barriers_s=ran.times.barriers,
        between_s=ran.times.between,
        attributed=ran.times.attributed,
        clock_cost=ran.clock_cost,
        spread=ran.spread,
        peak_gflops=peak,
        peak_by=measured.peaks[0].by,
        bandwidth=bandwidth,
        gflops=plan.flops / ran.step_s / 1e9,
        executed_gflops=sum(executed) / ran.step_s / 1e9,
        threads=threads,
        samples_per_s=session.batch_size / ran.step_s,
        drawn=without_data(session.net),
        runs=ran.runs,
        run_steps=ran.run_steps,
        shared_by=measured.shared_by,
        spans=ran.times.spans,
        reads=session.feed.fill_times() if read else {},
        waits=session.feed.wait_times() if read else {},
        exchanged=tuple(exchanged),
        exchanged_steps=max((each.exchanges for each in exchanged), default=1) // max(1, buckets),
    )


@record
class _Measured:
    """Measurements of steps, and of the machine before and after them."""

    runs: _Runs
    peaks: list[Peak]
    bandwidth: Bandwidth
    shared_by: int
    exchanged: list[Exchanged]


def _measured(session: Session, bound: BoundPlan, n_iter: int | None, ranks: Ranks) -> _Measured:
    """Run the plan on copies of its batches and states."""
    batches, scalars = next_batches(session, bound, MAX_BATCHES), _scalars(session, bound)
    threads, backend, exchange = bound.runner.threads, session.plans.backend, session.plans.exchange
    states, before = _copied_states(session, bound), session.plans.exchanged()
    how = {} if exchange is None else {"exchange": exchange}
    with closing(backend.bind(bound.compiled.plan, bound.compiled.objects, states, threads, **how)) as runner:
        steps = _Steps(runner, batches, scalars, lambda seconds: max(ranks.gather(seconds)))
        peaks = [backend.peak(threads)]
        runs = steps.measure(n_iter)
        shared_by = runner.shared_by
        if exchange is not None:
            exchange.check(0)
        exchanged = ranks.gather(session.plans.exchanged().since(before)) if ranks.several else []
        peaks += [backend.peak(threads), backend.peak(threads)]
        return _Measured(runs, peaks, backend.bandwidth(threads), shared_by, exchanged)


def _executed(record: KernelRecord) -> int:
    """Operations that a kernel's code executes; those of the formula if a library computes it."""
    return record.flops and (record.launch.trips * executed_flops(record.scheduled.scheduled) or record.flops)


def _times_peak(record: KernelRecord, machine: Machine | None) -> float:
    """Maximum of a kernel's arithmetic as a multiple of the multiply-add peak: more than 1 with pairs."""
    if machine is None or not machine.pair_products:
        return 1.0
    statements = tuple(walk(record.scheduled.scheduled.body))
    if any(isinstance(s, Loop) and s.run == "tile" for s in statements):
        return machine.tile_speed
    pairs = any(isinstance(s, Accum) and s.fn == "dot2" for s in statements)
    return 2 * machine.pair_products / machine.multiply_adds if pairs else 1.0


@record
class _Runs:
    """Times of runs of steps.

    Attributes:
        step_s: seconds per step without clocks.
        clock_cost, spread: as fractions of it, see Profile.
        times: times of launches, with clocks.
        runs, run_steps: number of runs, and of steps in each.
    """

    step_s: float
    clock_cost: float
    spread: float
    times: Times
    runs: int
    run_steps: int


def affordable(step_s: float) -> int:
    """How many steps of this time are timed, each once with clocks and once without.

    >>> affordable(0.01), affordable(1.0), affordable(60.0)
    (50, 10, 3)
    """
    return max(LEAST_STEPS, min(STEPS, int(MOST_S / 2 / step_s)))


class _Steps:
    """Runs steps of a plan on a few batches in turn, with and without clocks.

    Args:
        agreed: maps a rank's number of steps to one that all ranks agree on.
    """

    def __init__(
        self,
        runner: Executor,
        batches: list[dict[str, np.ndarray]],
        scalars: dict[str, float],
        agreed: Callable[[float], float],
    ) -> None:
        self._runner, self._scalars, self._agreed = runner, scalars, agreed
        self._batches = [{key: aligned_copy(a) for key, a in batch.items()} for batch in batches]

    def measure(self, n_iter: int | None) -> _Runs:
        """Time at least n_iter steps.

        Runs with and without clocks alternate, since other work on the machine comes and goes.
        """
        warm_s = self._agreed(self._plain(WARM_UP))
        n_iter = affordable(warm_s) if n_iter is None else int(n_iter)
        size = -(-n_iter // MIN_RUNS)
        while (spent := self._agreed(self._plain(size)) * size) < RUN_S:
            size = max(size + 1, round(min(64.0, 1.2 * RUN_S / spent) * size))
        plain, clocked = [], []
        for _ in range(max(min(MIN_RUNS, n_iter), min(RUNS, int(ALL_S / spent)))):
            plain.append(self._plain(size))
            clocked.append(self._runner.profile(size, self._feeds(size), self._scalars))
        first, _, third = quantiles(plain, n=4, method="inclusive") if len(plain) > 1 else (1.0, 1.0, 1.0)
        cost = min(run.wall for run in clocked) / min(plain) - 1
        return _Runs(median(plain), cost, third / first - 1, typical(clocked), len(plain), size)

    def _plain(self, n: int) -> float:
        """Seconds per step, for n steps in one run."""
        feeds = self._feeds(n)
        begin = perf_counter()
        self._runner.run(n, feeds, self._scalars)
        return (perf_counter() - begin) / n

    def _feeds(self, n: int) -> Located:
        turns = [k % len(self._batches) for k in range(n)]
        addresses = {
            key: np.array([batch[key].ctypes.data for batch in self._batches], np.uint64)[turns]
            for key in self._batches[0]
        }
        return Located(addresses, self._batches[turns[-1]])


def _rows(
    bound: BoundPlan,
    records: list[KernelRecord],
    executed: list[int],
    times: Times,
    peak: float,
    bandwidth: Bandwidth,
    machine: Machine | None,
) -> tuple[KernelTime, ...]:
    plan = bound.compiled.plan
    moved = accesses(plan, [record.written for record in records])
    roofs = [
        roof(min(launch.flops, ran or launch.flops), uses, peak * _times_peak(record, machine), bandwidth)
        for launch, record, ran, uses in zip(plan.launches, records, executed, moved, strict=True)
    ]
    ranges = [(float(low), float(high)) for low, high in times.ranges] or [None] * len(roofs)
    shares = times.parts / times.step
    return tuple(
        replace(_row(record, n, float(s), float(share), peak, top), range_s=range_s)
        for record, n, s, share, top, range_s in zip(
            records, executed, times.launches, shares, roofs, ranges, strict=True
        )
    )


def _row(record: KernelRecord, executed: int, seconds: float, share: float, peak: float, top: Roof) -> KernelTime:
    s = max(seconds, 1e-9)
    gflops = record.flops / s / 1e9
    return KernelTime(
        kernel=record.name,
        layers=record.layers,
        seconds=seconds,
        predicted=record.predicted_s and max(record.predicted_s, top.seconds),
        share=share,
        gflops=gflops,
        gbs=record.bytes / s / 1e9,
        executed=executed / record.flops if record.flops else 0.0,
        percent_peak=100 * gflops / peak,
        percent_roof=100 * top.seconds / s,
        bound_by=top.by,
    )


def _scalars(session: Session, bound: BoundPlan) -> dict[str, float]:
    """The scalars of the plan; learning rates are 0, so that parameters keep their range."""
    first = session.plans.share.first(session.batch_size)
    known = {
        **session.plans.loss_weights(),
        "step": session.batches.rng_step,
        "n_valid": session.batch_size,
        FIRST_SAMPLE: first,
    }
    return {name: known.get(name, 0.0) for name in bound.scalar_names}


def _copied_states(session: Session, bound: BoundPlan) -> dict[str, np.ndarray]:
    """Arrays for the profile: copies of the parameters and layers' states, and solver state at zero."""
    states = {name: aligned_copy(a.values) for name, a in kept_arrays(bound.traced, session.params).items()}
    for i in bound.source.graph.inputs:
        if i.role == "slot":
            states[i.name] = aligned_zeros(i.type.shape, DTYPES[i.type.dtype])
        elif i.role == "const":
            states[i.name] = aligned_copy(np.asarray(bound.traced.tables[i.name], DTYPES[i.type.dtype]))
    return states
