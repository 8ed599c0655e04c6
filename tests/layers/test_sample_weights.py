"""sample_weights of every loss: a weighted loss is the weighted sum of what single samples contribute."""

import numpy as np
import pytest
from layers.layer_values import values
from layers.loss_cases import cases

import mochac
from mochac import HuberLossLayer, InnerProductLayer, MemoryDataLayer, Net, NetError, ShapeError, SoftmaxLossLayer
from mochac.nets.layers import Loss
from mochac.nets.layers.base import LAYERS

CASES = {case.name: case for case in cases(np.random.default_rng(8), (4, 3, 2), 0.5)}


def test_every_loss_is_tested():
    losses = {kind for kind, cls in LAYERS.items() if cls.is_loss and cls.__module__.startswith("mochac.")}
    assert losses - {"MeanLoss"} == {case.layer.kind for case in CASES.values()}  # test_fixed_blobs.py has it
    assert all(issubclass(LAYERS[kind], Loss) for kind in losses)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_each_sample_counts_as_its_weight_says(name):
    case = CASES[name]
    feeds = {"pred": case.pred, "label": case.label, **case.more}
    layer = case.layer.replace(sample_weights="w")

    def weighted(w):
        found, grads = values([layer], {**feeds, "w": w.reshape(4, 1)}, "loss", 1.0)
        return np.array([found, *np.concatenate([grads[blob].ravel() for blob in feeds])]), grads["w"].ravel()

    parts = np.array([weighted(row)[0] for row in np.eye(4)])
    weights = np.array([0.5, -1.0, 0.0, 3.0])
    total, to_weights = weighted(weights)
    np.testing.assert_allclose(total, weights @ parts, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(to_weights, parts[:, 0], rtol=1e-10, atol=1e-12)
    plain, _ = values([case.layer], feeds, "loss")
    np.testing.assert_allclose(weighted(np.ones(4))[0][0], plain, rtol=1e-10)


RNG = np.random.default_rng(9)
X, Y, W = RNG.normal(size=(7, 3)), RNG.normal(size=(7, 2)), RNG.uniform(0, 2, 7)


def net(loss, weights=W, batch=3):
    data = MemoryDataLayer(data=[X, Y, weights], tops=["x", "y", "w"], batch_size=batch)
    return Net("n", [data, InnerProductLayer(name="ip", output_dim=2, bottoms=["x"]), loss])


def test_padded_samples_of_a_last_batch_do_not_count():
    """7 samples in batches of 3; the mean is over all samples, whatever their weights."""
    loss = HuberLossLayer(name="loss", bottoms=["ip", "y"], sample_weights="w", delta=0.5)
    with mochac.compile(net(loss), dtype="float64") as program:
        apart = np.abs(program.predict(X, blob="ip") - Y)
        each = np.where(apart <= 0.5, apart**2 / 2, 0.5 * (apart - 0.25)).mean(axis=1)
        np.testing.assert_allclose(program.evaluate()["loss"], np.mean(W * each))


@pytest.mark.slow
def test_a_weighted_step_is_the_step_of_repeated_samples():
    """A sample of weight 2 counts like two samples, once the divisors are equal."""
    loss = SoftmaxLossLayer(name="loss", bottoms=["ip", "y"], sample_weights="w")
    twice, trained = [0, 1, 2, 2], []
    for rows, weights, factor in ((slice(0, 3), np.array([1.0, 1, 2]), 3.0), (twice, np.ones(4), 4.0)):
        data = MemoryDataLayer(
            data=[X[rows], (Y[rows, :1] > 0).astype(int), weights], tops=["x", "y", "w"], batch_size=len(weights)
        )
        ip = InnerProductLayer(name="ip", output_dim=2, bottoms=["x"])
        with mochac.compile(Net("n", [data, ip, loss.replace(weight=factor)]), dtype="float64") as program:
            program.train(mochac.SGD(0.1), max_iter=2)
            trained.append(program.params["ip"]["weight"][...])
    np.testing.assert_allclose(*trained, rtol=1e-12)


def test_mistakes_name_the_field():
    loss = HuberLossLayer(name="loss", bottoms=["ip", "y"], sample_weights="v")
    with pytest.raises(NetError, match=r"layer 'loss' \(HuberLoss\): no layer produces blob 'v' for sample_weights"):
        net(loss)
    rule = r"sample_weights must be one number per sample\n  expected  \(3,\) or \(3, 1\),  got  \(3, 2\)"
    with pytest.raises(ShapeError, match=rule):
        net(loss.replace(sample_weights="y"))
