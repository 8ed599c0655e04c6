"""CPU time of compiling a training step by the number of a GPT's blocks, of this checkout and of others, in turns.

Run `python benchmarks/deep_nets.py [CHECKOUT ...] [--blocks 6 12 24 48 96] [--runs 2] [--record]`; see start_cpu.py for
checkouts. Each compilation is a process without a cache, on one thread, with a first step; the quickest counts.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from contest import report
from contest.layers import RowNorm, Rows
from contest.task import task
from contest.tasks.gpt import VOCABULARY, block
from start_cpu import commit_of

INTRO = """# Deep nets: CPU time of a compilation

CPU seconds from compile() to the end of the first step of training a GPT, 128 wide, by the number of its blocks:
without a cache, on one thread, each in a process of its own. Checkouts alternate; the quickest run counts. Written by
`python benchmarks/deep_nets.py --record`.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkouts", nargs="*", type=Path, help="further ones; this one comes last")
    parser.add_argument("--blocks", nargs="+", type=int, default=[6, 12, 24, 48, 96])
    parser.add_argument("--runs", type=int, default=2, help="of each")
    parser.add_argument("--one", action="store_true", help="compile here; print the seconds")
    parser.add_argument("--record", action="store_true", help="write results/deep_nets.md")
    args = parser.parse_args(argv)
    if args.one:
        print(seconds(args.blocks[0]))
        return 0
    checkouts = [*(path.resolve() for path in args.checkouts), Path(__file__).resolve().parents[1]]
    rows = [[str(n), *(f"{s:.1f}" for s in quickest(checkouts, n, args.runs))] for n in args.blocks]
    text = report.table(["blocks", *map(commit_of, checkouts)], rows)
    print(text)
    if args.record:
        report.record_measured("deep_nets", INTRO, text)
    return 0


def quickest(checkouts: Sequence[Path], blocks: int, runs: int) -> list[float]:
    """CPU seconds by checkout."""
    found = [[measured(path, blocks) for path in checkouts] for _ in range(runs)]
    return [min(times) for times in zip(*found, strict=True)]


def measured(checkout: Path, blocks: int) -> float:
    """CPU seconds in a process with the mochac of a checkout."""
    env = {**os.environ, "PYTHONPATH": str(checkout), "MOCHAC_CACHE": "0"}
    command = [sys.executable, __file__, "--one", "--blocks", str(blocks)]
    return float(subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout)


def seconds(blocks: int) -> float:
    """CPU seconds of compiling and running a step."""
    from contest import with_mochac as peer  # here, since the process that starts others has the mochac of one checkout

    gpt = task("gpt")
    layers = [x for n in range(1, blocks + 1) for x in block(n, f"sum{n - 1}b" if n > 1 else "characters")]
    ends = (RowNorm("norm"), Rows("logits", VOCABULARY, tied="characters"))
    deep = replace(gpt, layers=(gpt.layers[0], *layers, *ends))
    net = peer.net(deep, deep.data())
    begin = time.process_time()
    with peer.mochac.compile(net, backend="cpu", threads=1) as program:
        program.train(peer.sgd(deep.sgd), max_iter=1, regu_coef=peer.regu_coef(deep.sgd), verbose=0)
    return time.process_time() - begin


if __name__ == "__main__":
    sys.exit(main())
