"""The tutorial's two plots from the statistics of denoising_autoencoder.py: training loss and test accuracy.

    python plot_all.py           # writes snapshots/loss.png and snapshots/accuracy.png; needs matplotlib

Each is one call of `mochac plot`, which can be made from the command line as well. Mocha's is plot-all.jl.
"""

from __future__ import annotations

import sys
from pathlib import Path

from mochac.__main__ import main as mochac

SNAPSHOTS = Path(__file__).resolve().parent / "snapshots"
FILES = [str(SNAPSHOTS / name / "statistics.h5") for name in ("finetune", "randinit")]
PLOTS = {"loss": "obj_val", "accuracy": "test-accuracy-accuracy"}


def main() -> int:
    commands = (
        ["plot", *FILES, "--names", statistic, "--out", str(SNAPSHOTS / f"{name}.png")]
        for name, statistic in PLOTS.items()
    )
    return max(mochac(command) for command in commands)


if __name__ == "__main__":
    sys.exit(main())
