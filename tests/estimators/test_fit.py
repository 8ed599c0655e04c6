"""What fit keeps and methods give: labels of any type, image samples, splits, seeds, histories, pickles."""

import copy
import os
import pickle
import signal

import numpy as np
import pytest

from mochac import (
    SGD,
    Adam,
    BinaryCrossEntropyLossLayer,
    ConcatLayer,
    ConvolutionLayer,
    DropoutLayer,
    FocalLossLayer,
    HingeLossLayer,
    HuberLossLayer,
    InnerProductLayer,
    L1LossLayer,
    LRPolicy,
    MulticlassHingeLossLayer,
    MultinomialLogisticLossLayer,
    NetClassifier,
    NetRegressor,
    Neurons,
    NumericError,
    PoolingLayer,
    ReshapeLayer,
    SoftmaxLossLayer,
)
from mochac.api.estimators.progress import EpochMetrics
from mochac.api.estimators.validation import split

ADAM = Adam(lr_policy=LRPolicy.Fixed(0.05))


def blobs(classes=3, each=40, seed=3):
    """Points around corners of a cube, well apart, and their class indices."""
    rng = np.random.default_rng(seed)
    y = np.arange(classes * each) % classes
    corners = np.array([[4, 0, 0], [0, 4, 0], [0, 0, 4], [4, 4, 4]])[:classes]
    return corners[y] + rng.normal(size=(len(y), 3)), y


def classifier(**parameters):
    hidden = InnerProductLayer(name="hidden", output_dim=8, neuron=Neurons.ReLU())
    return NetClassifier([hidden], **{"method": ADAM, "max_epoch": 15, "batch_size": 16, "threads": 1, **parameters})


@pytest.fixture(scope="module")
def fitted():
    x, y = blobs()
    return classifier(log_interval=4).fit(x, np.array(["red", "green", "blue"])[y])


@pytest.mark.slow
def test_labels_come_back_as_they_were_given(fitted):
    x, y = blobs(seed=8)
    names = np.array(["red", "green", "blue"])[y]
    assert fitted.classes_.tolist() == ["blue", "green", "red"]
    predicted = fitted.predict(x)
    assert predicted.dtype == names.dtype and (predicted == names).mean() > 0.95
    assert fitted.score(x, names) == (predicted == names).mean()


def test_probabilities_are_the_softmax_of_the_output(fitted):
    x, _ = blobs(seed=8)
    out, p = fitted.transform(x).astype(np.float64), fitted.predict_proba(x)
    assert out.shape == p.shape == (120, 3)
    np.testing.assert_allclose(p, np.exp(out) / np.exp(out).sum(axis=1, keepdims=True), rtol=1e-6)
    np.testing.assert_allclose(fitted.predict_log_proba(x), np.log(p), rtol=1e-9)
    np.testing.assert_array_equal(fitted.decision_function(x), fitted.transform(x))


def test_metrics_of_both_parts_are_kept(fitted):
    assert fitted.history_["epoch"] == [4, 8, 12, 15] and fitted.n_iter_ == 15
    for part in ("train", "val"):
        assert [len(v) for v in fitted.history_[part].values()] == [4, 4]
        assert fitted.metrics_[part] == {k: v[-1] for k, v in fitted.history_[part].items()}
        assert fitted.metrics_[part]["accuracy"] > 0.9
    losses = fitted.history_["train"]["loss"]
    assert losses[-1] < losses[0]


def test_a_pickle_and_a_copy_predict_the_same(fitted):
    x, _ = blobs(seed=8)
    for other in (pickle.loads(pickle.dumps(fitted)), copy.deepcopy(fitted)):
        np.testing.assert_array_equal(other.transform(x), fitted.transform(x))


def test_the_trained_net_is_a_program(fitted, tmp_path):
    weight = fitted.program_.params["hidden"]["weight"]
    assert weight.shape == (8, 3)
    fitted.program_.save(tmp_path / "net.h5")
    assert (tmp_path / "net.h5").exists()


def test_parameters_are_those_of_the_constructor(fitted):
    given = fitted.get_params()
    assert (given["max_epoch"], given["method"], given["seed"]) == (15, ADAM, 0)
    assert repr(NetClassifier(max_epoch=3, seed=0)) == "NetClassifier(max_epoch=3)"
    assert NetRegressor().set_params(seed=4, dtype="float64").get_params()["seed"] == 4


@pytest.mark.parametrize(("n", "share"), [(100, 0.2), (7, 0.5), (5, 0.19), (3, 0.0), (1, 0.9)])
def test_the_split_takes_its_share_of_every_class(n, share):
    strata = np.arange(n) % 2
    train, val = split(n, share, strata, seed=5)
    assert sorted([*train, *val]) == list(range(n))
    for stratum in (0, 1):
        members = (strata == stratum).sum()
        assert (strata[val] == stratum).sum() == int(members * share)
    again = split(n, share, strata, seed=5)
    np.testing.assert_array_equal(train, again[0])


