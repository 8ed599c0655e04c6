"""The same bits: weights after 60 steps do not depend on threads, cache, a resume in the middle or looking at things.

LeNet's shape with dropout and shuffling, so that random streams and cursors count too.
"""

import h5py
import numpy as np
import pytest
from net_kit import digits, lenet, lenet_solver, weights

import mochac
from mochac import HDF5DataLayer, Net, Snapshot, TrainingSummary, ValidationPerformance
from mochac.runtime.cpu.team import ThreadThrottle

STEPS = 60
BATCH = 33


def net(batch=BATCH):
    return lenet(batch=batch)


def trained(program, steps=STEPS, solver=None):
    program.train(solver or lenet_solver(steps))
    return weights(program)


@pytest.fixture(scope="module")
def expected():
    with mochac.compile(net(), threads=1) as program:
        start = weights(program)
        found = trained(program)
    assert all(not np.array_equal(found[n], start[n]) for n in found)
    return found


def assert_same_bits(got, wanted):
    assert got.keys() == wanted.keys()
    for name in wanted:
        assert got[name].tobytes() == wanted[name].tobytes(), (
            f"{name} differs by {np.abs(got[name] - wanted[name]).max()}"
        )


@pytest.mark.slow
@pytest.mark.parametrize("threads", [2, 3, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 4, 8))])
def test_any_number_of_threads(expected, threads, monkeypatch):
    monkeypatch.setattr(
        "mochac.runtime.cpu.executor.ThreadThrottle", lambda most: ThreadThrottle(1)
    )  # none is given up on a busy machine
    with mochac.compile(net(), threads=threads) as program:
        assert_same_bits(trained(program), expected)
        used = program.session.main_plan().runner.used_threads
        assert used == threads or 4 <= used < threads  # no phase is worth eight


@pytest.mark.slow
@pytest.mark.parametrize("cache", ["off", "cold and warm"])
def test_any_cache(expected, cache, monkeypatch, tmp_path):
    monkeypatch.setenv("MOCHAC_CACHE", "0" if cache == "off" else "1")
    monkeypatch.setenv("MOCHAC_CACHE_DIR", str(tmp_path))
    for _ in range(2):
        with mochac.compile(net(), threads=2) as program:
            assert_same_bits(trained(program), expected)
    kept = program.session.plans.backend.cache
    if cache == "off":
        assert kept is None
        assert list(tmp_path.iterdir()) == []
    else:
        assert kept is not None
        assert kept.stat().hits > 0


@pytest.mark.slow
@pytest.mark.parametrize("at", [23, 1, 59])
def test_a_resume_in_the_middle(expected, at, tmp_path):
    """Another program, of other initial weights, goes on from the snapshot."""
    first = lenet_solver(at)
    first.add_coffee_break(Snapshot(tmp_path), every_n_iter=at)
    with mochac.compile(net(), threads=1) as program:
        program.train(first)
    with mochac.compile(net(), threads=2) as program:
        for array in program.parameters().values():
            array[...] = 9
        program.session.batches.rng_step = 12345
        assert_same_bits(trained(program, solver=lenet_solver(STEPS, load_from=str(tmp_path))), expected)


@pytest.mark.slow
def test_several_resumes_in_the_same_program(expected, tmp_path):
    with mochac.compile(net()) as program:
        for stop in (20, 21, 47, STEPS):
            solver = lenet_solver(stop, load_from=str(tmp_path))
            solver.add_coffee_break(Snapshot(tmp_path), every_n_iter=stop)
            program.train(solver)
        assert_same_bits(weights(program), expected)


@pytest.mark.slow
def test_breaks_change_nothing(expected, tmp_path):
    """Summaries, snapshots and a validation that shares the parameters, at odd intervals."""
    solver = lenet_solver(STEPS)
    with mochac.compile(net()) as program, mochac.compile(net(7), params=program.params) as test:
        solver.add_coffee_break(TrainingSummary(), every_n_iter=13)
        solver.add_coffee_break(Snapshot(tmp_path), every_n_iter=25)
        solver.add_coffee_break(ValidationPerformance(test), every_n_iter=31)
        solver.add_coffee_break(ValidationPerformance(program), every_n_iter=28)
        assert_same_bits(trained(program, solver=solver), expected)


@pytest.mark.slow
def test_looking_changes_nothing(expected):
    """evaluate() and predict() between the steps of an own loop, on the program in training."""
    solver = lenet_solver(STEPS)
    x = np.random.default_rng(1).standard_normal((5, 1, 12, 12))
    with mochac.compile(net(), keep=["ip1"]) as program:
        solver.init_solve(program)
        for k in range(STEPS):
            solver.step()
            if k % 20 == 7:
                kept = program.blobs["ip1"]
                first = program.evaluate()
                assert program.evaluate() == first
                program.predict(x)
                np.testing.assert_array_equal(program.blobs["ip1"], kept)
        solver.finalize()
        assert_same_bits(weights(program), expected)


