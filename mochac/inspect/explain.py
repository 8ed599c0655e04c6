"""explain: a compiled plan as text: layers, memory, kernels, fusions and why not, compile time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mochac.base.drawing.svg import fixed, folded, titled
from mochac.base.support.array_like import columns, duration, unit
from mochac.codegen.generator import LibraryCode
from mochac.codegen.prediction.prediction import Prediction
from mochac.inspect.kernel_records import KernelRecord, exchange_lines, kernel_records, loop_lines
from mochac.ir.graph import Graph
from mochac.ir.notes import (
    AllSteps,
    Folded,
    FusionOff,
    InFloat,
    JoinedItems,
    JoinedLaunches,
    Note,
    NotFused,
    Recomputed,
    Remark,
    SeparateKernels,
    StepByStep,
    WithGates,
)
from mochac.ir.plan import Plan
from mochac.ir.types import DTYPES, FLOATS
from mochac.lowering.plan_cache import OBJECT_CODE
from mochac.runtime.backend import Backend
from mochac.runtime.data.source import open_source
from mochac.runtime.lowered import CanonicalKernel, Lowered
from mochac.training.session.session import without_data

if TYPE_CHECKING:
    from mochac.nets.layers.base import Layer
    from mochac.nets.net import Net
    from mochac.training.session.session import Session

JOINED: dict[str, tuple[type[Note], ...]] = {
    "Computed item by item": (JoinedItems, Recomputed),
    "Gates with their product": (WithGates,),
    "All steps of a loop in one launch": (AllSteps,),
    "Loops launched step by step": (StepByStep,),
    "Launched together": (JoinedLaunches,),
}
"""Titles of sections, and the notes that they list."""
MAX_OFFERS = 2
"""Maximum schedules shown beside the chosen one."""


class Explanation(str):
    """The text of explain; in a notebook it renders as collapsible sections."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        head, *sections = self.rstrip().split("\n\n")
        parts = [section.partition("\n") for section in sections]
        return titled(head, *(folded(title, fixed(body), title == "Layers") for title, _, body in parts))


def explain_session(session: Session) -> str:
    """Explain the session's main plan, and where the backend keeps its datasets."""
    backend, kept = session.plans.backend, session.plans.datasets
    return explain(session.net, session.main_plan().lowered, backend, kept.words if kept is not None else "")


def explain(net: Net | None, lowered: Lowered, backend: Backend, data: str = "") -> str:
    """Explain a plan.

    Args:
        net: None leaves the table of layers out.
        data: text about where the backend keeps the datasets; "": say where it would keep them.
    """
    if net is not None and backend.keeps_datasets:
        data = data or _datasets(net, lowered, backend)
    records = kernel_records(lowered, backend)
    parts = [_head(net, lowered, backend)]
    parts += [_section("Layers", _layers(net))] if net is not None else []
    parts += [
        _section("Memory", _memory(lowered, backend, data)),
        _section(_plan_title(lowered.plan), "\n".join((*_assumed(records), *_phases(records)))),
        *(_section(title, body) for title, body in backend.sections(lowered)),
        *([_section("Exchanged between ranks", rows)] if (rows := exchange_lines(lowered.graph, lowered.plan)) else []),
        _section("Fused", _fused(records)),
        *(_section(title, rows) for title, kinds in JOINED.items() if (rows := _listed(lowered.graph, *kinds))),
        *([_section("Loops over time", loops)] if (loops := "\n".join(loop_lines(lowered.graph))) else []),
        *([_section("Folded into weights", folded)] if (folded := _listed(lowered.graph, Folded)) else []),
        _section("Not fused, and why", "\n".join(_refused(lowered.graph))),
        _section("Compile time", _seconds(lowered)),
    ]
    return Explanation("\n\n".join(parts) + "\n")


def _head(net: Net | None, lowered: Lowered, backend: Backend) -> str:
    dtype = _float(lowered.graph)
    lanes = lowered.generator.lanes(dtype)
    where = f"{backend}" + (f", {lanes} lanes of {dtype}" if lanes else "")
    parts = max((len(node.inputs) for node in lowered.graph.nodes if node.op == "sum_parts"), default=1)
    batch = "" if net is None else f"{net.batch} in {parts} parts" if parts > 1 else str(net.batch)
    name = f"net {net.name!r}, batch {batch}, " if net is not None else ""
    direct = ", direct convolutions" if lowered.convolutions == "direct" else ""
    return f"{name}plan '{lowered.name}', {where}{direct}"


