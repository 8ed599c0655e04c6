"""The page of `program.report`, and a trace of one step in the Trace Event format.

The trace is for https://ui.perfetto.dev and chrome://tracing. Processes are "layers" and the plan: a slice for each
layer, from its first kernel to its last, and under each thread slices of phases with the kernels in them. Arrows lead
from a layer to its kernels. A counter shows the rate. The process "data" has a thread for each data layer, whose reader
makes the next batch during the step; if that takes longer than the step, the plan's threads wait for it.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mochac.base.drawing.svg import Curve, to_svg
from mochac.base.escaping import TEMPLATES, visible
from mochac.base.files.atomic import check_output, write_bytes
from mochac.base.files.cache import PACKAGE
from mochac.base.records import record
from mochac.base.support.array_like import duration, durations, unit
from mochac.inspect.dump import arena
from mochac.inspect.explain import explain_session
from mochac.inspect.report.facts import StepFacts, Timed, gather
from mochac.inspect.report.graph_picture import graph_picture, timeline
from mochac.inspect.report.kernel_section import sections
from mochac.inspect.report.roofline_picture import roofline
from mochac.inspect.report.verdict import (
    attempt,
    base_sentence,
    busy_sentence,
    data_sentence,
    elsewhere_sentence,
    gain,
    limit,
    off,
    percent,
    roof_name,
    step_sentence,
    threads_sentence,
    work_sentence,
)
from mochac.nets.show import to_svg as net_picture
from mochac.runtime.cpu.cpuinfo import cpu_model
from mochac.training.session.session import Session

if TYPE_CHECKING:
    import jinja2


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


PACKAGES = ("numpy", "llvmlite", "h5py")


def provenance(facts: StepFacts) -> dict[str, object]:
    """The record that the page embeds as JSON."""
    session, profile, machine = facts.session, facts.profile, facts.machine
    return {
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "mochac": {"version": _version("mochac"), "commit": commit()},
        "python": sys.version.split()[0],
        "packages": {name: _version(name) for name in PACKAGES},
        "system": platform.platform(),
        "cpu": cpu_model() or platform.machine(),
        "cpus": os.cpu_count(),
        "clock_ghz_at_peak": machine.hz / 1e9 if machine is not None and machine.hz else None,
        "caches": {level.name: level.n_bytes for level in profile.bandwidth.levels if level.n_bytes},
        "backend": str(session.plans.backend).removeprefix("backend "),
        "target": facts.lowered.generator.target_name,
        "versions": list(session.plans.backend.versions),
        "net": session.net.name,
        "batch": session.batch_size,
        "plan": facts.plan.name,
        "dtype": session.dtype,
        "seed": session.seed,
        "threads": profile.threads,
        "schedules": dict(sorted({kernel.name: kernel.record.origin for kernel in facts.kernels}.items())),
        "peak_gflops": profile.peak_gflops,
        "bandwidth": {
            level.name: {"read_gbs": level.read_gbs, "copy_gbs": level.copy_gbs} for level in profile.bandwidth.levels
        },
        "step_s": profile.step_s,
        "weights_sha256": weights_hash(session.parameters()),
        "command": sys.argv,
    }


def weights_hash(parameters: dict[str, np.ndarray]) -> str:
    """SHA-256 of all parameters: their names in order, types, shapes and bytes."""
    digest = hashlib.sha256()
    for name, array in sorted(parameters.items()):
        digest.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def commit(folder: Path = PACKAGE) -> str:
    """The commit of a clone that mochac runs from, "+" behind it if files have changed; "" where there is none."""
    try:
        head = _git(folder, "rev-parse", "HEAD")
        return f"{head}+" if _git(folder, "status", "--porcelain", "--untracked-files=no") else head
    except (OSError, subprocess.SubprocessError):
        return ""


def _git(folder: Path, *words: str) -> str:
    call = ["git", "-C", str(folder), *words]
    return subprocess.run(call, capture_output=True, text=True, check=True, timeout=10).stdout.strip()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


TERMS = {
    "kernel": "One pass over data, compiled to a function: the operations that were fused, in one nest of loops.",
    "plan": (
        "What is compiled together: the kernels of a step in order, with their memory. 'step' trains, 'test' predicts."
    ),
    "phase": "Kernels of one phase do not wait for each other; threads meet at a barrier after it.",
    "item": (
        "A part of a kernel that one thread runs, as some rows of some samples; threads share the items of a kernel."
    ),
    "pass": (
        "forward computes the loss, backward the gradients; update is what a solver computes with them. Kernels "
        "that do two of these have both names."
    ),
    "arena": "One piece of memory with all values of a step; values that are not needed at once share bytes.",
    "time": "Of the kernel's slowest thread: the mean of the middle half of the steps of one run.",
    "min-max": "Time in the quickest and in the slowest step of that run.",
    "share": "Part of a step with clocks; kernels that run at the same time split their time.",
    "predicted": "What a model of the machine expects of the kernel's loops; never less than the roof.",
    "x predicted": (
        "Measured time as a multiple of the predicted one. More than 1.6 or less than 1/1.6 is marked, if the kernel "
        "takes 5 us or more: other work on the machine, or something that the model does not see."
    ),
    "GFLOP/s": "1e9 operations of the layer's formula a second, two for each multiply-add, taps on padding included.",
    "GB/s": "1e9 bytes of operands and results a second, each counted once.",
    "% peak": "GFLOP/s in percent of what multiply-adds alone reach on this machine.",
    "% roof": (
        "The least time that this machine's arithmetic and memory allow, in percent of the measured time: 100 is as "
        "fast as it can be. Taps on padding that it skips do not count."
    ),
    "roof": (
        "What sets that least time: arithmetic (multiply-adds at their peak), or the cache or memory that its bytes "
        "come from. A kernel far below its roof is limited by something else."
    ),
    "conv_dx, inner_product_dx": "The gradient of a layer's input.",
    "conv_dw, inner_product_dw": "The gradient of a layer's weights.",
    "relayout": "Copies a value to another order in memory.",
    "blocked(16)": "A layout: 16 samples lie next to each other, so that a vector holds one element of each.",
    "by rule": (
        "The schedule follows from the kernel's loops and the model of the machine; no other was timed. A search "
        '(`tune="quick"`) times others and keeps the fastest.'
    ),
    "accumulators": "Sums that stay in registers while the loops of the innermost tile run.",
}
"""Explanations of terms."""


COSTLIEST = 3
NARROW = 460.0
"""Width of drawings on a phone, in pixels; style.css shows them in place of the wide ones."""
OBJECTIVE = "obj_val"


@record
class Costly:
    """One of the costliest kernels, for the verdict."""

    kernel: Timed
    limit: str
    gain: str
    attempt: str
    where: str


def write_report(facts: StepFacts, path: Path) -> None:
    """Write the page; raises SnapshotError if it cannot be written."""
    write_bytes(path, page(facts).encode())


def page(facts: StepFacts) -> str:
    """The page's text."""
    record = provenance(facts)
    return (
        _environment()
        .get_template("page.html.j2")
        .render(
            facts=facts,
            profile=facts.profile,
            title=f"mochac report of {facts.session.net.name}: {duration(facts.profile.step_s)} a step",
            step_sentence=step_sentence(facts),
            busy=busy_sentence(facts),
            base=base_sentence(facts),
            threads=threads_sentence(facts),
            work=work_sentence(facts),
            terms=TERMS,
            off=off,
            percent=percent,
            roof_name=roof_name,
            top={kernel.number for kernel in facts.costliest[:COSTLIEST]},
            elsewhere=elsewhere_sentence(facts),
            data=data_sentence(facts),
            costliest=[_costly(facts, kernel) for kernel in facts.costliest[:COSTLIEST]],
            most=max(facts.costliest[0].time.share, 1e-9),
            sections=sections(facts),
            net=net_picture(facts.session.net),
            graph=graph_picture(facts),
            rooflines=[roofline(facts), roofline(facts, NARROW)],
            timelines=[timeline(facts), timeline(facts, NARROW)],
            arenas=[arena(facts.plan), arena(facts.plan, NARROW)],
            curves=_curves(facts),
            refusals=_refusals(facts),
            explained=explain_session(facts.session),
            provenance=record,
            provenance_json=json.dumps(record, indent=1).replace("<", "\\u003c"),
            duration=duration,
            durations=durations,
            unit=unit,
        )
    )


