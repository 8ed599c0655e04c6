"""KernelTime and Profile: the times of a step's kernels as a table, and how far it can be trusted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from statistics import median

import numpy as np

from mochac.base.drawing.svg import fixed, table, titled
from mochac.base.records import record
from mochac.base.support.array_like import duration, fitting
from mochac.base.support.log import columns_of
from mochac.base.support.times import Bandwidth
from mochac.runtime.ranks.ranks import Exchanged

MAX_SPREAD, MAX_MISSED, MIN_CLOCK_COST = 0.25, 0.05, -0.03
"""Limits for an idle machine, as fractions of a step: the spread of runs, the time that the table misses, and the cost
of the clocks."""
SHOWN_MISSED = 0.01
"""Time that the table misses, or that a step waits for data, is not reported up to this fraction of a step."""
HEADER = (
    "kernel", "time", "predicted", "share", "GFLOP/s", "executed", "GB/s", "% peak", "% roof", "roof", "layers",
)  # fmt: skip
SAME = 0.005
"""Operation counts that differ by a smaller fraction are shown as one."""


@record
class KernelTime:
    """One kernel in an ordinary step.

    Attributes:
        seconds: time of its slowest thread.
        predicted: seconds predicted by the model of the machine, at least the kernel's roof; None without a model.
        share: fraction of the whole step, 0..1; concurrent kernels share their time.
        gflops, gbs: 1e9 operations of the layer's formula, and 1e9 bytes of its operands and results, per second.
        executed: operations executed per operation of the formula: less than 1 if taps on padding are skipped or a
            convolution is computed by tiles, more if lanes are idle. 0 for kernels without multiplications to count.
        percent_peak: gflops in percent of the peak.
        percent_roof: minimum time of the kernel on this machine, in percent of its time. Taps on padding that it skips
            do not count.
        bound_by: limit that determines the minimum time: "peak", or the memory level whose bandwidth does.
        range_s: seconds in the quickest and in the slowest step of the run that `seconds` is of; None if unknown.
    """

    kernel: str
    layers: tuple[str, ...]
    seconds: float
    predicted: float | None
    share: float
    gflops: float
    gbs: float
    executed: float
    percent_peak: float
    percent_roof: float
    bound_by: str
    range_s: tuple[float, float] | None = None


@record
class Profile:
    """Table of a plan's kernels in the order they run; print it.

    Attributes:
        rows: one per kernel.
        step_s: seconds per step, without clocks between kernels.
        clocked_s: seconds with the clocks; the rows are parts of it.
        barriers_s: seconds of a clocked step spent waiting between phases.
        between_s: seconds from the end of a step to the start of the next.
        attributed: fraction of a clocked step that rows, barriers and the time between steps account for.
        clock_cost: what the clocks add to a step, as a fraction of it.
        spread: how much longer a slow run took than a fast one (third quartile and first), as a fraction.
        peak_gflops: measured now, on the same number of threads, for the plan's element type.
        peak_by: description of the code that reaches peak_gflops.
        bandwidth: bandwidth of caches and memory, measured now.
        gflops: rate of the whole step, by the layers' formulas.
        executed_gflops: rate of the whole step, by executed operations.
        drawn: data layers without data: their batches are random numbers.
        runs, run_steps: `step_s` is the median of `runs` runs of `run_steps` steps. As many runs had clocks; the rows
            are from the one whose step took the median time.
        spans: [threads][kernels][2], when each kernel ran in one step of median length: seconds from its begin. It has
            only the threads that ran: fewer than `shared_by` while other work kept a CPU busy.
        shared_by: number of threads for which the plan has work.
        reads: seconds that the reader of each data layer takes for a batch, which it does while a step runs.
        waits: seconds that each of the program's latest steps has waited for a data layer; empty before it has trained.
        exchanged, exchanged_steps: what each rank exchanged, and in how many steps.
    """

    plan: str
    rows: tuple[KernelTime, ...]
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
    runs: int = 1
    run_steps: int = 1
    shared_by: int = 1
    spans: np.ndarray = field(default_factory=lambda: np.zeros((0, 0, 2)), repr=False, compare=False)
    reads: Mapping[str, float] = field(default_factory=dict[str, float])
    waits: Mapping[str, float] = field(default_factory=dict[str, float])
    exchanged: tuple[Exchanged, ...] = ()
    exchanged_steps: int = 1

    @property
    def other_s(self) -> float:
        """Seconds of a step outside kernels: barriers, binding the next batch, copying results."""
        return self.barriers_s + self.between_s

    @property
    def missing_s(self) -> float:
        """Seconds of a step with clocks that are in no row, as where a thread was not running; less than 0 if rows add
        up to more than a step; 0 for less than a hundredth of one."""
        missing = (1 - self.attributed) * self.clocked_s
        return missing if abs(missing) > SHOWN_MISSED * self.clocked_s else 0.0

    @property
    def stall_s(self) -> float:
        """Seconds that a step waits for its batch, as the latest steps did. If there are none yet, how much longer a
        reader takes for a batch than a step. 0 for less than a hundredth of a step."""
        expected = max(self.reads.values(), default=0.0) - self.step_s
        stall_s = max(self.waits.values()) if self.waits else expected
        return stall_s if stall_s > SHOWN_MISSED * self.step_s else 0.0

    @property
    def slowest_input(self) -> str:
        """The data layer that steps wait for longest, or would."""
        by_layer = self.waits or self.reads
        return max(by_layer, key=lambda layer: by_layer[layer])

    @property
    def used_threads(self) -> int:
        """Number of threads that ran the steps of the table."""
        return len(self.spans) or self.threads

    @property
    def doubts(self) -> tuple[str, ...]:
        """Evidence that other work took CPU time from the steps: each limit of an idle machine that was broken."""
        found: list[str] = []
        if self.spread > MAX_SPREAD:
            found.append(f"slow runs took {self.spread:.0%} longer than quick ones, more than {MAX_SPREAD:.0%}")
        if abs(self.attributed - 1) > MAX_MISSED:
            missed = abs(self.attributed - 1)
            found.append(f"rows of the table differ by {missed:.2%} from a step, more than {MAX_MISSED:.0%}")
        if self.clock_cost < MIN_CLOCK_COST:
            found.append(f"steps with clocks took {-self.clock_cost:.1%} less time than those without")
        if self.used_threads < self.shared_by:
            found.append(f"only {self.used_threads} of {self.shared_by} threads ran the steps of the table")
        return tuple(found)

    @property
    def busy(self) -> bool:
        """Whether other work took CPU time from the steps, so that the table is not reliable."""
        return bool(self.doubts)

    def top(self, n: int = 5) -> Profile:
        """Keep only the n slowest kernels."""
        return replace(self, rows=tuple(sorted(self.rows, key=lambda row: -row.seconds)[:n]))

    def __str__(self) -> str:
        cells, spare = [*map(_cells, self.rows), *self._others()], ["layers", "executed", "predicted"]
        rows = fitting(HEADER, cells, columns_of(), spare, right=range(1, 9), indent="")
        return f"{rows}\n\n{self._totals()}\n"

    def _repr_html_(self) -> str:
        """In a notebook: the table, and the totals below it."""
        cells = table(HEADER, [*map(_cells, self.rows), *self._others()], right=range(1, 9))
        return titled(f"{self.plan}: {duration(self.step_s)} a step", cells, fixed(self._totals()))

    def _others(self) -> list[list[str]]:
        rows = {"(barriers)": self.barriers_s, "(between steps)": self.between_s}
        rows |= {"(not accounted for)": self.missing_s} if self.missing_s else {}
        rows |= {"(step with clocks)": self.clocked_s}
        return [self._other(what, seconds) for what, seconds in rows.items()]

    def _other(self, what: str, seconds: float) -> list[str]:
        return [what, duration(seconds), "", f"{seconds / self.clocked_s:.1%}", *[""] * 7]

    def _totals(self) -> str:
        percent = 100 * self.gflops / self.peak_gflops
        rate = f"{self.gflops:.4g} GFLOP/s"
        if abs(self.executed_gflops - self.gflops) > SAME * self.gflops:
            rate += f" ({self.executed_gflops:.4g} executed)"
        total = f"{duration(self.step_s)} a step, {self.samples_per_s:,.0f} samples/s, {rate}"
        return (
            f"plan '{self.plan}': {total}\n{percent:.0f}% of the {self.peak_gflops:.4g} GFLOP/s that {self.peak_by}\n"
            f"reading / copying: {self.bandwidth}\n"
            f"at their roofs, the kernels would take {self.percent_roof:.0f}% of their time\n"
            f"{self._predictions()}{self._data()}{self._trust()}{self._inputs()}{self._exchanges()}"
        )

    @property
    def percent_roof(self) -> float:
        """Minimum time of the kernels of the table, in percent of their time."""
        return sum(row.percent_roof * row.seconds for row in self.rows) / max(1e-9, sum(r.seconds for r in self.rows))

    @property
    def distance(self) -> float | None:
        """The distance of predictions from measured times, as a fraction; the median over kernels. None without
        predictions."""
        found = [relative_distance(row.predicted, row.seconds) for row in self.rows if row.predicted]
        return median(found) if found else None

    def _predictions(self) -> str:
        return "" if self.distance is None else f"predicted times: median distance {self.distance:.0%}\n"

    def _data(self) -> str:
        """A line about how long steps wait for the data layers, if they do."""
        if not self.stall_s:
            return ""
        slowest, waits = self.slowest_input, "waited" if self.waits else "would wait"
        makes = f"data layer {slowest!r} takes {duration(self.reads[slowest])} for a batch"
        return f"{makes}: in training, a step {waits} {duration(self.stall_s)} for it\n"

    def _trust(self) -> str:
        """How well the table accounts for a step, or why it does not."""
        inside = f"the table covers {self.attributed:.1%} of a step"
        if not self.busy:
            return f"{inside}; reading the clocks adds {self.clock_cost:.1%}"
        return (
            "the machine was busy with other work while this was measured: profile again when it is idle\n"
            f"({'; '.join(self.doubts)})"
        )

    def _exchanges(self) -> str:
        """A line for each rank, if several ran the step."""
        return "".join(
            f"\nrank {rank} exchanged {each.a_step(self.exchanged_steps)}" for rank, each in enumerate(self.exchanged)
        )

    def _inputs(self) -> str:
        """A line about random batches, if there are any."""
        layers = " and ".join(map(repr, self.drawn))
        return f"\nno data for {layers}: the batches are random numbers" if layers else ""


def relative_distance(predicted: float, measured: float) -> float:
    """The distance of a prediction as a fraction, the same for twice and for half the time.

    >>> relative_distance(2.0, 1.0), relative_distance(1.0, 2.0)
    (1.0, 1.0)
    """
    return max(predicted, measured) / max(min(predicted, measured), 1e-12) - 1


def _cells(row: KernelTime) -> list[str]:
    rate, percent = (f"{row.gflops:.1f}", f"{row.percent_peak:.0f}") if row.gflops else ("", "")
    differs = row.gflops and abs(row.executed - 1) > SAME
    executed = f"x {row.executed:.2f}" if differs else ""
    numbers = [rate, executed, f"{row.gbs:.1f}", percent, f"{row.percent_roof:.0f}", row.bound_by]
    predicted = duration(row.predicted) if row.predicted else ""
    return [row.kernel, duration(row.seconds), predicted, f"{row.share:.1%}", *numbers, ", ".join(row.layers)]
