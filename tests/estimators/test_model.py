"""Model, held to Slugnet's own tests: XOR, one-hot labels, dropout, metrics of the last epoch."""

import numpy as np
import pytest

from mochac import (
    DropoutLayer,
    InnerProductLayer,
    Model,
    NetClassifier,
    NetRegressor,
    Neurons,
    RMSProp,
    SoftmaxLossLayer,
    SquareLossLayer,
)

X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], np.float32)
XOR = np.array([[0], [1], [1], [0]])


def hidden(n, **kw):
    return InnerProductLayer(name=f"hidden{n}", output_dim=n, neuron=Neurons.Tanh(), **kw)


@pytest.mark.slow
def test_xor():
    """Slugnet's tests/test_xor.py: outputs above 0.9 and below 0.1."""
    model = Model(lr=0.5, n_epoch=1500, batch_size=4, validation_split=0, progress=False)
    model.add_layer(hidden(8))
    model.add_layer(InnerProductLayer(name="out", output_dim=1, neuron=Neurons.Sigmoid()))
    model.compile()
    assert isinstance(model.estimator, NetClassifier)
    metrics = model.fit(X, XOR)
    assert set(metrics) == {"train"} and metrics["train"]["accuracy"] == 1.0
    out = model.transform(X)
    assert out.shape == (4, 1)
    assert (out[XOR == 1] > 0.9).all() and (out[XOR == 0] < 0.1).all()


def rings(n=400):
    """Points of three rings, and one-hot rows of the ring."""
    rng = np.random.default_rng(2)
    ring = np.arange(n) % 3
    angle, radius = rng.uniform(0, 2 * np.pi, n), 0.4 + ring + 0.1 * rng.normal(size=n)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1), np.eye(3)[ring]


@pytest.mark.slow
def test_one_hot_labels_with_dropout(capsys):
    """Slugnet's tests/test_mnist.py in small: RMSProp, dropout, accuracy of both parts."""
    x, y = rings()
    model = Model(
        n_epoch=200,
        layers=[hidden(32), DropoutLayer(ratio=0.1), hidden(16)],
        optimizer=RMSProp(),
        loss=SoftmaxLossLayer,
        metrics=["loss", "accuracy"],
        log_interval=100,
    )
    metrics = model.fit(x, y)
    assert metrics["train"]["accuracy"] > 0.9 and metrics["val"]["accuracy"] > 0.9
    out = model.transform(x)
    assert out.shape == (400, 3)
    np.testing.assert_allclose(out.sum(axis=1), 1, rtol=1e-5)
    assert (out.argmax(axis=1) == y.argmax(axis=1)).mean() > 0.9
    assert capsys.readouterr().out.count("| run        |") == 2


@pytest.mark.slow
def test_square_loss_makes_a_regressor():
    x, _ = rings()
    radius = np.hypot(*x.T)
    model = Model(0.05, 60, 32, [hidden(16)], loss=SquareLossLayer, progress=False)
    metrics = model.fit(x, radius)
    assert isinstance(model.estimator, NetRegressor) and metrics["val"]["loss"] < 0.1
    assert model.transform(x).shape == (400, 1)


def test_a_layer_added_later_asks_for_another_compile():
    model = Model(layers=[hidden(4)])
    model.compile()
    assert model.estimator is not None
    model.add_layer(hidden(5))
    assert model.estimator is None


def test_slugnets_defaults():
    model = Model()
    assert (model.lr, model.n_epoch, model.batch_size, model.validation_split) == (0.1, 400000, 32, 0.2)
    assert (model.metrics, model.progress, model.log_interval) == (("loss",), True, 1)
    model.compile()
    assert model.estimator.method.lr_policy.value(0) == 0.1
