"""solver.step(data=x, label=y): the user's arrays in place of a data layer's batches."""

import numpy as np
import pytest
import small_net
from small_net import BATCH, METHODS, batches, weights

import mochac
from mochac import (
    SGD,
    DataError,
    DataTransformers,
    InputLayer,
    MemoryDataLayer,
    Net,
    NumericError,
    OptionError,
    ShapeError,
    Snapshot,
    Solver,
)


def input_net():
    """small_net's layers on inputs without data."""
    _, *layers = small_net.net().layers
    data = InputLayer(name="in", shape=(BATCH, 19), tops=["data"])
    return Net("inputs", [data, InputLayer(name="label", shape=(BATCH,)), *layers])


def stepped(net, given, method=METHODS["SGD"], dtype="float32", **how):
    """Losses and parameters after a step on each of some batches."""
    with mochac.compile(net, dtype=dtype) as program:
        solver = Solver(method, **how)
        solver.init_solve(program)
        losses = [solver.step(data=x, label=y) for x, y in given]
        assert solver.state.iter == len(losses)
        assert program.epoch() == 0
        solver.finalize()
        return losses, weights(program)


@pytest.mark.parametrize("make", [small_net.net, input_net])
def test_the_same_batches_give_the_same_bits(make):
    with mochac.compile(small_net.net()) as program:
        solver = Solver(METHODS["SGD"])
        solver.init_solve(program)
        want = [solver.step() for _ in range(5)]
        solver.finalize()
        trained = weights(program)
    losses, found = stepped(make(), batches(5))
    assert losses == want
    assert all(trained[n].tobytes() == found[n].tobytes() for n in trained)


def test_any_array_is_taken():
    x, label = batches(1)[0]
    want = stepped(input_net(), [(x, label)])
    for other in (
        (x.tolist(), label.tolist()),
        (np.asfortranarray(x), label[:, None].astype(np.float32)),
        (np.repeat(x.astype(np.float32), 2, axis=0)[::2], label.astype(np.uint8)),
    ):
        assert stepped(input_net(), [other])[0] == want[0]


def test_arrays_are_read_where_they_are_and_not_changed():
    x, label = (np.array(a, np.float32) for a in batches(1)[0])
    kept = x.copy()
    x.flags.writeable = False
    stepped(input_net(), [(x, label)] * 2)
    assert np.array_equal(x, kept)


def test_transformers_are_applied():
    x, label = small_net.samples()
    _, *layers = small_net.net().layers
    change = [("data", DataTransformers.Scale(0.5))]
    data = MemoryDataLayer(name="in", data=[x, label], batch_size=BATCH, transformers=change)
    halves = [(a / 2, y) for a, y in batches(3)]
    assert stepped(Net("scaled", [data, *layers]), batches(3))[0] == stepped(small_net.net(), halves)[0]


def test_the_data_layers_do_not_move():
    with mochac.compile(small_net.net()) as program:
        solver = Solver(METHODS["SGD"])
        solver.init_solve(program)
        first = solver.step()
        cursor = program.session.batches.position.cursor()
        x, label = batches(1)[0]
        solver.step(data=x, label=label)
        assert program.session.batches.position.cursor() == cursor
        solver.step()
        solver.finalize()
    assert first > 0


@pytest.mark.slow
def test_accumulated():
    x, label = (np.concatenate(parts) for parts in zip(*batches(2), strict=True))
    with mochac.compile(input_net(), dtype="float64") as program:
        solver = Solver(METHODS["SGD"], accumulate=2, regu_coef=0.0)
        solver.init_solve(program)
        loss = solver.step(data=x, label=label)
        solver.finalize()
        assert program.rng_step == 2
    with mochac.compile(small_net.net(), dtype="float64") as program:
        program.train(METHODS["SGD"], max_iter=1, accumulate=2, regu_coef=0.0)
    assert loss > 0


