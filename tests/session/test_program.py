"""Program, method by method, against what NumPy says about one small net: forward, backward, evaluate, predict, freeze,
sharing, files, own loops.
"""

from __future__ import annotations

import gc
import logging
import time
import weakref

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    AccuracyLayer,
    DropoutLayer,
    InnerProductLayer,
    LRPolicy,
    MemoryDataLayer,
    MomPolicy,
    Net,
    Neurons,
    OptionError,
    Params,
    ShapeError,
    SoftmaxLossLayer,
    Solver,
    TrainingSummary,
    ValidationPerformance,
)

N, BATCH, FEATURES, CLASSES = 23, 5, 7, 3
RNG = np.random.default_rng(4)
X, Y = RNG.standard_normal((N, FEATURES)), RNG.integers(0, CLASSES, N)


def net(x=X, y=Y, batch=BATCH, *more, neuron=Neurons.Tanh(), key=""):  # noqa: B008
    return Net(
        "tiny",
        [
            MemoryDataLayer(name="data", data=[x, y], batch_size=batch),
            InnerProductLayer(name="ip1", output_dim=6, neuron=neuron, bottoms=["data"]),
            InnerProductLayer(name="ip2", output_dim=CLASSES, bottoms=["ip1"], param_key=key),
            SoftmaxLossLayer(name="loss", bottoms=["ip2", "label"]),
            AccuracyLayer(name="acc", bottoms=["ip2", "label"]),
            *more,
        ],
    )


def forward(program, x):
    """Both layers in float64."""
    p = {n: a.astype(np.float64) for n, a in program.parameters().items()}
    hidden = np.tanh(x @ p["ip1___weight"].T + p["ip1___bias"])
    return hidden, hidden @ p["ip2___weight"].T + p["ip2___bias"]


def losses(scores, y):
    peak = scores.max(1, keepdims=True)
    return (np.log(np.exp(scores - peak).sum(1)) + peak[:, 0]) - scores[np.arange(len(y)), y]


def states(program):
    return {n: a.copy() for n, a in program.parameters().items()}


def assert_states(got, wanted):
    for name, want in wanted.items():
        np.testing.assert_array_equal(got[name], want, err_msg=name)


@pytest.fixture
def program():
    with mochac.compile(net(), dtype="float64") as made:
        yield made


def test_forward_takes_the_next_batch_and_shows_every_blob(program):
    for start in (0, 5):
        rows = np.arange(start, start + BATCH)
        hidden, scores = forward(program, X[rows])
        assert program.forward() == pytest.approx(losses(scores, Y[rows]).mean(), rel=1e-12)
        np.testing.assert_allclose(program.blobs["ip1"], hidden, rtol=1e-12)
        np.testing.assert_allclose(program.blobs["ip2"], scores, rtol=1e-12)
        np.testing.assert_array_equal(program.blobs["data"], X[rows])
        np.testing.assert_array_equal(program.blobs["label"], Y[rows, None])
    assert set(program.blobs) == {"data", "label", "ip1", "ip2"}


def test_batches_wrap_around_at_the_end(program):
    for k in range(5):
        program.forward()
        np.testing.assert_array_equal(program.blobs["label"][:, 0], Y[(k * BATCH + np.arange(BATCH)) % N])
    assert program.epoch() == 1


def test_blobs_are_copies(program):
    program.forward()
    seen = program.blobs["ip1"]
    seen[...] = 9
    assert (program.blobs["ip1"] != 9).all()


