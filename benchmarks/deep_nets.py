"""How long a training step takes to compile, by the number of a GPT's blocks and for nets of torchvision, of this
checkout and of others, in turns.

Run `python benchmarks/deep_nets.py [CHECKOUT ...] [--nets 6 24 resnet50 densenet121] [--threads 2] [--runs 2]
[--record]`; see start_cpu.py for checkouts. Each compilation is a process with an empty cache, and ends with a first
step; the quickest counts.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from contest import report
from contest.layers import RowNorm, Rows
from contest.task import task
from contest.tasks.gpt import VOCABULARY, block
from start_cpu import commit_of

INTRO = """# Deep nets: the time of a compilation

Seconds from compile() to the end of the first step of a training, with an empty cache, each in a process of its own,
and CPU seconds of that process in brackets: a GPT, 128 wide, by the number of its blocks; nets of torchvision for two
images of 64 x 64. Checkouts alternate; the quickest run counts. Written by `python benchmarks/deep_nets.py --record`.
"""
IMAGES, SIDE = 2, 64


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkouts", nargs="*", type=Path, help="further ones; this one comes last")
    parser.add_argument("--nets", nargs="+", default=["6", "12", "24", "48", "96", "resnet50", "densenet121"])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--runs", type=int, default=2, help="of each")
    parser.add_argument("--one", action="store_true", help="compile here; print the seconds")
    parser.add_argument("--record", action="store_true", help="write results/deep_nets.md")
    args = parser.parse_args(argv)
    if args.one:
        print(*seconds(args.nets[0], args.threads))
        return 0
    checkouts = [*(path.resolve() for path in args.checkouts), Path(__file__).resolve().parents[1]]
    rows = [[net, *quickest(checkouts, net, args.threads, args.runs)] for net in args.nets]
    text = f"{args.threads} threads:\n\n" + report.table(["net", *map(commit_of, checkouts)], rows)
    print(text)
    if args.record:
        report.record_measured("deep_nets", INTRO, text)
    return 0


def quickest(checkouts: Sequence[Path], net: str, threads: int, runs: int) -> list[str]:
    """Seconds by checkout."""
    found = [[measured(path, net, threads) for path in checkouts] for _ in range(runs)]
    return ["{:.1f} ({:.1f})".format(*min(times)) for times in zip(*found, strict=True)]


def measured(checkout: Path, net: str, threads: int) -> tuple[float, ...]:
    """Seconds, and CPU seconds, in a process with the mochac of a checkout."""
    command = [sys.executable, __file__, "--one", "--nets", net, "--threads", str(threads)]
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "PYTHONPATH": str(checkout), "MOCHAC_CACHE": "1", "MOCHAC_CACHE_DIR": folder}
        done = subprocess.run(command, env=env, check=True, capture_output=True, text=True)
    return tuple(map(float, done.stdout.split()))


def seconds(net: str, threads: int) -> tuple[float, float]:
    """Seconds, and CPU seconds, of compiling and running a step."""
    train = gpt(int(net), threads) if net.isdecimal() else torchvision_model(net, threads)
    begin, cpu = time.perf_counter(), time.process_time()
    train()
    return time.perf_counter() - begin, time.process_time() - cpu


def gpt(blocks: int, threads: int) -> Callable[[], object]:
    """Compiles and trains a GPT."""
    from contest import with_mochac as peer  # here, since the process that starts others has the mochac of one checkout

    small = task("gpt")
    layers = [x for n in range(1, blocks + 1) for x in block(n, f"sum{n - 1}b" if n > 1 else "characters")]
    ends = (RowNorm("norm"), Rows("logits", VOCABULARY, tied="characters"))
    deep = replace(small, layers=(small.layers[0], *layers, *ends))
    net, sgd = peer.net(deep, deep.data()), peer.sgd(deep.sgd)
    compiled = partial(peer.mochac.compile, net, backend="cpu", threads=threads)
    return lambda: compiled().train(sgd, max_iter=1, regu_coef=peer.regu_coef(deep.sgd), verbose=0)


def torchvision_model(name: str, threads: int) -> Callable[[], object]:
    """Compiles and trains a classifier that has been imported from PyTorch."""
    import from_torch  # as above

    module = from_torch.Classified(from_torch.torchvision_model(name))
    return partial(from_torch.by_mochac(module, from_torch.images(IMAGES, SIDE), threads), 1)


if __name__ == "__main__":
    sys.exit(main())
