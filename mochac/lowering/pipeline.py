"""The pipeline as one readable list: Graph -> passes -> Kernels -> Schedules -> code + Plan.

Everything that depends on the backend goes through its Generator (codegen/generator.py).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from mochac.base.errors import UnsupportedError
from mochac.base.garbage import uncollected
from mochac.base.records import record
from mochac.codegen.canonical import canonical
from mochac.codegen.generator import Generator, exchange_calls, library_calls
from mochac.codegen.nesting import Nested
from mochac.ir.build import in_bodies, of_bodies
from mochac.ir.graph import BoundNode, Graph
from mochac.ir.kernel import Kernel
from mochac.ir.op import OPS
from mochac.ir.ops._window import Tiles
from mochac.ir.passes.assign_layout import assign_layout
from mochac.ir.passes.buckets import buckets
from mochac.ir.passes.choose_library import choose_library
from mochac.ir.passes.cut_batch import cut_batch
from mochac.ir.passes.fast_convolutions import fast_convolutions
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.group_graph import FusionTarget
from mochac.ir.passes.in_place import add_copies, leave_copies_out
from mochac.ir.passes.join_items import join_items
from mochac.ir.passes.join_kernels import Staged
from mochac.ir.passes.join_launches import join_steps, join_sums
from mochac.ir.passes.join_products import join_factors, join_gates
from mochac.ir.passes.join_rows import join_rows
from mochac.ir.passes.leave_scans import leave_scans
from mochac.ir.passes.map_nets import map_nets
from mochac.ir.passes.pair_factors import pair_factors, refuse
from mochac.ir.passes.plan_memory import plan_memory
from mochac.ir.passes.recompute import recompute
from mochac.ir.passes.simplify import simplify
from mochac.ir.passes.sums import sum_by_sample, sum_factors
from mochac.ir.passes.to_kernels import to_kernels
from mochac.ir.passes.transpose_weights import transpose_weights
from mochac.ir.plan import Compiled, Plan
from mochac.ir.schedule import Schedule
from mochac.runtime.backend import CallAdviser, KernelObjects
from mochac.runtime.lowered import CanonicalKernel, KernelNames, LibraryKernel, Lowered, ScheduledKernel

Chooser = Callable[[Kernel], Schedule | None]
"""Returns the schedule of a canonical staged kernel (canonical.py), or None to leave it to the generator's rules."""


Run = Callable[[str, Graph], Graph]
"""Records the result of a pass, and returns it."""


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