@pytest.mark.slow
def test_backward_gives_the_gradients_of_that_batch(program):
    program.forward()
    program.backward(regu_coef=0.1)
    hidden, scores = forward(program, X[:BATCH])
    soft = np.exp(scores - scores.max(1, keepdims=True))
    dy = soft / soft.sum(1, keepdims=True)
    dy[np.arange(BATCH), Y[:BATCH]] -= 1
    dy /= BATCH
    w2 = program.params["ip2"]["weight"][...]
    np.testing.assert_allclose(program.blob_diffs["ip2"], dy, rtol=1e-10, atol=1e-14)
    np.testing.assert_allclose(program.grads["ip2"]["weight"], dy.T @ hidden + 2 * 0.1 * w2, rtol=1e-10)
    np.testing.assert_allclose(program.grads["ip2"]["bias"], dy.sum(0), rtol=1e-10, atol=1e-14)
    dh = dy @ w2
    np.testing.assert_allclose(program.blob_diffs["ip1"], dh, rtol=1e-10, atol=1e-14)
    dw1 = (dh * (1 - hidden**2)).T @ X[:BATCH] + 2 * 0.1 * program.params["ip1"]["weight"][...]
    np.testing.assert_allclose(program.grads["ip1"]["weight"], dw1, rtol=1e-10)


@pytest.mark.slow
def test_backward_without_regularization(program):
    program.forward()
    program.backward()
    plain = program.grads["ip1"]["weight"]
    program.backward(regu_coef=0.5)
    np.testing.assert_allclose(program.grads["ip1"]["weight"] - plain, program.params["ip1"]["weight"][...], rtol=1e-9)


@pytest.mark.parametrize("batch", [5, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 4, 16, 23, 40))])
def test_evaluate_visits_every_sample_once(batch):
    with mochac.compile(net(batch=batch), threads=2) as program:
        program.train(SGD(), max_iter=3)
        _, scores = forward(program, X)
        found = program.evaluate()
        assert found["loss"] == pytest.approx(losses(scores, Y).mean(), rel=1e-5)
        assert found["acc-accuracy"] == pytest.approx((scores.argmax(1) == Y).mean(), rel=1e-12)
        assert program.evaluate() == found


@pytest.mark.parametrize("count", [0, 1, 17, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 5, 16, 23, 40))])
def test_predict_takes_any_number_of_samples(count):
    x = np.resize(X, (count, FEATURES))
    with mochac.compile(net()) as program:
        hidden, scores = forward(program, x)
        found = program.predict(x)
        assert found.shape == (count, CLASSES)
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, scores, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(program.predict(x, blob="ip1"), hidden, rtol=1e-5, atol=1e-6)


def test_predict_runs_only_what_a_blob_needs():
    """Without labels; dropout is nothing; integers and lists will do; a dict feeds by name."""
    dropped = DropoutLayer(name="drop", bottoms=["ip1"], tops=["dropped"])
    with mochac.compile(net(X, Y, BATCH, dropped)) as program:
        np.testing.assert_array_equal(program.predict(X[:9], blob="dropped"), program.predict(X[:9], blob="ip1"))
        whole = np.arange(14).reshape(2, 7)
        np.testing.assert_array_equal(program.predict(whole), program.predict(whole.astype(float).tolist()))
        np.testing.assert_array_equal(program.predict({"data": whole}), program.predict(whole))
        np.testing.assert_array_equal(program.predict(X[:3], blob="data"), X[:3].astype(np.float32))


@pytest.mark.parametrize("count", [0, 3, 2 * BATCH + 1])
def test_several_blobs_are_predicted_in_one_pass(count):
    """Each as it is alone, in the order asked for; inputs and repeated names may be among them."""
    x = np.resize(X, (count, FEATURES))
    with mochac.compile(net()) as program:
        hidden, scores = forward(program, x)
        for _ in range(2):  # the second call knows arrays of this shape
            found = program.predict(x, blob=["ip2", "data", "ip1", "ip2"])
            assert isinstance(found, tuple)
            for array, expected in zip(found, (scores, x, hidden, scores), strict=True):
                assert array.shape == expected.shape
                np.testing.assert_allclose(array, expected, rtol=1e-5, atol=1e-6)
        for _ in range(2):
            first, second = program.predict(x, blob=["ip2", "ip1"])
            np.testing.assert_allclose(first, scores, rtol=1e-5, atol=1e-6)
            np.testing.assert_allclose(second, hidden, rtol=1e-5, atol=1e-6)
        (alone,) = program.predict(x, blob=("ip1",))
        np.testing.assert_array_equal(alone, program.predict(x, blob="ip1"))


