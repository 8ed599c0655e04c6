"""stateful=True of recurrent layers: states that go on from batch to batch, in training, evaluation and prediction."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    Adam,
    GRULayer,
    InnerProductLayer,
    InputLayer,
    LSTMLayer,
    MemoryDataLayer,
    MochacError,
    Net,
    ResetStates,
    RNNLayer,
    Snapshot,
    Solver,
    SquareLossLayer,
)

RNG = np.random.default_rng(6)
BATCH, WINDOWS, TIME = 4, 6, 5
X = RNG.normal(size=(BATCH * WINDOWS, TIME, 3))
Y = RNG.normal(size=(BATCH * WINDOWS, TIME, 2))
KINDS = (RNNLayer, LSTMLayer, GRULayer)


def in_rows(windows: np.ndarray) -> np.ndarray:
    """The sequences of which batches hold one window after another."""
    each = windows.reshape(WINDOWS, BATCH, TIME, -1)
    return each.transpose(1, 0, 2, 3).reshape(BATCH, WINDOWS * TIME, -1)


def net(kind=LSTMLayer, x=X, y=Y, marks=None, shuffle=False, **how):
    given, tops = [x, y], ["x", "y"]
    if marks is not None:
        given, tops, how = [*given, marks], [*tops, "marks"], {**how, "continues": "marks"}
    return Net("windows", [
        MemoryDataLayer(name="in", data=given, tops=tops, batch_size=BATCH, shuffle=shuffle),
        kind(name="r", output_dim=4, bottoms=["x"], stateful=True, **how),
        InnerProductLayer(name="out", output_dim=2, axis=-1, bottoms=["r"]),
        SquareLossLayer(name="loss", bottoms=["out", "y"]),
    ])  # fmt: skip


def whole(kind, **how):
    """The net for whole sequences."""
    return Net("whole", [
        InputLayer(name="in", shape=(BATCH, WINDOWS * TIME, 3), tops=["x"]),
        kind(name="r", output_dim=4, bottoms=["x"], **how),
        InnerProductLayer(name="out", output_dim=2, axis=-1, bottoms=["r"]),
    ])  # fmt: skip


def compiled(made, **how):
    return mochac.compile(made, dtype="float64", backend="cpu", seed=1, **how)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_windows_are_evaluated_and_predicted_as_whole_sequences(kind):
    with compiled(net(kind, n_layers=2)) as program, compiled(whole(kind, n_layers=2), params=program.params) as long:
        wanted = long.predict(in_rows(X), blob="out")
        np.testing.assert_allclose(in_rows(program.predict(X, blob="out")), wanted, rtol=1e-12)
        program.reset_states()
        calls = [program.predict(X[k : k + BATCH], blob="out") for k in range(0, len(X), BATCH)]
        np.testing.assert_allclose(in_rows(np.concatenate(calls)), wanted, rtol=1e-12)
        program.reset_states()
        single = [program.predict(X[k : k + 1], blob="out") for k in range(0, len(X), BATCH)]
        np.testing.assert_allclose(np.concatenate(single, axis=1)[0], wanted[0], rtol=1e-12)
        loss = np.square(wanted - in_rows(Y)).sum() / 2 / len(X)
        for _ in range(2):
            np.testing.assert_allclose(program.evaluate()["loss"], loss, rtol=1e-12)


def test_a_blob_says_where_sequences_begin():
    """As Caffe's cont, within windows, too."""
    marks = np.ones((len(X), TIME))
    marks[[0, 9, 14], [0, 0, 3]] = 0
    with compiled(net(marks=marks)) as program:
        found = in_rows(program.predict({"x": X, "marks": marks}, blob="r"))
        starts = in_rows(marks)[..., 0]
        with compiled(net(), params=program.params) as plain:
            for row in range(BATCH):
                at = [0, *(int(k) for k in np.flatnonzero(starts[row] == 0) if k), WINDOWS * TIME]
                for first, last in itertools.pairwise(at):
                    plain.reset_states()
                    steps = in_rows(X)[row : row + 1, first:last]
                    padded = np.concatenate([steps, np.zeros((1, -steps.shape[1] % TIME, 3))], axis=1)
                    each = [plain.predict(padded[:, k : k + TIME], blob="r") for k in range(0, padded.shape[1], TIME)]
                    alone = np.concatenate(each, axis=1)[0, : last - first]
                    np.testing.assert_allclose(found[row, first:last], alone, rtol=1e-12)


