"""results/figures.json: the recorded tables in numbers, for the plot and for the README's table.

command.py adds to it, plot.py and readme.py read it. One entry a machine, kind, name and number of threads: the newest.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from contest import report
from contest.table import Table

FILE = report.RESULTS / "figures.json"
Figure = dict[str, Any]


def figure(found: Table) -> Figure:
    """A table's medians."""
    return {
        "machine": report.machine(),
        "kind": found.kind,
        "name": found.name,
        "threads": found.threads,
        "title": found.title,
        "date": f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d}",
        "commit": report.commit(),
        "busy": found.busy,
        "flops": found.flops,
        "executed": found.executed,
        "peak": round(found.peak, 1),
        "contenders": {
            name: {
                "median_s": float(f"{found.median_s(name):.4g}"),
                "min_s": float(f"{min(found.times(name)):.4g}"),
                "of_peak": round(median(found.percent(name)), 2),
                "load": round(found.elsewhere(name), 3),
            }
            for name in found.contenders
        },
    }


def read(file: Path | None = None) -> list[Figure]:
    """All entries; none where nothing is recorded."""
    file = file or FILE
    return json.loads(file.read_text()) if file.exists() else []


def add(new: Sequence[Figure], file: Path | None = None) -> None:
    """Replace the entries that are measured again."""
    file = file or FILE
    kept = {_key(f): f for f in [*read(file), *new]}
    lines = [json.dumps(kept[key]) for key in sorted(kept, key=str)]
    file.parent.mkdir(exist_ok=True)
    file.write_text("[\n" + ",\n".join(lines) + "\n]\n")


def _key(f: Figure) -> tuple[object, ...]:
    return f["machine"], f["kind"], f["name"], f["threads"]