def test_snapshots_of_a_net_without_data(tmp_path):
    whole = stepped(input_net(), batches(6))[1]
    for part in (batches(6)[:3], batches(6)[3:]):
        with mochac.compile(input_net()) as program:
            solver = Solver(METHODS["SGD"], load_from=tmp_path)
            solver.add_coffee_break(Snapshot(tmp_path), every_n_iter=3)
            solver.init_solve(program)
            for x, y in part:
                solver.step(data=x, label=y)
            solver.finalize()
            found = weights(program)
    assert all(whole[n].tobytes() == found[n].tobytes() for n in whole)


X, Y = batches(1)[0]
BAD_X = np.where(np.arange(X.size).reshape(X.shape) == 45, np.nan, X)


@pytest.mark.parametrize(
    ("given", "kind", "text"),
    [
        ({"data": X}, OptionError, "step() needs 'label' too\n  expected  data label,  got  data"),
        (
            {"data": X, "lable": Y},
            OptionError,
            "step(): no data layer makes 'lable'\n  expected  data label,  got  lable",
        ),
        (
            {"data": X[:7], "label": Y},
            ShapeError,
            "step(): 'data' holds another number of samples\n  expected  20, the net's batch,  got  7\n"
            "  hint: a net's batch size is fixed: leave the rest of an epoch out, or fill it up",
        ),
        (
            {"data": X, "label": np.eye(3)[Y]},
            ShapeError,
            "input 'label' does not fit its data layer\n  expected  (20, 1),  got  (20, 3)\n"
            "  hint: label.argmax(axis=1); SoftlabelSoftmaxLossLayer takes",
        ),
        ({"data": X.astype(str), "label": Y}, OptionError, "input 'data' is not an array of numbers\n  got  text"),
        ({"data": X, "label": None}, OptionError, "input 'label' is not an array of numbers\n  got  None"),
        ({"data": X[:, :5], "label": Y}, ShapeError, "input 'data' does not fit its data layer"),
        ({"data": X, "label": Y + 3}, DataError, "step(): label out of range\n  expected  0 <= label < 3,  got"),
        ({"data": X, "label": Y + 0.5}, DataError, "step(): label is not an integer"),
        ({"data": BAD_X, "label": Y}, DataError, "step(): data holds NaN\n  blob 'data', sample 2"),
        ({"data": np.full(X.shape, "x"), "label": Y}, OptionError, "input 'data' is not an array of numbers"),
    ],
)
def test_bad_arrays(given, kind, text):
    """Nothing is lost: the next step goes on."""
    with mochac.compile(input_net()) as program:
        solver = Solver(SGD(0.1))
        solver.init_solve(program)
        before = weights(program)
        with pytest.raises(kind) as caught:
            solver.step(**given)
        assert all(np.array_equal(before[n], a) for n, a in weights(program).items())
        solver.step(data=X, label=Y)
        assert solver.state.iter == 1
        solver.finalize()
    assert text in str(caught.value), str(caught.value)


@pytest.mark.parametrize("call", ["solver.step", "program.step", "program.forward"])
def test_arrays_without_names(call):
    with mochac.compile(input_net()) as program:
        solver = Solver(SGD(0.1))
        solver.init_solve(program)
        with pytest.raises(OptionError, match=r"takes arrays by the tops of the data layers\n  hint: .*data=.*label="):
            eval(call)(X, Y)
        solver.finalize()


def test_inputs_without_data_say_so():
    with mochac.compile(input_net()) as program:
        with pytest.raises(DataError, match="it has no data of its own"):
            program.train(SGD(0.1), max_iter=1)
        solver = Solver(SGD(0.1))
        solver.init_solve(program)
        with pytest.raises(DataError, match="it has no data of its own"):
            solver.step()
        solver.step(data=X, label=Y)
        solver.finalize()


@pytest.mark.slow
def test_a_loss_that_is_not_finite(monkeypatch):
    monkeypatch.setenv("MOCHAC_CHECK", "nan")
    with mochac.compile(input_net()) as program:
        program.params["y"]["weight"] = 3e38 * np.ones((3, 34))
        program.params["h"]["weight"] = 1e30 * np.ones((34, 19))
        solver = Solver(SGD(0.1), regu_coef=0.0)
        solver.init_solve(program)
        with pytest.raises(NumericError, match=r"iteration 1: .* became"):
            solver.step(data=X, label=Y)
        solver.finalize()
