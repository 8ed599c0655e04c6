"""What cifar10.py and resnet20.py share: training with snapshots and tests, and the options of their commands."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

import mochac
from mochac import *

HERE = Path(__file__).resolve().parent
DATA = Path(os.environ.get("CIFAR10_DATA") or HERE / "data")
SHAPES = {"data": (3, 32, 32), "label": (1,)}  # so that you can look at a net before the data exists
SEED = 1


def train(net: Net, test_net: Net, solver: Solver, every: int, threads: int | None = None) -> float:
    """Train from the last snapshot in solver.load_from, if there is one; return the test accuracy."""
    snapshots = Path(solver.load_from)
    with (
        mochac.compile(net, seed=SEED, threads=threads) as program,
        mochac.compile(test_net, params=program.params, threads=threads) as test,
    ):
        solver.setup_coffee_lounge(save_into=snapshots / "statistics.h5", every_n_iter=every)
        solver.add_coffee_break(TrainingSummary(), every_n_iter=200)
        solver.add_coffee_break(ValidationPerformance(test), every_n_iter=min(1000, every))
        solver.add_coffee_break(Snapshot(snapshots), every_n_iter=every)
        program.train(solver)
        return test.evaluate()["accuracy-accuracy"]


def main(about: str, net: Net, test_net: Net, solver: Solver, argv: Sequence[str] | None = None) -> None:
    """The command of an example: train its net, and print the test accuracy."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--max-iter", type=int, default=solver.max_iter, help="iteration to stop at")
    parser.add_argument("--snapshots", type=Path, default=solver.load_from, help="folder of snapshots to resume from")
    parser.add_argument("--every", type=int, default=2000, help="iterations between snapshots")
    parser.add_argument("--threads", type=int, help="default: all")
    args = parser.parse_args(argv)
    require_data()
    solver.max_iter, solver.load_from = args.max_iter, args.snapshots
    print(f"test accuracy {train(net, test_net, solver, args.every, args.threads):.2%}")


def require_data() -> None:
    """Say how to get the images where they are not there."""
    if not (DATA / "train.txt").exists():
        raise SystemExit(f"no CIFAR-10 in {DATA}: python {HERE / 'get_cifar10.py'} downloads it")