@pytest.mark.slow
def test_seeds_and_warm_starts():
    x, y = blobs()
    first = classifier(max_epoch=2).fit(x, y)
    out = first.transform(x)
    np.testing.assert_array_equal(classifier(max_epoch=2).fit(x, y).transform(x), out)
    np.testing.assert_array_equal(first.fit(x, y).transform(x), out)
    other = classifier(max_epoch=2, random_state=np.random.RandomState(1)).fit(x, y)
    assert not np.array_equal(other.transform(x), out)
    same = classifier(max_epoch=2, random_state=np.random.RandomState(1)).fit(x, y)
    np.testing.assert_array_equal(same.transform(x), other.transform(x))
    warm = classifier(max_epoch=2, warm_start=True).fit(x, y)
    before = warm.metrics_["train"]["loss"]
    assert warm.fit(x, y).metrics_["train"]["loss"] < before
    with pytest.raises(ValueError, match="warm_start needs the same net as before"):
        warm.fit(x[:, :2], y)


@pytest.mark.slow
@pytest.mark.parametrize("classes", [1, 2, 3])
@pytest.mark.parametrize(
    "loss",
    [
        SoftmaxLossLayer,
        MultinomialLogisticLossLayer,
        BinaryCrossEntropyLossLayer,
        BinaryCrossEntropyLossLayer(logits=True),
        HingeLossLayer,
        MulticlassHingeLossLayer,
        FocalLossLayer(gamma=1.0),
    ],
    ids=lambda loss: getattr(loss, "__name__", getattr(loss, "kind", None)),
)
def test_every_loss_with_any_number_of_classes(loss, classes):
    x, y = blobs(classes)
    y = y * 10 + 7
    net = classifier(loss=loss, max_epoch=25).fit(x, y)
    assert set(net.predict(x)) <= set(y) and net.score(x, y) > 0.9
    assert net.metrics_["train"]["accuracy"] > 0.9
    scores = net.decision_function(x)
    assert scores.shape == ((len(x),) if classes <= 2 and (classes == 2 or loss != SoftmaxLossLayer) else scores.shape)
    if loss in (HingeLossLayer, MulticlassHingeLossLayer):
        assert not hasattr(net, "predict_proba")
    else:
        p = net.predict_proba(x)
        assert p.shape == (len(x), classes)
        np.testing.assert_allclose(p.sum(axis=1), 1 if classes > 1 else p[:, 0], atol=1e-6)
        if classes > 1:
            np.testing.assert_array_equal(net.classes_[p.argmax(axis=1)], net.predict(x))


@pytest.mark.slow
@pytest.mark.parametrize("loss", [HuberLossLayer(delta=0.1), L1LossLayer])
def test_outliers_move_robust_regressors_less(loss):
    rng = np.random.default_rng(6)
    x = rng.normal(size=(200, 2))
    line = x @ [1.0, -2.0]
    y = np.where(rng.random(200) < 0.1, 50.0, line)
    how = {"method": ADAM, "max_epoch": 60, "validation_split": 0, "threads": 1}
    robust, square = (NetRegressor(loss=kind, **how).fit(x, y).predict(x) for kind in (loss, None))
    assert np.median(np.abs(robust - line)) < 0.1 * np.median(np.abs(square - line))


@pytest.mark.slow
def test_an_output_layer_of_ones_own_is_used():
    x, y = blobs(2)
    layers = [InnerProductLayer(name="h", output_dim=4), InnerProductLayer(name="mine", output_dim=2)]
    net = NetClassifier(layers, method=ADAM, max_epoch=3, threads=1).fit(x, y)
    assert list(net.program_.params) == ["h", "mine"]
    layers[-1] = InnerProductLayer(name="mine", output_dim=2, neuron=Neurons.ReLU())
    net = NetClassifier(layers, method=ADAM, max_epoch=3, threads=1).fit(x, y)
    assert list(net.program_.params) == ["h", "mine", "output"]


@pytest.mark.slow
def test_branches_and_further_losses():
    """Layers with bottoms are not chained; what predict does not need is left out of its net."""
    x, y = blobs()
    layers = [
        InnerProductLayer(name="left", output_dim=4, neuron=Neurons.Tanh(), bottoms=["data"]),
        InnerProductLayer(name="right", output_dim=4, neuron=Neurons.ReLU(), bottoms=["data"]),
        InnerProductLayer(name="aside", output_dim=3, bottoms=["left"]),
        SoftmaxLossLayer(name="aside-loss", weight=0.3, bottoms=["aside", "label"]),
        ConcatLayer(name="both", bottoms=["left", "right"]),
        DropoutLayer(ratio=0.1),
    ]
    net = NetClassifier(layers, method=ADAM, max_epoch=15, threads=1).fit(x, y)
    assert net.score(x, y) > 0.95
    assert [layer.name for layer in net.program_.net.layers] == ["input", "left", "right", "both", "dropout", "output"]


class Table:
    """As much of a data frame as estimators look at."""

    def __init__(self, values, columns):
        self.values, self.columns = values, columns

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype)


