"""profile: where a step's time goes, kernel by kernel, against the machine's measured peak.

Program.profile and the command line call it. It runs the plan on copies of the batches that come next, and in memory of
its own, so that the program is as before.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from mochac.driver.bank import BoundPlan
from mochac.driver.columns import columns, duration
from mochac.driver.machines import Runner
from mochac.driver.recorded import next_batches
from mochac.driver.report import records
from mochac.errors import OptionError
from mochac.ir.types import DTYPES
from mochac.runtime.aligned import aligned_empty, aligned_zeros

if TYPE_CHECKING:
    from mochac.driver.program import Program

MOST_BATCHES = 4
WARM_UP = 2
RUNS = 5


@dataclass(frozen=True)
class Row:
    """One kernel's mean over the steps.

    Attributes:
        seconds: of its slowest thread.
        share: of the whole step, 0..1.
        gflops, gbs: 1e9 textbook operations, and bytes of its operands and results, a second.
        percent_peak: gflops in percent of the peak; 0 for kernels without multiplications to count.
    """

    kernel: str
    layers: tuple[str, ...]
    seconds: float
    share: float
    gflops: float
    gbs: float
    percent_peak: float


@dataclass(frozen=True)
class Profile:
    """Table of a plan's kernels in the order they run; print it.

    Attributes:
        rows: a Row per kernel.
        step_s: seconds a step takes, start to end, without the clocks between kernels.
        peak_gflops: measured now, on as many threads, for the plan's element type.
        peak_gbs: measured now in copying on the device; 0 on a CPU.
        peak_by: what reaches peak_gflops, in words.
        gflops: of the whole step.
        other_s: seconds of a step outside of kernels: barriers, waiting for a core, copying results.
    """

    plan: str
    rows: tuple[Row, ...]
    step_s: float
    peak_gflops: float
    gflops: float
    threads: int
    samples_per_s: float
    other_s: float
    peak_gbs: float = 0.0
    peak_by: str = ""

    def top(self, n: int = 5) -> Profile:
        """Only the n slowest kernels."""
        return replace(self, rows=tuple(sorted(self.rows, key=lambda row: -row.seconds)[:n]))

    def __str__(self) -> str:
        header = ["kernel", "time", "share", "GFLOP/s", "GB/s", "% peak", "layers"]
        rest = ["(not in kernels)", duration(self.other_s), f"{self.other_s / self.step_s:.1%}", "", "", "", ""]
        table = columns(header, [*map(_cells, self.rows), rest], right=[1, 2, 3, 4, 5], indent="")
        percent = 100 * self.gflops / self.peak_gflops
        total = f"{duration(self.step_s)} a step, {self.samples_per_s:,.0f} samples/s, {self.gflops:.4g} GFLOP/s"
        peak = f"{percent:.0f}% of the {self.peak_gflops:.4g} GFLOP/s that {self.peak_by}"
        peak += f"; copying reaches {self.peak_gbs:,.0f} GB/s" if self.peak_gbs else ""
        return f"{table}\n\nplan '{self.plan}': {total}\n{peak}\n"


def profile(program: Program, bound: BoundPlan, n_iter: int = 50) -> Profile:
    """Run `n_iter` steps of a plan under the clock, on copies of parameters and solver state.

    Raises:
        OptionError: n_iter < 1. DataError: the next batches cannot be read.
    """
    if isinstance(n_iter, bool) or not hasattr(n_iter, "__index__") or int(n_iter) < 1:
        raise OptionError("n_iter is out of range", expected="an integer >= 1", got=repr(n_iter))
    feeds, hyper = next_batches(program, bound, MOST_BATCHES), _scalars(program, bound)
    turns = [feeds[k % len(feeds)] for k in range(n_iter)]
    threads, machine = bound.runner.threads, program.bank.machine
    with closing(machine.bind(bound.compiled, _copied_states(program, bound), threads)) as runner:
        runner.run(WARM_UP, (turns * WARM_UP)[:WARM_UP], hyper)
        peaks = [machine.peak(threads)]
        step_s = _step_seconds(runner, turns, hyper)
        peaks.append(machine.peak(threads))
        seconds = runner.profile(n_iter, turns, hyper).tolist()
        peaks.append(machine.peak(threads))
    peak = max(p.gflops for p in peaks) / (2 if program.dtype == "float64" else 1)
    plan = bound.compiled.plan
    return Profile(
        plan=plan.name,
        rows=_rows(program, bound, seconds, step_s, peak),
        step_s=step_s,
        peak_gflops=peak,
        peak_gbs=max(p.gbs for p in peaks),
        peak_by=peaks[0].by,
        gflops=plan.flops / step_s / 1e9,
        threads=threads,
        samples_per_s=program.batch_size / step_s,
        other_s=max(0.0, step_s - sum(seconds)),
    )


def _step_seconds(runner: Runner, turns: list[dict[str, np.ndarray]], hyper: dict[str, float]) -> float:
    """Seconds a step: the median of a few runs, as neighbours come and go."""
    size = -(-len(turns) // RUNS)
    found = []
    for start in range(0, len(turns), size):
        part = turns[start : start + size]
        begin = perf_counter()
        runner.run(len(part), part, hyper)
        found.append((perf_counter() - begin) / len(part))
    return median(found)


def _rows(program: Program, bound: BoundPlan, seconds: list[float], step_s: float, peak: float) -> tuple[Row, ...]:
    rows = []
    for record, s in zip(records(bound.lowered, program.bank.machine), seconds, strict=True):
        gflops = record.flops / max(s, 1e-9) / 1e9
        gbs = record.bytes / max(s, 1e-9) / 1e9
        rows.append(Row(record.name, record.layers, s, s / step_s, gflops, gbs, 100 * gflops / peak))
    return tuple(rows)


def _cells(row: Row) -> list[str]:
    rate, percent = (f"{row.gflops:.1f}", f"{row.percent_peak:.0f}") if row.gflops else ("", "")
    times = [duration(row.seconds), f"{row.share:.1%}", rate, f"{row.gbs:.1f}", percent]
    return [row.kernel, *times, ", ".join(row.layers)]


def _scalars(program: Program, bound: BoundPlan) -> dict[str, float]:
    """The scalars of the plan; learning rates are 0, so that parameters stay in their range."""
    known = {"step": program.rng_step, "n_valid": program.batch_size}
    return {s.key: known.get(s.key, 0.0) for s in bound.compiled.plan.slots if s.place == "hyper"}


def _copied_states(program: Program, bound: BoundPlan) -> dict[str, np.ndarray]:
    """Storage of the plan's own: parameters as they are, solver state at zero."""
    found = {}
    for p in bound.traced.params:
        storage = program.params[p.key][p.name].values
        found[p.value] = aligned_empty(storage.shape, storage.dtype)
        found[p.value][...] = storage
    for i in bound.source.graph.inputs:
        if i.role == "slot":
            found[i.name] = aligned_zeros(i.type.shape, DTYPES[i.type.dtype])
        elif i.role == "const":
            found[i.name] = aligned_zeros(i.type.shape, DTYPES[i.type.dtype])
            found[i.name][...] = bound.traced.tables[i.name]
    return found
