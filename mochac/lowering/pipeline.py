"""The pipeline as one readable list: Graph -> passes -> Kernels -> Schedules -> code + Plan.

Everything that depends on the backend goes through its Generator (codegen/generator.py).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from mochac.codegen.generator import Generator
from mochac.codegen.library_code import LibraryCode, library_calls
from mochac.codegen.nesting import Nested
from mochac.ir.applying import apply
from mochac.ir.graph import Graph
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Schedule
from mochac.lowering.canonical import canonical, named, renamed
from mochac.lowering.lowered import Lowered, ScheduledKernel
from mochac.passes.assign_layout import assign_layout
from mochac.passes.choose_library import Ask, choose_library
from mochac.passes.fuse import fuse
from mochac.passes.in_place import add_copies
from mochac.passes.plan_memory import plan_memory
from mochac.passes.pool_first import pool_first
from mochac.passes.simplify import simplify
from mochac.passes.sum_before_unpool import sum_before_unpool
from mochac.passes.to_kernels import to_kernels

BY_LIBRARY = Schedule("library", ())
"""Of a kernel that a library computes: the loop nest only says what."""
Chooser = Callable[[Kernel], Schedule | None]
"""Returns the schedule of a canonical staged kernel (canonical.py), or None to leave it to the generator's rules."""


class Clock:
    """Measures compile time by stage, and by kernel within a stage.

    Args:
        spent: seconds spent in earlier stages.
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
    generator: Generator,
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
    """Lower a Graph to a Plan.

    Args:
        scalars: outputs of shape (), as reported name -> value name.
        named: values that must be readable after a run, as reported name -> value name.
        dtype: the element type that determines the number of lanes.
        fused, layout: False switches fusion or the blocked layout off, for comparison.
        chooser: returns schedules instead of the generator's rules.
        origin: what chose a schedule, for explain; like `chooser` it gets canonical kernels.
        spent: seconds that making the graph took, by stage.
        ask: why a library does not support a call (choose_library.py); None: it supports every call.
    """
    clock = Clock(spent)
    lanes = generator.lanes(dtype) if layout else 0
    stages = [("trace", graph)]

    def run(name: str, result: Graph) -> Graph:
        stages.append((name, result))
        clock.lap(name)
        return result

    graph = run("simplify", simplify(graph))
    graph = run("pool_first", pool_first(graph))
    graph = run("sum_before_unpool", sum_before_unpool(graph))
    graph = run("assign_layout", assign_layout(graph, lanes))
    fusion = partial(fuse, enabled=fused, separate_random=generator.separate_random)
    if generator.libraries:  # which nodes are worth a call depends on what they would be fused with
        graph = run("choose_library", choose_library(fusion(graph), generator.libraries, generator.how_called, ask))
    graph = run("fuse", fusion(graph))
    staged = to_kernels(graph)
    naive = add_copies(graph, tuple(map(_naive, staged)))
    clock.lap("to_kernels")
    calls = library_calls(graph) if generator.libraries else {}
    kernels = _scheduled((*staged, *naive[len(staged) :]), naive, calls, generator, chooser, clock)
    clock.lap("schedule")
    if origin is not None:
        kernels = tuple(replace(k, origin=origin(canonical(k.staged)[0])) for k in kernels)
    launched = [launch for k in kernels for launch in k.launched(generator)]
    compiled = {kernel.name: made for kernel, made in launched}
    plan = plan_memory(
        graph.name, graph, tuple(k for k, _ in launched), scalars=scalars, named=named, compiled=compiled
    )
    clock.lap("plan_memory")
    return Lowered(graph.name, tuple(stages), kernels, plan, generator, clock.seconds, clock.kernels)


def _scheduled(
    staged: Sequence[Kernel],
    naive: Sequence[Kernel],
    calls: Mapping[str, LibraryCode],
    generator: Generator,
    chooser: Chooser | None,
    clock: Clock,
) -> tuple[ScheduledKernel, ...]:
    """Every kernel with its code, or with its library call."""
    done: dict[Kernel, ScheduledKernel] = {}
    return tuple(
        ScheduledKernel(kernel, plain, BY_LIBRARY, plain, calls[kernel.outputs[0].name])
        if kernel.outputs[0].name in calls
        else schedule_kernel(kernel, plain, generator, chooser, clock, done)
        for kernel, plain in zip(staged, naive, strict=True)
    )


def schedule_kernel(
    kernel: Kernel,
    naive: Kernel,
    generator: Generator,
    chooser: Chooser | None,
    clock: Clock,
    done: dict[Kernel, ScheduledKernel],
) -> ScheduledKernel:
    """Choose, apply, print: once per canonical kernel; printed once more for each kernel if code contains its names."""
    plain, names = canonical(kernel)
    found = done.get(plain)
    if found is None:
        schedule = (chooser(plain) if chooser is not None else None) or generator.choose(plain)
        scheduled = apply(schedule, plain)
        clock.lap("schedule", kernel.name)
        own = _own(scheduled, names, kernel)
        code = generator.print_kernel(scheduled if generator.shares_code else own)
        done[plain] = ScheduledKernel(plain, plain, schedule, scheduled, code)
    else:
        schedule, own = found.schedule, _own(found.scheduled, names, kernel)
        code = found.code if generator.shares_code else generator.print_kernel(own)
    clock.lap("print", kernel.name)
    return ScheduledKernel(kernel, naive, named(schedule, names), own, code)


def _naive(staged: Kernel) -> Kernel:
    """A staged kernel as one nest, by the steps that every schedule of it begins with."""
    plain, names = canonical(staged)
    return _own(Nested.of(plain).kernel, names, staged)


def _own(scheduled: Kernel, names: Mapping[str, str], kernel: Kernel) -> Kernel:
    """A canonical kernel with the names of a kernel that has it as canonical form."""
    return renamed(scheduled, names).with_(name=kernel.name, loc=kernel.loc)
