"""The price of parts: training steps whose sums over the batch are cut, beside those of compile(net) without parts=.

Run `python benchmarks/parts.py [lenet mlp autoencoder cifar resnet] [--parts 2 4 8] [--threads 1] [--rounds 9]
[--record]`. All programs of a net run in turns, in one process; nothing is exchanged with other processes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from statistics import median

from contest import report
from contest.task import task
from contest.with_mochac import net

import mochac
from mochac.api.program import Program

NETS = ("lenet", "mlp", "autoencoder", "cifar", "resnet")
HEAD = ("net", "batch", "threads", "parts", "samples a part", "times the step without parts", "median")
BURST_S = 0.1
INTRO = """# The price of parts

Training steps (SGD with momentum) with the batch cut into parts, in one process, beside the same step without parts, in
rounds in which the programs take turns: the ratio of the quickest bursts of each, since other work only slows steps
down, and the median of the rounds' ratios. A rank of a training on several processes has a share of the parts, and pays
for these only. Written by `python benchmarks/parts.py --record`.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; with --record, write it."""
    parser = argparse.ArgumentParser(description="The price of parts.")
    parser.add_argument("nets", nargs="*", default=[], metavar="NET", help=" ".join(NETS))
    parser.add_argument("--parts", type=int, nargs="+", default=[2, 4, 8])
    parser.add_argument("--threads", type=int, nargs="+", default=[1])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--record", action="store_true", help="write results/parts.md")
    options = parser.parse_args(argv)
    rows: list[list[str]] = []
    for name in options.nets or NETS:
        for threads in options.threads:
            rows += compared(name, threads, options.parts, options.rounds)
    body = f"{report.circumstances()}, {options.rounds} rounds.\n\n{report.table(HEAD, rows)}"
    print(body)
    if options.record:
        print(f"written: {report.record('parts', INTRO, body)}")
    return 0


def compared(name: str, threads: int, parts: Sequence[int], rounds: int) -> list[list[str]]:
    """The lines of a net: one for each number of parts that divides its batch."""
    one = task(name)
    data = one.data()
    batch = net(one, data).batch
    numbers = [1, *(n for n in parts if batch % n == 0)]
    programs = [mochac.compile(net(one, data), backend="cpu", threads=threads, parts=n) for n in numbers]
    seconds: list[list[float]] = [[] for _ in programs]
    steps = max(1, round(BURST_S / step_seconds(programs[0], 3)))
    for program in programs:
        step_seconds(program, 2)
    for _ in range(rounds):
        for program, found in zip(programs, seconds, strict=True):
            found.append(step_seconds(program, steps))
    for program in programs:
        program.close()
    lines = []
    for n, found in zip(numbers[1:], seconds[1:], strict=True):
        usual = median(cut / whole for cut, whole in zip(found, seconds[0], strict=True))
        best = min(found) / min(seconds[0])
        lines.append([name, str(batch), str(threads), str(n), str(batch // n), f"{best:.2f}", f"{usual:.2f}"])
    return lines


def step_seconds(program: Program, steps: int) -> float:
    """Seconds of a step, in a training of so many after one that compiles and fills caches."""
    method = mochac.SGD(0.001, momentum=0.9)
    program.train(method, max_iter=1, verbose=0)
    begin = time.perf_counter()
    program.train(method, max_iter=steps, verbose=0, resume=True)
    return (time.perf_counter() - begin) / steps


if __name__ == "__main__":
    raise SystemExit(main())
