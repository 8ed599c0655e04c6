"""A Table as Markdown: medians, minima, ratios within rounds, and the circumstances.

command.py prints and records it. It knows the contenders' names only.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from contest.contender import PLAN, PREDICT, TRAIN
from contest.load import BUSY, average
from contest.report import table
from contest.table import Table

BASE = {"training": TRAIN, "prediction": PREDICT}
"""What times are compared with."""
STEP = {"training": "step", "prediction": "batch"}
SHORT_S = 1e-3


def section(found: Table) -> str:
    """Title, table, verdict, circumstances."""
    mark = " (busy)" if found.busy else ""
    title = f"### {found.title}, {found.threads} thread{'s' if found.threads > 1 else ''}{mark}"
    base = BASE[found.kind]
    scale, unit = (1e6, "us") if found.median_s(PLAN) < SHORT_S else (1e3, "ms")
    short = base.removeprefix("mochac ")
    head = [
        "contender",
        f"{unit} per {STEP[found.kind]}, median",
        "min",
        f"time / {short}",
        "of direct peak",
        "peak, GFLOP/s",
        "load",
    ]
    body = table(head, [_row(found, name, base, scale, mark) for name in found.contenders])
    parts = [title, body, _verdict(found, short), _circumstances(found)]
    return "\n\n".join([*parts, *found.notes])


def _row(found: Table, name: str, base: str, scale: float, mark: str) -> list[str]:
    times = [scale * t for t in found.times(name)]
    low, middle, high = _quartiles(found.percent(name))
    share = f"{middle:.0f} % ({low:.0f}-{high:.0f})" if middle >= 10 else f"{middle:.1f} % ({low:.1f}-{high:.1f})"
    return [
        name + mark,
        _digits(statistics.median(times)),
        _digits(min(times)),
        f"{found.ratio(name, base):.2f}",
        share,
        f"{found.peak:.0f}",
        f"{found.elsewhere(name):.0%}",
    ]


def _digits(value: float) -> str:
    return f"{value:.0f}" if value >= 1000 else f"{value:.1f}" if value >= 100 else f"{value:.2f}"


def _verdict(found: Table, short: str) -> str:
    """mochac against the peer with the lowest median, and what it computes."""
    work = f"{_flop(found.flops)} nominal per {STEP[found.kind]}"
    work += f", {_flop(found.executed)} executed by mochac." if found.executed else "."
    peer = found.fastest_peer
    if peer is None:
        return f"No peer took part. {work}"
    faster, plan = (found.ratio(peer, name) for name in (BASE[found.kind], PLAN))
    best = 100 * found.flops / 1e9 / min(found.times(PLAN)) / max(r.peak for r in found.used)
    return (
        f"Fastest peer: {peer}. Against it {short} is {faster:.2f} times as fast, the plan {plan:.2f} times.\n"
        f"The plan's best burst reaches {best:.0f} % of the highest peak. {work}"
    )


def _flop(n: int) -> str:
    return next(f"{n / size:.3g} {unit}FLOP" for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")) if n >= size)


def _circumstances(found: Table) -> str:
    rounds = found.rounds
    other, stolen = (statistics.median(shares) for shares in ([r.other for r in rounds], [r.stolen for r in rounds]))
    return (
        f"{len(found.used)} of {len(rounds)} rounds used, {len(found.quiet)} were quiet (other processes and stolen "
        f"time up to {BUSY:.0%} of the CPUs; medians {other:.0%} and {stolen:.0%}).\n"
        f"Load average {average():.1f}. Peak {found.peak:.0f} GFLOP/s (highest {max(r.peak for r in found.used):.0f})."
    )


def _quartiles(values: Sequence[float]) -> list[float]:
    return statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [values[0]] * 3
