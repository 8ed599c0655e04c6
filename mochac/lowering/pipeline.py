"""The pipeline, as one readable list: Graph -> passes -> Kernels -> Schedules -> a backend's text + Plan.

cached.py lowers every plan through `lower`; explain and dump read the stages it keeps. It knows no nets and no solvers,
and of a backend only what backends.py says.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from mochac.ir.applying import apply
from mochac.ir.graph import Graph
from mochac.ir.kernel import Kernel
from mochac.ir.program import Compiled, Plan
from mochac.ir.schedule import Schedule
from mochac.lowering.backends import Backend, Code, Target, backend_of
from mochac.lowering.canonical import named, nameless, renamed
from mochac.lowering.library_calls import BY_LIBRARY, LibraryCode, library_calls
from mochac.passes.assign_layout import assign_layout
from mochac.passes.choose_library import Ask, choose_library
from mochac.passes.fuse import fuse
from mochac.passes.in_place import add_copies
from mochac.passes.plan_memory import plan_memory
from mochac.passes.pool_first import pool_first
from mochac.passes.simplify import simplify
from mochac.passes.split_sums import split_sums
from mochac.passes.sum_before_unpool import sum_before_unpool
from mochac.passes.to_kernels import to_kernels

Chooser = Callable[[Kernel, Any], Schedule]


@dataclass(frozen=True)
class ScheduledKernel:
    """A kernel on its way down: as lowered, the schedule chosen, as scheduled, as printed."""

    naive: Kernel
    schedule: Schedule
    scheduled: Kernel
    code: Code
    origin: str = "by rule"
    """Who chose the schedule, in words."""


@dataclass(frozen=True)
class Lowered:
    """Everything between a Graph and its Plan. `stages` are (pass name, graph after it); `seconds` is compile time by
    stage, `kernel_seconds` the part of scheduling and printing by kernel (none of one like another); `text` is the
    module the backend prints."""

    name: str
    stages: tuple[tuple[str, Graph], ...]
    kernels: tuple[ScheduledKernel, ...]
    plan: Plan
    target: Target
    seconds: dict[str, float] = field(default_factory=dict)
    kernel_seconds: Mapping[str, float] = field(default_factory=dict)

    @cached_property
    def backend(self) -> Backend:
        """What the target is generated for by."""
        return backend_of(self.target)

    @cached_property
    def text(self) -> str:
        """The module of all kernels: LLVM IR or CUDA C."""
        codes = [kernel.code for kernel in self.kernels if not isinstance(kernel.code, LibraryCode)]
        return self.backend.module_text(codes, self.plan)

    @property
    def graph(self) -> Graph:
        """The graph after the last pass."""
        return self.stages[-1][1]


class Clock:
    """Compile time by stage, and by kernel where one is given.

    Args:
        spent: in earlier stages.
    """

    def __init__(self, spent: Mapping[str, float] | None = None) -> None:
        self.seconds: dict[str, float] = dict(spent or {})
        self.kernels: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, stage: str, kernel: str = "") -> None:
        now = time.perf_counter()
        spent, self._last = now - self._last, now
        self.seconds[stage] = self.seconds.get(stage, 0.0) + spent
        if kernel:
            self.kernels[kernel] = self.kernels.get(kernel, 0.0) + spent


def lower(
    graph: Graph,
    target: Target,
    *,
    scalars: Mapping[str, str],
    named: Mapping[str, str],
    dtype: str = "f32",
    fused: bool = True,
    layout: bool = True,
    chooser: Chooser | None = None,
    origin: Callable[[Kernel], str] | None = None,
    spent: Mapping[str, float] | None = None,
    ask: Ask | None = None,
) -> Lowered:
    """Take a Graph all the way to a Plan.

    Args:
        scalars: outputs of shape () by the name they are reported under -> value name.
        named: values that stay readable after a run, by reported name -> value name.
        dtype: the element type that sets the number of lanes.
        fused, layout: switch fusion and the blocked layout off, for comparison.
        chooser: gives the Schedule of each kernel for the target; None: the backend's rules.
        origin: who chose it, for explain; like `chooser` it is given kernels without names (alike.py).
        spent: seconds that making the graph took, by stage.
        ask: why a library does not have a call (choose_library.py); None: it has every one.
    """
    clock = Clock(spent)
    backend = backend_of(target)
    lanes = backend.lanes(dtype) if layout else 0
    stages = [("trace", graph)]

    def run(name: str, result: Graph) -> Graph:
        stages.append((name, result))
        clock.lap(name)
        return result

    graph = run("simplify", simplify(graph))
    graph = run("pool_first", pool_first(graph))
    graph = run("sum_before_unpool", sum_before_unpool(graph))
    graph = run("assign_layout", assign_layout(graph, lanes))
    if backend.libraries:
        graph = run("choose_library", choose_library(graph, backend.libraries, backend.how_called, ask))
    if backend.splits_sums:
        graph = run("split_sums", split_sums(graph, backend.parts))
    graph = run("fuse", fuse(graph, enabled=fused, separate_random=backend.separate_random))
    naive = add_copies(graph, to_kernels(graph))
    clock.lap("to_kernels")
    calls = library_calls(graph) if backend.libraries else {}
    kernels = _scheduled(naive, calls, target, chooser or backend.choose, clock)
    clock.lap("schedule")
    if origin is not None:
        kernels = tuple(replace(k, origin=origin(nameless(k.naive)[0])) for k in kernels)
    compiled = {k.naive.name: _launched(k.code, backend) for k in kernels}
    plan = plan_memory(graph.name, graph, naive, scalars=scalars, named=named, compiled=compiled)
    clock.lap("plan_memory")
    return Lowered(graph.name, tuple(stages), kernels, plan, target, clock.seconds, clock.kernels)


def _scheduled(
    naive: Sequence[Kernel], calls: Mapping[str, LibraryCode], target: Target, chooser: Chooser, clock: Clock
) -> tuple[ScheduledKernel, ...]:
    """Every kernel with its code; those that a library computes are only called."""
    done: dict[Kernel, ScheduledKernel] = {}
    return tuple(
        ScheduledKernel(kernel, BY_LIBRARY, kernel, calls[kernel.outputs[0].name])
        if kernel.outputs[0].name in calls
        else schedule_kernel(kernel, target, chooser, clock, done)
        for kernel in naive
    )


def schedule_kernel(
    kernel: Kernel, target: Target, chooser: Chooser, clock: Clock, done: dict[Kernel, ScheduledKernel]
) -> ScheduledKernel:
    """Choose, apply, print; kernels alike but for names are done once, and printed once where code bears no names."""
    backend = backend_of(target)
    alike, names = nameless(kernel)
    found = done.get(alike)
    if found is None:
        schedule = chooser(alike, target)
        scheduled = apply(schedule, alike)
        clock.lap("schedule", kernel.name)
        own = _own(scheduled, names, kernel)
        code = backend.print_kernel(scheduled if backend.shares_code else own)
        done[alike] = ScheduledKernel(alike, schedule, scheduled, code)
    else:
        schedule, own = found.schedule, _own(found.scheduled, names, kernel)
        code = found.code if backend.shares_code else backend.print_kernel(own)
    clock.lap("print", kernel.name)
    return ScheduledKernel(kernel, named(schedule, names), own, code)


def _launched(code: Code, backend: Backend) -> Compiled:
    return code.launched() if isinstance(code, LibraryCode) else backend.launched(code)


def _own(scheduled: Kernel, names: Mapping[str, str], kernel: Kernel) -> Kernel:
    """A nameless kernel under the names of one of its kind."""
    return renamed(scheduled, names).with_(name=kernel.name, loc=kernel.loc)
