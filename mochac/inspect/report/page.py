"""The page: all parts of a report as one HTML file that needs nothing else."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from mochac.base.drawing.curves import Curve, to_svg
from mochac.base.escaping import visible
from mochac.base.files.atomic import write_bytes
from mochac.base.records import record
from mochac.base.support.columns import duration, durations, unit
from mochac.codegen.templates import FOLDER
from mochac.inspect.arena_picture import arena
from mochac.inspect.explain import explain_session
from mochac.inspect.report.facts import StepFacts, Timed
from mochac.inspect.report.glossary import TERMS
from mochac.inspect.report.graph_picture import graph_picture
from mochac.inspect.report.kernel_section import sections
from mochac.inspect.report.provenance import provenance
from mochac.inspect.report.roofline_picture import roofline
from mochac.inspect.report.timeline_picture import timeline
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

if TYPE_CHECKING:
    import jinja2

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
