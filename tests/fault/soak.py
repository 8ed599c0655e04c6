"""Trains for hours beside busy neighbours, then as long alone: `soak.py HOURS [FOLDER [NEIGHBOURS]]`.

The net has convolutions, a norm with states, dropout, a recurrent layer, and shuffled data; every so often it is
evaluated and a snapshot is saved. Neighbours, as many as there are CPUs unless said otherwise, multiply matrices and
sleep in turns. The training beside them takes half of the hours, as measured in a short run alone; then the same
iterations run alone. Memory must stay flat, and all digests of parameters, statistics and the last snapshot must be
equal.

With a FOLDER, both trainings go on from the snapshots that are in it, so that hours add up over several runs.
"""

from __future__ import annotations

import hashlib
import logging
import os
import resource
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from saved_states import assert_same_state

import mochac
from mochac import (
    BatchNormLayer,
    ConcatLayer,
    ConvolutionLayer,
    DropoutLayer,
    InnerProductLayer,
    LSTMLayer,
    MemoryDataLayer,
    Net,
    Neurons,
    Pooling,
    PoolingLayer,
    Snapshot,
    SoftmaxLossLayer,
    TrainingSummary,
    ValidationPerformance,
)
from mochac.training.loop.coffee import CoffeeBreak
from mochac.training.loop.lounge import load_statistics
from mochac.training.loop.snapshot import newest_snapshot

EVERY = 500
"""Iterations between evaluations, snapshots and digests."""
CALIBRATED = 4 * EVERY
"""Iterations of the run that measures how many fit into the hours."""
WARM = 4
"""Digests after which memory may no longer grow."""
MOST_GROWTH = 8 << 20
"""Bytes: statistics and what the allocator keeps."""


