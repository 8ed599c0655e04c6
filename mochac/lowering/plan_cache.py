"""Compiled plans and their cache.

CompiledPlan: the parts of a plan that the runtime needs, with access to the stages from which it was compiled.

It is separate from the pipeline so that loading a plan from the cache does not import the compiler.

The cache of whole plans: a graph compiled before is neither lowered nor compiled again.

The key contains everything the result depends on: the graph's text, what is reported, the backend and its versions, and
the contents of the files that generate code (base/files/cache.py).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from itertools import accumulate, pairwise
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

from mochac.base.errors import InternalError
from mochac.base.files.cache import digest, generator
from mochac.base.garbage import uncollected
from mochac.base.records import record
from mochac.ir.graph import Graph, Loc
from mochac.ir.op import OPS
from mochac.ir.plan import Plan, parse_plan
from mochac.lowering.plan_graphs import PlanGraph
from mochac.runtime.backend import Backend, KernelObjects

if TYPE_CHECKING:
    from mochac.ir.kernel import Kernel
    from mochac.ir.schedule import Schedule
    from mochac.runtime.lowered import Lowered


@record
class CompiledPlan:
    """A plan and its object code; `lowered` returns every stage, by lowering again if the plan came from the cache."""

    plan: Plan
    objects: list[bytes]
    lowered: Callable[[], Lowered]


FORMAT = "plan-3"
OBJECT_CODE = "object code"
"""Name of a stage in compile times."""
DEBUG_TIMES = 2
"""Level of MOCHAC_DEBUG from which on times are printed."""


class ChosenSchedules(Protocol):
    """Schedules for canonical kernels (canonical.py) that a search found better than the rules'."""

    def choose(self, kernel: Kernel) -> Schedule | None:
        """The schedule; None: use the rules'."""
        ...

    def origin(self, kernel: Kernel) -> str:
        """Where the kernel's schedule comes from, for people."""
        ...

    @property
    def schedules(self) -> str:
        """All schedules as text, for the plan's key."""
        ...


@uncollected()
def compile_plan(
    source: PlanGraph,
    backend: Backend,
    dtype: str,
    fused: bool,
    chosen: ChosenSchedules | None = None,
    runs_here: bool = True,
) -> CompiledPlan:
    """Lower and compile a plan, or load both results from the cache.

    Args:
        dtype: "f32" or "f64"; determines the number of lanes.
        fused: False keeps every value readable (forward, backward).
        chosen: results of a search; None: use the rules' schedules.
        runs_here: the plan will run on this machine, so MOCHAC_VERIFY may run its kernels.
    """
    key = plan_key(source, backend, dtype, fused)
    stages: list[Lowered] = []

    def lowered(objects: KernelObjects | None = None) -> Lowered:
        if not stages:
            from mochac.lowering.pipeline import lower  # lazily: this import takes half of a warm start

            how: dict[str, Any] = {**source.how, "dtype": dtype, "fused": fused}
            how |= {"spent": source.seconds, "adviser": backend.adviser, "objects": objects}
            if chosen is not None:
                how.update(chooser=chosen.choose, origin=chosen.origin)
            stages.append(lower(source.graph, backend.generator, **how))
            _inspect(stages[0], backend, runs_here)
        return stages[0]

    def compiled() -> CompiledPlan:
        with closing(backend.kernel_objects(None if key is None else made_with(backend))) as objects:
            return CompiledPlan(lowered(objects).plan, _objects(lowered(), backend, objects), lowered)

    if key is None or backend.cache is None:
        return compiled()
    if chosen is not None:
        key = digest(key, chosen.schedules)
    entry = backend.cache.get(key)
    if entry is None:
        plan = compiled()
        backend.cache.put(key, _pack(str(plan.plan), plan.objects))
        return plan
    text, objects = _unpack(entry)
    return CompiledPlan(parse_plan(text), objects, lowered)


def made_with(backend: Backend) -> tuple[str, ...]:
    """What a backend's code depends on besides the graph."""
    return (*generator(), backend.name, *backend.versions, backend.cut_for)


def plan_key(source: PlanGraph, backend: Backend, dtype: str, fused: bool) -> str | None:
    """The cache key of a plan with the rules' schedules; None if the plan is not cached."""
    env = backend.env
    if backend.cache is None or env.verify or env.debug or _has_foreign_ops(source.graph):
        return None
    reported = json.dumps([source.how, dtype, fused])
    versions = (*made_with(backend), *backend.library_versions(source.graph))
    return digest("plan", FORMAT, canonical_text(source.graph), reported, *versions)


def _objects(lowered: Lowered, backend: Backend, started: KernelObjects) -> list[bytes]:
    begin = perf_counter()
    objects = started.finished() or backend.objects(lowered.text)
    lowered.seconds[OBJECT_CODE] = perf_counter() - begin
    if backend.env.debug >= DEBUG_TIMES:
        from mochac.lowering.verification import report_times

        report_times(lowered, backend)
    return objects


def _inspect(lowered: Lowered, backend: Backend, runs_here: bool) -> None:
    """Do what MOCHAC_VERIFY and MOCHAC_DEBUG ask for."""
    env = backend.env
    if env.verify or env.debug:
        from mochac.lowering.verification import check_native, report, verify_all

        if env.verify:
            verify_all(lowered, backend)
        if env.verify and runs_here:
            check_native(lowered, backend)
        if env.debug:
            report(lowered, env.debug)


def _has_foreign_ops(graph: Graph) -> bool:
    """Whether it contains users' own ops: their code may change while the graph's text stays the same. Object code is
    still cached, by the text it is compiled from."""
    return any(node.op in OPS.foreign for node in graph.nodes)


def canonical_text(graph: Graph) -> str:
    """The graph's text without files and lines: moving a program must not change the key."""
    nodes = tuple(replace(node, loc=tuple(Loc(loc.layer) for loc in node.loc)) for node in graph.nodes)
    return str(graph.with_(nodes=nodes))


def _pack(text: str, objects: list[bytes]) -> bytes:
    """Lengths of all parts, 0, then the parts: the text of the plan, its objects."""
    parts = [text.encode(), *objects]
    return b"".join(length.to_bytes(8, "little") for length in [*map(len, parts), 0]) + b"".join(parts)


def _unpack(entry: bytes) -> tuple[str, list[bytes]]:
    lengths: list[int] = []
    while length := int.from_bytes(entry[8 * len(lengths) : 8 * len(lengths) + 8], "little"):
        lengths.append(length)
    ends = [*accumulate(lengths, initial=8 * len(lengths) + 8)]
    if ends[-1] != len(entry):
        raise InternalError("a cached plan is truncated")
    text, *objects = (entry[begin:end] for begin, end in pairwise(ends))
    return text.decode(), objects
