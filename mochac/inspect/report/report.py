"""report: gathers the facts of a session's main plan once, and writes the page and the trace."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from mochac.base.files.atomic import check_output
from mochac.inspect.report.facts import gather
from mochac.inspect.report.page import write_report
from mochac.inspect.report.perfetto import write_trace
from mochac.training.session.session import Session


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