@pytest.mark.parametrize(
    ("blob", "text"),
    [
        (["ip1", "ip3"], "has no blob 'ip3'\n  blobs: .*\n  hint: did you mean 'ip[12]'"),
        (["ip1", 3], "blob is not a list of names\n  expected  .*got  3"),
        ([], r"blob is not the name of a blob\n  expected  .*list of names,  got  \[\]"),
        ({"ip1": 1}, "blob is not the name of a blob"),
        (3, "blob is not the name of a blob"),
    ],
)
def test_blobs_that_cannot_be_predicted(program, blob, text):
    with pytest.raises(OptionError, match=text):
        program.predict(X, blob=blob)


@pytest.mark.slow
def test_predictions_follow_training(program):
    before = program.predict(X)
    program.train(SGD(), max_iter=2)
    after = program.predict(X)
    assert not np.array_equal(before, after)
    np.testing.assert_allclose(after, forward(program, X)[1], rtol=1e-12)


@pytest.mark.slow
def test_train_keeps_what_compile_was_asked_to_keep():
    with mochac.compile(net(), keep=["ip1"], dtype="float64") as program:
        start = states(program)
        program.train(SGD(lr_policy=LRPolicy.Fixed(0.1)), max_iter=1)
        kept = program.blobs["ip1"]
        np.testing.assert_allclose(kept, np.tanh(X[:5] @ start["ip1___weight"].T + start["ip1___bias"]), rtol=1e-12)
        with pytest.raises(OptionError, match=r"no blob 'ip2' to read\n.*train\(\) keeps only"):
            _ = program.blobs["ip2"]
        with pytest.raises(OptionError, match="backward"):
            program.backward()
        program.forward()
        assert program.blobs["ip2"].shape == (BATCH, CLASSES)


def test_frozen_parameters_stay_and_thaw(program):
    start = states(program)
    program.freeze("ip1")
    program.train(SGD(), max_iter=3)
    after = states(program)
    np.testing.assert_array_equal(after["ip1___weight"], start["ip1___weight"])
    np.testing.assert_array_equal(after["ip1___bias"], start["ip1___bias"])
    assert not np.array_equal(after["ip2___weight"], start["ip2___weight"])
    assert program.is_frozen("ip1") and not program.is_frozen("ip2")
    program.unfreeze(program.net.layer("ip1"))  # a layer or its name
    assert not program.is_frozen("ip1")
    program.freeze_all()
    assert program.is_frozen("ip2")
    program.train(SGD(), max_iter=3)
    assert_states(states(program), after)
    program.unfreeze_all()
    program.train(SGD(), max_iter=1)
    assert not np.array_equal(states(program)["ip1___weight"], after["ip1___weight"])


def test_layers_to_freeze_by_keys_and_globs():
    with mochac.compile(net(key="head.last")) as program:
        for pattern, frozen in (("head.*", {"head.last"}), ("head.last", {"head.last"}), ("ip?", {"ip1", "head.last"})):
            program.freeze(pattern)
            assert program.session.frozen == frozen and program.is_frozen(pattern)
            program.unfreeze(pattern)
            assert program.session.frozen == set()
        with pytest.raises(OptionError, match=r"no layer 'heads\.\*'"):
            program.freeze("heads.*")
        with pytest.raises(OptionError, match=r"'ip1\.weight' is a parameter, not a layer\n  hint: .*weight_lr=0"):
            program.freeze("ip1.weight")


