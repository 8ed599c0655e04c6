"""Weights of samples and classes, several labels per sample, several targets, partial_fit, learning curves."""

import pickle

import numpy as np
import pytest

from mochac import (
    SGD,
    Adam,
    BinaryCrossEntropyLossLayer,
    DataError,
    HingeLossLayer,
    InnerProductLayer,
    NetClassifier,
    NetRegressor,
    Neurons,
    OptionError,
    SoftmaxLossLayer,
)
from mochac.base.support import log

RNG = np.random.default_rng(7)
X = RNG.normal(size=(120, 4))
CLASS = (X[:, 0] + 0.5 * RNG.normal(size=120) > 0).astype(int) + (X[:, 1] > 1)
LABELS = (X @ RNG.normal(size=(4, 3)) > 0).astype(int)
VALUES = X @ RNG.normal(size=(4, 2)) + 1
HIDDEN = [InnerProductLayer(name="hidden", output_dim=8, neuron=Neurons.Tanh())]
WHOLE = {"batch_size": 1000, "validation_split": 0.0, "dtype": "float64", "threads": 1, "max_epoch": 30}
SMALL = {"method": Adam(0.05), "batch_size": 20, "max_epoch": 20, "threads": 1}


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "y"), [(NetClassifier, CLASS), (NetClassifier, LABELS), (NetRegressor, VALUES)])
def test_a_weight_is_a_number_of_repetitions(kind, y):
    """If a batch has all samples; weights of 0 leave samples out."""
    weights = RNG.integers(0, 4, 120)
    weighted = kind(HIDDEN, **WHOLE).fit(X, y, sample_weight=weights)
    repeated = kind(HIDDEN, **WHOLE).fit(X.repeat(weights, axis=0), y.repeat(weights, axis=0))
    np.testing.assert_allclose(weighted.transform(X), repeated.transform(X), rtol=1e-9)
    np.testing.assert_allclose(weighted.loss_curve_, repeated.loss_curve_, rtol=1e-9)


@pytest.mark.slow
def test_only_ratios_of_weights_count():
    plain, threes = (NetClassifier(HIDDEN, **SMALL).fit(X, CLASS, w) for w in (None, np.full(120, 3.0)))
    np.testing.assert_allclose(plain.transform(X), threes.transform(X), rtol=1e-4, atol=1e-5)


@pytest.mark.slow
def test_class_weights_are_sample_weights():
    table = {0: 1.0, 2: 4.0}
    by_class = NetClassifier(HIDDEN, class_weight=table, **SMALL).fit(X, CLASS)
    by_sample = NetClassifier(HIDDEN, **SMALL).fit(X, CLASS, [table.get(c, 1.0) for c in CLASS])
    np.testing.assert_array_equal(by_class.transform(X), by_sample.transform(X))
    balanced = NetClassifier(HIDDEN, class_weight="balanced", **SMALL).fit(X, CLASS)
    by_sample.fit(X, CLASS, (120 / (3 * np.bincount(CLASS)))[CLASS])
    np.testing.assert_array_equal(balanced.transform(X), by_sample.transform(X))


TABLES = [{1: 4.0}, {0: 0.5, 1: 0.0}, {}]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "without", "there"),
    [
        (TABLES, [1, 0.5, 1], [4, 0, 1]),
        ("balanced", 60 / (LABELS == 0).sum(axis=0), 60 / (LABELS == 1).sum(axis=0)),
    ],
)
def test_class_weights_of_several_labels(given, without, there):
    """Without a step that changes anything, the loss is that of the outputs."""
    still = {**WHOLE, "method": SGD(0.0), "max_epoch": 1}
    each = np.where(LABELS == 1, there, without)
    found = NetClassifier(HIDDEN, class_weight=given, **still).fit(X, LABELS)
    out = found.transform(X)
    losses = np.where(LABELS == 1, np.logaddexp(0, -out), np.logaddexp(0, out))
    assert found.loss_curve_ == pytest.approx([(losses * each).sum() / each.mean() / 120], rel=1e-9)
    found = NetClassifier(HIDDEN, loss=HingeLossLayer, class_weight=given, **still).fit(X, LABELS)
    losses = np.maximum(0, 1 - found.transform(X) * (2 * LABELS - 1))
    assert found.loss_curve_ == pytest.approx([(losses * each).sum() / each.mean() / 120], rel=1e-9)


