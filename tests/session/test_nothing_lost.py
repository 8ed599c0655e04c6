"""A training that loses nothing, and says what it cannot use: batches, snapshots, gradients, mapped files."""

import os

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    DataError,
    EarlyStopping,
    InnerProductLayer,
    InputLayer,
    MemoryDataLayer,
    Net,
    OptionError,
    PythonDataLayer,
    Snapshot,
    SoftmaxLossLayer,
    Solver,
    TrainingSummary,
)

OUT = InnerProductLayer(name="out", output_dim=2, bottoms=["data"])
LOSS = SoftmaxLossLayer(name="loss", bottoms=["out", "label"])


def open_net():
    return mochac.compile(Net("own", [InputLayer(name="data", shape=(2, 4)), OUT]))


def warnings(caplog):
    return [r.getMessage() for r in caplog.records if r.levelname == "WARNING"]


@pytest.mark.slow
@pytest.mark.parametrize(("calls", "left"), [(6, 2), (4, 0), (3, 3)])
def test_gradients_that_wait_for_more(caplog, calls, left):
    with open_net() as program:
        solver = Solver(SGD(0.1), accumulate=4)
        solver.init_solve(program)
        for _ in range(calls):
            program.forward(data=np.ones((2, 4)))
            program.backward(diffs={"out": np.ones((2, 2))})
            solver.update()
        solver.finalize()
    words = f"{left} calls of update() have changed nothing: accumulate=4 needs {4 - left} more"
    assert warnings(caplog) == ([words] if left else [])


def test_a_gradient_for_data():
    rule = "backward\\(\\): blob 'data' is what data layer 'data' reads: its gradient reaches no parameter"
    with open_net() as program:
        program.forward(data=np.ones((2, 4)))
        with pytest.raises(OptionError, match=rule + "\n  hint: give the gradients of blobs that layers compute"):
            program.backward(diffs={"data": np.ones((2, 4))})


@pytest.mark.parametrize("last", [1, 5])
def test_a_last_snapshot_where_data_fails(tmp_path, last):
    def samples():
        for k in range(10 * last + 7):
            yield np.ones(4), k % 2
        raise KeyError("row")

    net = Net("failing", [PythonDataLayer(make=samples, batch_size=10), OUT, LOSS])
    solver = Solver(SGD(0.1), max_iter=30)
    solver.add_coffee_break(Snapshot(str(tmp_path)), every_n_iter=3)
    with mochac.compile(net) as program, pytest.raises(DataError, match="row"):
        program.train(solver, verbose=0)
    assert solver.state.iter == last
    assert f"snapshot-{last:06d}.h5" in os.listdir(tmp_path)


def test_early_stopping_by_the_loss():
    data = MemoryDataLayer(data=[np.ones((4, 4)), np.zeros(4)], batch_size=4)
    with mochac.compile(Net("stop", [data, OUT, LOSS])) as program:
        solver = Solver(SGD(0.1), max_iter=4)
        solver.add_coffee_break(EarlyStopping("obj_val"), every_n_iter=2)
        hint = "with the same interval: TrainingSummary\\('obj_val'\\)"
        with pytest.raises(OptionError, match=f"no statistic 'obj_val'\n.*\n  hint: add the break .*{hint}"):
            program.train(solver, verbose=0)
        solver = Solver(SGD(0.1), max_iter=4)
        solver.add_coffee_break(TrainingSummary("obj_val"), every_n_iter=2)
        solver.add_coffee_break(EarlyStopping("obj_val"), every_n_iter=2)
        program.train(solver, verbose=0)


def test_a_mapped_file_that_has_become_shorter(tmp_path):
    path = tmp_path / "x.npy"
    np.save(path, np.ones((20000, 4), np.float32))
    mapped = np.load(path, mmap_mode="r")
    data = MemoryDataLayer(data=[mapped[10000:], np.zeros(10000)], batch_size=4)
    with mochac.compile(Net("mapped", [data, OUT, LOSS])) as program:
        os.truncate(path, 4096)  # before a reader works ahead, which nothing could save
        rule = r"file .*x.npy of the memory-mapped array of 'data' has become shorter"
        for use in (program.evaluate, lambda: program.train(SGD(0.1), max_iter=1, verbose=0)):
            with pytest.raises(
                DataError, match=rule + r"\n  expected  320,128 bytes,  got  4,096\n  hint: map it again"
            ):
                use()