@uncollected()  # lowering makes little garbage, and the search for it took an eighth of the time
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
    adviser: CallAdviser | None = None,
    objects: KernelObjects | None = None,
    first: Sequence[str] = (),
    parts: int = 1,
    ranks: int = 1,
    nets: int = 0,
    own: Sequence[str] = (),
    convolutions: str = "auto",
    natural: bool = False,
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
        adviser: what a device tells of library calls; None: libraries support every call, and nothing is timed.
        objects: compiles kernels while the next ones are scheduled, and knows some already; None: kernels are printed.
        first: values whose kernels come before all others, so that they may run alone.
        parts: into how many parts the batch is cut, on all ranks together (passes/cut_batch.py).
        ranks: how many share the parts.
        nets: how many nets a step trains, each with its own of the inputs `own` (passes/map_nets.py); 0: the graph's.
        convolutions: "auto": convolutions of f32 may use fast algorithms, whose last bits differ; "direct": none does.
        natural: True: the values of `named` are natural, even if they are computed in blocks.
    """
    _refuse_loops(graph, generator)
    clock = Clock(spent)
    lanes = generator.lanes(dtype) if layout else 0
    stages = [("trace", graph)]

    def run(name: str, result: Graph) -> Graph:
        stages.append((name, result))
        clock.lap(name)
        return result

    tiles = convolutions == "auto" and dtype == "f32" and fused and generator.tiles
    by, unblocked = Division(parts, ranks, nets, own), [*named.values()] if natural else []
    graph = _before_fusion(graph, generator, run, lanes, by, tiles, unblocked)
    graph, staged = _staged(graph, generator, run, lanes, fused, adviser)
    kernels = _with_copies(graph, staged, generator, chooser, origin)
    clock.lap("to_kernels")
    objects = objects or KernelObjects()
    objects.expect([k.canonical for k in kernels if isinstance(k.canonical, CanonicalKernel)])
    launched = [launch for k in kernels for launch in _compiled(k, generator, objects, clock)]
    plan = _planned(graph, launched, generator, scalars=scalars, named=named, first=first)
    clock.lap("plan_memory")
    return Lowered(graph.name, tuple(stages), kernels, plan, generator, clock.seconds, clock.kernels, convolutions)


@record
class Division:
    """How the batch or the nets of a step are divided; see `lower`."""

    parts: int
    ranks: int
    nets: int
    own: Sequence[str]


def _before_fusion(
    graph: Graph, generator: Generator, run: Run, lanes: int, by: Division, tiles: bool, natural: Sequence[str]
) -> Graph:
    """The passes that rewrite operations and choose layouts."""
    graph = run("sum_factors", in_bodies(sum_factors, graph))
    graph = run("simplify", in_bodies(simplify, graph))
    if any(node.bodies for node in graph.nodes):
        graph = run("leave_scans", in_bodies(simplify, leave_scans(graph)))
        if generator.whole_items:
            graph = run("transpose_weights", transpose_weights(graph, generator.near_bytes))
    if by.parts > 1:
        graph = run("cut_batch", cut_batch(graph, by.parts, by.ranks))
    if by.ranks > 1:
        graph = run("buckets", buckets(graph, called=bool(generator.collectives)))
    if by.nets:
        graph = run("map_nets", in_bodies(simplify, map_nets(graph, by.nets, frozenset(by.own), lanes)))
    graph = run("assign_layout", assign_layout(graph, lanes, natural))
    if by.parts > by.ranks and generator.joins_rows:
        graph = run("join_rows", join_rows(graph, by.parts // by.ranks))
    if tiles:
        graph = run("fast_convolutions", fast_convolutions(graph, partial(_tiles_of, generator=generator)))
    if generator.pairs:
        graph = run("pair_factors", pair_factors(graph))
    return run("recompute", in_bodies(recompute, graph))


def _tiles_of(node: BoundNode, generator: Generator) -> Tiles | None:
    return generator.tiles_of(node, generator.pairs and not refuse(node))


def _staged(
    graph: Graph, generator: Generator, run: Run, lanes: int, fused: bool, adviser: CallAdviser | None
) -> tuple[Graph, Sequence[Kernel]]:
    """The fused graph, and its staged kernels."""
    separate, near, items = generator.separate_random, generator.near_bytes, generator.whole_items
    fusion = partial(fuse, enabled=fused, target=FusionTarget(separate, near, lanes, beside_rows=items))
    if generator.libraries:
        graph = run("choose_library", _with_calls(graph, fusion, generator, adviser))
    graph = sum_by_sample(graph, fusion) if fused and items else fusion(graph)
    staged = Staged.of(of_bodies(fusion, graph))
    if fused and generator.joins_gates:
        staged = join_gates(staged, generator.refuse_gates)
    if fused and generator.joins_items:
        staged = join_items(staged, generator.refuse_items, maps=not items)
    if fused and generator.joins_steps:
        staged = join_steps(staged, lambda kernel: Nested.of(kernel).kernel, generator.refuse_steps)
    if fused and generator.pairs:
        staged = join_factors(staged, _rounds(generator), near)
    if fused and generator.joins_sums:
        staged = join_sums(staged)
    return run("fuse", staged.graph), leave_copies_out(staged.graph, staged.kernels)


def _rounds(generator: Generator) -> Callable[[Kernel], tuple[bool, ...] | None]:
    """The generator's answer about joined kernels that round, once for equal ones."""
    return lambda joined: generator.rounds(canonical(joined)[0])


