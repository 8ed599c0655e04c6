"""Numbers that Mocha's semantics prescribe, through the public API: batches, epochs, breaks, statistics, snapshots.

Ten samples in batches of four throughout: batches 0-3, 4-7, 8 9 0 1, 2-5, 6-9, ...; epochs end with samples 9, 19, 29.
"""

from pathlib import Path

import h5py
import numpy as np
import pytest
from message_kit import refused

import mochac
from mochac import (
    SGD,
    AsyncHDF5DataLayer,
    HDF5DataLayer,
    InnerProductLayer,
    LRPolicy,
    MemoryDataLayer,
    MomPolicy,
    Net,
    OptionError,
    Snapshot,
    Solver,
    SquareLossLayer,
    TrainingSummary,
)
from mochac.training.loop.lounge import load_statistics
from mochac.training.loop.snapshot import read_snapshot

N, BATCH = 10, 4
X = np.arange(N, dtype=np.float32)[:, None]


def source(kind, **more):
    if kind is MemoryDataLayer:
        return kind(name="data", data=[X], tops=["data"], batch_size=BATCH, **more)
    Path("list.txt").write_text("first.h5\nsecond.h5\n")
    for name, rows in (("first", X[:7]), ("second", X[7:])):
        with h5py.File(f"{name}.h5", "w") as file:
            file["data"] = rows
    return kind(name="data", source="list.txt", tops=["data"], batch_size=BATCH, **more)


def net(kind=MemoryDataLayer, **more):
    """y = w x + b against x."""
    ip = InnerProductLayer(name="ip", output_dim=1, bottoms=["data"])
    return Net("n", [source(kind, **more), ip, SquareLossLayer(name="loss", bottoms=["ip", "data"])])


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


SLOW = [pytest.param(kind, marks=pytest.mark.slow) for kind in (HDF5DataLayer, AsyncHDF5DataLayer)]


@pytest.mark.parametrize("kind", [MemoryDataLayer, *SLOW])
def test_batches_and_epochs(kind):
    with mochac.compile(net(kind), threads=1) as program:
        rows, epochs = [], []
        for _ in range(6):
            program.forward()
            rows.append(program.blobs["data"].reshape(-1).astype(int).tolist())
            epochs.append(program.epoch())
    assert rows == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 0, 1], [2, 3, 4, 5], [6, 7, 8, 9], [0, 1, 2, 3]]
    assert epochs == [0, 0, 1, 1, 2, 2]


@pytest.mark.slow
@pytest.mark.parametrize("kind", [MemoryDataLayer, HDF5DataLayer, AsyncHDF5DataLayer])
def test_a_shuffled_epoch_holds_every_sample_once(kind):
    with mochac.compile(net(kind, shuffle=True), threads=1) as program:
        rows = []
        for _ in range(5):  # two epochs exactly
            program.forward()
            rows += program.blobs["data"].reshape(-1).astype(int).tolist()
    assert sorted(rows[:N]) == sorted(rows[N:]) == list(range(N))
    assert rows[:N] != rows[N:]


class Diary:
    """When it was called: (iteration, epoch)."""

    def __init__(self):
        self.seen = []

    def enjoy(self, lounge, program, state):
        self.seen.append((state.iter, state.epoch))


def solver(**limits):
    method = SGD(lr_policy=LRPolicy.Fixed(1 / 1024), mom_policy=MomPolicy.Fixed(0.5))
    return Solver(method, regu_coef=0.0, **limits)


@pytest.mark.slow
def test_limits_and_breaks():
    """Three epochs are over with sample 29, which iteration 8 takes; breaks of iteration 0 run before training."""
    how, by_epoch, by_two, by_iter = solver(max_epoch=3), Diary(), Diary(), Diary()
    how.add_coffee_break(by_epoch, every_n_epoch=1)
    how.add_coffee_break(by_two, every_n_epoch=2)
    how.add_coffee_break(by_iter, every_n_iter=3)
    with mochac.compile(net(), threads=1) as program:
        program.train(how)
        assert by_epoch.seen == [(0, 0), (3, 1), (5, 2), (8, 3)]
        assert by_two.seen == [(0, 0), (5, 2)]
        assert by_iter.seen == [(0, 0), (3, 1), (6, 2)]
        program.train(solver(max_iter=7))  # the cursor goes on behind sample 31
        program.forward()
        assert program.blobs["data"].reshape(-1).tolist() == [0, 1, 2, 3]