def test_freezing_in_the_middle_leaves_slots_alone():
    """Thawed, a parameter goes on with the history it had."""
    solver = Solver(SGD(mom_policy=MomPolicy.Fixed(0.9)), max_iter=20)
    with mochac.compile(net(), dtype="float64") as program:
        solver.init_solve(program)
        solver.step()
        program.freeze("ip1")
        history = program.session.slots()["ip1.weight.history"].copy()
        assert history.any()
        solver.step()
        np.testing.assert_array_equal(program.session.slots()["ip1.weight.history"], history)
        program.unfreeze("ip1")
        before = program.params["ip1"]["weight"][...]
        solver.step()
        moved = program.params["ip1"]["weight"][...] - before
        np.testing.assert_allclose(moved, program.session.slots()["ip1.weight.history"], rtol=1e-9)
        solver.finalize()


@pytest.mark.slow
def test_an_own_loop_is_a_training():
    with mochac.compile(net()) as a, mochac.compile(net()) as b:
        solver = Solver(SGD(mom_policy=MomPolicy.Fixed(0.9)), max_iter=7)
        curve = b.train(_recorded(Solver(SGD(mom_policy=MomPolicy.Fixed(0.9)), max_iter=7))).statistics["obj_val"]
        solver.init_solve(a)
        assert [solver.step() for _ in range(7)] == [curve[k + 1] for k in range(7)]
        solver.finalize()
        assert_states(states(a), states(b))


def _recorded(solver):
    solver.add_coffee_break(TrainingSummary("obj_val"), every_n_iter=1)
    return solver


def test_a_second_train_starts_at_0_with_zero_slots_and_goes_on_with_the_data():
    """Unlike Mocha, which draws the parameters anew: docs/guide/mocha.md."""
    method = SGD(mom_policy=MomPolicy.Fixed(0.9))
    with mochac.compile(net(), dtype="float64") as program:
        program.train(method, max_iter=3)
        assert program.session.batches.position.cursor()["data"]["position"] == 15
        before = program.params["ip2"]["bias"][...]
        lounge = program.train(_recorded(Solver(method, max_iter=1)))
        assert list(lounge.statistics["obj_val"]) == [1]
        moved = program.params["ip2"]["bias"][...] - before
        np.testing.assert_allclose(moved, program.session.slots()["ip2.bias.history"], rtol=1e-9, atol=1e-15)
        program.forward()
        np.testing.assert_array_equal(program.blobs["label"][:, 0], Y[[20, 21, 22, 0, 1]])


def test_max_epoch_ends_with_the_epoch(program):
    lounge = program.train(_recorded(Solver(SGD(), max_epoch=2)))
    assert max(lounge.statistics["obj_val"]) == 10  # 46 samples in batches of 5
    assert program.epoch() == 2


@pytest.mark.slow
def test_clip_norm_bounds_the_step():
    """With rate 1, no momentum and no regularization a step is the clipped gradient."""
    method = SGD(lr_policy=LRPolicy.Fixed(1.0))
    moved = {}
    for clip in (None, 1e-3, 1e6):
        with mochac.compile(net(), dtype="float64") as program:
            before = states(program)
            program.train(method, max_iter=1, regu_coef=0.0, clip_norm=clip)
            moved[clip] = {
                n: (a - before[n]) / (2.0 if n.endswith("bias") else 1.0) for n, a in states(program).items()
            }
    norm = {clip: np.sqrt(sum((m**2).sum() for m in found.values())) for clip, found in moved.items()}
    assert norm[1e-3] == pytest.approx(1e-3, rel=1e-9)
    assert norm[1e6] == norm[None] > 1e-2
    for name, step in moved[1e-3].items():
        np.testing.assert_allclose(step / 1e-3, moved[None][name] / norm[None], rtol=1e-9, atol=1e-12)