@pytest.mark.slow
def test_columns_of_tables_are_remembered():
    x, y = blobs()
    net = classifier(max_epoch=1).fit(Table(x, ["a", "b", "c"]), y)
    assert net.feature_names_in_.tolist() == ["a", "b", "c"]
    np.testing.assert_array_equal(net.predict(Table(x, ["a", "b", "c"])), net.predict(Table(x, ["a", "b", "c"])))
    with pytest.raises(ValueError, match=r"feature names should match(.|\n)*expected  a b c,  got  c b a"):
        net.predict(Table(x, ["c", "b", "a"]))
    with pytest.warns(UserWarning, match="X does not have valid feature names, but NetClassifier was fitted with"):
        net.predict(x)
    net.fit(x, y)
    assert not hasattr(net, "feature_names_in_")
    with pytest.warns(UserWarning, match="X has feature names, but NetClassifier was fitted without feature names"):
        net.predict(Table(x, ["a", "b", "c"]))


@pytest.mark.slow
def test_a_failed_fit_leaves_the_last_one():
    x, y = blobs()
    net = classifier(max_epoch=2).fit(x, y)
    before = net.predict(x)
    with pytest.raises(NumericError):
        net.set_params(method=SGD(lr_policy=LRPolicy.Fixed(1e30))).fit(x, 7 + y)
    assert net.classes_.tolist() == [0, 1, 2]
    np.testing.assert_array_equal(net.predict(x), before)


@pytest.mark.slow
def test_ctrl_c_keeps_what_was_learned(monkeypatch):
    x, y = blobs()
    seen = EpochMetrics.enjoy

    def pressed(self, lounge, program, state):
        seen(self, lounge, program, state)
        if state.epoch >= 3:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(EpochMetrics, "enjoy", pressed)
    net = classifier(max_epoch=10_000, log_interval=1)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs inherit SIG_IGN
    try:
        with pytest.raises(KeyboardInterrupt):
            net.fit(x, y)
    finally:
        signal.signal(signal.SIGINT, before)
    assert 3 <= net.n_iter_ < 10_000 and net.predict(x).shape == y.shape


@pytest.mark.slow
def test_images_and_layers_without_bottoms():
    """A bright quarter of an image is its class; four-dimensional X, and flat X behind a ReshapeLayer."""
    rng = np.random.default_rng(0)
    y = np.arange(160) % 4
    x = rng.uniform(0, 0.3, (160, 1, 8, 8)).astype(np.float32)
    for k, quarter in enumerate(y):
        x[k, 0, 4 * (quarter // 2) :, 4 * (quarter % 2) :][:4, :4] += 0.6
    layers = [
        ConvolutionLayer(name="conv", n_filter=4, kernel=3, pad=1, neuron=Neurons.ReLU()),
        PoolingLayer(kernel=2, stride=2),
        DropoutLayer(ratio=0.2),
        PoolingLayer(kernel=2, stride=2),
        DropoutLayer(ratio=0.2),
    ]
    net = NetClassifier(layers, method=ADAM, max_epoch=10, threads=1).fit(x, y)
    assert net.score(x, y) > 0.95 and net.n_features_in_ == 64
    names = [layer.name for layer in net.program_.net.layers]
    assert {"pooling", "pooling2", "dropout", "dropout2", "output"} <= set(names)
    flat = NetClassifier([ReshapeLayer(shape=(1, 8, 8)), *layers], method=ADAM, max_epoch=10, threads=1)
    assert flat.fit(x.reshape(160, 64), y).score(x.reshape(160, 64), y) > 0.95


@pytest.mark.slow
@pytest.mark.parametrize("targets", [0, 1, 2])
def test_a_linear_regression_finds_the_plane(targets):
    """Against least squares in float64."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(200, 3))
    y = x @ rng.normal(size=(3, max(targets, 1))) + 0.1 * rng.normal(size=(200, 1)) + 2
    y = y[:, 0] if targets == 0 else y
    net = NetRegressor(method=SGD(lr_policy=LRPolicy.Exp(0.1, 0.99)), max_epoch=60, validation_split=0, threads=1)
    net.fit(x, y)
    with_one = np.hstack([x, np.ones((200, 1))])
    best = with_one @ np.linalg.lstsq(with_one, y, rcond=None)[0]
    assert net.predict(x).shape == y.shape and net.predict(x).dtype == np.float64
    np.testing.assert_allclose(net.predict(x), best, atol=0.02)
    true, rest = y.reshape(200, -1), (y - net.predict(x)).reshape(200, -1)
    r2 = 1 - (rest**2).sum(axis=0) / ((true - true.mean(axis=0)) ** 2).sum(axis=0)
    assert net.score(x, y) == pytest.approx(r2.mean())
    assert list(net.metrics_) == ["train"] and list(net.metrics_["train"]) == ["loss"]


@pytest.mark.slow
def test_verbose_shows_the_table(capsys):
    x, y = blobs()
    classifier(max_epoch=4, log_interval=2, verbose=1).fit(x, y)
    out = capsys.readouterr().out
    assert out.count("| run        |   epoch |") == 2
    assert "| validation |       4 |" in out and "accuracy |" in out
    classifier(max_epoch=4).fit(x, y)
    assert capsys.readouterr().out == ""