@pytest.mark.slow
def test_class_weights_of_labels_in_partial_fit_are_used_as_they_are():
    online = NetClassifier(class_weight=TABLES, method=SGD(0.0), batch_size=120, dtype="float64")
    online.partial_fit(X, LABELS)
    out, each = online.transform(X), np.where(LABELS == 1, [4, 0, 1], [1, 0.5, 1])
    losses = np.where(LABELS == 1, np.logaddexp(0, -out), np.logaddexp(0, out))
    assert online.loss_curve_ == pytest.approx([(losses * each).sum() / 120], rel=1e-9)


@pytest.mark.slow
def test_weights_in_scores():
    found = NetClassifier(HIDDEN, **SMALL).fit(X, CLASS)
    right = found.predict(X) == CLASS
    assert found.score(X, CLASS, right) == 1.0 and found.score(X, CLASS, ~right) == 0.0
    line = NetRegressor(**SMALL).fit(X, VALUES)
    weights = RNG.uniform(0.1, 2, 120)
    metrics = pytest.importorskip("sklearn.metrics")
    assert line.score(X, VALUES, weights) == pytest.approx(
        metrics.r2_score(VALUES, line.predict(X), sample_weight=weights)
    )


@pytest.mark.slow
@pytest.mark.parametrize("loss", [None, BinaryCrossEntropyLossLayer, HingeLossLayer])
def test_several_labels(loss):
    found = NetClassifier(HIDDEN, loss=loss, **{**SMALL, "max_epoch": 60}).fit(X, LABELS.astype(np.int8))
    predicted = found.predict(X)
    assert predicted.shape == (120, 3) and predicted.dtype == np.int8
    assert found.score(X, LABELS) == (predicted == LABELS).all(axis=1).mean() > 0.7
    assert list(found.classes_) == [0, 1, 2]
    np.testing.assert_array_equal(found.decision_function(X) > 0, predicted)
    if loss is HingeLossLayer:
        assert not hasattr(found, "predict_proba")
    else:
        p = found.predict_proba(X)
        assert p.shape == (120, 3) and ((p > 0.5) == predicted).all()
        np.testing.assert_allclose(found.predict_log_proba(X), np.log(p))
    assert 0.7 < found.metrics_["val"]["accuracy"] <= 1, "the share of labels that are right"


def test_one_hot_rows_are_told(caplog, monkeypatch):
    monkeypatch.setattr(log, "_logged_lines", set())
    with caplog.at_level("INFO", "mochac"):
        NetClassifier(**{**SMALL, "max_epoch": 1}).fit(X, np.eye(3)[CLASS])
        NetClassifier(**{**SMALL, "max_epoch": 1}).fit(X, LABELS)
    assert [r.getMessage() for r in caplog.records] == [
        "NetClassifier: y has one 1 in every row and is learnt as several labels; y.argmax(axis=1) makes classes of it"
    ]


@pytest.mark.slow
def test_several_targets():
    found = NetRegressor(**{**SMALL, "max_epoch": 80}).fit(X, VALUES)
    assert found.predict(X).shape == (120, 2) and found.score(X, VALUES) > 0.95
    assert NetRegressor(**SMALL).fit(X, VALUES[:, 0]).predict(X).shape == (120,)
    with pytest.raises(DataError, match=r"y should have a column for each target\n  expected  \(num, 2\),  got  \(120"):
        found.score(X, VALUES[:, 0])


