"""Draw the learning curve of lenet.py: training loss, through a low-pass filter, and test accuracy.

    python lenet.py              # writes snapshots/statistics.h5
    python learning_curve.py     # draws learning_curve.png from it; needs matplotlib: pip install 'mochac[plot]'

This is Mocha's examples/mnist/mnist_learning_curve.jl. `mochac plot --smooth 10 snapshots/statistics.h5` draws the same
curve without a script.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from mochac import CoffeeLounge

HERE = Path(__file__).resolve().parent


def low_pass(values: np.ndarray, window: int) -> np.ndarray:
    """The mean of each value and the up to window - 1 before it."""
    sums = np.cumsum(np.concatenate([[0.0], values]))
    end = np.arange(1, len(values) + 1)
    start = np.maximum(0, end - window)
    return (sums[end] - sums[start]) / (end - start)


def curve(statistics: dict[str, dict[int, float]], name: str) -> tuple[np.ndarray, np.ndarray]:
    """Iterations and values of one statistic, sorted."""
    rows = sorted(statistics[name].items())
    return np.array([i for i, _ in rows]), np.array([v for _, v in rows])


def drawn(statistics: dict[str, dict[int, float]], window: int) -> Figure:
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    loss_axes = figure.add_subplot()
    accuracy_axes = loss_axes.twinx()
    iteration, loss = curve(statistics, "obj_val")
    loss_axes.plot(iteration, loss, color="C0", alpha=0.25, linewidth=1)
    loss_axes.plot(iteration, low_pass(loss, window), color="C0", label="training loss")
    iteration, accuracy = curve(statistics, "test-accuracy-accuracy")
    accuracy_axes.plot(iteration, 100 * accuracy, color="C1", marker=".", label="test accuracy")
    loss_axes.set(xlabel="iteration", ylabel="training loss", yscale="log")
    lowest = 100 * min(accuracy[1:], default=0.0)  # the first value is that of the untrained net
    accuracy_axes.set(ylabel="test accuracy, %", ylim=(max(0.0, lowest - 2), 100))
    figure.legend(loc="outside upper center", ncols=2)
    return figure


def main() -> None:
    parser = argparse.ArgumentParser(description="Learning curve of LeNet on MNIST.")
    parser.add_argument("--statistics", type=Path, default=HERE / "snapshots/statistics.h5")
    parser.add_argument("--out", type=Path, default=HERE / "learning_curve.png")
    parser.add_argument("--smooth", type=int, default=10, help="number of values averaged by the low-pass filter")
    args = parser.parse_args()
    if not args.statistics.exists():
        raise SystemExit(f"no {args.statistics}: run lenet.py first")
    lounge = CoffeeLounge(str(args.statistics))
    drawn(lounge.statistics, args.smooth).savefig(args.out)
    print(f"wrote {args.out}; {len(lounge.statistics['obj_val'])} losses, best test accuracy "
          f"{max(lounge.statistics['test-accuracy-accuracy'].values()):.2%}")  # fmt: skip


if __name__ == "__main__":
    main()
