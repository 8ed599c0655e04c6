"""Kills a training at random instants, again and again, and looks at what is left: `kills.py [KILLS] [SEED]`.

Each process compiles a small net with a compile cache of its own, resumes from the newest snapshot, and saves
snapshots, statistics and models in every format all the time, until it is killed. After each kill, every file that has
its final name can be read, and the newest snapshot is not older than the one before. In the end, a training that nobody
kills goes on, and its snapshot and statistics are those of a training that nothing disturbed, bit for bit.
"""

from __future__ import annotations

import logging
import os
import random
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from saved_states import assert_same_state

import mochac
from mochac import (
    DropoutLayer,
    InnerProductLayer,
    MemoryDataLayer,
    Net,
    Neurons,
    Snapshot,
    SoftmaxLossLayer,
    TrainingSummary,
)
from mochac.runtime.data.model_file import read_model
from mochac.training.loop.coffee import CoffeeBreak
from mochac.training.loop.lounge import load_statistics
from mochac.training.loop.snapshot import newest_snapshot, read_snapshot

LONGEST_S = 0.5
"""A process is killed at most so long after it began."""
ENDINGS = ("h5", "npz", "safetensors")
EVERY = 2
"""Iterations between snapshots."""


class Models(CoffeeBreak):
    """Saves the model in every format."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def enjoy(self, lounge: Any, program: Any, state: Any) -> None:
        """See CoffeeBreak."""
        for ending in ENDINGS:
            program.save(self.folder / f"model.{ending}")


def train(folder: Path, stop: int) -> None:
    """Train to iteration `stop`, or until somebody kills the process."""
    rng = np.random.default_rng(1)
    layers = [
        MemoryDataLayer(
            name="data", data=[rng.standard_normal((40, 5)), rng.integers(0, 3, 40)], batch_size=7, shuffle=True
        ),
        InnerProductLayer(name="ip1", output_dim=16, neuron=Neurons.ReLU(), bottoms=["data"], tops=["ip1"]),
        DropoutLayer(name="drop", bottoms=["ip1"], ratio=0.3),
        InnerProductLayer(name="ip2", output_dim=3, bottoms=["ip1"], tops=["ip2"]),
        SoftmaxLossLayer(name="loss", bottoms=["ip2", "label"]),
    ]
    solver = mochac.Solver(mochac.Adam(0.01), max_iter=stop, load_from=folder)
    solver.setup_coffee_lounge(save_into=folder / "statistics.h5", every_n_iter=3)
    solver.add_coffee_break(TrainingSummary(), every_n_iter=1)
    solver.add_coffee_break(Snapshot(folder, keep_last=3), every_n_iter=EVERY)
    solver.add_coffee_break(Models(folder), every_n_iter=EVERY + 1)
    with mochac.compile(Net("killed", layers), threads=2, seed=3) as program:
        program.train(solver, verbose=0)


def in_a_process(folder: Path, stop: int) -> int:
    """Begin a process that trains; its number."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            train(folder, stop)
            status = 0
        except BaseException:
            traceback.print_exc()
        os._exit(status)
    return child


def look_at(folder: Path) -> int:
    """Read every file; the iteration of the newest snapshot, -1 if there is none."""
    for path in folder.glob("snapshot-*.h5"):
        read_snapshot(path)
    for path in folder.glob("model.*"):
        assert set(read_model(path)), path
    if (folder / "statistics.h5").exists():
        rows = sorted(load_statistics(folder / "statistics.h5")["obj_val"])
        assert rows == list(range(rows[0], rows[-1] + 1)), "a row of the statistics is lost"
    newest = newest_snapshot(folder)
    return -1 if newest is None else newest.iteration


def kill_often(kills: int, seed: int, folder: Path) -> dict[str, int]:
    """Kill so many processes; how many were killed before they had written anything new, and where training ended."""
    rng = random.Random(seed)
    os.environ |= {"MOCHAC_CACHE": "1", "MOCHAC_CACHE_DIR": str(folder / "cache")}
    run, plain = folder / "run", folder / "plain"
    train(folder / "before", EVERY)  # imports what the processes need
    reached, idle = -1, 0
    for _ in range(kills):
        child = in_a_process(run, 10**9)
        time.sleep(rng.uniform(0.0, LONGEST_S))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL, "the process had ended by itself"
        now = look_at(run) if run.exists() else -1
        assert now >= reached, f"the newest snapshot is of iteration {now}, before it was {reached}"
        idle += now == reached
        reached = now
    assert reached > 0, "no process lived long enough"
    stop = (reached // 100 + 1) * 100
    for where in (run, plain):
        _, status = os.waitpid(in_a_process(where, stop), 0)
        assert os.waitstatus_to_exitcode(status) == 0
    states = [newest_snapshot(where) for where in (run, plain)]
    assert states[0] and states[1]
    assert_same_state(*states)
    rows = [load_statistics(where / "statistics.h5") for where in (run, plain)]
    assert rows[0] == rows[1], "the statistics differ"
    return {"kills": kills, "without a new snapshot": idle, "iterations": stop}


if __name__ == "__main__":
    logging.disable()
    kills, seed = (int(a) for a in (*sys.argv[1:], *("1000", "0")[len(sys.argv) - 1 :]))
    with tempfile.TemporaryDirectory() as folder:
        print(kill_often(kills, seed, Path(folder)))
