"""Draw the tutorial's two plots from the statistics of denoising_autoencoder.py: training loss and test accuracy.

    python plot_all.py [FOLDER]  # writes loss.svg and accuracy.svg into FOLDER (default: snapshots)

Each plot is one call of `mochac plot`, which you can also run from the command line. Mocha's script is plot-all.jl.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from mochac.__main__ import main as mochac

PLOTS = {"loss": ("obj_val", "10"), "accuracy": ("test-accuracy-accuracy", "1")}  # statistic, values averaged


def main() -> int:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent / "snapshots"
    os.chdir(folder)  # short names in the legend
    files = [f"{name}/statistics.h5" for name in ("finetune", "randinit")]
    commands = (
        ["plot", *files, "--names", statistic, "--smooth", smooth, "--out", f"{name}.svg"]
        for name, (statistic, smooth) in PLOTS.items()
    )
    return max(mochac(command) for command in commands)


if __name__ == "__main__":
    sys.exit(main())
