"""A training step while another process keeps one of the CPUs busy: mochac, PyTorch and JAX.

Run `python benchmarks/neighbour.py [NET ...] [--seconds 4] [--without PART ...] [--record]`. Every contender steps for
some seconds undisturbed, then with a neighbour process that keeps a CPU busy, in turn; steps are timed one by one. It
reports how much slower the median step becomes. On a machine that is busy anyway the first figure means nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from contest import report
from contest.contender import TRAIN, Contender, field
from contest.load import BUSY, Load
from contest.task import names, task

INTRO = """# A training step with a busy neighbour process

Milliseconds per step, undisturbed and while another process keeps one of the CPUs busy: medians and means over single
steps, and the slowest tenth. Written by `python benchmarks/neighbour.py --record`.
"""
NETS = ("lenet", "cifar")
HEAD = ("contender", "alone: median ms", "with neighbour: median ms", "mean ms", "90th percentile ms", "slowdown")
NEIGHBOUR = [sys.executable, "-c", "while True: pass"]
WARM_UP_S, SETTLE_S = 0.3, 0.3

Times = tuple[list[float], list[float]]
"""Seconds of single steps: alone, with the neighbour."""


def main(argv: Sequence[str] | None = None) -> int:
    """Every net in a process of its own, since frameworks fix their number of threads when they start."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("nets", nargs="*", metavar="NET", default=list(NETS), help=f"of {' '.join(names())}")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument(
        "--seconds", type=float, default=4.0, help="seconds per contender and turn, alone and with the neighbour"
    )
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--without", nargs="*", default=[], metavar="PART", help="peers whose name contains PART")
    parser.add_argument("--record", action="store_true", help="write results/neighbour.md")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.child:
        print(json.dumps(measure(options.nets[0], options)))
        return 0
    sections = [f"{report.circumstances()}."]
    for net in options.nets:
        sections.append(_in_child(net, options))
        print(f"{sections[-1]}\n", flush=True)
    if options.record:
        path = report.record("neighbour", INTRO, "\n\n".join(sections))
        print(f"written: {path}")
    return 0


def measure(net: str, options: argparse.Namespace) -> dict[str, Times | float]:
    """By contender its times; and under "" what part of the CPUs' time others took while steps ran alone."""
    one = task(net)
    made = field(one, one.data(), options.threads, "TRAINERS", options.without, _say)
    contenders = [c for c in made if c.name != TRAIN]  # a call of train() for every step is another thing
    found: dict[str, Times] = {c.name: ([], []) for c in contenders}
    elsewhere = []
    for _ in range(options.turns):
        for contender in contenders:
            contender.reset()
            times(contender, WARM_UP_S)
            load, begin = Load(), time.perf_counter()
            found[contender.name][0].extend(times(contender, options.seconds))
            elsewhere.append(sum(load.shares(time.perf_counter() - begin)))
            with neighbour():
                found[contender.name][1].extend(times(contender, options.seconds))
    return {**found, "": statistics.median(elsewhere)}


@contextmanager
def neighbour() -> Iterator[None]:
    """Somebody who computes without end."""
    process = subprocess.Popen(NEIGHBOUR)
    try:
        time.sleep(SETTLE_S)
        yield
    finally:
        process.kill()
        process.wait()


def times(contender: Contender, seconds: float) -> list[float]:
    """Of single steps, for so long; at least three."""
    found: list[float] = []
    end = time.perf_counter() + seconds
    while len(found) < 3 or time.perf_counter() < end:
        begin = time.perf_counter()
        contender.steps(1)
        found.append(time.perf_counter() - begin)
    return found


def section(title: str, threads: int, found: dict[str, Times], elsewhere: float) -> str:
    """Markdown; marked where the machine was busy before the neighbour came."""
    busy = " (busy)" if elsewhere > BUSY else ""
    rows = [[name, *_row(alone, beside)] for name, (alone, beside) in found.items()]
    note = f"{threads} threads. Others took {elsewhere:.0%} of the CPUs while steps ran alone (median).{busy}"
    return f"### {title}\n\n{report.table(HEAD, rows)}\n\n{note}"


def _row(alone: Sequence[float], beside: Sequence[float]) -> list[str]:
    before, after = statistics.median(alone), statistics.median(beside)
    slow = sorted(beside)[int(0.9 * len(beside))]
    return [*(f"{1e3 * s:.2f}" for s in (before, after, statistics.mean(beside), slow)), f"{after / before:.2f}"]


def _in_child(net: str, options: argparse.Namespace) -> str:
    how = [f"--{name}={getattr(options, name)}" for name in ("threads", "seconds", "turns")]
    command = [sys.executable, __file__, net, "--child", *how, "--without", *options.without]
    env = {**os.environ, "OMP_NUM_THREADS": str(options.threads), "JAX_PLATFORMS": "cpu"}
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True)
    found = json.loads(done.stdout.splitlines()[-1])
    elsewhere = found.pop("")
    return section(task(net).title, options.threads, found, elsewhere)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
