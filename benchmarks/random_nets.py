"""Twenty random nets of realistic size: the percentage of the peak that they reach, compared with the named nets.

Run `python benchmarks/random_nets.py [--nets 20] [--seed 1] [--threads 2] [--seconds 1] [--record] [--strict]`. The
nets are drawn from mochac's catalogue by a seeded generator (contest/random_net.py): 0.2 to 5 GFLOP a training step,
batches of 16 to 128. The named nets are measured in the same way and process; there are no peers.
"""

from __future__ import annotations

import argparse
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from contest import report
from contest.load import BUSY, Load, average

import mochac
from mochac.runtime.cpu.rates import PeakLoop

NAMED = ("lenet", "cifar", "mlp", "autoencoder")
INTRO = """# Random nets: training steps in percent of the multiply-add peak

The step plan of nets drawn by a seeded generator, compared with the named nets in one process: medians of rounds, each
of the multiply-add loop and a burst of steps. "of peak" counts nominal operations.
Written by `python benchmarks/random_nets.py --record`.
"""
HEAD = ("net", "GFLOP per step", "ms", "of peak", "load", "layers")
BURST_S = 0.08


@dataclass(frozen=True)
class Row:
    """One net: operations of a step, median seconds, percent of peak, what else the machine did."""

    name: str
    flops: int
    seconds: float
    percent: float
    elsewhere: float
    text: str = ""


def main(argv: Sequence[str] | None = None) -> int:
    """Measure; 0, or 1 where the machine was busy under --strict."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nets", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1, help="of the first net; the others follow")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=1.0, help="of rounds, per net")
    parser.add_argument("--record", action="store_true", help="write results/random_nets.md")
    parser.add_argument("--strict", action="store_true", help="refuse figures taken while the machine was busy")
    args = parser.parse_args(argv)
    logging.getLogger("mochac").setLevel(logging.WARNING)
    peak = PeakLoop(args.threads)
    named = [_said(_named(name, peak, args)) for name in NAMED]
    drawn = [_said(_random(args.seed + k, peak, args)) for k in range(args.nets)]
    text = section(named, drawn, args.threads)
    print("\n" + text)
    if args.strict and _busy([*named, *drawn]):
        print("refused: the machine was busy")
        return 1
    if args.record:
        path = report.record("random_nets", INTRO, f"{report.circumstances()}.\n\n{text}")
        print(f"written: {path}")
    return 0


def _said(row: Row) -> Row:
    print(f"{row.name}: {row.percent:.0f} % of peak", flush=True)
    return row


def _named(name: str, peak: PeakLoop, args: argparse.Namespace) -> Row:
    from contest.task import task
    from contest.with_mochac import Plan

    one = task(name)
    plan = Plan(one, one.data(), args.threads)
    row = _timed(name, one.step_flops, plan.plan.run, peak, args.seconds)
    plan.close()
    return row


def _random(seed: int, peak: PeakLoop, args: argparse.Namespace) -> Row:
    from contest.random_net import RandomNet
    from contest.task import SGD
    from contest.with_mochac import Steps, sgd

    drawn = RandomNet(seed)
    with mochac.compile(drawn.net, backend="cpu", threads=args.threads, seed=seed) as program:
        steps = Steps(program, sgd(SGD(lr=0.001)), 0.0005, drawn.arrays)
        return _timed(drawn.net.name, drawn.flops, steps.run, peak, args.seconds, drawn.text)


def _timed(
    name: str, flops: int, run: Callable[[int, int], None], peak: PeakLoop, seconds: float, text: str = ""
) -> Row:
    """Rounds of the peak loop and a burst."""
    run(0, 2)
    begin = time.perf_counter()
    run(0, 2)
    n = max(2, round(BURST_S / (time.perf_counter() - begin) * 2))
    load, start = Load(), time.perf_counter()
    times, percents = [], []
    while time.perf_counter() < start + seconds or len(times) < 3:
        top = peak.gflops(0.02)
        begin = time.perf_counter()
        run(0, n)
        times.append((time.perf_counter() - begin) / n)
        percents.append(100 * flops / 1e9 / times[-1] / top)
    elsewhere = sum(load.shares(time.perf_counter() - start))
    return Row(name, flops, median(times), median(percents), elsewhere, text)


def section(named: Sequence[Row], drawn: Sequence[Row], threads: int) -> str:
    """Tables and the ratio of medians."""
    rows = [[r.name, f"{r.flops / 1e9:.2f}", f"{1e3 * r.seconds:.2f}", *_marked(r), r.text] for r in (*named, *drawn)]
    known, found = (median(r.percent for r in part) for part in (named, drawn))
    note = (
        f"{threads} threads. Median of the random nets {found:.0f} %, of the named nets {known:.0f} %: ratio "
        f"{found / known:.2f}. Lowest {min(r.percent for r in drawn):.0f} %. Load average {average():.1f}."
    )
    return f"{report.table(HEAD, rows)}\n\n{note}"


def _marked(row: Row) -> list[str]:
    return [f"{row.percent:.0f} %{' (busy)' if row.elsewhere > BUSY else ''}", f"{row.elsewhere:.0%}"]


def _busy(rows: Sequence[Row]) -> bool:
    return median(r.elsewhere for r in rows) > BUSY


if __name__ == "__main__":
    raise SystemExit(main())
