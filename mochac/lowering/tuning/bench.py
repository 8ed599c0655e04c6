"""Measures kernels and steps.

Bench: runs one kernel alone, to compare candidate schedules with the interpreter and to time them in turns.

The kernel runs as in its plan: on the same number of threads, and on as many copies of its operands as fill the plan's
memory, so that none is closer to the core than it would be there.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import inf
from statistics import median
from typing import Any

import numpy as np

from mochac.base.errors import InternalError
from mochac.base.records import record
from mochac.base.support.memory import aligned_empty
from mochac.base.threads import cached_property
from mochac.codegen.generator import Code
from mochac.codegen.machine import Machine
from mochac.codegen.prediction.prediction import predicted
from mochac.ir.applying import apply
from mochac.ir.graph import STORED
from mochac.ir.kernel import Kernel
from mochac.ir.plan import Launch, Placement, Plan
from mochac.ir.schedule import Schedule, ScheduleError
from mochac.ir.types import DTYPES, TensorType, garbage, to_logical, to_storage
from mochac.lowering.operands import Operands, mismatch
from mochac.lowering.verification import BoundKernel, LoneKernel
from mochac.runtime.backend import Backend, Executor
from mochac.runtime.lowered import Lowered, launched_kernels

BURST_S = 0.03
MAX_STEPS = 200
MOST_RATIO = 100


def kernel_of(launch: Launch) -> str:
    """The kernel of a launch, which may be one of its grids."""
    return launch.of or launch.kernel


@record
class Stepping:
    """A plan bound to memory of its own."""

    runner: Executor
    feeds: dict[str, np.ndarray]
    hyper: dict[str, Any]

    def seconds(self, steps: int) -> dict[str, float]:
        """What each kernel adds to a step, in seconds: medians over `steps` steps."""
        times = self.runner.profile(steps, [self.feeds], self.hyper).parts.tolist()
        found = dict.fromkeys(map(kernel_of, self.runner.plan.launches), 0.0)
        for launch, seconds in zip(self.runner.plan.launches, times, strict=True):
            found[kernel_of(launch)] += seconds
        return found

    def steps(self) -> int:
        """Number of steps of a turn."""
        self.seconds(1)  # touch pages, fill caches
        return max(3, min(MAX_STEPS, int(BURST_S / max(sum(self.seconds(1).values()), 1e-7))))


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
    phase = {kernel_of(launch): launch.phase for launch in first.runner.plan.launches}
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


MOST_COPIES = 64
MOST_RUNS = 400
MOST_TEXT, ENOUGH_TEXT = 4, 100_000
"""A candidate's code may be this many times as long as the rule's, or have this many characters: compiling is slow."""
HOPELESS = 0.9


class Refused(Exception):
    """A candidate is refused; the message is a short reason."""


@record
class Candidate:
    """A schedule's code, loaded and bound to the operands."""

    schedule: Schedule
    code: Code
    runner: Executor | BoundKernel


@record
class Setting:
    """How the kernel is used in its plan.

    Attributes:
        homes: name of each buffer's storage, inputs then outputs; a new state shares that of the old one.
        launch: its line of the plan.
        footprint: bytes that a run of the plan accesses.
    """

    homes: tuple[str, ...]
    launch: Launch
    threads: int
    footprint: int


