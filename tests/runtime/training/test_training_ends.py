"""How a training ends when something fails on the way: what is kept, what is let go, and who hears a signal."""

import os
import signal

import numpy as np
import pytest
from cpu_kit import run_python
from fake_program import solver

import mochac
from mochac.base.errors import NumericError, SnapshotError
from mochac.base.files.atomic import FileLock
from mochac.nets.solvers.solver import BreakEntry
from mochac.training.loop import lounge, snapshot
from mochac.training.loop.coffee import CoffeeBreak, Snapshot, TrainingSummary
from mochac.training.loop.loop import TrainingRun, train
from mochac.training.loop.lounge import load_statistics


@pytest.fixture
def noted():
    """A program's own handler of SIGTERM, which only writes down what came."""
    seen = []
    before = signal.signal(signal.SIGTERM, lambda number, frame: seen.append(number))
    yield seen
    signal.signal(signal.SIGTERM, before)


class Act(CoffeeBreak):
    """Calls a function after an iteration."""

    def __init__(self, iteration, action):
        self.iteration, self.action = iteration, action

    def enjoy(self, lounge, program, state):
        if state.iter == self.iteration:
            self.action()


def full(monkeypatch, *names):
    """A disk that takes no snapshots of these names."""
    plain = snapshot.save_snapshot

    def save(path, state):
        if path.name in names or path.parent.name in names:
            raise SnapshotError(f"cannot write {path.name}", got="No space left on device")
        plain(path, state)

    monkeypatch.setattr(snapshot, "save_snapshot", save)