@pytest.mark.slow
def test_statistics_of_several_trainings():
    """merge: the union, the later training wins at equal iterations; overwrite: the last alone; panic: refused."""
    path = "statistics.h5"

    def trained(max_iter, file_exists):
        how = solver(max_iter=max_iter)
        how.setup_coffee_lounge(save_into=path, every_n_iter=2, file_exists=file_exists)
        how.add_coffee_break(TrainingSummary("iter", "obj_val", "learning_rate"), every_n_iter=1)
        with mochac.compile(net(), threads=1) as program:
            program.params["ip"]["weight"] = max_iter
            return program.train(how).statistics

    trained(5, "merge")
    first = load_statistics(path)
    assert list(first["obj_val"]) == [1, 2, 3, 4, 5]
    assert list(first["learning_rate"]) == [0, 1, 2, 3, 4, 5]
    trained(2, "merge")
    both = load_statistics(path)
    assert list(both["obj_val"]) == [1, 2, 3, 4, 5]
    assert [both["obj_val"][k] == first["obj_val"][k] for k in range(1, 6)] == [False, False, True, True, True]
    error = refused(lambda: trained(2, "panic"))
    assert isinstance(error, OptionError)
    assert load_statistics(path) == both
    trained(2, "overwrite")
    assert list(load_statistics(path)["obj_val"]) == [1, 2]


@pytest.mark.slow
def test_what_a_snapshot_holds():
    how = solver(max_iter=4)
    how.add_coffee_break(Snapshot("snaps"), every_n_iter=4)
    with mochac.compile(net(), threads=1, seed=9) as program:
        program.train(how)
        live = {name: array.copy() for name, array in program.parameters().items()}
    assert sorted(p.name for p in Path("snaps").iterdir()) == ["snapshot-000000.h5", "snapshot-000004.h5"]
    before, after = (read_snapshot(Path(f"snaps/snapshot-{k:06d}.h5")) for k in (0, 4))
    assert (before.iteration, after.iteration, after.method, after.net, after.seed) == (0, 4, "SGD", "n", 9)
    assert before.cursor == {"data": {"epoch": 0, "position": 0, "n_samples": N}}
    assert after.cursor == {"data": {"epoch": 1, "position": 6, "n_samples": N}}
    assert (before.rng_step, after.rng_step, after.start_epoch) == (0, 4, 0)
    assert sorted(after.parameters) == ["ip___bias", "ip___weight"]
    for name, array in live.items():
        np.testing.assert_array_equal(after.parameters[name], array)
    w, b, history = by_hand(before.parameters, 4)
    np.testing.assert_allclose(after.parameters["ip___weight"], [[w]], rtol=1e-5)
    np.testing.assert_allclose(after.parameters["ip___bias"], [b], rtol=1e-5)
    assert sorted(after.slots) == ["ip.bias.history", "ip.weight.history"]
    np.testing.assert_allclose(after.slots["ip.weight.history"], [[history]], rtol=1e-4)


def by_hand(start, steps):
    """w, b and w's history after SGD with momentum 0.5 on 1/2 mean (w x + b - x)^2; the bias's local rate is 2."""
    w, b = float(start["ip___weight"][0, 0]), float(start["ip___bias"][0])
    hw = hb = 0.0
    for k in range(steps):
        x = (k * BATCH + np.arange(BATCH)) % N
        wrong = w * x + b - x
        hw = 0.5 * hw - (wrong * x).mean() / 1024
        hb = 0.5 * hb - 2 * wrong.mean() / 1024
        w, b = w + hw, b + hb
    return w, b, hw