def _costly(facts: StepFacts, kernel: Timed) -> Costly:
    places = [f"{Path(loc.file).name}:{loc.line}" for loc in kernel.record.scheduled.naive.loc if loc.file]
    layers = ", ".join(kernel.record.layers)
    at = f" ({', '.join(dict.fromkeys(places))})" if places else ""
    where = f"layer{'s' if len(kernel.record.layers) > 1 else ''} {layers}{at}"
    return Costly(kernel, limit(facts, kernel), gain(facts, kernel), attempt(facts, kernel), where)


def _curves(facts: StepFacts) -> list[str]:
    """A chart for each statistic, one for those with the same beginning, as norm/ip1.weight and norm/ip2.weight; the
    loss first, and these last."""
    charts: dict[str, list[Curve]] = {}
    for name in sorted(facts.statistics, key=lambda name: (name != OBJECTIVE, "/" in name, name)):
        group, slash, rest = name.partition("/")
        if len(facts.statistics[name]) > 1:
            charts.setdefault(group if slash else name, []).append(Curve(rest or name, facts.statistics[name]))
    return [to_svg({title: curves}) for title, curves in charts.items()]


def _refusals(facts: StepFacts) -> dict[str, list[tuple[Timed, Timed]]]:
    """The pairs of kernels, by the reason why they were not fused."""
    found: dict[str, list[tuple[Timed, Timed]]] = {}
    for (source, target), reasons in sorted(facts.refusals.items()):
        for why in reasons:
            found.setdefault(why, []).append((facts.kernels[source], facts.kernels[target]))
    return found


@cache
def _environment() -> jinja2.Environment:
    """The environment of HTML templates: text is escaped, undefined variables are errors."""
    import jinja2  # here, since most programs need no template: it takes 20 ms

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES / "report"),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        finalize=lambda value: visible(value, keep="\n\t") if type(value) is str else value,  # type: ignore[arg-type]
        trim_blocks=True,
        lstrip_blocks=True,
    )


def report(
    session: Session,
    path: Path,
    n_iter: int | None = None,
    statistics: Mapping[str, Mapping[int, float]] | None = None,
    perfetto: Path | None = None,
) -> None:
    """Write the page, and a trace where `perfetto` says; see Program.report."""
    for target in (path, perfetto):
        if target is not None:
            check_output(target)
    facts = gather(session, n_iter, statistics)
    write_report(facts, path)
    if perfetto is not None:
        write_trace(facts, perfetto)