def test_parameters_are_shared_by_key():
    with mochac.compile(net()) as trained:
        test_net = net(X[:11], Y[:11], 4)
        with mochac.compile(test_net, params=trained.params) as test:
            before = test.evaluate()
            trained.train(SGD(lr_policy=LRPolicy.Fixed(0.5)), max_iter=20)
            assert test.evaluate()["loss"] < before["loss"]
            np.testing.assert_array_equal(test.predict(X), trained.predict(X))
            lounge_net = Solver(SGD(), max_iter=2)
            lounge_net.add_coffee_break(ValidationPerformance(test), every_n_iter=1)
            assert set(trained.train(lounge_net).statistics) == {"loss", "acc-accuracy", "obj_val"}


@pytest.mark.slow
def test_params_outlive_programs_and_other_keys_are_other_parameters():
    store = Params()
    with mochac.compile(net(), params=store) as a:
        a.train(SGD(), max_iter=2)
        kept = states(a)
    with mochac.compile(net(), params=store) as b:
        assert b.params is store
        assert_states(states(b), kept)
    with mochac.compile(net(key="head2"), params=store, seed=1) as c:
        np.testing.assert_array_equal(c.params["ip1"]["weight"][...], kept["ip1___weight"])
        assert not np.array_equal(c.params["head2"]["weight"][...], kept["ip2___weight"])
        np.testing.assert_array_equal(store["ip2"]["weight"][...], kept["ip2___weight"])


@pytest.mark.slow
def test_initial_values_depend_on_seed_and_key_alone():
    """Another layer more, another order: the same weights."""
    extra = InnerProductLayer(name="extra", output_dim=4, bottoms=["ip1"])
    with (
        mochac.compile(net(), seed=3) as a,
        mochac.compile(net(X, Y, BATCH, extra), seed=3) as b,
        mochac.compile(net(), seed=4) as c,
        mochac.compile(net(), seed=3, dtype="float64") as wide,
    ):
        assert_states(states(b), states(a))
        assert not np.array_equal(states(c)["ip1___weight"], states(a)["ip1___weight"])
        np.testing.assert_allclose(states(wide)["ip1___weight"], states(a)["ip1___weight"], rtol=1e-6)


def test_parameters_are_read_and_written(program):
    w = np.arange(18.0).reshape(3, 6)
    program.params["ip2"]["weight"] = w
    program.params["ip2"]["bias"][...] = 1
    program.params["ip2"]["bias"][1] = 5
    np.testing.assert_array_equal(np.asarray(program.params["ip2"]["weight"]), w)
    np.testing.assert_allclose(program.predict(X), forward(program, X)[1], rtol=1e-12)
    assert program.params["ip2"]["bias"][...].tolist() == [1, 5, 1]
    assert (program.params["ip2"]["weight"].shape, str(program.params["ip2"]["weight"].dtype)) == ((3, 6), "float64")
    with pytest.raises(ShapeError, match=r"ip2\.weight"):
        program.params["ip2"]["weight"] = w.T


def test_models_of_mocha_go_by_layer_whatever_the_key(tmp_path):
    """Mocha's exports name the layer; a parameter of another param_key is found there, under its key first."""
    import h5py

    data = MemoryDataLayer(data=[X], tops=["data"], batch_size=BATCH)
    ip = mochac.InnerProductLayer(name="ip1", param_key="K", output_dim=FEATURES, bottoms=["data"])
    again = ip.replace(name="ip2", bottoms=["ip1"], tops=["ip2"])
    with mochac.compile(Net("keyed", [data, ip, again])) as program:
        with h5py.File(tmp_path / "mocha.h5", "w") as file:
            file["ip2___weight"], file["ip2___bias"] = np.full((FEATURES, FEATURES), 2.0), np.full((1, FEATURES), 3.0)
        program.load(tmp_path / "mocha.h5")
        assert (program.params["K"]["weight"][...] == 2).all() and (program.params["K"]["bias"][...] == 3).all()
        with h5py.File(tmp_path / "mocha.h5", "a") as file:
            file["K___bias"] = np.full(FEATURES, 4.0)
        program.load(tmp_path / "mocha.h5")
        assert (program.params["K"]["bias"][...] == 4).all()


