"""ConstantLayer, StopGradientLayer, MeanLossLayer: fixed numbers, blobs that no gradient passes, any blob as a loss."""

import numpy as np
import pytest
from layers.layer_values import values

import mochac
from mochac import ConstantLayer, FunctionLayer, MeanLossLayer, Net, OptionError, ParameterLayer, StopGradientLayer

RNG = np.random.default_rng(3)


def test_the_mean_of_a_blob_is_a_loss():
    x, w = RNG.normal(size=(4, 3, 2)), np.array([[0.5], [0.0], [2.0], [-1.0]])
    found, grads = values([MeanLossLayer(name="l", bottoms=["x"], tops=["loss"], weight=0.3)], {"x": x}, "loss", 1.0)
    np.testing.assert_allclose(found, 0.3 * x.mean(), rtol=1e-12)
    np.testing.assert_allclose(grads["x"], np.full(x.shape, 0.3 / x.size), rtol=1e-12)
    weighed = MeanLossLayer(name="l", bottoms=["x"], tops=["loss"], sample_weights="w")
    found, grads = values([weighed], {"x": x, "w": w}, "loss", 1.0)
    np.testing.assert_allclose(found, (x.mean(axis=(1, 2)) * w[:, 0]).mean(), rtol=1e-12)
    np.testing.assert_allclose(grads["x"], np.broadcast_to(w[:, :, None] / x.size, x.shape), rtol=1e-12)


def test_fixed_numbers_stand_beside_samples_and_are_never_trained():
    x, steps = RNG.normal(size=(4, 3)), np.array([0.5, -np.inf, 2.0])
    layers = [
        ConstantLayer(name="steps", values=steps),
        FunctionLayer(name="y", function="max", bottoms=["x", "steps"]),
    ]
    found, _ = values(layers, {"x": x}, "y")
    np.testing.assert_array_equal(found, np.maximum(x, steps))
    data = mochac.MemoryDataLayer(data=[x], batch_size=4, tops=["x"])
    program = mochac.compile(Net("fixed", [data, *layers, MeanLossLayer(bottoms=["y"])]))
    assert not program.state_dict()


def test_no_gradient_passes():
    x, w = RNG.normal(size=(4, 3)), RNG.normal(size=(3,))
    layers = [
        StopGradientLayer(name="still", bottoms=["x"]),
        FunctionLayer(name="y", function="mul", bottoms=["x", "still"]),
    ]
    found, grads = values(layers, {"x": x}, "y", np.ones((4, 3)))
    np.testing.assert_allclose(found, x * x, rtol=1e-12)
    np.testing.assert_allclose(grads["x"], x, rtol=1e-12)
    data = mochac.MemoryDataLayer(data=[x], batch_size=4, tops=["x"])
    frozen = [
        ParameterLayer(name="w", shape=(3,)),
        StopGradientLayer(name="still", bottoms=["w"]),
        FunctionLayer(name="y", function="mul", bottoms=["x", "still"]),
        FunctionLayer(name="z", function="add", bottoms=["y", "w"]),
    ]
    program = mochac.compile(Net("still", [data, *frozen, MeanLossLayer(bottoms=["z"])]), dtype="float64")
    program.params["w"]["value"][...] = w
    program.train(mochac.SGD(1.0), max_iter=1, regu_coef=0.0, verbose=0)
    np.testing.assert_allclose(program.params["w"]["value"][...], w - 1 / 3, rtol=1e-12)


@pytest.mark.parametrize("bad", [3.0, [], [np.nan], "ab", [True]], ids=str)
def test_numbers_are_an_array(bad):
    with pytest.raises(OptionError, match=r"layer 'c' \(Constant\): values is out of range"):
        ConstantLayer(name="c", values=bad)
