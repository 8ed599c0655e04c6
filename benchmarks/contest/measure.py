"""One measuring process: make the contenders, compare what they compute, run rounds, print the tables as JSON.

command.py runs it as `python -m contest.measure`, since frameworks fix their number of threads when they start. Words
go to standard error.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

from contest.agreement import EXACT, EXACT_STEPS, ROUGH, STEPS, TOLERANCE, Disagreement, compare
from contest.contender import Contender, field
from contest.rounds import run_rounds
from contest.table import Table, dumped
from contest.task import Task, task
from mochac.ir.executed import executed_flops
from mochac.runtime.cpu.rates import PeakLoop


def main() -> int:
    """0, or 1 where contenders disagree; the tables that could be taken are printed all the same."""
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=["training", "prediction"])
    parser.add_argument("name")
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--burst", type=float, required=True)
    parser.add_argument("--batch", type=int, nargs="+", required=True, help="of predictions")
    parser.add_argument("--without", nargs="*", default=[])
    args = parser.parse_args()
    peak = PeakLoop(args.threads)
    tables, status = [], 0
    for one in _tasks(args):
        try:
            tables.append(_table(one, args, peak))
        except Disagreement as error:
            _say(f"{one.title}: {error}")
            status = 1
    print(dumped(tables))
    return status


def _tasks(args: argparse.Namespace) -> list[Task]:
    found = task(args.name)
    if args.kind == "training":
        return [found]
    short = found.title.partition(", ")[0]
    return [replace(found, batch=b, title=f"{short}, prediction of batch {b}") for b in args.batch]


def _table(one: Task, args: argparse.Namespace, peak: PeakLoop) -> Table:
    training, data = args.kind == "training", one.data()
    flops = one.step_flops if training else one.forward_flops()
    found = Table(one.name if training else f"{one.name}-{one.batch}", one.title, args.kind, args.threads, flops)
    kind = "TRAINERS" if training else "PREDICTORS"
    sensitive = training and one.sensitive
    if sensitive:
        _agree_exactly(one, args)
    contenders = field(one, data, args.threads, kind, args.without, found.notes.append)
    steps, tolerance = (1, ROUGH) if sensitive else (STEPS, TOLERANCE)
    for name, difference in compare(contenders, data.weights if training else {}, steps, tolerance).items():
        _say(f"{one.title}: {name} differs by {difference:.1e}")
    found.rounds = run_rounds(contenders, peak.gflops, args.burst, args.seconds)
    found.executed = _executed(contenders[0])
    for contender in contenders:
        contender.close()
    return found


def _agree_exactly(one: Task, args: argparse.Namespace) -> None:
    """Compare contenders in float64."""
    data = one.data("float64")
    contenders = field(one, data, args.threads, "EXACT", args.without, _say)
    for name, difference in compare(contenders, data.weights, EXACT_STEPS, EXACT).items():
        _say(f"{one.title}: {name} differs by {difference:.1e} in float64")
    for contender in contenders:
        contender.close()


def _executed(plan: Contender) -> int:
    """Of mochac's plan, which is the first; only kernels with nominal operations, each time that a loop runs them."""
    lowered = plan.bound.lowered  # type: ignore[attr-defined]
    trips = {launch.kernel: launch.trips for launch in lowered.plan.launches}
    return sum(trips[k.naive.name] * executed_flops(k.scheduled) for k in lowered.kernels if k.naive.flops)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