@pytest.mark.slow
def test_models_are_saved_and_loaded(tmp_path):
    path = tmp_path / "model.h5"
    with mochac.compile(net()) as a, mochac.compile(net(), seed=9) as b, mochac.compile(net(), dtype="float64") as wide:
        a.train(SGD(), max_iter=3)
        a.save(path)
        b.load(path)
        assert_states(states(b), states(a))
        wide.load(str(path))
        np.testing.assert_array_equal(states(wide)["ip1___weight"], states(a)["ip1___weight"].astype(np.float64))
        with mochac.compile(net(key="renamed")) as other:
            other.load(path)  # the key is another one, the layer is the same
            np.testing.assert_array_equal(states(other)["ip1___weight"], states(a)["ip1___weight"])
            np.testing.assert_array_equal(states(other)["renamed___weight"], states(a)["ip2___weight"])
            other.save(path)
        before = states(b)
        b.load(path, strict=False)
        np.testing.assert_array_equal(states(b)["ip2___weight"], before["ip2___weight"])


def test_running_statistics(program):
    found = [program.forward() for _ in range(3)]
    assert program.statistics()["loss"] == pytest.approx(np.mean(found), rel=1e-12)
    program.reset_statistics()
    last = program.forward()
    assert program.statistics()["loss"] == pytest.approx(last, rel=1e-12)


def test_dropout_works_in_train_mode_only():
    drop = DropoutLayer(name="drop", bottoms=["ip1"], tops=["dropped"], ratio=0.5)
    tested = net(X, Y, BATCH, drop)
    with mochac.compile(tested) as train, mochac.compile(tested, mode="test") as test:
        zeros = []
        for program in (train, test):
            program.forward()
            x, y = program.blobs["ip1"], program.blobs["dropped"]
            zeros.append(float((y == 0).mean()))
            np.testing.assert_allclose(y[y != 0], x[y != 0] * (2 if program is train else 1), rtol=1e-6)
        assert 0.1 < zeros[0] < 0.9
        assert zeros[1] == 0
        first = train.blobs["dropped"] == 0
        train.forward()
        assert not np.array_equal(train.blobs["dropped"] == 0, first)


def test_a_net_without_loss_predicts_and_has_mode_test():
    data = MemoryDataLayer(name="d", data=[X], tops=["x"], batch_size=4)
    bare = Net("bare", [data, InnerProductLayer(name="ip", output_dim=2, bottoms=["x"])])
    with mochac.compile(bare) as program:
        assert program.mode == "test"
        assert program.forward() == 0.0
        assert program.predict(X).shape == (N, 2)
        with pytest.raises(OptionError, match="no loss"):
            program.train(SGD(), max_iter=1)
        with pytest.raises(OptionError, match="nothing to evaluate"):
            program.evaluate()


def test_data_may_be_changed_between_steps():
    """A MemoryDataLayer's arrays are the user's: the very next forward() or own step sees what is written."""
    x = X.copy()
    with mochac.compile(net(x, Y, BATCH), dtype="float64", keep=["data"]) as program:
        solver = Solver(SGD(), max_iter=100)
        for value in (0.0, 1.0, 2.0):
            program.forward()
            x[...] = value
            program.forward()
            np.testing.assert_array_equal(program.blobs["data"], np.full((BATCH, FEATURES), value))
        solver.init_solve(program)
        for value in (3.0, 4.0):
            x[...] = value
            solver.step()
            np.testing.assert_array_equal(program.blobs["data"], np.full((BATCH, FEATURES), value))
        solver.finalize()
        x[...] = 5.0
        program.train(SGD(), max_iter=3)
        np.testing.assert_array_equal(program.blobs["data"], np.full((BATCH, FEATURES), 5.0))
        assert program.epoch() == (6 + 2 + 3) * BATCH // N


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_training_learns(threads):
    """Separable data: the loss goes down to next to nothing."""
    y = (X[:, 0] > 0).astype(int) + (X[:, 1] > 0)
    with mochac.compile(net(X, y, N), threads=threads) as program:
        program.train(SGD(lr_policy=LRPolicy.Fixed(0.5), mom_policy=MomPolicy.Fixed(0.9)), max_iter=400, regu_coef=0.0)
        assert program.evaluate()["acc-accuracy"] == 1.0