def _section(title: str, body: str) -> str:
    return f"{title}\n{body or '  none'}"


def _plan_title(plan: Plan) -> str:
    kernels = sum(not launch.of for launch in plan.launches)
    return f"Plan: {kernels} kernels in {plan.phases} phases, {unit(plan.flops, 'flop')} a run"


def _layers(net: Net) -> str:
    header = ["layer", "type", "bottoms -> tops", "output", "parameters", "neuron"]
    rows = [_layer(net, layer) for layer in net.layers]
    total = sum(_count(p.shape) for p in net.params)
    states = sum(_count(s.shape) for s in net.states)
    kept = f", {states:,} numbers of state in {len(net.states)}" if states else ""
    return f"{columns(header, rows)}\n  {total:,} parameters in {len(net.params)} arrays{kept}"


def _layer(net: Net, layer: Layer) -> list[str]:
    tops = net.tops[layer.name]
    wires = f"{', '.join(layer.reads)} -> {', '.join(tops)}".strip()
    shapes = ", ".join(_extents(net.blobs[top].shape) for top in tops)
    params = [p for p in (*net.params, *net.states) if layer.name in p.sharers]
    parameters = ", ".join(f"{p.name} {_extents(p.shape)}" for p in params)
    if any(p.layer != layer.name for p in params):
        parameters += f" (of {params[0].layer})"
    neuron = type(getattr(layer, "neuron", None)).__name__
    return [layer.name, layer.kind, wires, shapes, parameters, "" if neuron in ("NoneType", "Identity") else neuron]


def _extents(shape: Sequence[int]) -> str:
    return "x".join(map(str, shape)) or "scalar"


def _count(shape: Sequence[int]) -> int:
    n = 1
    for extent in shape:
        n *= extent
    return n


def _datasets(net: Net, lowered: Lowered, backend: Backend) -> str:
    """Where a net's datasets would be kept, given enough memory."""
    if without_data(net):
        return ""
    return backend.forecast([open_source(layer) for layer in net.sources], DTYPES[_float(lowered.graph)])


def _float(graph: Graph) -> str:
    return next((i.type.dtype for i in graph.inputs if i.type.dtype in FLOATS), "f32")


def _memory(lowered: Lowered, backend: Backend, data: str) -> str:
    plan = lowered.plan
    saved = 1 - plan.arena_bytes / plan.unplanned_bytes if plan.unplanned_bytes else 0.0
    over = plan.arena_bytes / plan.live_bytes - 1 if plan.live_bytes else 0.0
    arena = f"{unit(plan.arena_bytes, 'B')}, {over:.1%} over the {unit(plan.live_bytes, 'B')} alive at once"
    has_tables = any(i.role == "const" for i in lowered.graph.inputs)
    rows = [
        ["parameters", _inputs(lowered.graph, "param")],
        ["solver state", _inputs(lowered.graph, "slot")],
        *([["tables", _inputs(lowered.graph, "const")]] if has_tables else []),
        ["batch", _inputs(lowered.graph, "data")],
        *([["datasets", data]] if data else []),
        ["arena", f"{arena}; {unit(plan.unplanned_bytes, 'B')} without reuse, {saved:.0%} saved"],
        *backend.memory_rows(plan),
    ]
    return columns([], rows)


def _inputs(graph: Graph, role: str) -> str:
    sizes = [i.type.storage_bytes for i in graph.inputs if i.role == role]
    return f"{unit(sum(sizes), 'B')} in {len(sizes)} arrays"


def _assumed(records: Sequence[KernelRecord]) -> Iterator[str]:
    """The basis of the predictions below; nothing without a model."""
    forecast = records[0].forecast if records else None
    if forecast is None or forecast.machine is None:
        return
    of, hz = forecast.machine.name, forecast.machine.hz
    on = f"{forecast.threads} thread{'s' * (forecast.threads > 1)}"
    if hz:
        yield f"  predictions: {of} at {hz / 1e9:.2f} GHz, {on}, with rates of caches and memory last measured here"
    else:
        yield f"  predictions: {of}, {on}, in cycles, with the rates that its model assumes"