@pytest.mark.slow
@pytest.mark.parametrize("kind", [NetClassifier, NetRegressor])
def test_learning_curves(kind):
    y = CLASS if kind is NetClassifier else VALUES
    found = kind(HIDDEN, **{**SMALL, "max_epoch": 15}).fit(X, y)
    assert len(found.loss_curve_) == found.n_iter_ == 15 == len(found.validation_scores_)
    assert found.loss_curve_[-1] < 0.7 * found.loss_curve_[0]


def parts(y, n=30):
    return [(X[k : k + n], y[k : k + n]) for k in range(0, 120, n)]


def test_partial_fit_learns_and_goes_on():
    found = NetClassifier(HIDDEN, **SMALL)
    for _ in range(20):
        for x, y in parts(CLASS):
            assert found.partial_fit(x, y, classes=[0, 1, 2]) is found
    assert found.score(X, CLASS) > 0.8 and found.n_iter_ == 80 == len(found.loss_curve_)
    assert found.loss_curve_[-1] < 0.7 * found.loss_curve_[0]
    np.testing.assert_array_equal(found.classes_, [0, 1, 2])
    before = found.transform(X)
    found.partial_fit(X[:5], CLASS[:5])
    assert (found.transform(X) != before).any()


def test_partial_fit_is_the_same_steps_as_a_training():
    """Whole batches in order: SGD's steps, which NumPy does too."""
    y = VALUES[:, 0]
    found = NetRegressor(method=SGD(0.1), batch_size=30, dtype="float64", threads=1)
    found.partial_fit(X[:30], y[:30])
    w = found.program_.params["output"]["weight"][...][0]
    b = found.program_.params["output"]["bias"][...][0]
    found.partial_fit(X[30:60], y[30:60])
    apart = X[30:60] @ w + b - y[30:60]
    np.testing.assert_allclose(found.program_.params["output"]["weight"][...][0], w - 0.1 * apart @ X[30:60] / 30)
    np.testing.assert_allclose(found.loss_curve_[1], 0.5 * np.mean(apart**2))


def test_partial_fit_of_fewer_samples_than_a_batch_is_a_step_of_those():
    y, weights = VALUES[:, 0], np.array([1.0, 2.0, 3.0])
    found = NetRegressor(method=SGD(0.1), batch_size=8, dtype="float64", threads=1).partial_fit(X[:8], y[:8])
    w = found.program_.params["output"]["weight"][...][0]
    b = found.program_.params["output"]["bias"][...][0]
    found.partial_fit(X[8:11], y[8:11], sample_weight=weights)
    apart = weights * (X[8:11] @ w + b - y[8:11])
    np.testing.assert_allclose(found.program_.params["output"]["weight"][...][0], w - 0.1 * apart @ X[8:11] / 3)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "y"), [(NetClassifier, CLASS), (NetClassifier, LABELS), (NetRegressor, VALUES)])
def test_partial_fit_goes_on_after_pickling(kind, y):
    method = Adam(0.05)
    found = kind(HIDDEN, method=method, batch_size=30, threads=1)
    more = {"classes": [0, 1, 2]} if y is CLASS else {}
    for x, part in parts(y)[:2]:
        found.partial_fit(x, part, **more)
    copy = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(copy.transform(X), found.transform(X))
    for x, part in parts(y)[2:]:
        found.partial_fit(x, part)
        copy.partial_fit(x, part)
    np.testing.assert_array_equal(copy.transform(X), found.transform(X))
    assert copy.loss_curve_ == found.loss_curve_


@pytest.mark.slow
def test_partial_fit_goes_on_from_fit_and_fit_begins_anew():
    found = NetClassifier(HIDDEN, **SMALL).fit(X, CLASS)
    score, epochs = found.score(X, CLASS), found.n_iter_
    found.partial_fit(X[:20], CLASS[:20])
    assert found.score(X, CLASS) > score - 0.1 and found.n_iter_ == epochs + 1
    again = found.fit(X, CLASS).transform(X)
    np.testing.assert_array_equal(again, NetClassifier(HIDDEN, **SMALL).fit(X, CLASS).transform(X))


