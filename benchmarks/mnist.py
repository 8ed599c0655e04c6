"""MNIST from HDF5 files on disk, cold process to exit: examples/mnist/lenet.py with its tests and snapshots.

Run `python benchmarks/mnist.py --data DIR [--iterations 10000] [--runs 3] [--record]`; DIR is what
`python examples/mnist/get_mnist.py --to DIR` has written. Nothing is cached: neither compiled code nor a snapshot.
Every run ends with a training's own account of how long its steps waited for data.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from contest import report
from contest.load import BUSY, Load, average

EXAMPLE = Path(__file__).resolve().parents[1] / "examples/mnist/lenet.py"
INTRO = """# LeNet on MNIST, cold process to exit

Seconds from the start of a Python process, with an empty cache of compiled code, to its end: HDF5 files read from disk,
batches of 64 in random order, a test of all 10,000 digits every 1,000 iterations, snapshots, statistics, and a last
test. "Waiting" is the time that steps waited for data. Written by `python benchmarks/mnist.py --data DIR --record`.
"""
HEAD = ("iterations", "threads", "median s", "min s", "steps s", "waiting s", "test accuracy")
UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}
SAID = re.compile(r"(\d+) iterations in ([\d.]+) (us|ms|s) \(([\d.]+) s waiting for data\)")
ACCURACY = re.compile(r"^test accuracy ([\d.]+) ?%", re.MULTILINE)


@dataclass
class Run:
    """One process: its wall time, what training said of itself (nan where it was too short to say), what it learnt."""

    seconds: float
    trained_s: float
    waited_s: float
    accuracy: float
    other: float


def main(argv: Sequence[str] | None = None) -> int:
    """Run the example some times."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of get_mnist.py's files")
    parser.add_argument("--iterations", type=int, default=10000)
    parser.add_argument("--threads", type=int, nargs="*", default=[2])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--record", action="store_true", help="write results/mnist.md")
    options = parser.parse_args(argv)
    rows, others = [], []
    for threads in options.threads:
        runs = [run(options.data, options.iterations, threads) for _ in range(options.runs)]
        rows.append(row(options.iterations, threads, runs))
        others += [r.other for r in runs]
    mark = " Busy: figures are upper bounds." if statistics.median(others) > BUSY else ""
    note = (
        f"{options.runs} runs each. Load average {average():.1f}; other processes and stolen time took "
        f"{statistics.median(others):.0%} of the CPUs (median).{mark}"
    )
    text = f"{report.table(HEAD, rows)}\n\n{note}"
    print(text)
    if options.record:
        path = report.record("mnist", INTRO, f"{report.circumstances()}.\n\n{text}")
        print(f"written: {path}")
    return 0


def run(data: Path, iterations: int, threads: int) -> Run:
    """The example in a folder of its own, beside the data."""
    with tempfile.TemporaryDirectory(prefix="mochac-mnist-") as name:
        folder = Path(name)
        shutil.copy(EXAMPLE, folder)
        (folder / "data").symlink_to(data.resolve())
        env = {**os.environ, "MOCHAC_CACHE_DIR": str(folder / "cache"), "MOCHAC_THREADS": str(threads)}
        command = [sys.executable, str(folder / EXAMPLE.name), "--max-iter", str(iterations)]
        load, begin = Load(children=True), time.monotonic()
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        wall = time.monotonic() - begin
    if done.returncode:
        raise SystemExit(done.stderr[-2000:])
    return read(done.stdout + done.stderr, wall, sum(load.shares(wall)))


def read(said: str, wall: float, other: float) -> Run:
    """A run from what its process printed."""
    account, learnt = SAID.search(said), ACCURACY.search(said)
    trained = float(account[2]) * UNITS[account[3]] if account else float("nan")
    waited = float(account[4]) if account else float("nan")
    return Run(wall, trained, waited, float(learnt[1]) if learnt else float("nan"), other)


def row(iterations: int, threads: int, runs: Sequence[Run]) -> list[str]:
    """A line of the table."""
    times = [r.seconds for r in runs]
    middle = sorted(runs, key=lambda r: r.seconds)[len(runs) // 2]
    return [
        f"{iterations:,}",
        str(threads),
        f"{statistics.median(times):.1f}",
        f"{min(times):.1f}",
        f"{middle.trained_s:.1f}",
        f"{max(r.waited_s for r in runs):.1f}",
        f"{middle.accuracy:.2f} %",
    ]


if __name__ == "__main__":
    raise SystemExit(main())