def test_nothing_is_kept_after_a_failure_inside_a_step(make, tmp_path, monkeypatch):
    """Parameters and iteration may not agree then: neither a snapshot that is owed nor resume=True may take them."""
    full(monkeypatch, "snapshot-000005.h5")
    program = make()
    loop = TrainingRun(program, solver(max_iter=20, breaks=(BreakEntry(Snapshot(tmp_path), 5),)))
    for _ in range(5):
        loop.step()
    program.on_step = lambda step: (_ for _ in ()).throw(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        loop.step()
    loop.finish()
    assert os.listdir(tmp_path) == ["snapshot-000000.h5"]
    assert program.last_training is None and program.claimed is None


def test_each_snapshot_that_failed_is_tried(make, tmp_path, monkeypatch):
    breaks = (BreakEntry(Snapshot(tmp_path / "a"), 5), BreakEntry(Snapshot(tmp_path / "b"), 5))
    loop = TrainingRun(make(), solver(max_iter=8, breaks=breaks))
    full(monkeypatch, "a", "snapshot-000005.h5")
    for _ in range(7):
        loop.step()
    with pytest.raises(SnapshotError, match=r"cannot write snapshot-000007\.h5"):
        loop.finish()
    assert os.listdir(tmp_path / "a") == ["snapshot-000000.h5"]
    assert sorted(os.listdir(tmp_path / "b")) == ["snapshot-000000.h5", "snapshot-000007.h5"]


def test_ctrl_c_while_a_failure_is_cleaned_up_lets_go(make, tmp_path):
    """Another training may have the program and the folder."""

    class Stubborn(Act):
        def destroy(self, program):
            raise KeyboardInterrupt

    def fail():
        raise RuntimeError

    program = make()
    plan = solver(max_iter=8, breaks=(BreakEntry(Snapshot(tmp_path), 5), BreakEntry(Stubborn(2, fail), 1)))
    with pytest.raises(KeyboardInterrupt):
        train(program, plan)
    train(program, solver(max_iter=8, breaks=(BreakEntry(Snapshot(tmp_path), 5),)))


def test_a_full_disk_slows_no_step(make, tmp_path, monkeypatch):
    """Statistics that could not be saved are tried again with the next row, not after every iteration."""
    tries = []

    def save(path, statistics):
        tries.append(path)
        raise SnapshotError("cannot write s.h5", got="No space left on device")

    monkeypatch.setattr(lounge, "save_statistics", save)
    program = make()
    plan = solver(max_iter=60, breaks=(BreakEntry(TrainingSummary(), 20),), save_into=str(tmp_path / "s.h5"))
    with pytest.raises(SnapshotError):
        train(program, plan)
    assert len(tries) == 4


def test_the_curve_reaches_to_the_iteration_that_diverged(make):
    program = make()
    plain = program.advance

    def advance(n, hypers, batches):
        first = program.rng_step
        losses = plain(n, hypers, batches)
        losses["obj_val"] = np.where(np.arange(first, first + n) >= 11, np.inf, losses["obj_val"])
        return losses

    program.advance = advance
    loop = TrainingRun(program, solver(max_iter=20))
    with pytest.raises(NumericError, match="iteration 12: the loss became inf"):
        loop.run()
    assert max(loop.lounge.statistics["obj_val"]) == 11


def test_the_statistics_file_may_be_named_in_another_way_when_a_training_goes_on(make, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    program, path = make(), str(tmp_path / "s.h5")
    train(program, solver(max_iter=5, save_into=path))
    train(program, solver(max_iter=5, save_into="./s.h5", file_exists="panic"), resume=True)
    assert max(load_statistics(path)["obj_val"]) == 10


def test_ctrl_c_ends_a_training_within_a_training_and_the_outer_one(make, listening):
    inner, outer = make(), make()
    inner.on_step = lambda step: signal.raise_signal(signal.SIGINT) if step == 3 else None
    breaks = (BreakEntry(Act(5, lambda: train(inner, solver(max_iter=1000))), 5),)
    assert train(outer, solver(max_iter=1000, breaks=breaks)).interrupted
    assert outer.rng_step == 5


@pytest.mark.slow
def test_output_files_are_whole_when_a_signal_ends_the_process(tmp_path, noted):
    x = np.arange(12, dtype=np.float32).reshape(6, 2)
    data = mochac.MemoryDataLayer(data=[x, [0, 1] * 3], batch_size=2)
    ip = mochac.InnerProductLayer(name="ip", output_dim=2, bottoms=["data"])
    out = mochac.HDF5OutputLayer(name="out", bottoms=["ip"], filename=str(tmp_path / "out.h5"))
    loss = mochac.SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])
    solver = mochac.Solver(mochac.SGD(), max_iter=1000)
    solver.add_coffee_break(Act(4, lambda: signal.raise_signal(signal.SIGTERM)), every_n_iter=1)
    there = []
    signal.signal(signal.SIGTERM, lambda number, frame: there.append(os.listdir(tmp_path)))
    with mochac.compile(mochac.Net("outputs", [data, ip, out, loss])) as program:
        assert program.train(solver, verbose=0).interrupted
    assert there == [["out.h5"]]


FORKED = """
import os, signal
from mochac.base.support.interrupts import listening

with listening() as interrupts:
    (told, tell), (lives, alive) = os.pipe(), os.pipe()
    child = os.fork()
    if not child:
        os.write(tell, b"x")  # what comes before is forgotten by Python itself
        os.close(alive)
        os.read(lives, 1)  # ends with its parent
        os._exit(0)
    os.read(told, 1)
    os.kill(child, signal.SIGTERM)
    status = os.waitpid(child, 0)[1]
    print(os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGTERM, interrupts.signal)
"""


def test_a_child_that_a_break_forks_ends_by_its_signal():
    done = run_python(FORKED)
    assert done.stdout.strip() == "True None", done.stderr


@pytest.mark.parametrize("kind", ["link", "second name", "pipe"])
def test_a_lock_is_a_file_of_its_own(tmp_path, kind):
    """Whoever may write into a shared folder could else have another user's file truncated, or a training wait."""
    victim, path = tmp_path / "victim", tmp_path / ".lock"
    victim.write_text("dear")
    if kind == "link":
        path.symlink_to(victim)
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.hardlink_to(victim)
    with pytest.raises(SnapshotError, match=r"cannot make .*\.lock"):
        FileLock(path, "taken")
    assert victim.read_text() == "dear"
