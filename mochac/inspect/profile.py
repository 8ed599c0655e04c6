"""Where the time of a step goes, kernel by kernel, against what the machine is measured to reach.

Program.profile and the command line call it. It runs the plan on copies of the batches that come next, and in memory of
its own, so that the program is as before.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from statistics import median, quantiles
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from mochac.errors import OptionError
from mochac.inspect.explain import KernelRecord, records
from mochac.inspect.roofline import Roof, accesses, roof
from mochac.ir.executed import executed_flops
from mochac.ir.types import DTYPES
from mochac.lowering.drawn_inputs import next_batches, without_data
from mochac.lowering.machines import Runner
from mochac.runtime.support.aligned import aligned_empty, aligned_zeros
from mochac.runtime.support.columns import columns, duration
from mochac.runtime.support.rates import Bandwidth, confirmed
from mochac.runtime.support.times import Times, typical
from mochac.runtime.tables import Located
from mochac.session.plan_set import BoundPlan

if TYPE_CHECKING:
    from mochac.program import Program

MOST_BATCHES = 4
WARM_UP = 2
RUNS = 15
RUN_S = 0.002
"""Least time of a run, for the clock to read it to 1 in 1000: short steps are run more often than asked for."""
FEWEST, ALL_S = 5, 0.05
"""Runs, and time of all runs, from which on there need be no more."""
CALM, CALM_PARTS, CALM_CLOCKS = 0.25, 0.05, -0.03
"""Limits on an idle machine, as parts of a step: how far runs differ, how far the table misses the whole, and what
the clocks add at least."""
SAME = 0.005
"""Numbers of operations that differ by less are not told apart."""


@dataclass(frozen=True)
class Row:
    """One kernel in an ordinary step.

    Attributes:
        seconds: of its slowest thread.
        share: of the whole step, 0..1; kernels that run side by side share their time.
        gflops, gbs: 1e9 textbook operations, and bytes of its operands and results, a second.
        executed: operations that the code executes for each one of the textbook: less than 1 where taps on padding are
            skipped, more where lanes are idle. 0 for kernels without multiplications to count.
        percent_peak: gflops in percent of the peak.
        percent_roof: the least time the kernel could take on this machine, in percent of the time it takes.
        bound_by: what sets that least time: "peak", or the level whose bandwidth does.
    """

    kernel: str
    layers: tuple[str, ...]
    seconds: float
    share: float
    gflops: float
    gbs: float
    executed: float
    percent_peak: float
    percent_roof: float
    bound_by: str


@dataclass(frozen=True)
class Profile:
    """Table of a plan's kernels in the order they run; print it.

    Attributes:
        rows: a Row per kernel.
        step_s: seconds a step takes, start to end, without the clocks between kernels.
        clocked_s: seconds with them; the rows are parts of it.
        barriers_s: of a clocked step, in waiting between phases. between_s: from its end to the start of the next.
        attributed: part of a clocked step that rows, barriers and what lies between steps account for.
        clock_cost: what the clocks add to a step, as a part of it.
        spread: how much longer a slow run took than a quick one, as a part of it: the third quartile and the first.
        peak_gflops: measured now, on as many threads, for the plan's element type.
        peak_by: what reaches peak_gflops, in words.
        bandwidth: of caches and memory, measured now.
        gflops: of the whole step, operations of the textbook. executed_gflops: operations that ran.
        drawn: data layers whose data is missing: the batches are random numbers of their shapes.
    """

    plan: str
    rows: tuple[Row, ...]
    step_s: float
    clocked_s: float
    barriers_s: float
    between_s: float
    attributed: float
    clock_cost: float
    spread: float
    peak_gflops: float
    peak_by: str
    bandwidth: Bandwidth
    gflops: float
    executed_gflops: float
    threads: int
    samples_per_s: float
    drawn: tuple[str, ...] = ()

    @property
    def other_s(self) -> float:
        """Seconds of a step outside of kernels: barriers, binding the next batch, copying results."""
        return self.barriers_s + self.between_s

    @property
    def busy(self) -> bool:
        """Whether other work took CPU time from the steps, so that the table is not to be trusted."""
        parts = abs(self.attributed - 1) > CALM_PARTS
        return self.spread > CALM or parts or self.clock_cost < CALM_CLOCKS

    def top(self, n: int = 5) -> Profile:
        """Only the n slowest kernels."""
        return replace(self, rows=tuple(sorted(self.rows, key=lambda row: -row.seconds)[:n]))

    def __str__(self) -> str:
        header = ["kernel", "time", "share", "GFLOP/s", "executed", "GB/s", "% peak", "% roof", "bound", "layers"]
        rest = [self._rest("(barriers)", self.barriers_s), self._rest("(between steps)", self.between_s)]
        table = columns(header, [*map(_cells, self.rows), *rest], right=range(1, 8), indent="")
        return f"{table}\n\n{self._totals()}\n"

    def _rest(self, what: str, seconds: float) -> list[str]:
        return [what, duration(seconds), f"{seconds / self.clocked_s:.1%}", *[""] * 7]

    def _totals(self) -> str:
        percent = 100 * self.gflops / self.peak_gflops
        rate = f"{self.gflops:.4g} GFLOP/s"
        if abs(self.executed_gflops - self.gflops) > SAME * self.gflops:
            rate += f" ({self.executed_gflops:.4g} executed)"
        total = f"{duration(self.step_s)} a step, {self.samples_per_s:,.0f} samples/s, {rate}"
        return (
            f"plan '{self.plan}': {total}\n{percent:.0f}% of the {self.peak_gflops:.4g} GFLOP/s that {self.peak_by}\n"
            f"reading / copying: {self.bandwidth}\n{self._trust()}{self._inputs()}"
        )

    def _trust(self) -> str:
        """How well the table accounts for a step, or why it cannot."""
        inside = f"the table covers {self.attributed:.1%} of a step"
        if not self.busy:
            return f"{inside}; reading the clocks adds {self.clock_cost:.1%}"
        return (
            "the machine was busy with other work while this was measured: profile again when it is idle\n"
            f"(slow runs took {self.spread:.0%} longer than quick ones; {inside})"
        )

    def _inputs(self) -> str:
        """A line about batches that were made up."""
        layers = " and ".join(map(repr, self.drawn))
        return f"\nno data for {layers}: the batches are random numbers" if layers else ""


def profile(program: Program, bound: BoundPlan, n_iter: int = 50) -> Profile:
    """Run `n_iter` steps of a plan or more under the clock, on copies of parameters and solver state.

    Raises:
        OptionError: n_iter < 1, or nothing is computed. DataError: the next batches cannot be read.
    """
    if isinstance(n_iter, bool) or not hasattr(n_iter, "__index__") or int(n_iter) < 1:
        raise OptionError("n_iter is out of range", expected="an integer >= 1", got=repr(n_iter))
    if not bound.compiled.plan.launches:
        raise OptionError(f"net {program.net.name!r} has nothing to profile", hint="it computes nothing")
    feeds, hyper = next_batches(program, bound, MOST_BATCHES), _scalars(program, bound)
    threads, machine = bound.runner.threads, program.bank.machine
    with closing(machine.bind(bound.compiled, _copied_states(program, bound), threads)) as runner:
        steps = _Steps(runner, feeds, hyper)
        peaks = [machine.peak(threads)]
        step_s, cost, spread, times = steps.measure(int(n_iter))
        peaks += [machine.peak(threads), machine.peak(threads)]
        bandwidth = machine.bandwidth(threads)
    peak = confirmed([p.gflops for p in peaks]) / (2 if program.dtype == "float64" else 1)
    made = records(bound.lowered, machine)
    executed = [_executed(record) for record in made]
    plan = bound.compiled.plan
    return Profile(
        plan=plan.name,
        rows=_rows(bound, made, executed, times, peak, bandwidth),
        step_s=step_s,
        clocked_s=times.step,
        barriers_s=times.barriers,
        between_s=times.between,
        attributed=times.attributed,
        clock_cost=cost,
        spread=spread,
        peak_gflops=peak,
        peak_by=peaks[0].by,
        bandwidth=bandwidth,
        gflops=plan.flops / step_s / 1e9,
        executed_gflops=sum(executed) / step_s / 1e9,
        threads=threads,
        samples_per_s=program.batch_size / step_s,
        drawn=without_data(program.net),
    )


def _executed(record: KernelRecord) -> int:
    """Operations that a kernel's code executes; those of the textbook where it is a library's."""
    return record.flops and (executed_flops(record.scheduled.scheduled) or record.flops)


class _Steps:
    """Steps of a plan on a few batches in turn, with and without clocks."""

    def __init__(self, runner: Runner, feeds: list[dict[str, np.ndarray]], hyper: dict[str, float]) -> None:
        self._runner, self._hyper = runner, hyper
        self._batches = [{key: _copied(a) for key, a in batch.items()} for batch in feeds]

    def measure(self, n_iter: int) -> tuple[float, float, float, Times]:
        """Seconds a step, what clocks add to it and how far runs differ as parts of it, and times with clocks: of a few
        runs each, in turn, as neighbours come and go."""
        size = -(-n_iter // FEWEST)
        self._plain(WARM_UP)
        while (spent := self._plain(size) * size) < RUN_S:
            size = max(size + 1, round(min(64.0, 1.2 * RUN_S / spent) * size))
        plain, clocked = [], []
        for _ in range(max(min(FEWEST, n_iter), min(RUNS, int(ALL_S / spent)))):
            plain.append(self._plain(size))
            clocked.append(self._runner.profile(size, self._feeds(size), self._hyper))
        first, _, third = quantiles(plain, n=4, method="inclusive") if len(plain) > 1 else (1.0, 1.0, 1.0)
        cost = min(run.wall for run in clocked) / min(plain) - 1
        return median(plain), cost, third / first - 1, typical(clocked)

    def _plain(self, n: int) -> float:
        """Seconds a step of n in one run."""
        feeds = self._feeds(n)
        begin = perf_counter()
        self._runner.run(n, feeds, self._hyper)
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
    made: list[KernelRecord],
    executed: list[int],
    times: Times,
    peak: float,
    bandwidth: Bandwidth,
) -> tuple[Row, ...]:
    plan = bound.compiled.plan
    moved = accesses(plan, [frozenset(b.name for b in record.scheduled.naive.outputs) for record in made])
    roofs = [roof(launch, uses, peak, bandwidth) for launch, uses in zip(plan.launches, moved, strict=True)]
    shares = times.parts / times.step
    return tuple(
        _row(record, n, float(s), float(share), peak, top)
        for record, n, s, share, top in zip(made, executed, times.launches, shares, roofs, strict=True)
    )


def _row(record: KernelRecord, executed: int, seconds: float, share: float, peak: float, top: Roof) -> Row:
    s = max(seconds, 1e-9)
    gflops = record.flops / s / 1e9
    return Row(
        kernel=record.name,
        layers=record.layers,
        seconds=seconds,
        share=share,
        gflops=gflops,
        gbs=record.bytes / s / 1e9,
        executed=executed / record.flops if record.flops else 0.0,
        percent_peak=100 * gflops / peak,
        percent_roof=100 * top.seconds / s,
        bound_by=top.by,
    )


def _cells(row: Row) -> list[str]:
    rate, percent = (f"{row.gflops:.1f}", f"{row.percent_peak:.0f}") if row.gflops else ("", "")
    differs = row.gflops and abs(row.executed - 1) > SAME
    executed = f"x {row.executed:.2f}" if differs else ""
    numbers = [rate, executed, f"{row.gbs:.1f}", percent, f"{row.percent_roof:.0f}", row.bound_by]
    return [row.kernel, duration(row.seconds), f"{row.share:.1%}", *numbers, ", ".join(row.layers)]


def _copied(array: np.ndarray) -> np.ndarray:
    found = aligned_empty(array.shape, array.dtype)
    found[...] = array
    return found


def _scalars(program: Program, bound: BoundPlan) -> dict[str, float]:
    """The scalars of the plan; learning rates are 0, so that parameters stay in their range."""
    known = {"step": program.rng_step, "n_valid": program.batch_size}
    return {s.key: known.get(s.key, 0.0) for s in bound.compiled.plan.placements if s.place == "hyper"}


def _copied_states(program: Program, bound: BoundPlan) -> dict[str, np.ndarray]:
    """Storage of the plan's own: parameters as they are, solver state at zero."""
    found = {}
    for p in bound.traced.params:
        found[p.value] = _copied(program.params[p.key][p.name].values)
    for i in bound.source.graph.inputs:
        if i.role == "slot":
            found[i.name] = aligned_zeros(i.type.shape, DTYPES[i.type.dtype])
        elif i.role == "const":
            found[i.name] = aligned_zeros(i.type.shape, DTYPES[i.type.dtype])
            found[i.name][...] = bound.traced.tables[i.name]
    return found