@pytest.mark.parametrize(
    ("parameters", "y", "weights", "words"),
    [
        ({}, CLASS, np.ones(3), "sample_weight must be one number per sample\n  expected  (120,),  got  (3,)"),
        ({}, CLASS, -np.ones(120), "sample_weight must not be negative\n  got  -1, of sample 0"),
        ({}, CLASS, np.zeros(120), "all of sample_weight are zero: there is no sample to learn from"),
        ({}, CLASS, np.full(120, np.nan), "Input sample_weight contains NaN."),
        ({"class_weight": "even"}, CLASS, None, "class_weight is out of range\n  expected  None, 'balanced' or {cl"),
        ({"class_weight": {3: 1}}, CLASS, None, "class_weight names no class of y\n  expected  0, 1, 2,  got  3"),
        ({"class_weight": {"0": 2}}, CLASS, None, "got  '0'\n  hint: did you mean 0, of type int?"),
        (
            {"class_weight": {1: "a"}},
            CLASS,
            None,
            "class_weight of 1 is out of range\n  expected  a finite number >= 0,  got  'a'",
        ),
        ({"class_weight": {1: 2}}, LABELS, None, "class_weight is out of range for samples with several labels"),
        ({"class_weight": [{1: 2}]}, LABELS, None, "another number of labels than y\n  expected  3,  got  1"),
        ({"class_weight": [{}, {}, {2: 1}]}, LABELS, None, "of label 2 names neither 0 nor 1"),
        (
            {"class_weight": [{0: 0}, {}, {}]},
            LABELS,
            None,
            "of label 0 is out of range\n  expected  a finite number > 0",
        ),
        (
            {"class_weight": "balanced", "loss": HingeLossLayer(pos_weight=2)},
            LABELS,
            None,
            "class_weight and weights of the loss are both given",
        ),
        ({"loss": SoftmaxLossLayer}, LABELS, None, "y has several labels per sample, which SoftmaxLossLayer cannot"),
    ],
)
def test_bad_weights_and_labels(parameters, y, weights, words):
    with pytest.raises((DataError, OptionError)) as caught:
        NetClassifier(**parameters).fit(X, y, sample_weight=weights)
    assert isinstance(caught.value, ValueError) and words in str(caught.value)


@pytest.mark.slow
def test_bad_calls_of_partial_fit():
    found = NetClassifier(threads=1)
    found.partial_fit(X, CLASS, classes=[0, 1, 2])
    for call, words in {
        "y has labels that are no classes\n  expected  0, 1, 2,  got  5, 7\n  hint: all labels must be in the first "
        "call: fit(X, y), or NetClassifier.partial_fit(X, y, classes=[...])": lambda: found.partial_fit(
            X[:4], [0, 5, 7, 5]
        ),
        "X has 3 features, but NetClassifier is expecting 4 features": lambda: found.partial_fit(X[:, :3], CLASS),
        "classes differ from those of the first call": lambda: found.partial_fit(X, CLASS, classes=[0, 1]),
        "classes must be passed on the first call to partial_fit.\n  hint: all labels that will come: "
        "partial_fit(X, y, classes=[...])": lambda: NetClassifier().partial_fit(X, CLASS),
        "Mix of label input types (string and number)\n  expected  0, 1, 2,  got  'a', 'b'": lambda: found.score(
            X[:3], ["a", "b", "a"]
        ),
        "Mix of label input types (string and number)\n  expected  0, 1, 2,  got  'c'": lambda: found.score(
            X[:2], np.array(["c", "c"], object)
        ),
        "partial_fit() has no validation set": lambda: NetClassifier(early_stopping=True).partial_fit(X, CLASS),
        "does not know all samples to balance": lambda: NetClassifier(class_weight="balanced").partial_fit(X, CLASS),
    }.items():
        with pytest.raises((DataError, OptionError)) as caught:
            words()
        assert call in str(caught.value)
