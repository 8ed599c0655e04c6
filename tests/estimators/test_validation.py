"""What is held back: a score after every epoch, and an end of the training when it stops rising."""

import inspect

import numpy as np
import pytest

from mochac import Adam, InnerProductLayer, LRPolicy, Model, NetClassifier, NetRegressor, Neurons, OptionError
from mochac.estimators.validation import split

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
    found = estimator(kind, max_epoch=4).fit(X, y)
    assert len(found.validation_scores_) == found.n_iter_ == 4
    assert found.best_validation_score_ == max(found.validation_scores_)
    rows = held_back(found, strata)
    assert found.validation_scores_[-1] == pytest.approx(found.score(X[rows], y[rows]), rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "y", "strata"), CASES, ids=["classes", "values"])
def test_training_ends_when_the_score_no_longer_rises(kind, y, strata):
    how = {"max_epoch": 300, "n_iter_no_change": 4, "tol": 0.002}
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