class Watch(CoffeeBreak):
    """Writes the iteration, a digest of all parameters, and the bytes of resident memory."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def enjoy(self, lounge: Any, program: Any, state: Any) -> None:
        """See CoffeeBreak."""
        digest = hashlib.blake2b(digest_size=16)
        for name, array in sorted(program.parameters().items()):
            digest.update(name.encode() + array.tobytes())
        resident = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
        with self.path.open("a") as file:
            print(state.iter, digest.hexdigest(), resident, file=file)


def net() -> Net:
    rng = np.random.default_rng(1)
    images, sequences = rng.standard_normal((301, 3, 12, 12)), rng.standard_normal((301, 9, 8))
    data = [images, sequences, rng.integers(0, 5, 301)]
    return Net(
        "soak",
        [
            MemoryDataLayer(name="data", data=data, tops=["x", "s", "label"], batch_size=32, shuffle=True),
            ConvolutionLayer(name="conv", kernel=3, n_filter=16, bottoms=["x"], neuron=Neurons.Identity()),
            BatchNormLayer(name="norm", bottoms=["conv"], neuron=Neurons.ReLU()),
            PoolingLayer(name="pool", kernel=2, stride=2, pooling=Pooling.Max(), bottoms=["norm"]),
            InnerProductLayer(name="ip1", output_dim=24, neuron=Neurons.Tanh(), bottoms=["pool"]),
            DropoutLayer(name="drop", bottoms=["ip1"], ratio=0.3),
            LSTMLayer(name="lstm", output_dim=24, bottoms=["s"]),
            InnerProductLayer(name="ip2", output_dim=24, neuron=Neurons.Tanh(), bottoms=["lstm"]),
            ConcatLayer(name="both", bottoms=["ip1", "ip2"]),
            InnerProductLayer(name="ip3", output_dim=5, bottoms=["both"]),
            SoftmaxLossLayer(name="loss", bottoms=["ip3", "label"]),
        ],
    )


def train(folder: Path, iterations: int) -> None:
    """Train with everything that a long training has."""
    solver = mochac.Solver(mochac.Adam(0.002), max_iter=iterations, load_from=folder)
    solver.setup_coffee_lounge(save_into=folder / "statistics.h5", every_n_iter=EVERY)
    with mochac.compile(net(), threads=2, seed=3) as program:
        tested = mochac.compile(net(), mode="test", params=program.params, threads=2)
        breaks = (
            TrainingSummary(),
            ValidationPerformance(tested),
            Snapshot(folder, keep_last=3),
            Watch(folder / "digests"),
        )
        for coffee in breaks:
            solver.add_coffee_break(coffee, every_n_iter=EVERY)
        program.train(solver, verbose=0)
        tested.close()


def in_a_process(folder: Path, iterations: int) -> float:
    """The seconds of a training in a process of its own."""
    folder.mkdir(exist_ok=True)
    begin = time.monotonic()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            logging.disable()
            train(folder, iterations)
            status = 0
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0, f"the training in {folder} ended with status {status}"
    return time.monotonic() - begin


def neighbour() -> int:
    """Begin a process that computes for a while and sleeps for a while, until it is killed; its number."""
    child = os.fork()
    if child == 0:
        rng, matrix = np.random.default_rng(os.getpid()), np.ones((300, 300))
        while True:
            end = time.monotonic() + rng.uniform(0.001, 0.5)
            while time.monotonic() < end:
                matrix = np.tanh(matrix @ matrix)
            time.sleep(rng.uniform(0.001, 0.3))
    return child


def beside(neighbours: int, folder: Path, iterations: int) -> float:
    """The seconds of a training beside neighbours."""
    children = [neighbour() for _ in range(neighbours)]
    try:
        return in_a_process(folder, iterations)
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def digests(folder: Path) -> dict[int, tuple[str, int]]:
    """The digest and the bytes of memory by iteration; a run that was stopped may have written some twice."""
    found: dict[int, tuple[str, int]] = {}
    for iteration, digest, resident in map(str.split, (folder / "digests").read_text().splitlines()):
        before = found.setdefault(int(iteration), (digest, int(resident)))
        assert before[0] == digest, f"iteration {iteration} computed something else when it was repeated"
    return found


def require_equal(one: Path, other: Path) -> None:
    """Both trainings computed the same."""
    mine, theirs = digests(one), digests(other)
    assert mine.keys() == theirs.keys()
    for iteration in mine:
        assert mine[iteration][0] == theirs[iteration][0], f"parameters differ at iteration {iteration}"
    assert load_statistics(one / "statistics.h5") == load_statistics(other / "statistics.h5"), "statistics differ"
    states = newest_snapshot(one), newest_snapshot(other)
    assert states[0] and states[1]
    assert_same_state(states[0], states[1])


def growth(folder: Path, begin: int) -> int:
    """By how many bytes resident memory grew after the first digests behind an iteration."""
    resident = [n_bytes for iteration, (_, n_bytes) in digests(folder).items() if iteration > begin]
    return max(resident[WARM:]) - resident[WARM] if len(resident) > WARM else 0


def done(folder: Path) -> int:
    """The iterations of a training so far."""
    state = newest_snapshot(folder) if folder.exists() else None
    return state.iteration if state else 0


def soak(hours: float, neighbours: int, folder: Path) -> str:
    """Train beside neighbours and alone; a line for the record."""
    os.environ |= {"MOCHAC_CACHE": "1", "MOCHAC_CACHE_DIR": str(folder / "cache")}
    busy, quiet = folder / "busy", folder / "quiet"
    with tempfile.TemporaryDirectory() as first:
        rate = CALIBRATED / in_a_process(Path(first), CALIBRATED)
    begin = done(quiet)
    end = max(done(busy), begin + max(2, int(hours * 1800 * rate / EVERY)) * EVERY)
    end = -(-end // EVERY) * EVERY  # a run that was stopped has a snapshot between two digests
    print(f"{rate:.0f} iterations a second alone; {begin} to {end} beside {neighbours} neighbours", flush=True)
    seconds = beside(neighbours, busy, end)
    print(f"took {seconds / 3600:.2f} h, memory grew by {growth(busy, begin)} bytes", flush=True)
    alone = in_a_process(quiet, end)
    require_equal(busy, quiet)
    grown = [growth(run, begin) for run in (busy, quiet)]
    assert max(grown) <= MOST_GROWTH, f"memory grew by {grown} bytes"
    with (folder / "hours").open("a") as file:
        print(seconds / 3600, alone / 3600, file=file)
    total = np.loadtxt(folder / "hours", ndmin=2).sum(axis=0)
    return (
        f"{end} iterations, {len(digests(busy))} digests equal; {total[0]:.2f} h beside {neighbours} neighbours, "
        f"{total[1]:.2f} h alone; memory grew by {grown[0]} and {grown[1]} bytes"
    )


if __name__ == "__main__":
    hours, neighbours = float(sys.argv[1]), int(sys.argv[3]) if len(sys.argv) > 3 else os.cpu_count() or 1
    with tempfile.TemporaryDirectory() as made:
        folder = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(made)
        folder.mkdir(exist_ok=True)
        print(soak(hours, neighbours, folder.resolve()))