def _with_calls(
    graph: Graph, fusion: Callable[[Graph], Graph], generator: Generator, adviser: CallAdviser | None
) -> Graph:
    """The graph with calls of libraries. Which nodes are worth a call depends on the nodes with which they would be
    fused."""
    fused, libraries, how = fusion(graph), generator.libraries, generator.how_called
    if adviser is None:
        return choose_library(fused, libraries, how)
    seconds = partial(_seconds, fusion=fusion, generator=generator, adviser=adviser) if adviser.times else None
    return choose_library(fused, libraries, how, adviser.offer, seconds)


def _seconds(part: Graph, fusion: Callable[[Graph], Graph], generator: Generator, adviser: CallAdviser) -> float:
    """How long a device takes to run a few nodes, some of which may be calls."""
    graph = in_bodies(fusion, part)
    kernels = _with_copies(graph, to_kernels(graph), generator, None, None)
    launched = [launch for kernel in kernels for launch in kernel.launched(generator)]
    plan = _planned(graph, launched, generator, scalars={}, named={name: name for name in graph.outputs})
    return adviser.seconds(Lowered(graph.name, (("part", graph),), kernels, plan, generator))


def _planned(graph: Graph, launched: Sequence[tuple[Kernel, Compiled]], generator: Generator, **how: Any) -> Plan:
    kernels, compiled = tuple(k for k, _ in launched), {kernel.name: code for kernel, code in launched}
    return plan_memory(graph.name, graph, kernels, compiled=compiled, branch_bytes=generator.branch_bytes, **how)


def _refuse_loops(graph: Graph, generator: Generator) -> None:
    loop = next((node for node in graph.nodes if OPS[node.op].kind == "loop"), None)
    if loop is not None and not generator.loops:
        what = f"layer {loop.loc[0].layer!r} is" if loop.loc else f"%{loop.outputs[0].name} is"
        rule = f"{what} a loop over time, which {generator.target_name} does not run yet"
        raise UnsupportedError(rule, hint="compile(net, backend='cpu')")


def _with_copies(
    graph: Graph,
    staged: Sequence[Kernel],
    generator: Generator,
    chooser: Chooser | None,
    origin: Callable[[Kernel], str] | None,
) -> tuple[ScheduledKernel, ...]:
    """The kernels of a graph, and those that copy what a step must keep; equal ones have one canonical kernel."""
    calls = exchange_calls(graph, generator.collectives) | (library_calls(graph) if generator.libraries else {})
    shared: dict[Kernel, CanonicalKernel] = {}

    def scheduled(kernel: Kernel) -> ScheduledKernel:
        plain, buffers = canonical(kernel)
        names = KernelNames(kernel.name, kernel.loc, buffers)
        naive = names.on(Nested.of(plain).kernel)
        call = calls.get(kernel.outputs[0].name)
        if call is not None:
            return ScheduledKernel(kernel, naive, LibraryKernel(naive, call), replace(names, buffers={}))
        found = shared.get(plain)
        if found is None:
            chosen = chooser(plain) if chooser is not None else None
            found = shared[plain] = CanonicalKernel(plain, generator, names, chosen)
        why = {} if origin is None else {"origin": origin(plain)}
        return ScheduledKernel(kernel, naive, found, names, **why)

    kernels = tuple(map(scheduled, staged))
    copies = add_copies(graph, tuple(k.naive for k in kernels))[len(kernels) :]
    return (*kernels, *map(scheduled, copies))


def _compiled(
    kernel: ScheduledKernel, generator: Generator, objects: KernelObjects, clock: Clock
) -> tuple[tuple[Kernel, Compiled], ...]:
    """The launches of a kernel. Choose, apply and print run once per canonical kernel, unless its object code is
    known."""
    shared = kernel.canonical
    if isinstance(shared, LibraryKernel):
        return kernel.launched(generator)
    known = objects.known(shared)
    if known is not None:
        clock.lap("schedule")
        return ((kernel.naive, known),)
    shared.scheduled  # noqa: B018 - timed apart from printing
    clock.lap("schedule", kernel.naive.name)
    launched = kernel.launched(generator)
    clock.lap("print", kernel.naive.name)
    objects.start(shared)
    return launched