def _phases(records: Sequence[KernelRecord]) -> Iterator[str]:
    phase = -1
    for record in records:
        if record.phase != phase:
            phase = record.phase
            yield f"  phase {phase}"
        yield f"    {record.name}"
        yield f"      layers {', '.join(record.layers) or '-'}; ops {', '.join(record.ops)}"
        cost = f"{unit(record.flops, 'flop')}, {unit(record.bytes, 'B')} moved, {record.items} items"
        cost += f", {record.launch.trips} times" if record.launch.loop else ""
        if record.launch.grid:
            cost += f"; {record.launch.grid} blocks of {record.launch.block} threads"
        how = f"schedule {record.schedule.name}, {record.origin}"
        code = record.scheduled.code
        if not record.finishes:
            yield f"      {cost}; a grid of {record.launch.of}"
            continue
        yield f"      {cost}; {code.described if isinstance(code, LibraryCode) else how}"
        if record.predicted is not None:
            yield f"      predicted {_predicted(record.predicted, record.predicted_s)}"
        yield from _offers(record)
        yield from (f"        {step}" for step in record.schedule.steps)


def _offers(record: KernelRecord) -> Iterator[str]:
    """The best of the schedules that were not chosen, and the rules of which a step did not fit."""
    scheduled = record.scheduled
    if not isinstance(scheduled.canonical, CanonicalKernel) or scheduled.canonical.chosen:
        return
    offers, refused = scheduled.canonical.offers
    if offers:
        others = (f"{x.name} ({x.times:.2f} times as long)" for x in offers[:MAX_OFFERS])
        yield f"        rather than {', '.join(others)}"
    yield from (f"        not by {why}" for why in refused)


def _predicted(prediction: Prediction, seconds: float | None) -> str:
    """The predicted time, or cycles if the clock of the CPU is not known, and the bytes that move beyond each cache."""
    spent = f"{prediction.cycles:,.0f} cycles" if seconds is None else duration(seconds)
    share = f"{prediction.instructions / prediction.cycles:.0%} for its instructions"
    moved = [f"{unit(c.n_bytes, 'B')} beyond {c.level}" for c in prediction.crossings if c.n_bytes >= 1]
    return f"{spent}, {share}; moves {', '.join(moved) or 'nothing beyond L1'}"


def _fused(records: Sequence[KernelRecord]) -> str:
    return "\n".join(f"  {r.name} = {' + '.join(r.ops)}" for r in records if len(r.ops) > 1 and r.finishes)


def _listed(graph: Graph, *kinds: type[Note]) -> str:
    """The notes of these kinds."""
    return "\n".join(f"  {note.words}" for note in graph.notes if isinstance(note, kinds))


def _refused(graph: Graph) -> Iterator[str]:
    """Reasons for not fusing, in order of first appearance, each with the values it applies to."""
    reasons: dict[str, list[str]] = {}
    for note in dict.fromkeys(_notes(graph)):
        if isinstance(note, (NotFused, SeparateKernels)):
            reasons.setdefault(note.why, []).append(note.edge)
        elif isinstance(note, (Remark, FusionOff, InFloat)):  # others are in sections of their own
            reasons.setdefault("remarks", []).append(str(note))
    for why, what in reasons.items():
        yield f"  {why}"
        yield from (f"    {item}" for item in what)


def _notes(graph: Graph) -> Iterator[Note]:
    """The notes of a graph and of the bodies of its loops."""
    yield from graph.notes
    for node in graph.nodes:
        for body in node.bodies.values():
            yield from _notes(body)


def _seconds(lowered: Lowered) -> str:
    """Seconds by stage, then those of scheduling and printing by kernel, longest first."""
    rows = [[stage, duration(s)] for stage, s in lowered.seconds.items()]
    whole = "all" if OBJECT_CODE in lowered.seconds else "all but object code"
    rows.append([whole, duration(sum(lowered.seconds.values()))])
    kernels = sorted(lowered.kernel_seconds.items(), key=lambda row: -row[1])
    stages = columns([], rows, right=[1])
    return f"{stages}\n  of schedule and print\n" + columns(
        [], [[name, duration(s)] for name, s in kernels], right=[1], indent="    "
    )