@pytest.mark.slow
def test_evaluation_and_prediction_leave_training_alone():
    found = []
    for disturbed in (False, True):
        with compiled(net()) as program:
            solver = Solver(SGD(0.05), max_iter=9)
            solver.init_solve(program)
            for _ in range(9):
                solver.step()
                if disturbed:
                    program.evaluate()
                    program.predict(X[:BATCH], blob="out")
            solver.finalize()
            found.append(program.params["r"]["weight_h"][...])
    np.testing.assert_array_equal(*found)


@pytest.mark.slow
def test_forward_backward_and_update_are_a_step():
    with compiled(net()) as program, compiled(net()) as other:
        program.train(SGD(0.05), max_iter=5, regu_coef=0.0, verbose=0)
        solver = Solver(SGD(0.05), max_iter=5, regu_coef=0.0)
        solver.init_solve(other)
        for _ in range(5):
            other.forward()
            other.backward()
            solver.update()
        solver.finalize()
        for p in program.net.params:
            np.testing.assert_allclose(
                other.params[p.key][p.name][...], program.params[p.key][p.name][...], rtol=1e-10, atol=1e-13
            )


@pytest.mark.slow
def test_a_resumed_training_goes_on_with_the_states(tmp_path):
    with compiled(net()) as program:
        program.train(Adam(0.01), max_iter=9, verbose=0)
        wanted = program.params["r"]["weight_h"][...]
    for limit in (4, 9):
        with compiled(net()) as program:
            solver = Solver(Adam(0.01), max_iter=limit, load_from=tmp_path)
            solver.add_coffee_break(Snapshot(tmp_path), every_n_iter=4)
            program.train(solver, verbose=0)
            found = program.params["r"]["weight_h"][...]
    np.testing.assert_array_equal(found, wanted)


def test_states_are_reset_at_the_epoch():
    """Six updates an epoch; the second epoch begins as the first one does."""
    with compiled(net()) as program:
        solver = Solver(SGD(0.0), max_epoch=2)
        solver.add_coffee_break(ResetStates(), every_n_epoch=1)
        program.train(solver, verbose=0)
        assert not any(state.any() for name, state in program.session.slots().items() if name in ("r.h", "r.c"))
    losses = {}
    for reset in (True, False):
        with compiled(net()) as program:
            solver = Solver(SGD(0.0), max_iter=12)
            solver.init_solve(program)
            found = []
            for k in range(12):
                if reset and k == 6:
                    program.reset_states()
                found.append(solver.step())
            solver.finalize()
            losses[reset] = found
    np.testing.assert_allclose(losses[True][6:], losses[True][:6], rtol=1e-12)
    assert losses[False][6] != losses[False][0]


REFUSED = {
    "bidirectional": (lambda: net(bidirectional=True), "stateful carries the state of the last step"),
    "initial": (lambda: net(initial=["h", "c"]), "a stateful layer starts from the last batch"),
    "parts": (
        lambda: compiled(net(), parts=2).train(SGD(0.1), max_iter=1, verbose=0),
        "layer 'r' carries its state from batch to batch, and so cannot train on parts of a batch",
    ),
    "many": (
        lambda: mochac.train_many(net(), [SGD(0.1)] * 2, max_iter=1),
        "train_many(): layer 'r' of net 0, 'windows', carries its state from batch to batch",
    ),
    "ragged": (
        lambda: compiled(net(x=X[:-1], y=Y[:-1])).train(SGD(0.1), max_iter=1, verbose=0),
        "layer 'r' carries its state from batch to batch, and the last batch is not whole",
    ),
    "shuffled": (
        lambda: compiled(net(shuffle=True)).train(SGD(0.1), max_iter=1, verbose=0),
        "layer 'r' carries its state from batch to batch, and the samples are shuffled",
    ),
    "a ragged prediction": (
        lambda: compiled(net()).predict(X[:7], blob="out"),
        "predict(): layer 'r' carries its state from batch to batch, and the last batch is not whole",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_refused_by_name(case):
    call, rule = REFUSED[case]
    with pytest.raises(MochacError) as caught:
        call()
    assert rule in str(caught.value), str(caught.value)


def test_c_libraries_refuse_it(tmp_path):
    with pytest.raises(MochacError) as caught:
        mochac.build(net(), tmp_path, solver=SGD(0.1))
    assert str(caught.value).splitlines()[0] == "build: layer 'r' carries its state from batch to batch"
