"""The page of `program.report`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from mochac.base.drawing.curves import Curve, to_svg
from mochac.base.escaping import visible
from mochac.base.files.atomic import check_output, write_bytes
from mochac.base.records import record
from mochac.base.support.array_like import duration, durations, unit
from mochac.codegen.templates import FOLDER
from mochac.inspect.dump import arena
from mochac.inspect.explain import explain_session
from mochac.inspect.report.facts import StepFacts, Timed, gather
from mochac.inspect.report.graph_picture import graph_picture, timeline
from mochac.inspect.report.kernel_section import sections
from mochac.inspect.report.perfetto import write_trace
from mochac.inspect.report.provenance import provenance
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
from mochac.nets.draw import to_svg as net_picture
from mochac.training.session.session import Session

if TYPE_CHECKING:
    import jinja2


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
"""A sentence or two for each."""


COSTLIEST = 3
NARROW = 460.0
"""Width of drawings for the screen of a telephone, which style.css shows in place of the wide ones, pixels."""
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
    """Templates of HTML: words are escaped, undefined variables are errors."""
    import jinja2  # here, since most programs need no template: it takes 20 ms

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER / "report"),
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
