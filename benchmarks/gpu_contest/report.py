"""report.md of gpu.py: machine, stages, and a table for whatever they found, from the JSON they left.

It reads plain data, runs nothing and knows no framework.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from typing import Any

Stages = dict[str, dict[str, Any]]
BASE = "mochac"
"""The contender that others are compared with."""
TOLD = 60
"""Lines shown of a stage that left no figures."""


def report(date: str, stages: Stages) -> str:
    parts = [f"# mochac on a GPU, {date}", *_machine(stages), *_overview(stages)]
    for name, stage in stages.items():
        found = stage["result"]
        if name.startswith("contest-") and found:
            parts += [f"## {name}", *contest_table(found)]
        elif name.startswith("profile-") and found:
            parts += [f"## {name}", *_profile(found)]
        elif name != "device" and (name != "tests" or stage["ending"] != "done"):
            parts += [f"## {name}", _quoted(stage["said"])] if stage["said"].strip() else []
    return "\n\n".join(parts) + "\n"


def contest_table(found: dict[str, Any]) -> list[str]:
    """Medians over rounds, or what each took alone if there was time for none; ratios are taken within rounds."""
    titles = ("contender", "us per step, median", "min", "time / mochac", "start to third step")
    lines = [f"| {' | '.join(titles)} |", "| --- | --- | --- | --- | --- |"]
    rounds = found["rounds"] or list(filter(None, [found["alone"]]))
    for name in rounds[0] if rounds else ():
        times = [r[name] for r in rounds]
        ratio = statistics.median(r[name] / r[BASE] for r in rounds) if BASE in rounds[0] else 0.0
        row = (f"{1e6 * statistics.median(times):.1f}", f"{1e6 * min(times):.1f}", f"{ratio:.2f}")
        lines.append(f"| {name} | {' | '.join(row)} | {found['first_s'][name]:.2f} s |")
    words = "\n".join(f"- {name} left out: {why[:300]}" for name, why in found["absent"].items())
    count = f"{len(found['rounds'])} rounds" if found["rounds"] else "no rounds: one after the other"
    return ["\n".join(lines), count, *([words] if words else [])]


def _machine(stages: Stages) -> Iterator[str]:
    found = stages.get("device", {}).get("result")
    if found:
        yield "\n".join(f"- {key}: {value}" for key, value in found.items())


def _overview(stages: Stages) -> Iterator[str]:
    rows = [f"| {name} | {s['seconds']} | {s['ending']}; {_last(s['said'])} |" for name, s in stages.items()]
    yield "\n".join(["| stage | seconds | ended |", "| --- | --- | --- |", *rows])


def _last(words: str) -> str:
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    return lines[-1][:150].replace("|", "/") if lines else ""


def _profile(found: dict[str, Any]) -> Iterator[str]:
    """Generated kernels against calls, layer by layer, then each plan's profile and what its kernels take."""
    yield from _layers(found)
    for plan in found["plans"]:
        yield f"{plan['name']}"
        yield _quoted(plan["profile"], 200)
        yield _quoted("\n".join(plan["resources"]), 200)


def _layers(found: dict[str, Any]) -> Iterator[str]:
    generated, called = (plan["nodes"] for plan in found["plans"][:2]) if len(found["plans"]) > 1 else ({}, {})
    rows = [
        f"| {node} | {generated[node]['us']:.1f} | {generated[node]['kernel']} | {called[node]['us']:.1f} | "
        f"{called[node]['kernel']} | {generated[node]['us'] / max(called[node]['us'], 1e-9):.2f} |"
        for node in generated
        if node in called
    ]
    if rows:
        header = "| node | generated, us | kernel | called, us | function | generated / called |"
        yield "\n".join([header, "| --- | --- | --- | --- | --- | --- |", *rows])


def _quoted(text: str, lines: int = TOLD) -> str:
    return "\n".join(["```", *text.strip().splitlines()[-lines:], "```"])