@pytest.mark.slow
def test_forward_takes_a_batch_and_changes_no_weights():
    """Ten steps, a batch looked at, ten steps: as if the data layer had been moved on by a batch."""
    with mochac.compile(net()) as program:
        program.train(lenet_solver(10))
        before = weights(program)
        program.forward()
        program.backward()
        assert_same_bits(weights(program), before)
        looked = trained(program, 10)
    with mochac.compile(net()) as program:
        program.train(lenet_solver(10))
        assert_same_bits(weights(program), before)
        program.session.feed.wait(1)
        program.session.feed.release(1)
        program.session.batches.rng_step += 1
        assert_same_bits(trained(program, 10), looked)
    assert any(not np.array_equal(looked[n], before[n]) for n in looked)


@pytest.mark.slow
def test_another_seed_gives_other_bits(expected):
    with mochac.compile(net(), seed=1) as program:
        assert any(not np.array_equal(a, expected[n]) for n, a in trained(program).items())


@pytest.mark.sampled(0, test=3)
@pytest.mark.parametrize("batch", [1, 15, 16, 17, 48])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_threads_at_other_batches_and_types(batch, dtype):
    found = []
    for threads in (1, 2, 3, 7):
        with mochac.compile(net(batch), threads=threads, dtype=dtype) as program:
            found.append(trained(program, 20))
    for other in found[1:]:
        assert_same_bits(other, found[0])


def hdf5_net(folder):
    """Three files of other sizes, chunks, compression and types, shuffled."""
    x, y = digits(97, (1, 12, 12), 10, 6)
    x = np.clip(x * 40 + 128, 0, 255)
    cuts = {"a": (slice(0, 40), {}, "u1"), "b": (slice(40, 61), {"chunks": True, "compression": "gzip"}, "f4")}
    cuts["c"] = (slice(61, 97), {"chunks": (5, 1, 12, 12)}, "f8")
    for name, (rows, how, dtype) in cuts.items():
        with h5py.File(folder / f"{name}.h5", "w") as file:
            file.create_dataset("data", data=(x[rows] / 256 if dtype != "u1" else x[rows]).astype(dtype), **how)
            file["label"] = y[rows, None].astype("i4")
    (folder / "list.txt").write_text("".join(f"{folder / name}.h5\n" for name in cuts))
    layers = [layer for layer in lenet().layers if layer.name != "data"]
    return Net(
        "hdf5", [HDF5DataLayer(name="data", source=folder / "list.txt", batch_size=BATCH, shuffle=True), *layers]
    )


@pytest.mark.slow
def test_shuffled_hdf5_files(tmp_path):
    """Threads, resumes and evaluations leave the same bits, over many epochs of three unlike files."""
    snapshots = tmp_path / "snapshots"
    with mochac.compile(hdf5_net(tmp_path), threads=1) as program:
        wanted = trained(program, 40)
    for stop in (7, 25, 40):
        solver = lenet_solver(stop, load_from=str(snapshots))
        solver.add_coffee_break(Snapshot(snapshots), every_n_iter=stop)
        with mochac.compile(hdf5_net(tmp_path), threads=2) as program:
            solver.add_coffee_break(ValidationPerformance(program), every_n_iter=7)
            got = trained(program, solver=solver)
    assert_same_bits(got, wanted)


@pytest.mark.slow
@pytest.mark.parametrize("threads", [2, 3])
def test_threads_share_the_steps_of_a_loop(threads, monkeypatch):
    """Every step of a recurrent net's loops waits for the one before, on all threads."""
    monkeypatch.setattr("mochac.runtime.cpu.executor.ThreadThrottle", lambda most: ThreadThrottle(1))
    rng = np.random.default_rng(3)
    x, y = rng.standard_normal((64, 40, 48)), rng.standard_normal((64, 1))
    layers = [
        mochac.MemoryDataLayer(name="in", data=[x, y], batch_size=64),
        mochac.GRULayer(name="gru", output_dim=96, bottoms=["data"], last=True),
        mochac.InnerProductLayer(name="ip", output_dim=1, bottoms=["gru"]),
        mochac.SquareLossLayer(name="loss", bottoms=["ip", "label"]),
    ]
    found = []
    for n in (1, threads):
        with mochac.compile(Net("steps", layers), threads=n, seed=2) as program:
            program.train(mochac.SGD(0.05), max_iter=12, verbose=0)
            found.append(weights(program))
    assert_same_bits(found[1], found[0])
