"""Losses that users write, in estimators: which targets they get, what predict_proba says, and what is refused."""

import pickle

import numpy as np
import pytest

from mochac import Adam, InnerProductLayer, Model, NetClassifier, NetRegressor, Neurons, OptionError
from mochac.nets.layers import Layer, Loss, layer
from mochac.nets.layers.base import LAYERS

RNG = np.random.default_rng(7)
X = RNG.normal(size=(120, 4))
CLASS = (X[:, 0] > 0).astype(int) + (X[:, 1] > 1)
LABELS = (X @ RNG.normal(size=(4, 3)) > 0).astype(int)
VALUES = X @ RNG.normal(size=(4, 2)) + 1
HIDDEN = [InnerProductLayer(name="hidden", output_dim=8, neuron=Neurons.Tanh())]
SMALL = {"method": Adam(0.05), "batch_size": 20, "max_epoch": 20, "threads": 1}


class OwnSquareLoss(Loss):
    def losses(self, ctx, bottoms):
        pred, label = bottoms
        return 0.5 * np.square(pred - label).sum(axis=1)


class OwnSoftmaxLoss(Loss):
    def losses(self, ctx, bottoms):
        pred, label = bottoms
        ctx.label(label, pred.shape[1])
        return ctx.ops("softmax_loss", pred, label, axis=1)[0]

    def probabilities(self, out):
        e = np.exp(out - out.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)


class OwnHingeLoss(Loss):
    def losses(self, ctx, bottoms):
        pred, label = bottoms
        ctx.target(label, "sign")
        return np.maximum(1 - pred * label, 0).sum(axis=1)


class OwnPlainLoss(Layer):
    """Without sample_weights."""

    n_bottoms, n_tops, is_loss = (2, 2), (0, 0), True

    def emit(self, ctx, bottoms):
        pred, label = bottoms
        ctx.loss(np.square(pred - label).sum(axis=1), 1.0)
        return []


class OwnTripleLoss(Loss):
    n_bottoms = (3, 3)

    def losses(self, ctx, bottoms):
        a, b, c = bottoms
        return (a * b * c).sum(axis=1)


@pytest.fixture(autouse=True, scope="module")
def registered():
    """The classes are registered while these tests run."""
    LAYERS.scan()
    before = dict(LAYERS._items), set(LAYERS.foreign)
    for kind in (OwnSquareLoss, OwnSoftmaxLoss, OwnHingeLoss, OwnPlainLoss, OwnTripleLoss):
        globals()[kind.__name__] = layer(kind)
    yield
    LAYERS._items, LAYERS.foreign = before


def built_in(name):
    import mochac

    return getattr(mochac, name)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("kind", "y", "own", "same"),
    [
        (NetRegressor, VALUES, "OwnSquareLoss", "SquareLossLayer"),
        (NetClassifier, CLASS, "OwnSoftmaxLoss", "SoftmaxLossLayer"),
        (NetClassifier, LABELS, "OwnHingeLoss", "HingeLossLayer"),
    ],
)
def test_an_own_loss_trains_as_the_one_it_copies(kind, y, own, same):
    weights = RNG.uniform(0.5, 2, 120)
    mine = kind(HIDDEN, loss=globals()[own], **SMALL).fit(X, y, weights)
    theirs = kind(HIDDEN, loss=built_in(same), **SMALL).fit(X, y, weights)
    np.testing.assert_allclose(mine.transform(X), theirs.transform(X), rtol=1e-3, atol=1e-4)
    np.testing.assert_array_equal(mine.predict(X).shape, theirs.predict(X).shape)
    assert mine.score(X, y) == pytest.approx(theirs.score(X, y), abs=0.02)


@pytest.mark.slow
def test_probabilities_are_those_that_the_loss_says():
    found = NetClassifier(HIDDEN, loss=OwnSoftmaxLoss, **SMALL).fit(X, CLASS)
    p = found.predict_proba(X)
    assert p.shape == (120, 3)
    np.testing.assert_allclose(p.sum(axis=1), 1, rtol=1e-5)
    np.testing.assert_array_equal(p.argmax(axis=1), found.predict(X))
    assert not hasattr(NetClassifier(loss=OwnHingeLoss), "predict_proba")


@pytest.mark.slow
def test_numbers_for_each_class_are_0_and_1():
    found = NetClassifier(HIDDEN, loss=OwnSquareLoss, **SMALL).fit(X, CLASS)
    assert found.score(X, CLASS) > 0.85
    several = NetClassifier(HIDDEN, loss=OwnSquareLoss, **SMALL).fit(X, LABELS)
    np.testing.assert_array_equal(several.predict(X), several.transform(X) > 0.5)


@pytest.mark.slow
def test_partial_fit_and_slugnets_model():
    online = NetRegressor(loss=OwnSquareLoss, **SMALL)
    for _ in range(40):
        online.partial_fit(X, VALUES)
    assert online.score(X, VALUES) > 0.9
    model = Model(lr=0.05, n_epoch=20, loss=OwnSoftmaxLoss)
    model.fit(X, CLASS)
    assert isinstance(model.estimator, NetClassifier)


@pytest.mark.parametrize(
    ("fit", "words"),
    [
        (lambda: NetRegressor(loss=OwnSoftmaxLoss).fit(X, VALUES), "cannot train with a loss of class indices"),
        (lambda: NetRegressor(loss=OwnTripleLoss).fit(X, VALUES), "it takes neither class indices nor a number"),
        (lambda: NetClassifier(loss=OwnSoftmaxLoss).fit(X, LABELS), "several labels per sample, which OwnSoftmax"),
        (lambda: NetRegressor(loss=OwnPlainLoss).fit(X, VALUES, np.ones(120)), "weights of samples, which this loss"),
        (lambda: NetRegressor(loss=OwnPlainLoss).partial_fit(X, VALUES), "partial_fit() fills batches up"),
        (lambda: NetClassifier(loss=OwnHingeLoss, class_weight="balanced").fit(X, LABELS), "needs a loss with weights"),
    ],
)
def test_one_clear_error(fit, words):
    with pytest.raises(OptionError) as caught:
        fit()
    assert words in str(caught.value)
    assert "hint: " in str(caught.value)


@pytest.mark.slow
def test_without_weights_no_sample_weights_are_needed():
    found = NetRegressor(HIDDEN, loss=OwnPlainLoss, **SMALL).fit(X, VALUES)
    assert found.score(X, VALUES) > 0.5
    assert pickle.loads(pickle.dumps(NetRegressor(HIDDEN, **SMALL).fit(X, VALUES))).score(X, VALUES) > 0.5


@pytest.mark.slow
def test_a_loss_with_settings_needs_no_name():
    """As mochac's own losses."""
    loss = OwnSquareLoss(weight=2.0)
    assert loss.name == "loss"
    model = NetRegressor(HIDDEN, loss=loss, **SMALL).fit(X, VALUES)
    assert model.predict(X).shape == VALUES.shape