@pytest.mark.slow
def test_a_loss_layer_cannot_hide_the_objective(program):
    """A loss named "obj_val" beside another one: the loop still reports the sum."""
    double = SoftmaxLossLayer(name="obj_val", bottoms=["ip2", "label"], weight=2.0)
    solver = _recorded(Solver(SGD(), max_iter=1))
    with mochac.compile(net(X, Y, BATCH, double), dtype="float64") as two:
        assert two.train(solver).statistics["obj_val"][1] == pytest.approx(3 * program.forward(), rel=1e-12)


@pytest.mark.slow
def test_kept_blobs_of_the_data_are_those_of_the_last_step():
    """Also where the reader has filled the batch's memory anew since, and where the blob is a view of it."""
    data = np.arange(11.0)
    layers = [
        mochac.MemoryDataLayer(name="d", data=[data, np.zeros(11)], batch_size=4),
        mochac.ReshapeLayer(name="flat", shape=(1, 1), bottoms=["data"]),
        mochac.InnerProductLayer(name="ip", output_dim=2, bottoms=["flat"]),
        mochac.SoftmaxLossLayer(name="loss", bottoms=["ip", "label"]),
    ]
    with mochac.compile(mochac.Net("kept", layers), keep=["data", "flat"]) as program:
        program.train(mochac.SGD(), max_iter=3)
        time.sleep(0.05)  # the reader goes on
        for blob in ("data", "flat"):
            assert program.blobs[blob].ravel().tolist() == [8, 9, 10, 0]


@pytest.mark.slow
def test_a_trained_program_goes_when_nobody_holds_it():
    """With its memory and its reader's thread, and without waiting for the garbage collector."""
    data = mochac.MemoryDataLayer(name="d", data=[np.zeros((8, 2)), np.zeros(8)], batch_size=4)
    ip = mochac.InnerProductLayer(name="ip", output_dim=2, bottoms=["data"])
    program = mochac.compile(mochac.Net("held", [data, ip, mochac.SoftmaxLossLayer(name="l", bottoms=["ip", "label"])]))
    gc.disable()
    try:
        program.train(mochac.SGD(), max_iter=2)
        program.evaluate()
        gone = weakref.ref(program)
        del program
        assert gone() is None
    finally:
        gc.enable()


def test_a_single_prediction_compiles_its_own_plan_only(monkeypatch):
    with mochac.compile(net()) as program:
        made, predict = [], program.session.plans.predict
        monkeypatch.setattr(
            program.session.plans, "predict", lambda blob, batch: made.append(batch) or predict(blob, batch)
        )
        program.predict(X[:1])
        assert made == [1]


@pytest.mark.slow
def test_a_batch_larger_than_the_data_is_said_once(caplog):
    def trained(n):
        data = MemoryDataLayer(name=f"{n} samples", data=[X[:n], Y[:n]], batch_size=8)
        ip = InnerProductLayer(name="ip", output_dim=CLASSES, bottoms=["data"])
        with mochac.compile(Net("small", [data, ip, SoftmaxLossLayer(bottoms=["ip", "label"])])) as program:
            assert program.evaluate().keys() == {"softmax-loss"}
            program.train(SGD(), max_iter=2)

    for n in (5, 5, 8):
        trained(n)
    assert [r.getMessage() for r in caplog.records if r.levelno == logging.WARNING] == [
        "data layer '5 samples': batch_size 8 is larger than its 5 samples: every training batch holds some of them "
        "several times"
    ]
