"""A trace of one step in the Trace Event format, for https://ui.perfetto.dev and chrome://tracing.

Processes are "layers" and the plan: a slice for each layer, from its first kernel to its last, and under each thread
slices of phases with those of kernels in them. Arrows lead from a layer to its kernels. A counter shows the rate. The
process "data" has a thread for each data layer, whose reader makes the next batch during the step; where it takes
longer, the plan's threads wait for it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mochac.base.files.atomic import write_bytes
from mochac.inspect.report.facts import StepFacts, Timed

LAYERS, PLAN, DATA = 1, 2, 3
"""Process numbers."""
Event = dict[str, Any]


def write_trace(facts: StepFacts, path: Path) -> None:
    """Write the trace; raises SnapshotError if it cannot be written."""
    write_bytes(path, json.dumps(trace(facts)).encode())


def trace(facts: StepFacts) -> dict[str, Any]:
    """The trace as JSON's objects. Times are microseconds from the begin of the step."""
    events = [_name(LAYERS, "layers"), _name(PLAN, f"plan '{facts.plan.name}'")]
    events += [*_threads(facts), *_layers(facts), *_rates(facts), *_data(facts)]
    return {"traceEvents": events, "displayTimeUnit": "ns", "otherData": {"net": facts.session.net.name}}


def _name(pid: int, name: str, tid: int | None = None) -> Event:
    kind = "process_name" if tid is None else "thread_name"
    return {"ph": "M", "pid": pid, "tid": tid or 0, "name": kind, "args": {"name": name}}


def _slice(pid: int, tid: int, name: str, start: float, end: float, **args: object) -> Event:
    return {
        "ph": "X",
        "pid": pid,
        "tid": tid,
        "name": name,
        "ts": start * 1e6,
        "dur": (end - start) * 1e6,
        "args": args,
    }


def _runs(facts: StepFacts, thread: int) -> list[tuple[Timed, float, float]]:
    """The kernels that a thread runs, with their starts and ends."""
    spans = facts.profile.spans[thread].tolist()
    return [(kernel, a, b) for kernel, (a, b) in zip(facts.kernels, spans, strict=True) if b > a]


def _threads(facts: StepFacts) -> Iterator[Event]:
    for thread in range(len(facts.profile.spans)):
        yield _name(PLAN, f"thread {thread}", thread)
        runs = _runs(facts, thread)
        for phase in dict.fromkeys(kernel.record.phase for kernel, _, _ in runs):
            own = [(a, b) for kernel, a, b in runs if kernel.record.phase == phase]
            yield _slice(PLAN, thread, f"phase {phase}", min(a for a, _ in own), max(b for _, b in own))
        for kernel, start, end in runs:
            yield _slice(PLAN, thread, kernel.name, start, end, **_details(kernel))


def _data(facts: StepFacts) -> Iterator[Event]:
    """A row for the reader of each data layer, and what the threads of the plan wait for the slowest."""
    p = facts.profile
    if p.reads:
        yield _name(DATA, "data")
    for row, (layer, seconds) in enumerate(p.reads.items()):
        yield _name(DATA, f"reader of {layer}", row)
        yield _slice(DATA, row, "next batch", 0.0, seconds)
    for thread in range(len(p.spans)) if p.stall_s else ():
        yield _slice(PLAN, thread, "waits for data", p.clocked_s, p.clocked_s + p.stall_s)


def _details(kernel: Timed) -> dict[str, object]:
    row = kernel.time
    return {
        "layers": ", ".join(kernel.record.layers),
        "ops": ", ".join(kernel.record.ops),
        "GFLOP/s": round(row.gflops, 2),
        "GB/s": round(row.gbs, 2),
        "percent of roof": round(row.percent_roof, 1),
        "roof set by": row.bound_by,
    }


def _layers(facts: StepFacts) -> Iterator[Event]:
    """A row for each layer, and an arrow from it to each of its kernels in the first thread."""
    if not len(facts.profile.spans):
        return
    runs = _runs(facts, 0)
    for row, layer in enumerate(dict.fromkeys(name for kernel, _, _ in runs for name in kernel.record.layers)):
        yield _name(LAYERS, layer, row)
        own = [(kernel, a, b) for kernel, a, b in runs if layer in kernel.record.layers]
        yield _slice(LAYERS, row, layer, min(a for _, a, _ in own), max(b for _, _, b in own))
        for kernel, start, _ in own:
            flow = {"cat": "kernel", "name": layer, "id": 1000 * row + kernel.number, "ts": start * 1e6}
            yield {"ph": "s", "pid": LAYERS, "tid": row, **flow}
            yield {"ph": "f", "bp": "e", "pid": PLAN, "tid": 0, **flow}


def _rates(facts: StepFacts) -> Iterator[Event]:
    """The rate of the kernels that the first thread runs, as a counter."""
    for kernel, start, end in _runs(facts, 0) if len(facts.profile.spans) else ():
        for at, rate in ((start, kernel.time.gflops), (end, 0.0)):
            yield {"ph": "C", "pid": PLAN, "name": "GFLOP/s", "ts": at * 1e6, "args": {"GFLOP/s": round(rate, 2)}}
