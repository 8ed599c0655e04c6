"""LRNLayer against its formula in float64, the windows a matrix."""

import numpy as np
import pytest
from layers.layer_values import TOLERANCE, row_slopes, values

from mochac import (
    ConvolutionLayer,
    InnerProductLayer,
    LRNLayer,
    LRNMode,
    Net,
    Neurons,
    OptionError,
    Pooling,
    PoolingLayer,
    ShapeError,
    SoftmaxLossLayer,
    check_gradients,
)
from mochac import MemoryDataLayer as Data

ACROSS, WITHIN = LRNMode.AcrossChannel(), LRNMode.WithinChannel()


def neighbours(shape, kernel, axes):
    """M[i, j] = 1 where element j lies in the window of element i, for one sample's elements in order."""
    before = (kernel - 1) // 2
    found = np.ones((1, 1))
    for axis, n in enumerate(shape, 1):
        away = np.arange(n) - np.arange(n)[:, None]
        inside = (away >= -before) & (away < kernel - before) if axis in axes else away == 0
        found = np.kron(found, inside)
    return found


def check(x, mode=ACROSS, axis=1, kernel=5, scale=1.0, shift=1.0, power=0.75, *, dtype="float64", compiled=False):
    """y = x / (shift + scale / n * sum over the window of x^2)^power with n = kernel^axes, dx by differences."""
    axes = (2, 3) if mode == WITHIN else (axis % x.ndim,)
    window = neighbours(x.shape[1:], kernel, axes) / kernel ** len(axes)

    def f(x):
        return x / (shift + scale * (x**2 @ window.T)) ** power

    settings = {"kernel": kernel, "scale": scale, "shift": shift, "power": power}
    layer = LRNLayer(bottoms=["x"], tops=["y"], mode=mode, axis=axis, **settings)
    arriving = np.random.default_rng(7).standard_normal(x.shape)
    y, grads = values([layer], {"x": x}, "y", arriving, dtype=dtype, compiled=compiled)
    wide, rows = x.astype(dtype).astype(np.float64).reshape(len(x), -1), arriving.reshape(len(x), -1)
    np.testing.assert_allclose(y, f(wide).reshape(x.shape), rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype])
    near = max(TOLERANCE[dtype], 1e-7)
    np.testing.assert_allclose(grads["x"], row_slopes(f, wide, rows).reshape(x.shape), rtol=near, atol=near * 10)


def draw(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape)


def test_defaults_are_mochas():
    layer = LRNLayer(bottoms=["x"])
    assert (layer.kernel, layer.scale, layer.shift, layer.power, layer.axis, layer.mode) == (5, 1, 1, 0.75, 1, ACROSS)


def test_across_channels():
    check(draw(1, 2, 6, 2, 2), kernel=5)


@pytest.mark.parametrize("kernel", [2, 3])
def test_within_channels(kernel):
    check(draw(2, 2, 2, 4, 3), WITHIN, kernel=kernel, scale=5.0)


@pytest.mark.slow
def test_cifars_numbers_compiled():
    check(draw(3, 5, 2, 3, 4), WITHIN, kernel=3, scale=5e-2, dtype="float32", compiled=True)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(24))
def test_random_settings(seed):
    rng = np.random.default_rng(seed)
    mode = (ACROSS, WITHIN)[seed % 2]
    rank = 4 if mode == WITHIN else int(rng.integers(2, 6))
    shape = (int(rng.choice([1, 2, 3, 17])), *(int(n) for n in rng.integers(1, 5, rank - 1)))
    x = rng.standard_normal(shape)
    axis = int(rng.choice([a for a in range(1 - rank, rank) if a]))
    settings = {
        "kernel": int(rng.integers(1, 8)),
        "scale": float(rng.choice([1e-3, 0.5, 3.0])),
        "shift": float(rng.choice([0.5, 1.0, 2.0])),
        "power": float(rng.choice([0.0, 0.5, 0.75, 1.0, 0.6, -0.5, 2.0])),
    }
    print(shape, mode, axis, settings)
    for compiled in (False, True):
        for dtype in ("float32", "float64"):
            check(x, mode, axis, **settings, dtype=dtype, compiled=compiled)


def test_silence_stays_silence():
    """All zeros: y and its gradient are finite, and equal to the formula's."""
    x, arriving = np.zeros((1, 3, 2, 2)), np.ones((1, 3, 2, 2))
    for mode in (ACROSS, WITHIN):
        y, grads = values([LRNLayer(bottoms=["x"], tops=["y"], mode=mode, kernel=3)], {"x": x}, "y", arriving)
        np.testing.assert_array_equal(y, 0.0)
        np.testing.assert_array_equal(grads["x"], 1.0)


def test_large_and_small_numbers_stay_finite():
    x = np.array([1e-20, 1e-10, 1.0, 1e9, -1e9]).reshape(1, 5, 1, 1)
    y, grads = values([LRNLayer(bottoms=["x"], tops=["y"])], {"x": x}, "y", np.ones_like(x), dtype="float32")
    assert np.isfinite(y).all()
    assert np.isfinite(grads["x"]).all()


@pytest.mark.parametrize(
    ("shape", "mode", "axis", "words"),
    [
        ((2, 3, 4), WITHIN, 1, "layer 'lrn' (LRN): normalization within channels needs images"),
        ((2, 3, 4), ACROSS, 3, "layer 'lrn' (LRN)"),
        ((2, 3, 4), ACROSS, -3, "layer 'lrn' (LRN)"),
    ],
)
def test_wrong_shapes(shape, mode, axis, words):
    with pytest.raises((ShapeError, OptionError)) as caught:
        Net(
            "n", [Data(data=[np.zeros(shape)], batch_size=2, tops=["x"]), LRNLayer(bottoms=["x"], mode=mode, axis=axis)]
        )
    assert words in str(caught.value)
    assert "test_lrn.py:" in str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize("mode", [ACROSS, WITHIN])
def test_gradients_through_a_net_like_cifars(mode):
    rng = np.random.default_rng(5)
    data = Data(data=[rng.standard_normal((6, 2, 9, 9)), rng.integers(0, 3, 6)], batch_size=6)
    layers = [
        ConvolutionLayer(name="conv1", n_filter=4, kernel=3, pad=1, bottoms=["data"]),
        PoolingLayer(name="pool1", kernel=3, stride=2, neuron=Neurons.ReLU(), bottoms=["conv1"]),
        LRNLayer(name="norm1", kernel=3, scale=0.5, mode=mode, bottoms=["pool1"]),
        ConvolutionLayer(name="conv2", n_filter=3, kernel=3, pad=1, neuron=Neurons.ReLU(), bottoms=["norm1"]),
        PoolingLayer(name="pool2", kernel=3, stride=2, pooling=Pooling.Mean(), bottoms=["conv2"]),
        LRNLayer(name="norm2", kernel=2, scale=2.0, mode=mode, bottoms=["pool2"]),
        InnerProductLayer(name="ip1", output_dim=3, bottoms=["norm2"]),
        SoftmaxLossLayer(name="loss", bottoms=["ip1", "label"]),
    ]
    found = check_gradients(Net("small-cifar", [data, *layers]))
    assert found.ok, str(found)
