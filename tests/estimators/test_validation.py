"""Validation of estimators: a score after every epoch, data of its own, an end of the training, callbacks."""

import inspect

import numpy as np
import pytest

from mochac import (
    Adam,
    InnerProductLayer,
    LRPolicy,
    Model,
    NetClassifier,
    NetRegressor,
    Neurons,
    OptionError,
    TensorBoard,
)
from mochac.api.estimators.validation import split

RNG = np.random.default_rng(5)
X = RNG.normal(size=(200, 4))
CLASS = (X[:, 0] + 0.5 * RNG.normal(size=200) > 0).astype(int)
VALUE = X @ np.array([[1.0, 2], [0, 1], [-1, 0], [0.5, 0]]) + 0.3 * RNG.normal(size=(200, 2))
HIDDEN = [InnerProductLayer(name="hidden", output_dim=16, neuron=Neurons.Tanh())]
FAST = Adam(lr_policy=LRPolicy.Fixed(0.05))


def held_back(estimator, strata):
    return split(200, estimator.validation_split, strata, estimator.seed)[1]


def estimator(kind, **parameters):
    return kind(HIDDEN, method=FAST, threads=1, **parameters)


CASES = [(NetClassifier, CLASS, CLASS), (NetRegressor, VALUE, np.zeros(200, int))]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "y", "strata"), CASES, ids=["classes", "values"])
def test_every_epoch_is_scored_as_score_does(kind, y, strata):
    found = estimator(kind, max_epoch=4, scoring=None).fit(X, y)
    assert len(found.validation_scores_) == found.n_iter_ == 4
    assert found.best_validation_score_ == max(found.validation_scores_)
    rows = held_back(found, strata)
    assert found.validation_scores_[-1] == pytest.approx(found.score(X[rows], y[rows]), rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "y", "strata"), CASES, ids=["classes", "values"])
def test_training_ends_when_the_score_no_longer_rises(kind, y, strata):
    how = {"max_epoch": 300, "n_iter_no_change": 4, "tol": 0.002, "scoring": None}
    found = estimator(kind, early_stopping=True, **how).fit(X, y)
    scores, best = found.validation_scores_, found.best_validation_score_
    assert 4 < len(scores) == found.n_iter_ < 300
    kept = scores[-5]
    assert all(score <= kept + 0.002 for score in scores[-4:]), "no gain in the last 4 epochs"
    rows = held_back(found, strata)
    assert found.score(X[rows], y[rows]) == pytest.approx(kept, rel=1e-6), "the parameters of the best epoch"
    assert best == max(scores)
    part = found.metrics_["val"]
    if "accuracy" in part:
        assert part["accuracy"] == kept == found.history_["val"]["accuracy"][-1]
    longer = estimator(kind, **{**how, "max_epoch": found.n_iter_}).fit(X, y)
    assert longer.validation_scores_ == scores, "up to its end it is the same training"


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "y", "strata"), CASES, ids=["classes", "values"])
def test_by_default_training_ends_when_the_loss_no_longer_falls(kind, y, strata):
    found = estimator(kind, early_stopping=True, max_epoch=300, n_iter_no_change=4, tol=0.002, log_interval=1).fit(X, y)
    scores = found.validation_scores_
    assert 4 < len(scores) == found.n_iter_ < 300
    losses = found.history_["val"]["loss"]
    assert [-score for score in scores[:-1]] == losses[:-1], "every epoch's, and at the end the best one's"
    assert losses[-1] == -scores[-5] == found.metrics_["val"]["loss"]
    assert found.best_validation_score_ == max(scores)


def rare(count, rng):
    """About one positive of 200, found by two of five features."""
    x = rng.normal(size=(count, 5))
    return x, (x[:, 0] + x[:, 1] + 0.3 * rng.normal(size=count) > 3.8).astype(int)


@pytest.mark.slow
def test_rare_classes_are_learnt_before_training_ends():
    """By accuracy, which is at its best from the first epoch on, training ended with what was drawn."""
    x, y = rare(6000, np.random.default_rng(0))
    assert 0.002 < y.mean() < 0.008
    auc = pytest.importorskip("sklearn.metrics").roc_auc_score
    found = NetClassifier(HIDDEN, max_epoch=60, early_stopping=True, n_iter_no_change=5, threads=1).fit(x, y)
    test, true = rare(6000, np.random.default_rng(1))
    assert found.n_iter_ > 6 and auc(true, found.predict_proba(test)[:, 1]) > 0.95


