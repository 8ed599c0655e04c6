"""The table in the README: what users call, against the fastest peer, from the recorded figures.

command.py has it written after recording, between two comments of README.md. It reads figures only.
"""

from __future__ import annotations

from pathlib import Path

from contest import figures, report
from contest.contender import OURS, PREDICT, TRAIN
from contest.figures import Figure

README = report.FOLDER.parent / "README.md"
BEGIN, END = "<!-- benchmarks: written by mochac bench --record -->", "<!-- benchmarks: end -->"
PLOT = "![Percent of the multiply-add peak, by net and framework](benchmarks/results/benchmarks.svg)"
HEAD = ("net", "threads", "mochac", "of direct peak", "fastest peer", "peer time", "speedup")
CALLED = {"training": TRAIN, "prediction": PREDICT}
ORDER = ("lenet", "cifar", "mlp", "autoencoder", "tiny")


def write(readme: Path | None = None) -> None:
    """Replace what stands between the comments; nothing happens where they are absent."""
    readme = readme or README
    before, begin, rest = readme.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if begin and end:
        readme.write_text(f"{before}{BEGIN}\n\n{body(figures.read())}\n\n{PLOT}\n\n{END}{after}")


def body(found: list[Figure]) -> str:
    """A table a machine."""
    machines = dict.fromkeys(f["machine"] for f in found)
    return "\n\n".join(_of_machine(name, [f for f in found if f["machine"] == name]) for name in machines)


def _of_machine(machine: str, found: list[Figure]) -> str:
    found = sorted(found, key=_order)
    rows = [_row(f) for f in found]
    taken = sorted({(f["date"], f["commit"]) for f in found})
    when = ", ".join(f"{date} (commit {commit})" for date, commit in taken)
    return f"{machine}, {when}:\n\n{report.table(HEAD, rows)}"


def _order(f: Figure) -> tuple[object, ...]:
    name = f["name"].partition("-")[0]
    known = ORDER.index(name) if name in ORDER else len(ORDER)
    return f["kind"] != "training", known, f["flops"], f["threads"]


def _row(f: Figure) -> list[str]:
    called = CALLED[f["kind"]]
    own = f["contenders"][called]
    peers = {name: c for name, c in f["contenders"].items() if name not in OURS}
    first = [f["title"] + (" (busy)" if f["busy"] else ""), str(f["threads"]), duration(own["median_s"])]
    share = f"{own['of_peak']:.0f} %" if own["of_peak"] >= 10 else f"{own['of_peak']:.1f} %"
    if not peers:
        return [*first, share, "-", "-", "-"]
    peer = min(peers, key=lambda name: peers[name]["median_s"])
    slow = peers[peer]["median_s"]
    return [*first, share, peer, duration(slow), f"{slow / own['median_s']:.1f}"]


def duration(seconds: float) -> str:
    """Three digits with a unit."""
    scale, unit = (1e3, "ms") if seconds >= 1e-3 else (1e6, "us")
    return f"{seconds * scale:.3g} {unit}"
