"""Predicted times of tiles that do not fit the registers, beside measured ones.

Run `python benchmarks/spills.py [5 7 10 14 25 50] [--cpus host haswell] [--rounds 7] [--record]`. LeNet's second
convolution is computed in tiles of so many channels by the four cells of its pooling, by edited schedules. The kernels
are profiled in turns, on one thread; of several profiles the quickest counts, since other work only slows kernels down.
"""

from __future__ import annotations

import argparse
import os
import re
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from contest import report
from contest.task import task
from contest.with_mochac import net

import mochac
from mochac.base.support.array_like import duration

KERNEL = "conv2.conv+pool2"
TILE = re.compile(r"split\(loop=c, factor=\d+")
HEAD = ["code for", "channels", "measured", "of the rule's", "predicted", "of the rule's", "predicted / measured"]
INTRO = """# Tiles that do not fit the registers

LeNet's second convolution with batch 64, one thread, in tiles of so many channels by the window of its pooling; the
rule's schedule comes first. Where the code is for another CPU, the prediction is for its units at this machine's clock:
a Haswell stores one vector per cycle, a Zen 5 two of that size. Written by `python benchmarks/spills.py --record`.
"""


def programs(cpu: str, channels: Sequence[int], stack: ExitStack) -> list[mochac.Program]:
    """The rule's program, and one for each number of channels."""
    one = task("lenet")
    os.environ["MOCHAC_CPU"] = "" if cpu == "host" else cpu
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    mochac.dump(net(one, one.data()), folder, backend="cpu", convolutions="direct")
    (file,) = folder.glob(f"kernels/*-{KERNEL}.schedule")
    rule, found = file.read_text(), []
    for n in (0, *channels):
        file.write_text(TILE.sub(f"split(loop=c, factor={n}", rule) if n else rule)
        how = {"schedules": folder, "convolutions": "direct"}
        program = mochac.compile(net(one, one.data()), backend="cpu", threads=1, **how)
        found.append(stack.enter_context(program))
        program.train(mochac.SGD(0.01), max_iter=1, verbose=0)
    return found


def times(programs: Sequence[mochac.Program], rounds: int) -> list[tuple[float, float]]:
    """Seconds measured and predicted of the kernel in each program."""
    best = [(float("inf"), 0.0)] * len(programs)
    for _ in range(rounds):
        for k, program in enumerate(programs):
            (row,) = [row for row in program.profile(n_iter=20).rows if row.kernel == KERNEL]
            best[k] = min(best[k], (row.seconds, row.predicted or 0.0))
    return best


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; with --record, write it."""
    parser = argparse.ArgumentParser(description="Predicted times of tiles that do not fit the registers.")
    parser.add_argument("channels", nargs="*", type=int, default=[5, 7, 10, 14, 25, 50], metavar="CHANNELS")
    parser.add_argument("--cpus", nargs="+", default=["host"])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--record", action="store_true", help="write results/spills.md")
    options = parser.parse_args(argv)
    rows = []
    for cpu in options.cpus:
        with ExitStack() as stack:
            found = times(programs(cpu, options.channels, stack), options.rounds)
        (first, said), names = found[0], ["rule", *map(str, options.channels)]
        for name, (seconds, predicted) in zip(names, found, strict=True):
            ours = [duration(seconds), f"{seconds / first:.2f}", duration(predicted), f"{predicted / said:.2f}"]
            rows.append([cpu, name, *ours, f"{predicted / seconds:.2f}"])
    text = report.table(HEAD, rows)
    print(text)
    if options.record:
        report.record_measured("spills", INTRO, text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