@pytest.mark.slow
def test_scoring_as_in_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    rows = held_back(estimator(NetClassifier), CLASS)

    def mine(fitted, x, y):
        return metrics.roc_auc_score(y, fitted.predict_proba(x)[:, 1])

    by_name, by_mine = (estimator(NetClassifier, max_epoch=3, scoring=s).fit(X, CLASS) for s in ("roc_auc", mine))
    assert by_name.validation_scores_ == by_mine.validation_scores_
    assert by_name.validation_scores_[-1] == pytest.approx(mine(by_name, X[rows], CLASS[rows]))
    weights = RNG.uniform(0.5, 2, 200)
    weighted = estimator(NetClassifier, max_epoch=2, scoring="accuracy").fit(X, CLASS, sample_weight=weights)
    assert weighted.validation_scores_[-1] == pytest.approx(weighted.score(X[rows], CLASS[rows], weights[rows]))
    named = estimator(NetClassifier, max_epoch=2, scoring="f1_macro").fit(X, np.array(["no", "yes"])[CLASS])
    assert 0 < named.best_validation_score_ <= 1


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "y"), [(NetClassifier, CLASS), (NetRegressor, VALUE)])
def test_validation_data_of_its_own(kind, y):
    x, own = X.copy(), X[:40].copy()
    found = estimator(kind, max_epoch=3, scoring=None).fit(x, y, validation_data=(own, y[:40]))
    assert len(found.loss_curve_) == 3 and x.flags.writeable and own.flags.writeable
    assert found.validation_scores_[-1] == pytest.approx(found.score(X[:40], y[:40]), rel=1e-6)
    whole = estimator(kind, max_epoch=3, validation_split=0).fit(X, y)
    assert (whole.transform(X) == found.transform(X)).all(), "it is trained with all of X"


@pytest.mark.slow
def test_weights_of_validation_data():
    weights, own = np.linspace(0.5, 2, 200), np.linspace(1, 3, 50)
    how = {"max_epoch": 2, "class_weight": {1: 3}}
    found = estimator(NetClassifier, **how).fit(X, CLASS, weights, validation_data=(X[:50], CLASS[:50], own))
    p = found.predict_proba(X[:50])[np.arange(50), CLASS[:50]]
    mean = (weights * np.where(CLASS, 3, 1)).mean()
    loss = (-np.log(p) * own * np.where(CLASS[:50], 3, 1) / mean).mean()
    assert -found.validation_scores_[-1] == pytest.approx(loss, rel=1e-5)
    plain = estimator(NetClassifier, **how).fit(X, CLASS, weights, validation_data=(X[:50], CLASS[:50]))
    assert (plain.transform(X) == found.transform(X)).all()
    alone = estimator(NetClassifier, max_epoch=2).fit(X, CLASS, validation_data=(X[:50], CLASS[:50], own))
    p = alone.predict_proba(X[:50])[np.arange(50), CLASS[:50]]
    assert -alone.validation_scores_[-1] == pytest.approx((-np.log(p) * own).mean(), rel=1e-5)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (X, "NetClassifier: validation_data is not a pair\n  expected  (X, y) or (X, y, sample_weight),  got  "),
        (
            (X[:, :3], CLASS),
            "X has 3 features, but NetClassifier is expecting 4 features as input\n  in validation_data",
        ),
        ((X[:3], [0, 1, 7]), "y has labels that are no classes\n  expected  0, 1,  got  7\n"),
        ((X[:3], [0, 1]), "inconsistent numbers of samples: [3, 2]\n  in validation_data"),
    ],
)
def test_bad_validation_data(data, words):
    with pytest.raises(ValueError) as caught:
        NetClassifier().fit(X, CLASS, validation_data=data)
    assert words in str(caught.value)


class Seen:
    def __init__(self):
        self.at = []

    def enjoy(self, lounge, program, state):
        self.at.append((state.iter, state.epoch, "validation loss" in lounge.statistics))


