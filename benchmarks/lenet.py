"""LeNet, batch 64: mochac's training step against PyTorch's and JAX's, and against the machine's FMA peak.

Run `python benchmarks/lenet.py [--threads 1 2] [--seconds 40] [--record]`. Every number of threads has a process of
its own, in which all contenders train the same net from the same weights, first to compare the result, then in
interleaved rounds. Peers that are not installed are left out; `pip install mochac[bench]` brings them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict

from contest import report
from contest.agreement import STEPS, TOLERANCE, differences
from contest.contender import field
from contest.rounds import Round, run_rounds
from contest.summary import section
from contest.task import STEP_FLOPS, Task

from mochac.runtime.peak import PeakLoop

INTRO = f"""# LeNet, batch 64: one training step

Forward, backward and update (SGD, momentum 0.9, L2) in float32. All contenders of a table ran in one process, in
interleaved rounds, from the same weights on the same batches; their weights agree after {STEPS} steps. "of train()" is
a contender's time against mochac's train() in the same round, "of peak" its rate for {STEP_FLOPS / 1e6:.0f} MFLOP
a step against the multiply-add loop of the same round: medians over rounds, quartiles in brackets. `mochac plan` and
the peers have finished batches in memory; `mochac train()` is what a user calls, with the thread that fills batches.
Written by `python benchmarks/lenet.py --record`.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the comparison; 0, or 1 where contenders disagree."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--seconds", type=float, default=40.0, help="of rounds, per number of threads")
    parser.add_argument("--burst", type=float, default=0.15, help="seconds of one contender's turn")
    parser.add_argument("--record", action="store_true", help="write results/lenet.md")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.child:
        return measure(options.threads[0], options.seconds, options.burst)
    parts = [report.circumstances() + "."]
    for threads in options.threads:
        rounds = _in_child(threads, options)
        if not rounds:
            return 1
        parts.append(section(threads, rounds))
        print(parts[-1] + "\n", flush=True)
    if options.record:
        path = report.record("lenet", INTRO, "\n\n".join(parts))
        print(f"written: {path}")
    return 0


def measure(threads: int, seconds: float, burst_s: float) -> int:
    """In a process of its own: rounds as JSON on standard output, words on standard error."""
    contenders = field(Task(), threads, _say)
    for name, difference in differences(contenders).items():
        _say(f"{name}: weights after {STEPS} steps differ by {difference:.1e}")
        if not difference <= TOLERANCE:
            _say(f"more than {TOLERANCE}: not the same computation, nothing is timed")
            return 1
    rounds = run_rounds(contenders, PeakLoop(threads).gflops, burst_s, seconds)
    print(json.dumps([asdict(r) for r in rounds]))
    return 0


def _in_child(threads: int, options: argparse.Namespace) -> list[Round]:
    how = ["--child", "--threads", str(threads), "--seconds", str(options.seconds), "--burst", str(options.burst)]
    env = {**os.environ, "OMP_NUM_THREADS": str(threads), "JAX_PLATFORMS": "cpu"}
    command = [sys.executable, __file__, *how]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=env, check=False)
    return [Round(**r) for r in json.loads(done.stdout.splitlines()[-1])] if done.returncode == 0 else []


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