class Bench:
    """The operands of one kernel in memory, on which schedules run.

    Args:
        kernel: as lowered, canonical.
        operands: its operands, with the interpreter's results.
        longest_s: maximum time of a compilation, and of a single run.
    """

    def __init__(
        self, kernel: Kernel, operands: Operands, setting: Setting, backend: Backend, longest_s: float
    ) -> None:
        self.kernel, self.setting, self.backend, self.longest_s = kernel, setting, backend, longest_s
        self._operands, self._wanted = operands, operands.wanted
        self._stored = [to_storage(a, b.type) for a, b in zip(operands.inputs, kernel.inputs, strict=True)]
        self._buffers = (*kernel.inputs, *kernel.outputs)
        self._most_text = 0
        self._copies = [self._filled() for _ in range(self._n_copies)]
        self._next = 0

    @property
    def _n_copies(self) -> int:
        sizes = {home: b.type.storage_bytes for home, b in zip(self.setting.homes, self._buffers, strict=True)}
        if not self.backend.in_host_memory:
            return 0
        return max(1, min(MOST_COPIES, self.setting.footprint // max(1, sum(sizes.values()))))

    # -- predictions --------------------------------------------------------------------------------------------------

    def predicted(self, schedule: Schedule) -> float:
        """Cycles that a schedule is predicted to take; infinite if it does not apply or there is no model."""
        if self._machine is None:
            return inf
        try:
            kernel = apply(schedule, self.kernel)
        except ScheduleError:
            return inf
        names = [b.name for b in self._buffers]
        distances = dict.fromkeys(names, self.setting.footprint)
        storage = dict(zip(names, self.setting.homes, strict=True))
        return predicted(kernel, self._machine, distances, storage).slowest(self.setting.threads)

    @cached_property
    def _machine(self) -> Machine | None:
        return self.backend.machine(self.setting.threads)

    # -- candidates ---------------------------------------------------------------------------------------------------

    def candidate(self, schedule: Schedule) -> Candidate:
        """Compile a schedule, run it once and check its results.

        Raises:
            Refused: it does not apply, takes too long to compile or run, or computes something else.
        """
        start = time.perf_counter()
        try:
            scheduled = apply(schedule, self.kernel)
            code = self.backend.generator.print_kernel(scheduled)
        except ScheduleError as error:
            raise Refused(_misfit(error)) from None
        except InternalError:
            raise Refused("cannot be printed") from None
        self._most_text = self._most_text or max(MOST_TEXT * len(code.text), ENOUGH_TEXT)
        if len(code.text) > self._most_text:
            raise Refused("too much code")
        try:
            found = Candidate(schedule, code, self._bound(code, scheduled))
        except RuntimeError:
            raise Refused("the compiler refuses its code") from None
        try:
            self._require(time.perf_counter() - start < self.longest_s, "too long to compile")
            self._check(found)
        except BaseException:
            found.runner.close()
            raise
        return found

    def _bound(self, code: Code, scheduled: Kernel) -> Executor | BoundKernel:
        if not self.backend.in_host_memory:
            return self._on_device(code, scheduled)
        setting = self.setting
        placements = {home: _placement(home, b.type) for home, b in zip(setting.homes, self._buffers, strict=True)}
        (compiled,) = self.backend.generator.launched(self.kernel, code)
        launch = replace(setting.launch, buffers=setting.homes, phase=0, **compiled._asdict())
        plan = Plan("candidate", tuple(placements.values()), (launch,), (), (), 0, 0)
        image = self.backend.compile(self.backend.generator.module_text([code], plan))
        return self.backend.bind(plan, [image], {}, setting.threads)

    def _on_device(self, code: Code, scheduled: Kernel) -> BoundKernel:
        """A candidate with operands of its own in a device's memory, since those of the host would be sent for each
        run."""
        generator = self.backend.generator
        launched = tuple(
            zip(launched_kernels(self.kernel, scheduled), generator.launched(self.kernel, code), strict=True)
        )
        homes = dict(zip([b.name for b in self._buffers], self.setting.homes, strict=True))
        return LoneKernel.placed(self.kernel, code, launched, generator, homes).bound(self.backend, self._operands)

    def _check(self, candidate: Candidate) -> None:
        start = time.perf_counter()
        found = self._results(candidate.runner)
        self._require(time.perf_counter() - start < self.longest_s, "too long to run")
        for wanted, got in zip(self._wanted, found, strict=True):
            self._require(not mismatch(self.kernel, wanted, got), "wrong result")

    def _results(self, runner: Executor | BoundKernel) -> list[np.ndarray]:
        """The results of one run, in logical order."""
        if isinstance(runner, BoundKernel):
            return runner.results()
        self._copies[0] = self._filled()
        runner.run(1, [self._copies[0]])
        homes = self.setting.homes[len(self.kernel.inputs) :]
        return [to_logical(self._copies[0][home], b.type) for b, home in zip(self.kernel.outputs, homes, strict=True)]

    @staticmethod
    def _require(holds: bool, reason: str) -> None:
        if not holds:
            raise Refused(reason)

    def spills(self, candidate: Candidate) -> int:
        """Number of vector registers that a candidate's code spills to memory."""
        return self.backend.spills(self.backend.generator.module_text([candidate.code]))

    # -- timing -------------------------------------------------------------------------------------------------------

    def ratios(self, candidate: Candidate, other: Candidate, rounds: int, burst_s: float) -> list[float]:
        """How many times as fast as `other` a candidate is, sorted, from rounds that run both in alternating order.

        It ends early if the candidate can no longer win.
        """
        runs = max(1, min(MOST_RUNS, int(burst_s / max(self._seconds(other, 1), 1e-7))))
        found = []
        for turn in range(rounds):
            pair = (candidate, other) if turn % 2 else (other, candidate)
            spent = {id(c): self._seconds(c, runs) for c in pair}
            found.append(spent[id(other)] / max(spent[id(candidate)], 1e-9))
            if turn == 1 and max(found) < HOPELESS:
                break
        return sorted(found)

    def _seconds(self, candidate: Candidate, runs: int) -> float:
        if isinstance(candidate.runner, BoundKernel):
            return candidate.runner.seconds(runs)
        turns = [self._copies[(self._next + k) % len(self._copies)] for k in range(runs)]
        self._next += runs
        return float(candidate.runner.profile(runs, turns).launches[0])

    # -- operands -----------------------------------------------------------------------------------------------------

    def _filled(self) -> dict[str, np.ndarray]:
        """Storage for every buffer, with operands filled in and results set to garbage."""
        found: dict[str, np.ndarray] = {}
        for array, home in zip(self._stored, self.setting.homes, strict=False):
            found[home] = aligned_empty(array.shape, array.dtype)
            found[home][...] = array
        for buffer, home in zip(self.kernel.outputs, self.setting.homes[len(self._stored) :], strict=True):
            if home not in found:
                found[home] = aligned_empty((buffer.type.storage_elems,), DTYPES[buffer.type.dtype])
                found[home][...] = garbage((1,), buffer.type.dtype)
        return found

    def close(self) -> None:
        """Release the operands; callers close their candidates."""
        self._copies.clear()


def _misfit(error: ScheduleError) -> str:
    """The step that does not apply; the error says "step 3 name(fields): why"."""
    step = re.search(r", step \d+ (\w+)\(", str(error))
    return f"{step[1]} does not apply" if step else "does not apply"


def _placement(home: str, kind: TensorType) -> Placement:
    """Storage without a shape, passed with every run."""
    return Placement(home, TensorType(kind.dtype, (kind.storage_elems,)), "feed", home)
