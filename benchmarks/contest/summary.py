"""Rounds as a table: medians, minima, ratios within rounds, and the circumstances.

lenet.py prints and records it. It knows the contenders' names only.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from contest.contender import PLAN, TRAIN
from contest.load import BUSY, average
from contest.report import table
from contest.rounds import Round
from contest.task import STEP_FLOPS

ENOUGH = 5
"""Quiet rounds that are needed to leave the busy ones out."""
HEAD = ("contender", "ms a step, median", "min", "of train()", "of peak")


def section(threads: int, rounds: Sequence[Round]) -> str:
    """Markdown of one number of threads."""
    quiet = [r for r in rounds if not r.busy]
    used = quiet if len(quiet) >= ENOUGH else rounds
    mark = "" if used is quiet else " (busy)"
    title = f"### {threads} thread{'s' if threads > 1 else ''}{mark}"
    body = table(HEAD, [_row(name, used, mark) for name in used[0].step_s])
    return "\n\n".join([title, body, _verdict(used), _circumstances(rounds, quiet, used)])


def _row(name: str, rounds: Sequence[Round], mark: str) -> list[str]:
    times = [1e3 * r.step_s[name] for r in rounds]
    ratio = statistics.median(r.step_s[name] / r.step_s[TRAIN] for r in rounds)
    low, middle, high = _quartiles([100 * STEP_FLOPS / 1e9 / r.step_s[name] / r.peak for r in rounds])
    times_text = [f"{statistics.median(times):.2f}", f"{min(times):.2f}"]
    return [name + mark, *times_text, f"{ratio:.2f}", f"{middle:.0f} % ({low:.0f}-{high:.0f})"]


def _verdict(rounds: Sequence[Round]) -> str:
    """mochac against the peer with the lowest median."""
    median = {name: statistics.median(r.step_s[name] for r in rounds) for name in rounds[0].step_s}
    peers = [name for name in median if name not in (PLAN, TRAIN)]
    if not peers:
        return "No peer is installed."
    peer = min(peers, key=median.__getitem__)
    plan, train = (statistics.median(r.step_s[peer] / r.step_s[name] for r in rounds) for name in (PLAN, TRAIN))
    best = max(r.peak for r in rounds)
    share = 100 * STEP_FLOPS / 1e9 / min(r.step_s[PLAN] for r in rounds) / best
    return (
        f"Fastest peer: {peer}. Against it train() is {train:.2f} times as fast, the plan {plan:.2f} times.\n"
        f"The plan's best burst reaches {share:.0f} % of the highest peak."
    )


def _circumstances(rounds: Sequence[Round], quiet: Sequence[Round], used: Sequence[Round]) -> str:
    other, stolen = (statistics.median(shares) for shares in ([r.other for r in rounds], [r.stolen for r in rounds]))
    peaks = [r.peak for r in used]
    return (
        f"{len(used)} of {len(rounds)} rounds used, {len(quiet)} were quiet (other processes and stolen time up to "
        f"{BUSY:.0%} of the CPUs; medians {other:.0%} and {stolen:.0%}).\n"
        f"Load average {average():.1f}. Peak {statistics.median(peaks):.0f} GFLOP/s (highest {max(peaks):.0f})."
    )


def _quartiles(values: Sequence[float]) -> list[float]:
    return statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [values[0]] * 3
