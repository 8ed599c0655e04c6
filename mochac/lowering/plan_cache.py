"""Whole plans through the disk cache: a graph met before is neither lowered nor compiled again.

PlanSet compiles through here. The key is everything the result depends on: the graph's text, what is reported, target,
versions, the contents of the files that generate code (sources.py). It knows no nets.
"""

from __future__ import annotations

import json
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, cast

from mochac.errors import InternalError
from mochac.ir.graph import Graph, Loc
from mochac.ir.op import OPS
from mochac.ir.program import parse_plan
from mochac.lowering.compiled_plan import CompiledPlan
from mochac.lowering.machines import AnyMachine
from mochac.lowering.plan_graphs import PlanGraph

if TYPE_CHECKING:
    from mochac.lowering.pipeline import Lowered
    from mochac.runtime.cpu.machine import Machine
    from mochac.tuning.tuned import Tuning

FORMAT = "plan-2"
OBJECT_CODE = "object code"
"""A stage of compile time."""
DEBUG_TIMES = 2
"""MOCHAC_DEBUG from which on times are printed."""


def compile_plan(
    source: PlanGraph, machine: AnyMachine, dtype: str, fused: bool, tuning: Tuning | None = None
) -> CompiledPlan:
    """Lower and compile, or find both in the cache.

    Args:
        dtype: "f32" or "f64", sets the lanes.
        fused: False keeps every value readable (forward, backward).
        tuning: how to search for schedules; None: the rules choose, whatever was found before.
    """
    key = None if _goes_past(source.graph, machine) else _key(source, machine, dtype, fused)
    found = None
    if tuning is not None:
        from mochac.tuning.tuned import tuned

        found = tuned(source, cast("Machine", machine), dtype, tuning, key)
    made: list[Lowered] = []

    def lowered() -> Lowered:
        if not made:
            from mochac.lowering.pipeline import lower  # only where it is not in the cache: half of a warm start

            how: dict[str, Any] = {"scalars": source.scalars, "named": source.named, "dtype": dtype, "fused": fused}
            how |= {"spent": source.seconds, "ask": machine.ask}
            if found is not None:
                how.update(chooser=found.choose, origin=found.origin)
            made.append(lower(source.graph, machine.target, **how))
            _looked_at(made[0], machine)
        return made[0]

    if key is None or machine.cache is None:
        return CompiledPlan(lowered().plan, _objects(lowered(), machine), lowered)
    if found is not None:
        from mochac.runtime.files.cache import digest

        key = digest(key, found.schedules)
    entry = machine.cache.get(key)
    if entry is None:
        plan, objects = lowered().plan, _objects(lowered(), machine)
        machine.cache.put(key, _pack(str(plan), objects[0]))
        return CompiledPlan(plan, objects, lowered)
    text, image = _unpack(entry)
    return CompiledPlan(parse_plan(text), [image], lowered)


def _objects(lowered: Lowered, machine: AnyMachine) -> list[bytes]:
    begin = perf_counter()
    found = machine.objects(lowered.text)
    lowered.seconds[OBJECT_CODE] = perf_counter() - begin
    if machine.options.debug >= DEBUG_TIMES:
        from mochac.lowering.verification import report_times

        report_times(lowered, machine)
    return found


def _goes_past(graph: Graph, machine: AnyMachine) -> bool:
    """Whether a plan is made anew each time."""
    options = machine.options
    return machine.cache is None or options.verify or bool(options.debug) or _has_foreign_ops(graph)


def _looked_at(lowered: Lowered, machine: AnyMachine) -> None:
    """What MOCHAC_VERIFY and MOCHAC_DEBUG ask for."""
    if machine.options.verify or machine.options.debug:
        from mochac.lowering.verification import report, verify_all

        if machine.options.verify:
            verify_all(lowered)
        if machine.options.debug:
            report(lowered, machine.options.debug)


def _has_foreign_ops(graph: Graph) -> bool:
    """Whether users' own ops are in it: their code may change while the graph's text stays. Object code is still found
    by the text it is made from."""
    return any(node.op in OPS.foreign for node in graph.nodes)


def _key(source: PlanGraph, machine: AnyMachine, dtype: str, fused: bool) -> str:
    from mochac.runtime.files.cache import digest

    reported = json.dumps([source.scalars, source.named, dtype, fused])
    made_with = (*machine.versions, *machine.called(source.graph))
    return digest("plan", FORMAT, _canonical(source.graph), reported, *made_with)


def _canonical(graph: Graph) -> str:
    """The graph's text without files and lines: where a user's program stands does not matter."""
    nodes = tuple(replace(node, loc=tuple(Loc(loc.layer) for loc in node.loc)) for node in graph.nodes)
    return str(graph.with_(nodes=nodes))


def _pack(text: str, image: bytes) -> bytes:
    body = text.encode()
    return len(body).to_bytes(8, "little") + body + image


def _unpack(entry: bytes) -> tuple[str, bytes]:
    length = int.from_bytes(entry[:8], "little")
    if length > len(entry) - 8:
        raise InternalError("a cached plan is shorter than it says")
    return entry[8 : 8 + length].decode(), entry[8 + length :]