@pytest.mark.slow
def test_callbacks_run_after_every_epoch_or_every_n_iterations(tmp_path):
    epochs, steps = Seen(), Seen()
    board = TensorBoard(tmp_path)
    found = estimator(NetClassifier, max_epoch=2, batch_size=40, callbacks=[epochs, (steps, 3), board]).fit(X, CLASS)
    assert epochs.at == [(0, 0, False), (5, 1, True), (9, 2, True)], "165 samples"
    assert [at[0] for at in steps.at] == [0, 3, 6, 9]
    assert len(list(tmp_path.iterdir())) == 1
    same = estimator(NetClassifier, max_epoch=2, batch_size=40).fit(X, CLASS)
    assert (same.transform(X) == found.transform(X)).all()


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"callbacks": Seen()}, "NetClassifier: callbacks are not a list\n  got  "),
        ({"callbacks": [3]}, "not a coffee break\n  expected  an object with enjoy(lounge, program, state),  got  3"),
        (
            {"scoring": 3},
            "NetClassifier: scoring is out of range\n  expected  'loss', None, a name of scikit-learn's scorers or a "
            "function (estimator, X, y),  got  3",
        ),
        (
            {"scoring": "auc"},
            "NetClassifier: scikit-learn has no such scorer\n  got  'auc'\n  hint: sklearn.metrics.get_scorer_names() "
            "lists them; 'loss' is the loss of the validation set",
        ),
        (
            {"scoring": lambda estimator, x, y: "high"},
            "scoring returns no number\n  got  'high'\n  hint: a function (estimator, X, y) returns a number, the "
            "higher the better",
        ),
    ],
)
def test_bad_callbacks_and_scorings(parameters, words):
    pytest.importorskip("sklearn")
    with pytest.raises(OptionError) as caught:
        NetClassifier(**parameters).fit(X, CLASS)
    assert words in str(caught.value)


def test_scores_of_nan_are_told(caplog):
    scores = iter([0.5, np.nan, 0.7])
    net = NetClassifier(max_epoch=3, early_stopping=True, scoring=lambda estimator, x, y: next(scores)).fit(X, CLASS)
    assert net.best_validation_score_ == 0.7
    assert "the validation score is NaN after epoch 2; such an epoch is not the best one" in caplog.text


@pytest.mark.slow
def test_nothing_held_back():
    found = estimator(NetClassifier, max_epoch=1, validation_split=0).fit(X, CLASS)
    assert found.validation_scores_ is None and found.best_validation_score_ is None
    with pytest.raises(OptionError) as caught:
        estimator(NetClassifier, early_stopping=True, validation_split=0.001).fit(X, CLASS)
    assert str(caught.value) == (
        "NetClassifier: early_stopping needs a validation set\n"
        "  expected  validation_split > 0, and large enough for a sample of each class,  "
        "got  validation_split=0.001 of 200 samples"
    )


@pytest.mark.slow
def test_early_stopping_is_quiet_unless_verbose(capsys, caplog):
    estimator(NetClassifier, early_stopping=True, max_epoch=300, n_iter_no_change=2).fit(X, CLASS)
    assert capsys.readouterr().out == "" and caplog.records == []


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"early_stopping": "yes"}, "early_stopping is out of range\n  expected  True or False,  got  'yes'"),
        ({"n_iter_no_change": 0}, "n_iter_no_change is out of range\n  expected  an integer >= 1,  got  0"),
        ({"tol": -1}, "tol is out of range\n  expected  a finite number >= 0,  got  -1"),
    ],
)
def test_bad_values(parameters, words):
    with pytest.raises(ValueError) as caught:
        NetClassifier(**parameters).fit(X, CLASS)
    assert str(caught.value) == f"NetClassifier: {words}"


@pytest.mark.parametrize(
    ("kind", "name", "hint"),
    [
        (NetClassifier, "batchsize", "did you mean 'batch_size'?"),
        (NetRegressor, "max_iter", "use 'max_epoch'"),
        (NetClassifier, "learning_rate", "write method=SGD(lr_policy=LRPolicy.Fixed(...))"),
        (NetRegressor, "validation_fraction", "use 'validation_split'"),
        (Model, "n_epochs", "did you mean 'n_epoch'?"),
    ],
)
def test_unknown_arguments_of_the_constructor(kind, name, hint):
    with pytest.raises(OptionError) as caught:
        kind(**{name: 1})
    assert str(caught.value) == f"Invalid parameter {name!r} for estimator {kind.__name__}\n  hint: {hint}"


def test_the_signature_is_the_constructors():
    for kind in (NetClassifier, NetRegressor, Model):
        assert ["self", *inspect.signature(kind).parameters] == list(inspect.signature(kind.__init__).parameters)


def test_a_subclass_with_keywords_of_its_own():
    class Mine(NetClassifier):
        def __init__(self, width=3, **rest):
            super().__init__(**rest)
            self.width = width

    assert Mine(width=4, max_epoch=2).max_epoch == 2
