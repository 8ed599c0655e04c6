"""Calls that are wrong in ways a type checker would have told: one clear message, never Python's own."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    DataError,
    EarlyStopping,
    EmbeddingLayer,
    InnerProductLayer,
    InputLayer,
    MemoryDataLayer,
    Net,
    OptionError,
    ParameterAverage,
    Program,
    Snapshot,
    SnapshotError,
    SoftmaxLossLayer,
    Solver,
    TrainingSummary,
    ValidationPerformance,
)

X = np.random.default_rng(0).normal(size=(20, 6)).astype(np.float32)
Y = np.arange(20) % 3


def small_net() -> Net:
    return wide_net(3)


def wide_net(output_dim: int) -> Net:
    return Net(
        "small",
        [
            MemoryDataLayer(data=[X, Y], batch_size=10),
            InnerProductLayer(name="ip", output_dim=output_dim, bottoms=["data"]),
            SoftmaxLossLayer(name="loss", bottoms=["ip", "label"]),
        ],
    )


@pytest.fixture(scope="module")
def program() -> Program:
    return mochac.compile(small_net())


def backward(program: Any, coefficient: Any) -> None:
    program.forward()
    program.backward(coefficient)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (
            lambda p: mochac.compile(p.net, keep=None),
            "keep is out of range\n  expected  a name, or a list of names, of blobs",
        ),
        (
            lambda p: mochac.compile(p.net, keep=[3]),
            "keep is out of range\n  expected  a name, or a list of names, of blobs",
        ),
        (lambda p: p.freeze(["ip"]), "not the name of a layer"),
        (lambda p: backward(p, "x"), "regu_coef is out of range"),
        (lambda p: backward(p, float("nan")), "regu_coef is out of range"),
        (lambda p: p.load(3), "load: no parameters in this"),
        (lambda p: p.save(None), "save: path is out of range"),
        (lambda p: p.predict(X + 1j), "input 'data' is not an array of numbers"),
        (
            lambda p: p.predict(np.ma.array(X, mask=X > 0)),
            r"input 'data' is not an array of numbers\n  got  it has \d+ masked elements; fill them, such as a\.fil",
        ),
        (
            lambda p: p.predict(np.array([[None] * 6], object)),
            "input 'data' is not an array of numbers\n  got  None",
        ),
        (
            lambda p: p.predict((X[0], Y)),
            r"input 'data' is not an (?s:.*)\n  hint: several inputs are a dict: predict\({'data': ..., 'label': ",
        ),
        (
            lambda p: mochac.compile(p.net, dtype="float16"),
            "dtype is out of range\n  expected  'float32' or 'float64',  got  'float16'$",
        ),
        (lambda p: mochac.compile(p.net, dtype="flaot32"), "hint: did you mean 'float32'?"),
        (lambda p: mochac.check_gradients(p), "check_gradients\\(\\) takes a Net"),
        (lambda p: mochac.check_gradients(p.net, epsilon=0), "epsilon is out of range"),
        (lambda p: mochac.check_gradients(p.net, samples=-1), "samples is out of range"),
        (lambda p: p.dump(3), "dump: directory is out of range"),
        (lambda p: Snapshot(None), "Snapshot: folder is out of range"),
        (lambda p: Snapshot("x", keep=2), "Snapshot has no argument 'keep'\n  hint: did you mean 'keep_last'?"),
        (
            lambda p: Snapshot("x", monitor="acc"),
            "Snapshot has no argument 'monitor'\n  hint: did you mean 'keep",
        ),
        (lambda p: Snapshot("x", every_n_iter=5), "Snapshot has no argument 'every_n_iter'\n  hint: it belongs to sol"),
        (
            lambda p: EarlyStopping("obj_val", patiance=2),
            "EarlyStopping has no argument 'patiance'\n  hint: did you",
        ),
        (lambda p: ParameterAverage(rate=0.9), "ParameterAverage has no argument 'rate'\n  hint: arguments: decay"),
        (
            lambda p: ValidationPerformance(test=p),
            "ValidationPerformance has no argument 'test'\n  hint: did you",
        ),
        (
            lambda p: ValidationPerformance(p, average=1),
            "ValidationPerformance: average is out of range\n  expected",
        ),
        (
            lambda p: p.step(data=X),
            r"step\(\): no training of program 'small' has begun",
        ),
        (lambda p: ValidationPerformance(p).register(3), "not a listener"),
        (lambda p: InnerProductLayer(name="a\0b", output_dim=3), "NUL"),
        (lambda p: InnerProductLayer(name="a", output_dim=3, bottoms=["a\ud800"]), "valid Unicode"),
        (lambda p: mochac.compile(wide_net(10**14)), r"layer 'ip' .*: not enough memory for parameter ip\.weight"),
        (lambda p: mochac.compile(wide_net(10**30)), r"an integer >= 1,  got  10{30}\n  hint: at most 2\*\*53"),
        (lambda p: ValidationPerformance(p.net), "ValidationPerformance needs a program"),
        (lambda p: Solver(SGD(), max_iter=1).init_solve(p.net), "init_solve\\(\\) needs a program"),
        (lambda p: Solver(SGD(), max_iter=1).solve(p.net), "solve\\(\\) needs a program"),
    ],
)
def test_wrong_types_are_option_errors(program: Program, call: Callable[[Any], object], says: str) -> None:
    with pytest.raises(OptionError, match=says):
        call(program)


def test_folders_are_no_model_files(program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SnapshotError, match="is a folder"):
        program.load(tmp_path)
    monkeypatch.chdir(tmp_path)
    for folder in (".", tmp_path):
        with pytest.raises(SnapshotError, match="cannot write"):
            program.save(folder)


def test_close_ends_a_training_under_way() -> None:
    class Closing:
        def enjoy(self, lounge: Any, program: Program, state: Any) -> None:
            if state.iter == 2:
                program.close()

    solver = Solver(SGD(), max_iter=5)
    solver.add_coffee_break(Closing(), every_n_iter=1)
    with pytest.raises(OptionError, match="program 'small' is closed"):
        mochac.compile(small_net()).train(solver)
    own = mochac.compile(small_net())
    solver = Solver(SGD(), max_iter=5)
    solver.init_solve(own)
    solver.step()
    own.close()
    with pytest.raises(OptionError, match="is closed"):
        solver.step()
    solver.finalize()


def test_nothing_can_be_read_of_a_closed_program() -> None:
    closed = mochac.compile(small_net())
    closed.forward()
    closed.backward()
    held = closed.blobs
    closed.close()
    for read in (lambda: held["ip"], lambda: closed.blob_diffs["ip"], lambda: closed.grads["ip"]):
        with pytest.raises(OptionError, match="the program is closed"):
            read()


def test_predict_refuses_numbers_too_large_for_the_program(program: Program) -> None:
    """Both in an array of a form that is new, and in one that is known; infinities themselves are let through."""
    wide = X.astype(np.float64)
    good = program.predict(wide)
    bad = wide.copy()
    bad[3, 2] = -1e39
    for samples in (bad, bad.tolist(), {"data": bad}, bad[2:5]):
        with pytest.raises(DataError) as caught:
            program.predict(samples)
        place = 1 if len(samples) == 3 else 3
        assert str(caught.value) == (
            f"predict(): data holds a number too large for float32\n  got  -1e+39\n  blob 'data', sample {place}"
        )
    np.testing.assert_array_equal(program.predict(wide), good)
    bad[3, 2] = np.inf
    found = program.predict(bad)
    assert not np.isfinite(found[3]).any()
    np.testing.assert_array_equal(np.delete(found, 3, 0), np.delete(good, 3, 0))


def test_predict_takes_one_number_a_sample_as_data_layers_do() -> None:
    values = np.linspace(0, 1, 20)
    net = Net(
        "line",
        [
            MemoryDataLayer(data=[values, Y], batch_size=10),
            InnerProductLayer(name="ip", output_dim=3, bottoms=["data"]),
            SoftmaxLossLayer(name="loss", bottoms=["ip", "label"]),
        ],
    )
    with mochac.compile(net) as program:
        np.testing.assert_array_equal(program.predict(values), program.predict(values[:, None]))


def test_what_a_user_prints_names_its_contents(program: Program) -> None:
    assert repr(program.params["ip"]) == "<ip: weight float32[3, 6], bias float32[3]>"
    fresh = mochac.compile(small_net())
    assert repr(fresh.blobs) == "<blobs: none to read>"
    assert repr(fresh.grads) == "<gradients: none to read>"
    fresh.forward()
    fresh.backward()
    assert repr(fresh.blobs) == "<blobs: data label ip>"
    assert repr(fresh.blob_diffs) == "<blob gradients: data label ip>"
    assert repr(fresh.grads) == "<gradients: ip.weight ip.bias>"
    solver = Solver(SGD(), max_iter=2)
    solver.add_coffee_break(TrainingSummary(), every_n_iter=1)
    assert repr(fresh.train(solver)) == "<CoffeeLounge: obj_val (2)>"


def test_a_finished_training_says_that_nothing_is_left(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(2):
        solver = Solver(SGD(), max_iter=2, load_from=tmp_path)
        solver.add_coffee_break(Snapshot(tmp_path), every_n_iter=2)
        with mochac.compile(small_net()) as program, caplog.at_level("INFO", logger="mochac"):
            caplog.clear()
            program.train(solver)
    assert "nothing left to train: iteration 2 has been reached" in caplog.text


@pytest.mark.parametrize(
    ("make", "name", "told"),
    [
        (small_net, "train", "use mochac.compile(net).train(SGD(...), max_iter=...)"),
        (small_net, "blob", "did you mean 'blobs'?"),
        (lambda: mochac.compile(small_net()), "fit", "use program.train(SGD(...), max_iter=...)"),
        (lambda: mochac.compile(small_net()), "evalute", "did you mean 'evaluate'?"),
    ],
)
def test_names_of_other_frameworks_are_translated(make: Callable[[], Any], name: str, told: str) -> None:
    owner = make()
    with pytest.raises(AttributeError) as e:
        getattr(owner, name)
    assert str(e.value) == f"{type(owner).__name__!r} object has no attribute {name!r}; {told}"
    assert not hasattr(owner, "_nothing_like_this")


@pytest.mark.parametrize("steps", [1, 20])
def test_a_learning_rate_beyond_the_dtype(program: Program, steps: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(OptionError) as caught:
            program.train(SGD(1e39), max_iter=steps)
    assert str(caught.value) == "learning rate is beyond float32\n  expected  at most 3.403e+38,  got  1e+39"


@pytest.mark.parametrize("wrong", ["weight * 2", "2 * weight", "weight + weight", "1 - weight", "weight @ weight"])
def test_a_parameter_is_not_an_array(program, wrong):
    with pytest.raises(TypeError, match=r"parameter ip.weight is not an array; \[...\] behind it reads"):
        eval(wrong, {"weight": program.params["ip"]["weight"]})


def test_gradients_without_their_name(program):
    with pytest.raises(OptionError, match=r'gradients of blobs: backward\(diffs={"out": d_out}\)'):
        backward(program, np.ones((10, 3)))


def test_predictions_for_ids_that_there_are_not():
    ids = InputLayer(name="ids", shape=(4, 3))
    net = Net("words", [ids, EmbeddingLayer(name="words", vocabulary=12, output_dim=5, bottoms=["ids"])])
    with mochac.compile(net) as program:
        program.predict(np.full((4, 3), 11))
        for bad in (-1, 12):
            with pytest.raises(DataError, match=r"predict\(\): id out of range\n  expected  0 <= id < 12"):
                program.predict(np.full((4, 3), bad))
